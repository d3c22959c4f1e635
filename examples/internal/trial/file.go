package trial

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/seed-1a7dc1f9/facet/examples/internal/outfile"
	"github.com/seed-1a7dc1f9/facet/metrics"
)

// File is the file of -out: lines of tab-separated values.
type File struct {
	file *os.File
}

// Header is the first line of a File without columns of the program's own.
const Header = "row\tpredicted\tstatus\tdistance\tbound\tadversarial_label\tnodes\tsolves\tms\n"

// Create begins the file, and makes its folder. Lines begin with the columns.
func Create(path string, columns ...string) (*File, error) {
	if err := outfile.Folder(filepath.Dir(path)); err != nil {
		return nil, fmt.Errorf("--out: %w", err)
	}
	f, err := os.Create(path)
	if err != nil {
		return nil, fmt.Errorf("--out: %w", err)
	}
	if _, err := f.WriteString(strings.Join(append(columns, Header), "\t")); err != nil {
		return nil, fmt.Errorf("--out: %w", errors.Join(err, f.Close()))
	}
	return &File{f}, nil
}

// Each returns what writes the line of a point, which begins with the values of the
// columns. It writes in one piece, so that only the last line can be torn.
func (f *File) Each(values ...any) func(metrics.Point) error {
	var lead strings.Builder
	for _, v := range values {
		fmt.Fprintf(&lead, "%v\t", v)
	}
	return func(p metrics.Point) error {
		line := fmt.Sprintf("%s%d\t%d\t%s\t%v\t%v\t%d\t%d\t%d\t%.3f\n", lead.String(),
			p.Row, p.Predicted, status(&p), number(p.Distance), number(p.Bound), p.Label, p.Nodes, p.Solves, milliseconds(p.Time))
		if _, err := f.file.WriteString(line); err != nil {
			return fmt.Errorf("--out: %w", err)
		}
		return nil
	}
}

// Close ends the file.
func (f *File) Close() error {
	if err := f.file.Close(); err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	return nil
}
