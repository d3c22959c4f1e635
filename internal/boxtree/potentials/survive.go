package potentials

import (
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/boxtree/grid"
)

// survive marks in renamed the leaves that can not be those of an input in the box, and within a
// reach, that comes to a goal, by −1. It shrinks the box to the hull of the leaves of each tree,
// and returns how many are left.
func (s *Sweeper) survive(d *Decomposition, box grid.Box, reach, goal float64) (kept int) {
	s.renamed = resize(s.renamed, len(d.values))
	for l, r := range d.reaches {
		if s.renamed[l] = 0; r > reach {
			s.renamed[l] = -1
		}
	}
	s.disjoint(d, box)
	if goal > math.Inf(-1) {
		spare := s.margin(d, reach) - goal
		if spare < 0 {
			return s.none()
		}
		for s.lag(d, spare); s.hull(d, box); s.lag(d, spare) {
			s.disjoint(d, box)
		}
	}
	for _, r := range s.renamed {
		kept += int(1 + r)
	}
	return kept
}

// margin is Margin, of the leaves that are not marked.
func (s *Sweeper) margin(d *Decomposition, reach float64) float64 {
	sum := d.start(reach)
	for t := range d.trees() {
		most := s.most(d, t)
		if most == math.MinInt32 {
			return math.Inf(-1)
		}
		sum += int64(most)
	}
	return float64(sum) * d.unit
}

// most returns the largest value of a tree's leaves that are not marked.
func (s *Sweeper) most(d *Decomposition, t int) int32 {
	most := int32(math.MinInt32)
	for l := d.first[t]; l < d.first[t+1]; l++ {
		if s.renamed[l] >= 0 {
			most = max(most, d.values[l])
		}
	}
	return most
}

// none marks all leaves.
func (s *Sweeper) none() int {
	for l := range s.renamed {
		s.renamed[l] = -1
	}
	return 0
}

// disjoint marks the leaves that do not meet a part of the box.
func (s *Sweeper) disjoint(d *Decomposition, box grid.Box) {
	for f, now := range box {
		if now == d.box[f] {
			continue
		}
		entries := d.features[f].entries
		for i := range entries {
			if e := &entries[i]; e.lo > now.Hi || e.hi < now.Lo {
				s.renamed[e.leaf] = -1
			}
		}
	}
}

// lag marks the leaves with which a margin falls short of its goal, because the values of the best
// leaves of all trees exceed it by no more than spare. It counts those that are left.
func (s *Sweeper) lag(d *Decomposition, spare float64) {
	// no two values lie farther apart; spare has lost no whole unit
	room := int64(math.Ceil(min(spare/d.unit, math.MaxUint32)))
	s.many = resize(s.many, d.trees())
	for t := range s.many {
		from, to := d.first[t], d.first[t+1]
		most := s.most(d, t)
		n := int32(0)
		for l := from; l < to; l++ {
			if int64(most)-int64(d.values[l]) > room {
				s.renamed[l] = -1
			}
			n += 1 + s.renamed[l]
		}
		s.many[t] = n
	}
}

// hull shrinks a box to the ranges of the leaves that each tree has left, and reports whether
// that leaves less of it.
func (s *Sweeper) hull(d *Decomposition, box grid.Box) (shrunk bool) {
	for f := range box {
		entries, i, whole := d.features[f].entries, int32(0), box[f]
		for _, u := range d.features[f].users {
			n, sides := int32(0), grid.Span{Lo: math.MaxInt32, Hi: math.MinInt32}
			for ; i < u.end; i++ {
				if e := &entries[i]; s.renamed[e.leaf] >= 0 {
					n++
					sides.Lo, sides.Hi = min(sides.Lo, e.lo), max(sides.Hi, e.hi)
				}
			}
			if n == s.many[u.tree] && n > 0 { // or a leaf has no range there
				box[f].Lo, box[f].Hi = max(box[f].Lo, sides.Lo), min(box[f].Hi, sides.Hi)
			}
		}
		if box[f].Lo > box[f].Hi {
			s.none()
			return false
		}
		shrunk = shrunk || box[f] != whole
	}
	return shrunk
}
