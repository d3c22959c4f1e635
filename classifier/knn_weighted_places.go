package classifier

import (
	"cmp"
	"math/big"

	"github.com/seed-1a7dc1f9/facet/internal/exact"
	"github.com/seed-1a7dc1f9/facet/internal/neighbors"
)

// group takes over the groups of rows at one place. A domain that fixes coordinates may
// have more rows that are equally far from all its inputs, such as mirror images: there the
// order of the rows decides, as it does between equal rows.
func (s *weightedSearch) group() {
	s.groups, s.groupOf = s.c.groups, s.c.groupOf
	free := s.free()
	if len(free) == len(s.q.X) {
		return
	}
	away := make([]*big.Rat, s.c.Len()) // squared distance in the fixed coordinates
	for row := range away {
		away[row] = new(big.Rat)
		p, _ := s.c.Row(row)
		for j, i := range s.q.Domain {
			if i.Lo == i.Hi {
				d := exact.Difference(p[j], i.Lo)
				away[row].Add(away[row], d.Mul(d, d))
			}
		}
	}
	s.groups, s.groupOf = groupRows(s.c.Len(), func(i, j int32) int {
		p := s.c.rows.table.Row(i)
		q := s.c.rows.table.Row(j)
		for _, f := range free {
			if order := cmp.Compare(p[f], q[f]); order != 0 {
				return order
			}
		}
		return away[i].Cmp(away[j])
	})
}

// free lists the coordinates that the domain does not fix.
func (s *weightedSearch) free() (free []int) {
	for j := range s.q.X {
		if s.q.Domain == nil || s.q.Domain[j].Lo < s.q.Domain[j].Hi {
			free = append(free, j)
		}
	}
	return free
}

// flat reports whether the set of a part has no interior, in exact arithmetic: equally
// far rows of a grid, or bisectors along a side of the domain, must not be split
// into small boxes along a line or a plane.
func (o *weightedOpener) flat(part *weightedPart) bool {
	if len(part.pairs) > neighbors.MostTies {
		return false
	}
	r := o.c.rows.table.Room(o.q.X, o.q.Domain)
	r.Sides()
	for _, p := range part.pairs {
		r.Before(o.groups[p.nearer][0], o.groups[p.farther][0])
	}
	return !r.HasInterior()
}
