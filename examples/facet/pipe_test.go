//go:build unix

package main

import (
	"bufio"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestSummaryIntoAPipe checks that a pipe, and with it any device, is written to and not replaced
// by a file. It uses a pipe of its own: a mistake must not cost a real device.
func TestSummaryIntoAPipe(t *testing.T) {
	f := newFolder(t)
	path := f.file("pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	// Open in both directions, it waits for nobody.
	pipe, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer pipe.Close()
	if status, _, stderr := call(t, f.base("--summary", path)...); status != 0 {
		t.Fatalf("status %d, %s", status, stderr)
	}
	if info, err := os.Stat(path); err != nil || info.Mode()&os.ModeNamedPipe == 0 {
		t.Fatalf("the pipe is now %v, %v", info, err)
	}
	if text, err := bufio.NewReader(pipe).ReadString('\n'); err != nil ||
		!strings.HasPrefix(text, `{"points":4,`) {
		t.Errorf("read %q, %v, want the summary", text, err)
	}
}

// TestGateReadsOnce: a model that can be read once, as from a pipe, answers all checks.
func TestGateReadsOnce(t *testing.T) {
	f, credit := newFolder(t), filepath.Join(modelFolder, "credit.json")
	rows := f.applicants(20, rand.New(rand.NewPCG(1, 2)))
	policy := f.write("policy.yaml", "accuracy: {at_least: 0}\nmonotone: {income: up}\n"+
		"certified: {radius: 1, at_least: 0}\n")
	model := f.pipe("model")
	text := read(t, credit)
	go func() { // it waits for the reader
		if pipe, err := os.OpenFile(model, os.O_WRONLY, 0); err == nil {
			pipe.Write(text)
			pipe.Close()
		}
	}()
	if status, _, said := f.gate(policy, "--model", model, "--test", rows); status != 0 {
		t.Errorf("status %d, says\n%s", status, said)
	}
}
