package report

import (
	"fmt"
	"math"

	"github.com/seed-1a7dc1f9/facet/examples/internal/results"
)

// mixed is by how many times the range of one feature exceeds that of another where distances in
// the units of the file mean little.
const mixed = 1000

// warnOfUnits says which features make distances, where their ranges in the rows differ so much
// that a change of the widest one counts like changes of others that no row has.
func warnOfUnits(s *Source, answers []answer, names []string) string {
	m := s.Meta
	if s.Row == nil || m.Flags["units"] == "range" || m.Scaling != nil ||
		m.Inputs["costs"].Path != "" || m.Flags["norm"] == "0" || m.Program == results.Explaining {
		return ""
	}
	widest, narrowest, widths := -1, -1, make([]float64, len(names))
	for j := range names {
		if s.category(j) {
			continue
		}
		lo, hi := math.Inf(1), math.Inf(-1)
		for _, a := range answers {
			if v := s.Row(a.Row)[j].Number; !math.IsNaN(v) {
				lo, hi = min(lo, v), max(hi, v)
			}
		}
		if widths[j] = hi - lo; !(widths[j] > 0) || math.IsInf(widths[j], 0) {
			continue
		}
		if widest < 0 || widths[j] > widths[widest] {
			widest = j
		}
		if narrowest < 0 || widths[j] < widths[narrowest] {
			narrowest = j
		}
	}
	if widest < 0 || widths[widest] < mixed*widths[narrowest] {
		return ""
	}
	return fmt.Sprintf("Units are mixed: %s ranges over %s in these rows, and %s over %s, yet a "+
		"change of 1 counts the same in both. --units range measures in parts of each range.",
		names[widest], number(widths[widest]), names[narrowest], number(widths[narrowest]))
}
