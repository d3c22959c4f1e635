package main

import (
	"io"
	"math"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// newBar returns a progress bar on w. Anything but a terminal sees only its beginning
// and end.
func newBar(w io.Writer, points int) *progressbar.ProgressBar {
	throttle := time.Duration(math.MaxInt64)
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		throttle = 50 * time.Millisecond
	}
	return progressbar.NewOptions(points,
		progressbar.OptionSetWriter(w),
		progressbar.OptionSetDescription("attacking"),
		progressbar.OptionShowCount(),
		progressbar.OptionSetItsString("points"),
		progressbar.OptionSetPredictTime(true),
		progressbar.OptionThrottle(throttle),
		progressbar.OptionOnCompletion(func() { io.WriteString(w, "\n") }),
	)
}
