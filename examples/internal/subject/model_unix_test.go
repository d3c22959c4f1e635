//go:build unix

package subject

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/dataset"
)

// TestReadWith: a reader is given the whole file, a pipe too, and one that keeps to itself that it
// could not read on does not hide it.
func TestReadWith(t *testing.T) {
	const text = "a model of some kind"
	path := filepath.Join(t.TempDir(), "model")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	out, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	if _, err := io.WriteString(in, text); err != nil {
		t.Fatal(err)
	}
	in.Close()
	for _, path := range []string{path, fmt.Sprintf("/dev/fd/%d", out.Fd())} {
		got, err := ReadAll(context.Background(), path, dataset.Limits{Values: 100})
		if err != nil || string(got) != text {
			t.Errorf("%s: read %q, %v", path, got, err)
		}
	}
	err = ReadWith(context.Background(), path, dataset.Limits{Values: 1},
		func(r io.Reader) { io.ReadAll(r) })
	if !errors.Is(err, dataset.ErrLimit) {
		t.Errorf("20 bytes where 16 are allowed: %v", err)
	}
}
