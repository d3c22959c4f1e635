package results

import (
	"bufio"
	"cmp"
	"io"
	"os"

	"github.com/seed-1a7dc1f9/facet/examples/internal/outfile"
)

// replace makes the file beside path and renames it when write has filled it. The lock of the file
// leaves only one writer, so that the name beside it is fixed, and a run that was killed leaves at
// most one. No file of a user's has such a name.
func replace(path string, write func(io.Writer) error) error {
	file, err := os.Create(path + ".facet-tmp")
	if err != nil {
		return err
	}
	return outfile.Become(file, path, func(w io.Writer) error {
		b := bufio.NewWriter(w)
		return cmp.Or(write(b), b.Flush())
	})
}
