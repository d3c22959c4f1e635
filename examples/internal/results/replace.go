package results

import (
	"bufio"
	"cmp"
	"errors"
	"io"
	"os"
)

// replace makes the file beside path and renames it when write has filled it. The lock of the file
// leaves only one writer, so that the name beside it is fixed, and a run that was killed leaves at
// most one. No file of a user's has such a name.
func replace(path string, write func(io.Writer) error) error {
	name := path + ".facet-tmp"
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(file)
	if err = write(w); err == nil {
		err = cmp.Or(w.Flush(), file.Sync())
	}
	err = cmp.Or(err, file.Close())
	if err == nil {
		err = os.Rename(name, path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(name))
	}
	return nil
}
