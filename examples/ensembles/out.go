package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/seed-1a7dc1f9/facet/metrics"
)

// output is the file of -out.
type output struct {
	file *os.File
}

const header = "row\tpredicted\tstatus\tdistance\tbound\tadversarial_label\tnodes\tsolves\tms\n"

// newOutput begins the file, and makes its folder.
func newOutput(s *settings) (*output, error) {
	if same(s.out, s.model) {
		return nil, fmt.Errorf("-out %s would overwrite the file of -model", s.out)
	}
	if err := os.MkdirAll(filepath.Dir(s.out), 0o777); err != nil {
		return nil, fmt.Errorf("-out: %w", err)
	}
	f, err := os.Create(s.out)
	if err != nil {
		return nil, fmt.Errorf("-out: %w", err)
	}
	if _, err := f.WriteString(header); err != nil {
		f.Close()
		return nil, fmt.Errorf("-out: %w", err)
	}
	return &output{f}, nil
}

// same reports whether both paths name one file.
func same(a, b string) bool {
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(infoA, infoB)
}

// add writes the line of a point in one piece, so that only the last one can be
// torn.
func (o *output) add(p metrics.Point) error {
	line := fmt.Sprintf("%d\t%d\t%s\t%v\t%v\t%d\t%d\t%d\t%.3f\n",
		p.Row, p.Predicted, status(&p), number(p.Distance), number(p.Bound), p.Result.Label, p.Nodes, p.Solves, milliseconds(p.Time))
	if _, err := o.file.WriteString(line); err != nil {
		return fmt.Errorf("-out: %w", err)
	}
	return nil
}

func (o *output) close() error {
	if err := o.file.Close(); err != nil {
		return fmt.Errorf("-out: %w", err)
	}
	return nil
}
