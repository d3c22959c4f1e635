package classifier

// obliqueCandidates are the leaves that meet a polyhedron, tree after tree.
type obliqueCandidates struct {
	leaves []int32
	first  []int32   // those of tree t: first[t] ≤ i < first[t+1]
	reach  []float64 // lower bounds on their distances from X within the polyhedron
	// points are where leaves are known to be at most as far away as the bound of
	// the node, nil while that is not known.
	points [][]float64
}

// all returns the leaves of all trees, bounded by their half-spaces.
func (s *obliqueSearch) all() *obliqueCandidates {
	c := &obliqueCandidates{first: s.g.first}
	inDomain := s.q.Domain.Contains(s.q.X)
	for l := range s.g.leaves {
		reach := 0.0
		for _, side := range s.g.leaves[l].sides {
			reach = max(reach, s.away(side))
		}
		var point []float64
		if reach == 0 && inDomain {
			point = s.q.X
		}
		c.leaves, c.reach, c.points = append(c.leaves, int32(l)), append(c.reach, reach), append(c.points, point)
	}
	return c
}

// narrow takes over the candidates of the parent that meet the polyhedron within
// the cutoff; false when some tree has none.
func (o *obliqueOpener) narrow(s *obliqueNode) bool {
	p := s.leaves
	c := &obliqueCandidates{
		leaves: make([]int32, 0, len(p.leaves)), first: make([]int32, 0, len(p.first)),
		reach: make([]float64, 0, len(p.leaves)), points: make([][]float64, 0, len(p.leaves)),
	}
	for t := range o.best {
		c.first = append(c.first, int32(len(c.leaves)))
		for i := p.first[t]; i < p.first[t+1]; i++ {
			o.keep(c, s, i)
		}
		if int(c.first[t]) == len(c.leaves) {
			return false
		}
	}
	c.first = append(c.first, int32(len(c.leaves)))
	o.leaves = c
	return true
}

// keep appends candidate i of the parent to c if it still is one.
func (o *obliqueOpener) keep(c *obliqueCandidates, s *obliqueNode, i int32) {
	l, reach, point := s.leaves.leaves[i], s.leaves.reach[i], s.leaves.points[i]
	if s.parent != nil {
		side := o.within(l, s.side.direction)
		if !o.g.solid(side) {
			return
		}
		reach = max(reach, o.away(side))
		if point != nil && !o.holds(s.side, point) {
			point = nil
		}
	}
	if reach <= o.cutoff {
		c.leaves, c.reach, c.points = append(c.leaves, l), append(c.reach, reach), append(c.points, point)
	}
}

// within returns the slots of a leaf on a direction within the polyhedron.
func (o *obliqueOpener) within(l, direction int32) obliqueSide {
	now := o.region.sides[direction]
	for _, side := range o.g.leaves[l].sides {
		if side.direction == direction {
			now.lo, now.hi = max(now.lo, side.lo), min(now.hi, side.hi)
		}
	}
	return now
}
