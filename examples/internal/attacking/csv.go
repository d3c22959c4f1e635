package attacking

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/seed-1a7dc1f9/facet/examples/internal/outfile"
	"github.com/seed-1a7dc1f9/facet/examples/internal/results"
	"github.com/seed-1a7dc1f9/facet/examples/internal/tabular"
)

// writeTable writes the rows as a table, if one is asked for. A null of a line is an empty cell.
func (t *task) writeTable(e *evaluation, lines []results.Line) error {
	if t.table == "" {
		return nil
	}
	err := outfile.Write(t.table, func(w io.Writer) error {
		c := csv.NewWriter(w)
		head := []string{"row", "label", "predicted", "status", "distance", "bound",
			"adversarial_label", "nodes", "solves", "seconds"}
		if e.data.Test.IDs != nil {
			head = slices.Insert(head, 1, "id")
		}
		for _, r := range t.radii {
			head = append(head, fmt.Sprintf("robust at %v", r))
		}
		c.Write(head)
		for _, l := range byRow(lines) {
			cells := []string{
				strconv.Itoa(l.Row), textOf(l.Label), l.Predicted.String(), l.Status,
				full(l.Distance), full(l.Bound),
				textOf(l.AdversarialLabel), strconv.Itoa(l.Nodes), strconv.Itoa(l.Solves),
				full(&l.Seconds),
			}
			if l.ID != nil {
				cells = slices.Insert(cells, 1, *l.ID)
			}
			c.Write(slices.Concat(cells, l.Robust))
		}
		c.Flush()
		return c.Error()
	})
	if err != nil {
		return fmt.Errorf("--csv: %w", err)
	}
	return nil
}

func textOf(l *tabular.Label) string {
	if l == nil {
		return ""
	}
	return l.String()
}

// full is a number with all its digits.
func full(v *float64) string {
	if v == nil {
		return ""
	}
	return strconv.FormatFloat(*v, 'g', -1, 64)
}
