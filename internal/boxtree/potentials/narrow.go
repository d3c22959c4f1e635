package potentials

import (
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/boxtree/grid"
)

// Narrow returns the decomposition of the leaves that may come to a goal in a part of the box, and
// within a reach, with the potentials of the whole; nil if no input may. Contributions stay valid:
// a range that shrinks has no larger potential. A tree with a single leaf left joins the base, and
// its potentials the constants of their features; its reach is one that none falls short of.
func (s *Sweeper) Narrow(d *Decomposition, box grid.Box, reach, goal float64) *Decomposition {
	box = append(grid.Box(nil), box...)
	kept := s.survive(d, box, reach, goal)
	n := &Decomposition{
		box: box, unit: d.unit, floor: d.floor, base: d.base, cost: d.cost, rate: d.rate,
		least: d.least,
		first: make([]int32, 1, len(d.first)), values: make([]int32, 0, kept),
		reaches:  make([]float64, 0, kept),
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
	s.kept, s.keepers = s.kept[:0], s.keepers[:0]
	for f := range d.features {
		s.narrow(&d.features[f], n, f)
	}
	n.pack(slices.Clone(s.kept), slices.Clone(s.keepers))
	return n
}

// pack gives the features room of the decomposition's own for their entries, one after the other.
func (d *Decomposition) pack(entries []entry, users []user) {
	for f := range d.features {
		g := &d.features[f]
		e, u := len(g.entries), len(g.users)
		g.entries, entries = entries[:e:e], entries[e:]
		g.users, users = users[:u:u], users[u:]
	}
}

// narrow copies the part of a feature that a part of the box keeps.
func (s *Sweeper) narrow(f *feature, n *Decomposition, number int) {
	to := &n.features[number]
	to.constant = f.constant
	begin, users := len(s.kept), len(s.keepers)
	box, from := n.box[number], int32(0)
	for _, u := range f.users {
		entries, tree, before := f.entries[from:u.end], s.moved[u.tree], len(s.kept)
		from = u.end
		if tree < 0 { // its value, which the base has got, holds the contributions of its leaf
			for i := range entries {
				if e := &entries[i]; e.leaf == -1-tree {
					to.constant += int64(e.contribution)
					n.base -= int64(e.contribution)
				}
			}
			continue
		}
		for _, e := range entries {
			if e.leaf = s.renamed[e.leaf]; e.leaf >= 0 &&
				(e.contribution != 0 || e.lo > box.Lo || e.hi < box.Hi) {
				s.kept = append(s.kept, e)
			}
		}
		if len(s.kept) > before {
			s.keepers = append(s.keepers, user{tree, int32(len(s.kept) - begin)})
		}
	}
	to.entries, to.users = s.kept[begin:], s.keepers[users:]
}
