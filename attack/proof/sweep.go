package proof

// mostBins is how many bins a feature has at most. Where there are fewer, the last one stands for
// those that are not there.
const mostBins = 16

// each is a number for each bin.
type each [mostBins]int64

// divide divides the slots of the box into bins.
func (b *boxes) divide(p *potentials) {
	b.bins = make([][]span, len(p.sides))
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
		b.bins[f] = make([]span, len(sides))
		for i, s := range sides {
			at := span{of[max(s.low, low)-low], of[min(s.high, high)-low]}
			if at.last == bin {
				at.last = mostBins - 1
			}
			b.bins[f][i] = at
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

// profile computes the greatest value that each user of a feature has in each bin, but for its
// share of the feature, and what these add up to. It returns how many users there are.
func (b *boxes) profile(p *potentials, f int) (users int64) {
	sides, bins := p.sides[f], b.bins[f]
	b.best, b.totals, b.vacant = b.best[:0], each{}, [mostBins]bool{}
	tree, leaf := 0, int32(0)
	for i := 0; i < len(sides); users++ {
		for sides[i].leaf >= p.trees[tree] {
			leaf, tree = p.trees[tree], tree+1
		}
		own, end := newProfile(), p.trees[tree]
		for ; i < len(sides) && sides[i].leaf < end; i++ {
			s := &sides[i]
			own.everywhere = greatest(own.everywhere, p.values[leaf:s.leaf])
			leaf = s.leaf + 1
			own.add(bins[i], p.values[s.leaf]-s.share)
		}
		own.everywhere = greatest(own.everywhere, p.values[leaf:end])
		leaf = end
		own.close()
		for bin, v := range own.in {
			b.vacant[bin] = b.vacant[bin] || v == nothing
			b.totals[bin] += v
		}
		b.best = append(b.best, own.in)
	}
	return users
}

// profile is the greatest value in each bin: of leaves that lie in all of them, of those that lie
// up to a bin or from it on, until it is closed, and of others.
type profile struct {
	everywhere     int64
	upTo, from, in each
}

func newProfile() (p profile) {
	p.everywhere = nothing
	for bin := range p.in {
		p.upTo[bin], p.from[bin], p.in[bin] = nothing, nothing, nothing
	}
	return p
}

func (p *profile) add(at span, value int64) {
	switch {
	case at.first == 0:
		p.upTo[at.last] = max(p.upTo[at.last], value)
	case at.last == mostBins-1:
		p.from[at.first] = max(p.from[at.first], value)
	default:
		for bin := at.first; bin <= at.last; bin++ {
			p.in[bin] = max(p.in[bin], value)
		}
	}
}

func (p *profile) close() {
	before, behind := p.everywhere, p.everywhere
	for bin := range mostBins {
		before = max(before, p.from[bin])
		p.in[bin] = max(p.in[bin], before)
	}
	for bin := mostBins - 1; bin >= 0; bin-- {
		behind = max(behind, p.upTo[bin])
		p.in[bin] = max(p.in[bin], behind)
	}
}

func greatest(v int64, others []int64) int64 {
	for _, o := range others {
		v = max(v, o)
	}
	return v
}

// share makes the potentials of the users of a feature, each a part less its own profile, and with
// them the shares of their leaves.
func (b *boxes) share(p *potentials, f int) {
	sides, bins, tree, i := p.sides[f], b.bins[f], 0, 0
	var upTo, from each // the greatest potential up to a bin, and from it on
	for user := range b.best {
		own, most := &b.best[user], int64(nothing)
		for bin, part := range b.totals {
			if own[bin] = part - own[bin]; b.vacant[bin] {
				own[bin] = -1 << 29
			}
			most = max(most, own[bin])
			upTo[bin] = most
		}
		top := most
		p.constants[f] += top
		most = nothing
		for bin := mostBins - 1; bin >= 0; bin-- {
			most = max(most, own[bin])
			from[bin] = most
		}
		for sides[i].leaf >= p.trees[tree] {
			tree++
		}
		for end := p.trees[tree]; i < len(sides) && sides[i].leaf < end; i++ {
			s, at := &sides[i], bins[i]
			switch {
			case at.first == 0:
				most = upTo[at.last]
			case at.last == mostBins-1:
				most = from[at.first]
			default:
				most = greatest(nothing, own[at.first:at.last+1])
			}
			share := max(most-top, b.floor)
			p.values[s.leaf] += share - s.share
			s.share = share
		}
	}
}
