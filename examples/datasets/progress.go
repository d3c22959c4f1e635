package main

import (
	"io"
	"os"
	"path"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// bar shows the progress of a file on a terminal; elsewhere it is silent.
type bar struct {
	bar *progressbar.ProgressBar // nil when silent
}

// newBar shows a file of which have bytes are there and the given number, −1 if
// nobody knows, are to come.
func newBar(w io.Writer, url string, have, missing int64) bar {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return bar{}
	}
	total := missing
	if missing >= 0 {
		total += have
	}
	b := progressbar.NewOptions64(total,
		progressbar.OptionSetWriter(w),
		progressbar.OptionSetDescription(path.Base(url)),
		progressbar.OptionShowBytes(true),
		progressbar.OptionSetPredictTime(true),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionClearOnFinish(),
	)
	b.Set64(have)
	return bar{b}
}

// add moves the bar. Only drawing can fail, which is no reason to stop.
func (b bar) add(n int) {
	if b.bar != nil {
		b.bar.Add(n)
	}
}

// finish makes room for what is printed next.
func (b bar) finish() {
	if b.bar != nil {
		b.bar.Clear()
	}
}
