package progress

import (
	"io"
	"time"

	"github.com/schollz/progressbar/v3"
)

// Busy shows on a terminal that something goes on whose end nobody knows, and for how long, until
// the function that it returns is called.
func Busy(w io.Writer, doing string) (done func()) { return BusyNoting(w, doing, nil) }

// BusyNoting is Busy with a note on a line of its own after ten seconds; nil for none.
func BusyNoting(w io.Writer, doing string, note func() string) (done func()) {
	o := Options{Description: doing, Total: -1, note: note}
	if width(w) == 0 {
		if l := linesOn(w, o, every); l != nil {
			return l.close
		}
		return func() {}
	}
	return busy(w, o, 200*time.Millisecond, every)
}

func busy(w io.Writer, o Options, tick, wait time.Duration) (done func()) {
	bar := progressbar.NewOptions(-1,
		progressbar.OptionSetWriter(w),
		progressbar.OptionSetDescription(o.Description),
		progressbar.OptionSetElapsedTime(true),
		progressbar.OptionSpinnerType(14),
		progressbar.OptionSetSpinnerChangeInterval(0), // as in New
		progressbar.OptionClearOnFinish(),
	)
	begun := time.Now()
	stop := repeat(tick, func() {
		if o.note != nil && time.Since(begun) >= wait {
			bar.Clear()
			o.write(w)
		}
		bar.Add(1)
	})
	return func() { stop(); bar.Clear() }
}

// repeat does something now and then until the function that it returns is called.
func repeat(every time.Duration, do func()) (stop func()) {
	end, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		ticker := time.NewTicker(every)
		defer ticker.Stop()
		for {
			select {
			case <-end:
				return
			case <-ticker.C:
				do()
			}
		}
	}()
	return func() { close(end); <-ended }
}
