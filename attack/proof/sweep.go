package proof

import "slices"

// mostBins is how many bins a feature has at most.
const mostBins = 16

// divide divides the slots of the box into bins.
func (b *boxes) divide(p *potentials) {
	b.bins, b.widths = make([][]span, len(p.sides)), make([]int, len(p.sides))
	for f, sides := range p.sides {
		low, high := b.low[f], b.high[f]
		b.ends = append(b.ends[:0], make([]bool, high-low+1)...)
		for _, s := range sides {
			if s.low > low {
				b.ends[s.low-1-low] = true
			}
			if s.high < high {
				b.ends[s.high-low] = true
			}
		}
		borders := 0
		for _, end := range b.ends {
			if end {
				borders++
			}
		}
		bin, seen, of := int32(0), 0, make([]int32, len(b.ends))
		for slot, end := range b.ends {
			of[slot] = bin
			if end {
				seen++
				if mostBins*seen/(borders+1) > mostBins*(seen-1)/(borders+1) {
					bin++
				}
			}
		}
		b.widths[f], b.bins[f] = int(bin)+1, make([]span, len(sides))
		for i, s := range sides {
			b.bins[f][i] = span{of[max(s.low, low)-low], of[min(s.high, high)-low]}
		}
	}
}

// sweep makes new potentials of one feature after the other.
func (b *boxes) sweep(p *potentials) {
	for f, sides := range p.sides {
		if p.constants[f] = 0; len(sides) == 0 {
			continue
		}
		users := b.profile(p, f)
		for bin := range b.totals { // the part of each user
			part := b.totals[bin] / users
			if b.totals[bin] > part*users {
				part++
			}
			b.totals[bin] = part
		}
		b.share(p, f)
	}
}

// profile computes the greatest value that each user of a feature has in each bin, but for its share of the feature, and what these
// add up to. It returns how many users there are.
func (b *boxes) profile(p *potentials, f int) (users int64) {
	width, sides := b.widths[f], p.sides[f]
	b.best, b.totals, b.vacant = b.best[:0], append(b.totals[:0], make([]int64, width)...), append(b.vacant[:0], make([]bool, width)...)
	tree, leaf := 0, int32(0)
	for i := 0; i < len(sides); users++ {
		for sides[i].leaf >= p.trees[tree] {
			leaf, tree = p.trees[tree], tree+1
		}
		everywhere := int64(nothing) // the best of the leaves that contain the box
		begin := len(b.best)
		b.best = append(b.best, slices.Repeat([]int64{nothing}, width)...)
		own := b.best[begin:]
		for ; i < len(sides) && sides[i].leaf < p.trees[tree]; i++ {
			s, at := &sides[i], b.bins[f][i]
			everywhere = greatest(everywhere, p.values[leaf:s.leaf])
			leaf = s.leaf + 1
			value := p.values[s.leaf] - s.share
			for bin := at.first; bin <= at.last; bin++ {
				own[bin] = max(own[bin], value)
			}
		}
		everywhere = greatest(everywhere, p.values[leaf:p.trees[tree]])
		leaf = p.trees[tree]
		for bin := range own {
			own[bin] = max(own[bin], everywhere)
			b.vacant[bin] = b.vacant[bin] || own[bin] == nothing
			b.totals[bin] += own[bin]
		}
	}
	return users
}

func greatest(v int64, others []int64) int64 {
	for _, o := range others {
		v = max(v, o)
	}
	return v
}

// share makes the potentials of the users of a feature, each a part less its own profile, and with them the shares of their leaves.
func (b *boxes) share(p *potentials, f int) {
	width, sides := b.widths[f], p.sides[f]
	tree, i := 0, 0
	for own := b.best; len(own) > 0; own = own[width:] {
		for bin := range width {
			if own[bin] = b.totals[bin] - own[bin]; b.vacant[bin] {
				own[bin] = -1 << 29
			}
		}
		top := slices.Max(own[:width])
		p.constants[f] += top
		for sides[i].leaf >= p.trees[tree] {
			tree++
		}
		for ; i < len(sides) && sides[i].leaf < p.trees[tree]; i++ {
			s, at := &sides[i], b.bins[f][i]
			share := max(greatest(nothing, own[at.first:at.last+1])-top, b.floor)
			p.values[s.leaf] += share - s.share
			s.share = share
		}
	}
}
