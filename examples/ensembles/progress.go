package main

import (
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// progress is the bar on a terminal; elsewhere it is silent.
type progress struct {
	bar *progressbar.ProgressBar // nil when silent
}

func newProgress(w io.Writer, points int) *progress {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return new(progress)
	}
	return &progress{newBar(w, points)}
}

func newBar(w io.Writer, points int) *progressbar.ProgressBar {
	return progressbar.NewOptions(points,
		progressbar.OptionSetWriter(w),
		progressbar.OptionSetDescription("attacking"),
		progressbar.OptionShowCount(),
		progressbar.OptionSetItsString("points"),
		progressbar.OptionSetPredictTime(true),
		progressbar.OptionThrottle(50*time.Millisecond),
		progressbar.OptionClearOnFinish(),
	)
}

// step moves the bar by a point. Only drawing can fail, here and below, which is
// no reason to stop.
func (p *progress) step(int, int) {
	if p.bar != nil {
		p.bar.Add(1)
	}
}

// interrupted says what a first signal does.
func (p *progress) interrupted() {
	if p.bar != nil {
		p.bar.Describe("finishing the running points (once more to kill)")
	}
}

// clear makes room for what is printed next.
func (p *progress) clear() {
	if p.bar != nil {
		p.bar.Clear()
	}
}
