package potentials

// Narrow returns the decomposition of what in a part of the box, and within a reach, may come to a
// goal, with the potentials of the whole; nil if nothing may. Contributions stay valid: a
// side that shrinks has no larger potential. A tree with a single leaf left joins the base, and
// its potentials the constants of their features; its reach is one that none falls short of.
func (s *Sweeper) Narrow(d *Decomposition, box []Span, reach, goal float64) *Decomposition {
	box = append([]Span(nil), box...)
	kept := s.survive(d, box, reach, goal)
	n := &Decomposition{
		box: box, unit: d.unit, floor: d.floor, base: d.base, cost: d.cost, rate: d.rate, least: d.least,
		first: make([]int32, 1, len(d.first)), values: make([]int32, 0, kept), reaches: make([]float64, 0, kept),
		features: make([]feature, len(d.features)),
	}
	s.moved = resize(s.moved, d.trees())
	for t := range s.moved {
		begin, last := len(n.values), int32(-1)
		for l := d.first[t]; l < d.first[t+1]; l++ {
			if s.renamed[l] >= 0 {
				last = l
				s.renamed[l] = int32(len(n.values))
				n.values, n.reaches = append(n.values, d.values[l]), append(n.reaches, d.reaches[l])
			}
		}
		switch len(n.values) - begin {
		case 0:
			return nil
		case 1:
			n.base, n.least = n.base+int64(n.values[begin]), max(n.least, n.reaches[begin])
			n.values, n.reaches = n.values[:begin], n.reaches[:begin]
			s.moved[t] = -1 - last
		default:
			s.moved[t] = int32(len(n.first) - 1)
			n.first = append(n.first, int32(len(n.values)))
		}
	}
	for f := range d.features {
		s.narrow(&d.features[f], n, f)
	}
	return n
}

// narrow takes over what a part of the box keeps of a feature.
func (s *Sweeper) narrow(f *feature, n *Decomposition, number int) {
	to := &n.features[number]
	to.constant = f.constant
	to.entries, to.users = make([]entry, 0, len(f.entries)), make([]user, 0, len(f.users))
	box, i := n.box[number], int32(0)
	for _, u := range f.users {
		tree := s.moved[u.tree]
		for ; i < u.end; i++ {
			e := f.entries[i]
			switch {
			case tree < 0:
				if e.leaf == -1-tree { // its value, which the base has got, holds the contribution
					to.constant += int64(e.contribution)
					n.base -= int64(e.contribution)
				}
			case s.renamed[e.leaf] < 0 || (e.contribution == 0 && e.lo <= box.Lo && e.hi >= box.Hi):
			default:
				e.leaf = s.renamed[e.leaf]
				to.add(tree, e)
			}
		}
	}
}
