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
func Write(path string, write func(io.Writer) error) (err error) {
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
