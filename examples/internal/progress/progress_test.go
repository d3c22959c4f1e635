package progress

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var options = Options{Description: "attacking", Unit: "rows", Total: 5}

func TestTerminal(t *testing.T) {
	var screen bytes.Buffer
	b := onTerminal(&screen, options)
	b.Add(1)
	b.Describe("finishing")
	if state := b.bar.State(); state.CurrentNum != 1 || state.Max != 5 || state.Description != "finishing" {
		t.Errorf("%d of %d, %q, want 1 of 5, finishing", state.CurrentNum, state.Max, state.Description)
	}
	b.Close()
	if text := screen.String(); !strings.Contains(text, "attacking") || !strings.HasSuffix(text, "\r") {
		t.Errorf("screen %q, want a bar that was cleared", text)
	}
}

func TestBytes(t *testing.T) {
	var screen bytes.Buffer
	b := onTerminal(&screen, Options{Description: "file", Unit: Bytes, Total: 4_000_000})
	b.Add(3_000_000)
	if text := screen.String(); !strings.Contains(text, "75%") || !strings.Contains(text, "B/s") || strings.Contains(text, "3000000/") {
		t.Errorf("screen %q, want the share and bytes a second", text)
	}
}

// TestUnknownTotal still shows that something goes on.
func TestUnknownTotal(t *testing.T) {
	var screen bytes.Buffer
	b := onTerminal(&screen, Options{Description: "file", Unit: Bytes, Total: -1})
	b.Add(32_768)
	b.Close()
	if text := screen.String(); !strings.Contains(text, "file") {
		t.Errorf("screen %q, want the name of what goes on", text)
	}
}

func TestLog(t *testing.T) {
	for _, done := range []int{2, 5} {
		var log bytes.Buffer
		o := options
		o.Log = true
		b := New(&log, o)
		for range done {
			b.Add(1)
		}
		b.Close()
		text := log.String()
		full, between := strings.Contains(text, "(5/5,"), strings.Contains(text, "(3/5,")
		if full != (done == 5) || between || !strings.HasSuffix(text, "\n") {
			t.Errorf("%d of 5 are logged as %q", done, text)
		}
	}
}

// TestSilent checks that nothing is drawn where nobody looks, or for nothing.
func TestSilent(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	nothing := options
	nothing.Total, nothing.Log = 0, true
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
