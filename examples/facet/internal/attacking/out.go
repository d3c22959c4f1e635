package attacking

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/seed-1a7dc1f9/facet/examples/internal/outfile"
)

// output keeps the lines, in -out if there is one and in memory.
type output struct {
	path  string
	file  *os.File // nil without -out
	lines []line   // as finished; the examples stay in the file
	begun string   // version that began the file
	kept  int      // lines that were in it before
}

// openOutput begins or continues -out, after a look at -summary: from here on files change.
func openOutput(e *evaluation) (*output, error) {
	for _, path := range []string{e.out, e.summary} {
		if err := e.checkTarget(path); err != nil {
			return nil, err
		}
	}
	if outfile.Same(e.out, e.summary) {
		return nil, fmt.Errorf("--out and --summary are both %s", e.out)
	}
	o := &output{path: e.out, begun: e.record.Version}
	if err := o.open(e); err != nil {
		o.close()
		return nil, err
	}
	// A summary left from before must not pass for that of a run which is
	// interrupted.
	if err := removeSummary(e.summary); err != nil {
		o.close()
		return nil, err
	}
	return o, nil
}

// checkTarget refuses to write into a file that is read, or a folder that is missing.
func (e *evaluation) checkTarget(path string) error {
	for name, input := range e.inputs() {
		if outfile.Same(path, input) {
			return fmt.Errorf("%s would overwrite the file of --%s", path, name)
		}
	}
	return outfile.Check(path)
}

func (o *output) open(e *evaluation) (err error) {
	if o.path == "" {
		return nil
	}
	mode := os.O_RDWR | os.O_CREATE
	if !e.resume {
		mode |= os.O_TRUNC
	}
	if o.file, err = os.OpenFile(o.path, mode, 0o666); err != nil {
		return err
	}
	begun := false
	if e.resume {
		if begun, err = o.continueFrom(e); err != nil {
			return fmt.Errorf("--resume: %s: %w", o.path, err)
		}
	}
	if begun {
		return nil
	}
	return o.write(e.record)
}

// write appends a line in one piece, so that only the last one can be torn.
func (o *output) write(v any) error {
	if o.file == nil {
		return nil
	}
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = o.file.Write(append(text, '\n'))
	return err
}

// add takes up the line of a row that has finished.
func (o *output) add(l line) error {
	if err := o.write(l); err != nil {
		return fmt.Errorf("%s: %w", o.path, err)
	}
	l.Adversarial = nil
	o.lines = append(o.lines, l)
	return nil
}

func (o *output) close() error {
	if o.file == nil {
		return nil
	}
	return o.file.Close()
}
