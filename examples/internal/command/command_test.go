package command

import (
	"bytes"
	"errors"
	"testing"
)

func TestComplain(t *testing.T) {
	var stderr bytes.Buffer
	if status := Complain(&stderr, "program", Misuse, errors.New("first line\n\tand  second")); status != 2 {
		t.Errorf("status %d, want 2", status)
	}
	if got, want := stderr.String(), "program: first line and second\n"; got != want {
		t.Errorf("complaint %q, want %q", got, want)
	}
}
