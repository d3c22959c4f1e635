package atomicfile_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/atomicfile"
)

func write(text string, err error) func(io.Writer) error {
	return func(w io.Writer) error {
		_, failed := io.WriteString(w, text)
		return errors.Join(failed, err)
	}
}

func TestWrite(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "a.json")
	full := errors.New("no space left on device")
	for _, step := range []struct {
		text string
		err  error
		want string
	}{
		{"one", nil, "one"},
		{"tw", full, "one"},
		{"three", nil, "three"},
	} {
		if err := atomicfile.Write(path, write(step.text, step.err)); !errors.Is(err, step.err) {
			t.Errorf("Write(%q) = %v, want %v", step.text, err, step.err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != step.want {
			t.Errorf("after %q the file holds %q, %v, want %q", step.text, got, err, step.want)
		}
	}
	if entries, err := os.ReadDir(folder); err != nil || len(entries) != 1 {
		t.Errorf("%d files, %v, want one", len(entries), err)
	}
	missing := filepath.Join(folder, "b", "a.json")
	if err := atomicfile.Write(missing, write("", nil)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Write into a missing folder: %v", err)
	}
	if err := atomicfile.Write(folder, write("", nil)); err == nil {
		t.Error("Write replaced a folder")
	}
}
