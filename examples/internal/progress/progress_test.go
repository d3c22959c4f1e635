package progress

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

var options = Options{Description: "attacking", Unit: "rows", Total: 5}

func TestTerminal(t *testing.T) {
	var screen bytes.Buffer
	b := onTerminal(&screen, options, 80)
	b.Add(1)
	b.Describe("finishing")
	if state := b.bar.State(); state.CurrentNum != 1 || state.Max != 5 ||
		state.Description != "finishing" {
		t.Errorf("%d of %d, %q, want 1 of 5, finishing",
			state.CurrentNum, state.Max, state.Description)
	}
	b.Close()
	if text := screen.String(); !strings.Contains(text, "attacking") ||
		!strings.HasSuffix(text, "\r") {
		t.Errorf("screen %q, want a bar that was cleared", text)
	}
}

func TestBytes(t *testing.T) {
	var screen bytes.Buffer
	b := onTerminal(&screen, Options{Description: "file", Unit: Bytes, Total: 4_000_000}, 80)
	b.Add(3_000_000)
	if text := screen.String(); !strings.Contains(text, "75%") || !strings.Contains(text, "B/s") ||
		strings.Contains(text, "3000000/") {
		t.Errorf("screen %q, want the share and bytes a second", text)
	}
}

// TestUnknownTotal still shows that something goes on.
func TestUnknownTotal(t *testing.T) {
	var screen bytes.Buffer
	b := onTerminal(&screen, Options{Description: "file", Unit: Bytes, Total: -1}, 80)
	b.Add(32_768)
	b.Close()
	if text := screen.String(); !strings.Contains(text, "file") {
		t.Errorf("screen %q, want the name of what goes on", text)
	}
}

// TestNarrow: a line that is longer than the terminal is wide leaves a trail of itself. The longest
// description and the largest count must fit.
func TestNarrow(t *testing.T) {
	for _, columns := range []int{40, 60, 80, 120} {
		for _, o := range []Options{
			{Description: "attacking", Unit: "points", Total: 581_012},
			{Description: "finishing", Unit: "points", Total: 581_012},
			{Description: "breast-cancer", Unit: Bytes, Total: 18_000_000},
		} {
			var screen bytes.Buffer
			b := onTerminal(&screen, o, columns)
			b.Add(1)
			time.Sleep(60 * time.Millisecond) // beyond the throttle
			b.Add(o.Total / 2)
			for _, line := range strings.Split(screen.String(), "\r") {
				if n := utf8.RuneCountInString(strings.TrimRight(line, " ")); n >= columns {
					t.Errorf("%d columns: %q has %d characters", columns, line, n)
				}
			}
			if !strings.Contains(screen.String(), "50%") {
				t.Errorf("%d columns: screen %q, want half of it", columns, &screen)
			}
		}
	}
}

// watched tells when something is first written.
type watched struct {
	text  bytes.Buffer
	first chan struct{}
}

func (w *watched) Write(p []byte) (int, error) {
	if w.text.Len() == 0 && len(p) > 0 {
		close(w.first)
	}
	return w.text.Write(p)
}

// TestBusy: a task is shown until it is done, with one note.
func TestBusy(t *testing.T) {
	screen := &watched{first: make(chan struct{})}
	noted := make(chan struct{})
	note := func() string {
		close(noted)
		return "note: open"
	}
	done := busy(screen, Options{Description: "training", note: note}, time.Millisecond, 0)
	<-screen.first
	<-noted
	done()
	if text := screen.text.String(); !strings.Contains(text, "training") ||
		strings.Count(text, "note: open\n") != 1 || !strings.HasSuffix(text, "\r") {
		t.Errorf("screen %q, want what goes on, cleared, and one note", text)
	}
	Busy(screen, "pruning")()
	if strings.Contains(screen.text.String(), "pruning") {
		t.Error("what is no terminal is written to")
	}
}

// TestSilent checks that no bar is drawn where nobody looks, or for no work.
func TestSilent(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	nothing := options
	nothing.Total = 0
	for _, o := range []Options{options, nothing} {
		for _, w := range []io.Writer{new(bytes.Buffer), file} {
			b := New(w, o)
			b.Add(1)
			b.Describe("x")
			b.Close()
			if b.bar != nil {
				t.Errorf("a bar on %T", w)
			}
		}
	}
	if info, err := file.Stat(); err != nil || info.Size() != 0 {
		t.Errorf("%d bytes written, want none", info.Size())
	}
}
