package main

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

func TestProgress(t *testing.T) {
	var screen bytes.Buffer
	p := &progress{newBar(&screen, 5)}
	p.step(1, 2)
	p.interrupted()
	state := p.bar.State()
	if state.CurrentNum != 1 || state.Max != 5 || !strings.HasPrefix(state.Description, "finishing the running rows") {
		t.Errorf("%d of %d, %q, want 1 of 5, finishing the running rows", state.CurrentNum, state.Max, state.Description)
	}
	p.clear()
	if text := screen.String(); !strings.Contains(text, "attacking") || !strings.HasSuffix(text, "\r") {
		t.Errorf("screen %q, want a bar that was cleared", text)
	}
}

// TestNoProgress checks that nothing is drawn where nobody looks.
func TestNoProgress(t *testing.T) {
	file, err := os.Create(newFolder(t).file("log"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for _, w := range []interface{ Write([]byte) (int, error) }{new(bytes.Buffer), file} {
		p := newProgress(w, 5)
		p.step(1, 5)
		p.interrupted()
		p.clear()
		if p.bar != nil {
			t.Errorf("a bar on %T", w)
		}
	}
	if info, err := file.Stat(); err != nil || info.Size() != 0 {
		t.Errorf("%d bytes written, want none", info.Size())
	}
}
