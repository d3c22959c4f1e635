//go:build unix

package proofs_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/seed-1a7dc1f9/facet/examples/internal/proofs"
)

// TestOpenKeepsDevices: a disk without room is an error, and its device file stays.
func TestOpenKeepsDevices(t *testing.T) {
	path := filepath.Join(t.TempDir(), "full")
	if err := os.Symlink("/dev/full", path); err != nil {
		t.Fatal(err)
	}
	if _, err := proofs.Open(path, false, [32]byte{}); err == nil {
		t.Error("proofs are written to a full disk")
	}
	if _, err := os.Lstat(path); err != nil {
		t.Error(err)
	}
}

// TestOpenAnother: proofs about another model are not continued.
func TestOpenAnother(t *testing.T) {
	path := filepath.Join(t.TempDir(), "proofs")
	f, err := proofs.Open(path, true, [32]byte{1})
	if err != nil || f.Add(3, []byte("proof\nend\n")) != nil || f.Close() != nil {
		t.Fatal(err)
	}
	if _, err := proofs.Open(path, true, [32]byte{2}); err == nil {
		t.Error("proofs about another model are continued")
	}
	f, err = proofs.Open(path, true, [32]byte{1})
	if err != nil || f.Proofs != 1 || f.Add(3, []byte("proof\nend\n")) != nil || f.Proofs != 1 ||
		f.Close() != nil {
		t.Errorf("%+v, %v, want the one proof kept", f, err)
	}
}
