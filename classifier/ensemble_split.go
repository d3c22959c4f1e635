package classifier

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
// in some feature: of all borders between two of them the one that cuts off most
// on its weaker side.
func (o *ensembleOpener) disagreement() (s fork, ok bool) {
	most := int32(0)
	for f := range o.meetLo {
		if o.meetLo[f] <= o.meetHi[f] {
			continue
		}
		if most == 0 {
			o.count(1)
		}
		if cut, weaker := o.weakest(f); weaker > most {
			s, most = fork{int32(f), cut}, weaker
		}
	}
	if most > 0 {
		o.count(-1)
	}
	return s, most > 0
}

// count adds one to, or takes it from, the ends of the sides of the best choices.
func (o *ensembleOpener) count(one int32) {
	for _, i := range o.best {
		for _, s := range o.sidesOf(i) {
			at := o.offset[s.feature]
			o.begins[at+s.lo] += one
			o.ends[at+s.hi] += one
		}
	}
}

// weakest returns the border of feature f, between the first end and the last
// beginning of a best choice, that has most of them on its weaker side, and how
// many.
func (o *ensembleOpener) weakest(f int) (cut, most int32) {
	at := o.offset[f]
	var left, right int32
	for slot := o.meetHi[f] + 1; slot <= o.meetLo[f]; slot++ {
		right += o.begins[at+slot]
	}
	for c := o.meetHi[f]; c < o.meetLo[f]; c++ {
		left += o.ends[at+c]
		if w := min(left, right); w > most {
			cut, most = c, w
		}
		right -= o.begins[at+c+1]
	}
	return cut, most
}

// farthest returns the distance of the intersection and, unless the bound attains
// it, where to split: toward the intersection, in the feature that adds most.
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
		return s, o.unscale(reach), true
	}
	f := s.feature
	if s.cut = o.meetHi[f]; o.at[f] < o.meetLo[f] {
		s.cut = o.meetLo[f] - 1
	}
	return s, o.unscale(reach), false
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
