package progress

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"time"
)

func TestLine(t *testing.T) {
	for _, c := range []struct {
		o     Options
		done  int64
		spent time.Duration
		want  string
	}{
		{Options{Description: "attacking", Unit: "points", Total: 2000}, 120, 30 * time.Second,
			"attacking: 120 of 2000 points in 30s, some 7m50s left"},
		{Options{Description: "attacking", Unit: "points", Total: 2000}, 0, 10 * time.Second,
			"attacking: 0 of 2000 points in 10s"},
		{Options{Description: "attacking", Unit: "points", Total: 20}, 20, 70 * time.Second,
			"attacking: 20 of 20 points in 1m10s"},
		{Options{Description: "reading", Total: -1}, 0, 10 * time.Second, "reading: 10s so far"},
	} {
		l := &lines{o: c.o}
		l.done.Store(c.done)
		if got := l.line(c.spent); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// TestLines: a file that is no terminal gets lines until the end, and no other writer gets any.
func TestLines(t *testing.T) {
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Description: "attacking", Unit: "points", Total: 9}
	l := linesOn(write, o, time.Millisecond)
	l.done.Add(3)
	begin := make([]byte, 20)
	if _, err := read.Read(begin); err != nil || !strings.HasPrefix(string(begin), "attacking: ") {
		t.Errorf("%q, %v", begin, err)
	}
	go func() { // reads all that is written until the end
		for {
			if _, err := read.Read(make([]byte, 1000)); err != nil {
				return
			}
		}
	}()
	l.close()
	write.Close()
	var buffer bytes.Buffer
	b := New(&buffer, o)
	b.Add(1)
	b.Close()
	Busy(&buffer, "reading")()
	if linesOn(&buffer, Options{}, time.Millisecond) != nil || buffer.Len() > 0 {
		t.Errorf("%q in a buffer", &buffer)
	}
}
