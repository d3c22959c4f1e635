package main

import (
	"os"
	"strings"
	"testing"
)

// TestFullDisk writes to a device on which there is never room.
func TestFullDisk(t *testing.T) {
	in := newInstance(t, serve(t, whole), serve(t, whole))
	if err := os.MkdirAll(in.folder, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/dev/full", in.path+partial); err != nil {
		t.Fatal(err)
	}
	status, stdout, stderr := in.download(t.Context())
	if status != 1 || stdout != "" ||
		!strings.HasPrefix(stderr, "datasets: fourclass: the disk is full: ") ||
		strings.Count(stderr, "full:") != 1 {
		t.Errorf("exit status %d with %q, %q", status, stdout, stderr)
	}
}
