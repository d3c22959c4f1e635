package report

import (
	"fmt"

	"github.com/seed-1a7dc1f9/facet/examples/internal/results"
	"github.com/seed-1a7dc1f9/facet/internal/dataset"
)

// mixed is by how many times the range of one feature exceeds that of another where distances in
// the units of the file mean little.
const mixed = 1000

// Warning says which features make distances, where their ranges in the rows differ so much
// that a change of the widest one counts like changes of others that no row has.
func (p *page) Warning() string {
	m := p.Meta
	if p.Row == nil || m.Flags["units"] == "range" || m.Scaling != nil ||
		m.Inputs["costs"].Path != "" || m.Flags["norm"] == "0" || m.Program == results.Explaining {
		return ""
	}
	rows := &dataset.Set{Rows: len(p.answers), Dim: len(p.names)}
	for _, a := range p.answers {
		for j, v := range p.Row(a.Row) {
			if p.category(j) {
				v.Number = 0
			}
			rows.Data = append(rows.Data, v.Number)
		}
	}
	widths, narrowest, widest := rows.Widths()
	if widest < 0 || widths[widest] < mixed*widths[narrowest] {
		return ""
	}
	return fmt.Sprintf("Units are mixed: %s ranges over %s in these rows, and %s over %s, yet a "+
		"change of 1 counts the same in both. --units range measures in parts of each range.",
		p.names[widest], number(widths[widest]), p.names[narrowest], number(widths[narrowest]))
}
