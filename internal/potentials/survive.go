package potentials

import "math"

// survive marks in renamed the leaves that can not be those of an input in the box, and within a reach,
// that comes to a goal, by −1. It shrinks the box to what the leaves of each tree leave of it, and
// returns how many are left.
func (s *Sweeper) survive(d *Decomposition, box []Span, reach, goal float64) (kept int) {
	s.renamed = resize(s.renamed, len(d.values))
	for l, r := range d.reaches {
		if s.renamed[l] = 0; r > reach {
			s.renamed[l] = -1
		}
	}
	s.disjoint(d, box)
	if goal > math.Inf(-1) {
		spare := d.Lead(reach) - goal
		if spare < 0 {
			return s.none()
		}
		for range hullRounds {
			s.lag(d, spare)
			if !s.hull(d, box) {
				break
			}
			s.disjoint(d, box)
		}
	}
	for _, r := range s.renamed {
		kept += int(1 + r)
	}
	return kept
}

// hullRounds is how often a box is shrunk, at most, before the rest is left to its parts.
const hullRounds = 3

// none marks all leaves.
func (s *Sweeper) none() int {
	for l := range s.renamed {
		s.renamed[l] = -1
	}
	return 0
}

// disjoint marks the leaves that do not meet a part of the box.
func (s *Sweeper) disjoint(d *Decomposition, box []Span) {
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

// lag marks the leaves with which a lead falls short of its goal, because the values of the best
// leaves of all trees exceed it by no more than spare. It counts those that are left.
func (s *Sweeper) lag(d *Decomposition, spare float64) {
	room := int64(math.Ceil(min(spare/d.unit, math.MaxUint32))) + 1 // no two values lie farther apart
	s.left = resize(s.left, d.trees())
	for t := range s.left {
		from, to := d.first[t], d.first[t+1]
		most := int32(math.MinInt32)
		for l := from; l < to; l++ {
			if s.renamed[l] >= 0 {
				most = max(most, d.values[l])
			}
		}
		n := int32(0)
		for l := from; l < to; l++ {
			if int64(most)-int64(d.values[l]) > room {
				s.renamed[l] = -1
			}
			n += 1 + s.renamed[l]
		}
		s.left[t] = n
	}
}

// hull shrinks a box to the sides of the leaves that each tree has left, and reports whether that
// leaves less of it.
func (s *Sweeper) hull(d *Decomposition, box []Span) (shrunk bool) {
	for f := range box {
		entries, i, whole := d.features[f].entries, int32(0), box[f]
		for _, u := range d.features[f].users {
			n, sides := int32(0), Span{math.MaxInt32, math.MinInt32}
			for ; i < u.end; i++ {
				if e := &entries[i]; s.renamed[e.leaf] >= 0 {
					n++
					sides.Lo, sides.Hi = min(sides.Lo, e.lo), max(sides.Hi, e.hi)
				}
			}
			if n == s.left[u.tree] && n > 0 { // or a leaf has no side there
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
