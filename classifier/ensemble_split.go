package classifier

import (
	"math"
	"slices"
)

// meet intersects the box with the best choices.
func (o *ensembleOpener) meet() {
	copy(o.meetLo, o.lo)
	copy(o.meetHi, o.hi)
	for _, i := range o.best {
		for _, s := range o.sidesOf(i) {
			o.meetLo[s.feature] = max(o.meetLo[s.feature], s.lo)
			o.meetHi[s.feature] = min(o.meetHi[s.feature], s.hi)
		}
	}
}

func (o *ensembleOpener) sidesOf(choice int32) []side {
	return o.c.sides[o.c.start[choice]:o.c.start[choice+1]]
}

// disagreement returns where to split when the best choices have no common slot
// in some feature: of all borders between two of them the one at which both halves
// lose most, by the product of what the groups that lose their best choice would
// lose with the next.
func (o *ensembleOpener) disagreement() (s fork, ok bool) {
	o.torn = o.torn[:0]
	for f := range o.meetLo {
		if o.meetLo[f] > o.meetHi[f] {
			o.torn = append(o.torn, int32(f))
		}
	}
	if len(o.torn) == 0 {
		return s, false
	}
	o.weigh()
	floor := o.c.spread[o.binding] * regretFloor
	s, most := fork{o.torn[0], o.meetHi[o.torn[0]]}, math.Inf(-1)
	for _, f := range o.torn {
		if cut, score := o.weakest(f, floor); score > most {
			s, most = fork{f, cut}, score
		}
	}
	return s, true
}

// regretFloor is the least regret, in terms of the mean spread of the gains of a group.
const regretFloor = 0.05

// weigh adds up, at the slots between the first end and the last beginning of a
// best choice in each torn feature, the regrets of those that end or begin there.
func (o *ensembleOpener) weigh() {
	for _, f := range o.torn {
		at := o.c.begins.offset[f]
		clear(o.ends[at+o.meetHi[f] : at+o.meetLo[f]])
		clear(o.begins[at+o.meetHi[f]+1 : at+o.meetLo[f]+1])
	}
	for g, i := range o.best {
		regret := -1.0
		for _, s := range o.sidesOf(i) {
			first, last := o.meetHi[s.feature], o.meetLo[s.feature]
			if first >= last || (s.hi >= last && s.lo <= first) {
				continue
			}
			if regret < 0 {
				regret = o.regret(g)
			}
			at := o.c.begins.offset[s.feature]
			if s.hi < last {
				o.ends[at+s.hi] += regret
			}
			if s.lo > first {
				o.begins[at+s.lo] += regret
			}
		}
	}
}

// regret estimates what a group loses with its best choice: the difference to the
// next within the bound.
func (o *ensembleOpener) regret(g int) float64 {
	c, contrast := o.c, o.binding
	k := len(c.base)
	order := c.order[contrast*c.len()+int(c.first[g]) : contrast*c.len()+int(c.first[g+1])]
	for _, i := range order[slices.Index(order, o.best[g])+1:] {
		if o.alive[i] && c.reach[i] <= o.known {
			return o.gain[g] - c.gains[int(i)*k+contrast] + c.spread[contrast]*regretFloor
		}
	}
	return c.spread[contrast]
}

// weakest returns the border of a torn feature with the largest product of the
// losses of its two halves.
func (o *ensembleOpener) weakest(f int32, floor float64) (cut int32, most float64) {
	at := o.c.begins.offset[f]
	left, right := floor, floor
	for slot := o.meetHi[f] + 1; slot <= o.meetLo[f]; slot++ {
		right += o.begins[at+slot]
	}
	cut, most = o.meetHi[f], math.Inf(-1)
	for c := o.meetHi[f]; c < o.meetLo[f]; c++ {
		left += o.ends[at+c]
		if score := left * right; score > most {
			cut, most = c, score
		}
		right -= o.begins[at+c+1]
	}
	return cut, most
}

// farthest returns the bound of the intersection, that of the node if it attains
// that but for rounding. Otherwise it returns where to split, too: toward the
// intersection, in the feature that adds most.
func (o *ensembleOpener) farthest(bound float64) (s fork, distance float64, attained bool) {
	reach, most := 0.0, 0.0
	s.feature = -1
	for f := range o.meetLo {
		gap := o.scale(o.gap(int32(f), o.meetLo[f], o.meetHi[f]))
		reach = o.join(reach, gap, 0)
		if more := gap - o.gaps[f]; more > most {
			s.feature, most = int32(f), more
		}
	}
	if s.feature < 0 || reach <= o.scaled(bound) {
		return s, bound, true
	}
	f := s.feature
	if s.cut = o.meetHi[f]; o.at[f] < o.meetLo[f] {
		s.cut = o.meetLo[f] - 1
	}
	return s, max(bound, o.distance(reach)), false
}

// outside returns a border of the intersection inside the box, to split off what
// does not answer; false when the intersection is all of the box.
func (o *ensembleOpener) outside() (s fork, ok bool) {
	for f := range o.lo {
		switch {
		case o.meetLo[f] > o.lo[f]:
			return fork{int32(f), o.meetLo[f] - 1}, true
		case o.meetHi[f] < o.hi[f]:
			return fork{int32(f), o.meetHi[f]}, true
		}
	}
	return s, false
}
