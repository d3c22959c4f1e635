package results

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/seed-1a7dc1f9/facet/examples/internal/outfile"
)

// Free returns an error if something would be lost that is in a file, or in the one beside it: of
// rows it says how to go on.
func Free(path string) error {
	if path == "" || outfile.IsStream(path) {
		return nil
	}
	m, err := readMeta(path)
	beside := MetaPath(path)
	switch {
	case !holds(path) && (err == nil || !holds(beside)):
		return nil
	case !holds(path):
		return fmt.Errorf("%s is there already, and says nothing about rows: --overwrite "+
			"replaces it", beside)
	case err != nil:
		return fmt.Errorf(
			"%s is there already, and is no file of results (%w): --overwrite replaces it",
			path, err,
		)
	}
	lines, err := countLines(path)
	if err != nil {
		return err
	}
	if lines < m.Lines {
		return fmt.Errorf("%s holds %d of the %d rows of a run that has not finished: --resume "+
			"goes on with it, --overwrite begins anew", path, lines, m.Lines)
	}
	return fmt.Errorf("%s holds the %d rows of a run that has finished: --resume sums them up "+
		"again, --overwrite begins anew", path, lines)
}

// holds reports whether a file is there, and not empty.
func holds(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Size() > 0
}

// countLines counts the complete lines.
func countLines(path string) (lines int, err error) {
	file, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	for r := bufio.NewReader(file); ; {
		switch _, err := r.ReadSlice('\n'); {
		case err == nil:
			lines++
		case errors.Is(err, io.EOF):
			return lines, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return 0, err
		}
	}
}
