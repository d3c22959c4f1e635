// Package progress shows how far a program has come and how much time is left: a bar on terminals,
// else a line every ten seconds.
package progress

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// Options describe a bar.
type Options struct {
	Description string // the work that goes on
	Unit        string // the unit that is counted; Bytes are shown as kB and MB
	Total       int    // of units; −1 if nobody knows

	note func() string // a note that is written once; nil for none
}

// write writes the note, once.
func (o *Options) write(w io.Writer) {
	if o.note != nil {
		fmt.Fprintln(w, o.note())
		o.note = nil
	}
}

// Bytes is the unit of files.
const Bytes = "bytes"

// Bar is a progress bar. The zero value is invisible. Drawing may fail, which is no reason for a
// program to stop, so no method returns an error.
type Bar struct {
	bar   *progressbar.ProgressBar // nil is invisible
	lines *lines                   // nil writes none
}

// New begins a bar on w if there is something to do: on a terminal, where it leaves no trace once
// it is full. Any other file gets a line now and then.
func New(w io.Writer, o Options) *Bar {
	columns := width(w)
	switch {
	case o.Total == 0:
		return new(Bar)
	case columns == 0:
		return &Bar{lines: linesOn(w, o, every)}
	}
	return onTerminal(w, o, columns)
}

// width returns the columns of a terminal, 0 for anything else.
func width(w io.Writer) int {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return 0
	}
	if columns, _, err := term.GetSize(int(f.Fd())); err == nil && columns > 0 {
		return columns
	}
	return usual
}

const (
	usual  = 80  // columns of a terminal that does not say
	roomy  = 70  // columns that the time left fits into as well
	wide   = 100 // and the rate
	margin = 36  // columns around a bar: description, share and count
)

func onTerminal(w io.Writer, o Options, columns int) *Bar {
	options := []progressbar.Option{
		progressbar.OptionThrottle(50 * time.Millisecond),
		progressbar.OptionClearOnFinish(),
		progressbar.OptionSetWriter(w),
		progressbar.OptionSetDescription(o.Description),
		progressbar.OptionSetPredictTime(columns >= roomy),
		progressbar.OptionSetElapsedTime(columns >= roomy),
		// A spinner that turns by itself is drawn without the lock that Clear needs.
		progressbar.OptionSetSpinnerChangeInterval(0),
		progressbar.OptionSetWidth(min(max(columns-margin, 2), 30)),
	}
	if o.Unit == Bytes {
		options = append(options, progressbar.OptionShowBytes(columns >= roomy))
	} else {
		options = append(options, progressbar.OptionShowCount())
	}
	if o.Unit != Bytes && columns >= wide {
		options = append(options, progressbar.OptionShowIts(),
			progressbar.OptionSetItsString(o.Unit))
	}
	return &Bar{bar: progressbar.NewOptions(o.Total, options...)}
}

// Add moves the bar by n units.
func (b *Bar) Add(n int) {
	if b.lines != nil {
		b.lines.done.Add(int64(n))
	}
	if b.bar != nil {
		b.bar.Add(n)
	}
}

// Describe sets the description of the work.
func (b *Bar) Describe(text string) {
	if b.bar != nil {
		b.bar.Describe(text)
	}
}

// Close makes room for the next line of output.
func (b *Bar) Close() {
	if b.lines != nil {
		b.lines.close()
		b.lines = nil
	}
	if b.bar != nil {
		b.bar.Clear()
	}
}
