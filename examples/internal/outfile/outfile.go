// Package outfile is how programs write files: that they can be written is known before the work
// is done, and none is ever half there.
package outfile

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// Stdout is the path that stands for standard output.
const Stdout = "-"

// IsStdout reports whether a path is standard output, by any of its names.
func IsStdout(path string) bool {
	if path == Stdout {
		return true
	}
	now, err := os.Stdout.Stat()
	if err != nil || path == "" {
		return false
	}
	file, err := os.Stat(path)
	return err == nil && os.SameFile(now, file)
}

// ForPeople returns where a command prints its table beside the files that it writes: stderr, if
// one of them is standard output.
func ForPeople(stdout, stderr io.Writer, files ...string) io.Writer {
	if slices.ContainsFunc(files, IsStdout) {
		return stderr
	}
	return stdout
}

// Write makes the file beside path and renames it when write has filled it: it
// appears under its name only when it is complete, and a file that was there
// stays until then. Nothing is left behind when write or the disk fails.
//
// A device, a pipe or a link, such as /dev/stdout, is not replaced but written to, and - is
// standard output.
func Write(path string, write func(io.Writer) error) error {
	if path == Stdout {
		return write(os.Stdout)
	}
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		return fill(path, write)
	}
	return replace(path, write)
}

// WriteText writes a file that has this text, as Write does.
func WriteText(path string, text []byte) error {
	return Write(path, func(w io.Writer) error { _, err := w.Write(text); return err })
}

func fill(path string, write func(io.Writer) error) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(write(file), file.Close())
}

func replace(path string, write func(io.Writer) error) (err error) {
	file, err := os.CreateTemp(filepath.Dir(path), ".*"+filepath.Ext(path))
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(file.Name()))
		}
	}()
	err = errors.Join(write(file), file.Chmod(0o644), file.Close())
	if failed := (*fs.PathError)(nil); errors.As(err, &failed) && failed.Path == file.Name() {
		failed.Path = path // the one that people know
	}
	if err != nil {
		return err
	}
	return os.Rename(file.Name(), path)
}

// Folder makes a folder and checks that files can be written to it.
func Folder(path string) error {
	if err := os.MkdirAll(path, 0o777); err != nil {
		return fmt.Errorf("cannot make the folder: %w", err)
	}
	probe, err := os.CreateTemp(path, ".probe*")
	if err != nil {
		return fmt.Errorf("cannot write to the folder: %w", err)
	}
	return errors.Join(probe.Close(), os.Remove(probe.Name()))
}

// Check tells whether a file could be written: its folder is there, and it is none itself. Nothing
// is wrong with an empty path, or with standard output.
func Check(path string) error {
	if path == "" || path == Stdout {
		return nil
	}
	if info, err := os.Stat(filepath.Dir(path)); err != nil || !info.IsDir() {
		return fmt.Errorf("%s cannot be written: there is no folder %s", path, filepath.Dir(path))
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return fmt.Errorf("%s cannot be written: it is a folder", path)
	}
	return nil
}

// Free returns an error for a file that holds something already, unless it may be overwritten.
func Free(path string, overwrite bool) error {
	info, err := os.Stat(path)
	if overwrite || path == Stdout || err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return nil
	}
	return fmt.Errorf("%s is there already: --overwrite replaces it", path)
}

// Same reports whether two paths name one file.
func Same(a, b string) bool {
	if a == "" || b == "" {
		return false
	}
	if filepath.Clean(a) == filepath.Clean(b) {
		return true
	}
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(infoA, infoB)
}

// Checksum identifies the contents of a file by SHA-256.
func Checksum(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	_, err = io.Copy(h, f)
	return hex.EncodeToString(h.Sum(nil)), err
}
