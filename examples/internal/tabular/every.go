package tabular

import (
	"errors"
	"fmt"
	"strings"
)

// every makes one error of all faults of a file, nil of none: users mend it at once.
func every(faults []error) error {
	switch len(faults) {
	case 0:
		return nil
	case 1:
		return faults[0]
	}
	var text strings.Builder
	fmt.Fprintf(&text, "%d kinds of faults:", len(faults))
	for i, fault := range faults {
		if i > 0 {
			text.WriteByte(';')
		}
		fmt.Fprintf(&text, " (%d) %s", i+1, strings.TrimSuffix(fault.Error(), "."))
	}
	return &faulty{text.String(), errors.Join(faults...)}
}

// faulty is an error about several faults.
type faulty struct {
	text string
	of   error
}

func (f *faulty) Error() string { return f.text }
func (f *faulty) Unwrap() error { return f.of }

// ragged are the lines that have more or fewer cells than the first.
type ragged struct {
	lines, first, cells int
}

func (r *ragged) add(line, cells int) {
	if r.lines == 0 {
		r.first, r.cells = line, cells
	}
	r.lines++
}

// complain says how many there are, of lines of so many cells; nil for none.
func (r *ragged) complain(width int) error {
	if r.lines == 0 {
		return nil
	}
	text := fmt.Sprintf("line %d has %d cells where the lines before have %d", r.first, r.cells,
		width)
	if r.lines > 1 {
		text += fmt.Sprintf(" (%d such lines in all)", r.lines)
	}
	return errors.New(text)
}
