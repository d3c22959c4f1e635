package progress

import (
	"io"
	"time"

	"github.com/schollz/progressbar/v3"
)

// Busy shows on a terminal that something goes on whose end nobody knows, and for how long, until
// the function that it returns is called.
func Busy(w io.Writer, doing string) (done func()) {
	if width(w) == 0 {
		if l := linesOn(w, Options{Description: doing, Total: -1}, every); l != nil {
			return l.close
		}
		return func() {}
	}
	return busy(w, doing, 200*time.Millisecond)
}

func busy(w io.Writer, doing string, tick time.Duration) (done func()) {
	bar := progressbar.NewOptions(-1,
		progressbar.OptionSetWriter(w),
		progressbar.OptionSetDescription(doing),
		progressbar.OptionSetElapsedTime(true),
		progressbar.OptionSpinnerType(14),
		progressbar.OptionSetSpinnerChangeInterval(0), // as in New
		progressbar.OptionClearOnFinish(),
	)
	end, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for ticker := time.NewTicker(tick); ; {
			select {
			case <-end:
				ticker.Stop()
				bar.Clear()
				return
			case <-ticker.C:
				bar.Add(1)
			}
		}
	}()
	return func() { close(end); <-ended }
}
