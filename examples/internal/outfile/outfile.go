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
	"syscall"
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
// stays until then. Nothing is left behind when write or the disk fails. A link stays one.
//
// A device or a pipe, such as /dev/stdout, is not replaced but written to, and - is standard
// output.
func Write(path string, write func(io.Writer) error) error {
	switch {
	case IsStdout(path):
		return write(os.Stdout)
	case IsStream(path):
		return appendTo(path, write)
	}
	err := replace(path, write)
	kept := "nothing of it was written"
	if _, missing := os.Stat(path); missing == nil {
		kept = "it is as it was before"
	}
	return NoRoom(err, kept)
}

// NoRoom says in the error of a full disk which data is kept, and how to go on. Other errors stay
// as they are.
func NoRoom(err error, kept string) error {
	if !Full(err) {
		return err
	}
	return fmt.Errorf("%w: %s; make room, or name a file elsewhere, and run the command again",
		err, kept)
}

// Full reports whether an error says that a disk is full, or a file as large as it may be.
func Full(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) ||
		errors.Is(err, syscall.EFBIG)
}

// WriteText writes a file that has this text, as Write does.
func WriteText(path string, text []byte) error {
	return Write(path, func(w io.Writer) error { _, err := w.Write(text); return err })
}

func appendTo(path string, write func(io.Writer) error) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	return errors.Join(write(file), file.Close())
}

func replace(name string, write func(io.Writer) error) error {
	path := Real(name)
	file, err := os.CreateTemp(filepath.Dir(path), ".*"+filepath.Ext(path))
	if err != nil {
		return err
	}
	err = Become(file, path, func(w io.Writer) error {
		return errors.Join(write(w), file.Chmod(0o644))
	})
	if failed := (*fs.PathError)(nil); errors.As(err, &failed) && failed.Path == file.Name() {
		failed.Path = name // the one that people know
	}
	return err
}

// Become fills a file that was made beside path and, once all of it is on the disk, gives it that
// name. It removes one that could not be filled.
func Become(file *os.File, path string, write func(io.Writer) error) error {
	err := errors.Join(write(file), file.Sync(), file.Close())
	if err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		err = errors.Join(err, os.Remove(file.Name()))
	}
	return err
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
