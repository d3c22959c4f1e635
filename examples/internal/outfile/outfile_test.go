package outfile_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/seed-1a7dc1f9/facet/examples/internal/outfile"
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
		if err := outfile.Write(path, write(step.text, step.err)); !errors.Is(err, step.err) {
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
	if err := outfile.Write(missing, write("", nil)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Write into a missing folder: %v", err)
	}
	if err := outfile.Write(folder, write("", nil)); err == nil {
		t.Error("Write replaced a folder")
	}
}

// TestLink checks that a link stays one.
func TestLink(t *testing.T) {
	folder := t.TempDir()
	target, link := filepath.Join(folder, "a"), filepath.Join(folder, "b")
	if err := os.WriteFile(target, []byte("longer than before"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, link); err != nil {
		t.Fatal(err)
	}
	if err := outfile.Write(link, write("one", nil)); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link is %v, %v", info.Mode(), err)
	}
	if got, err := os.ReadFile(target); err != nil || string(got) != "one" {
		t.Errorf("the file holds %q, %v", got, err)
	}
}

// TestFullDisk: an error names the file that was to be written, and no other.
func TestFullDisk(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rows.jsonl")
	err := outfile.Write(path, func(w io.Writer) error {
		return &fs.PathError{Op: "write", Path: w.(*os.File).Name(), Err: syscall.ENOSPC}
	})
	if err == nil || !strings.HasPrefix(err.Error(), "write "+path+": "+syscall.ENOSPC.Error()+
		": nothing of it was written; make room") {
		t.Errorf("%v, want %s named", err, path)
	}
}
