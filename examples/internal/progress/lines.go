package progress

import (
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"time"
)

// every is how often a line is written where there is no terminal.
const every = 10 * time.Second

// lines tells how far a program has come where no bar can be drawn: in the log of a job, say.
type lines struct {
	o     Options
	done  atomic.Int64
	close func() // ends the lines
}

// linesOn begins to write to a file that is no terminal; it returns nil for anything else.
func linesOn(w io.Writer, o Options, every time.Duration) *lines {
	if _, ok := w.(*os.File); !ok || o.Unit == Bytes {
		return nil
	}
	l, begun := &lines{o: o}, time.Now()
	l.close = repeat(every, func() {
		l.o.write(w)
		fmt.Fprintln(w, l.line(time.Since(begun)))
	})
	return l
}

// line is the line that is written after some time.
func (l *lines) line(spent time.Duration) string {
	done, took := l.done.Load(), spent.Round(time.Second)
	if l.o.Total < 0 {
		return fmt.Sprintf("%s: %v so far", l.o.Description, took)
	}
	text := fmt.Sprintf("%s: %d of %d %s in %v", l.o.Description, done, l.o.Total, l.o.Unit, took)
	if left := int64(l.o.Total) - done; done > 0 && left > 0 {
		text += fmt.Sprintf(", some %v left",
			(spent * time.Duration(left) / time.Duration(done)).Round(time.Second))
	}
	return text
}
