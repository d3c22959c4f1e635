// Package atomicfile writes files that are never half there.
package atomicfile

import (
	"errors"
	"io"
	"os"
	"path/filepath"
)

// Write makes the file beside path and renames it when write has filled it: it
// appears under its name only when it is complete, and a file that was there
// stays until then. Nothing is left behind when write or the disk fails.
//
// A device, a pipe or a link, such as /dev/stdout, is not replaced but written to.
func Write(path string, write func(io.Writer) error) error {
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		return fill(path, write)
	}
	return replace(path, write)
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
	if err != nil {
		return err
	}
	return os.Rename(file.Name(), path)
}
