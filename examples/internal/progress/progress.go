// Package progress shows how far a program has come and how much time is left.
package progress

import (
	"io"
	"math"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// Options describe a bar.
type Options struct {
	Description string // what is going on
	Unit        string // what is counted; Bytes are shown as kB and MB
	Total       int    // of units; −1 if nobody knows
	// Log shows the beginning and the end where there is no terminal. Otherwise
	// nothing is shown there.
	Log bool
}

// Bytes is the unit of files.
const Bytes = "bytes"

// Bar is a progress bar. The zero value shows nothing. Drawing may fail, which is no
// reason for a program to stop, so nothing here returns an error.
type Bar struct {
	bar *progressbar.ProgressBar // nil shows nothing
	log io.Writer                // nil on a terminal
}

// New begins a bar on w, unless there is nothing to do. On a terminal it leaves no
// trace once it is full.
func New(w io.Writer, o Options) *Bar {
	if o.Total == 0 {
		return new(Bar)
	}
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return onTerminal(w, o)
	}
	if !o.Log {
		return new(Bar)
	}
	bar := begin(w, o, progressbar.OptionThrottle(time.Duration(math.MaxInt64)))
	return &Bar{bar: bar, log: w}
}

func onTerminal(w io.Writer, o Options) *Bar {
	bar := begin(w, o, progressbar.OptionThrottle(50*time.Millisecond), progressbar.OptionClearOnFinish())
	return &Bar{bar: bar}
}

func begin(w io.Writer, o Options, more ...progressbar.Option) *progressbar.ProgressBar {
	more = append(more,
		progressbar.OptionSetWriter(w),
		progressbar.OptionSetDescription(o.Description),
		progressbar.OptionSetPredictTime(true),
		// A spinner that turns by itself is drawn without the lock that Clear needs.
		progressbar.OptionSetSpinnerChangeInterval(0),
	)
	if o.Unit == Bytes {
		more = append(more, progressbar.OptionShowBytes(true))
	} else {
		more = append(more,
			progressbar.OptionShowCount(),
			progressbar.OptionShowIts(),
			progressbar.OptionSetItsString(o.Unit),
		)
	}
	return progressbar.NewOptions(o.Total, more...)
}

// Add moves the bar by n units.
func (b *Bar) Add(n int) {
	if b.bar != nil {
		b.bar.Add(n)
	}
}

// Describe says what is going on now.
func (b *Bar) Describe(text string) {
	if b.bar != nil {
		b.bar.Describe(text)
	}
}

// Close makes room for what is printed next.
func (b *Bar) Close() {
	switch {
	case b.bar == nil:
	case b.log == nil:
		b.bar.Clear()
	default:
		io.WriteString(b.log, "\n")
	}
}
