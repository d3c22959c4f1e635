package pairs

import (
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/boxtree/grid"
)

// interval returns the interval of the forest that holds a code.
func (j *joint) interval(f int, code int32) int32 {
	return j.forest.Borders[f].Interval(float64(code))
}

// codes returns the codes of the root that intervals of the forest hold.
func (j *joint) codes(f int, s grid.Span) grid.Span {
	codes, borders := j.root[f], j.forest.Borders[f]
	if s.Lo > 0 {
		codes.Lo = max(codes.Lo, int32(math.Ceil(borders[s.Lo-1].End)))
	}
	if int(s.Hi) < len(borders) {
		codes.Hi = min(codes.Hi, int32(math.Floor(borders[s.Hi].End)))
	}
	return codes
}

// near reports whether all features have a value in a box.
func (j *joint) near(b grid.Box) bool {
	for f, s := range b {
		if j.Codes != nil && !j.holds(j.feature(f), j.codes(f, s)) {
			return false
		}
	}
	return true
}

// breaks reports whether of the members of a one-hot group, or of their copies, none can be 1 in a
// box while the others are 0.
func (j *joint) breaks(b grid.Box, members, copies []int) bool {
	ones, some := 0, false
	for _, m := range members {
		f := m
		if k := slices.Index(copies, m); k >= 0 {
			f = j.Dim() + k
		}
		side := j.side(m, j.codes(f, b[f]))
		if !side.Contains(0) {
			ones++
		}
		if some = some || side.Contains(1); !side.Contains(0) && !side.Contains(1) {
			return true
		}
	}
	return ones > 1 || !some
}

// vacant reports whether a box has no pair that is allowed.
func (j *joint) vacant(b grid.Box) bool {
	if !j.near(b) || slices.ContainsFunc(j.OneHot, func(members []int) bool {
		return j.breaks(b, members, nil) || j.breaks(b, members, j.Copied)
	}) {
		return true
	}
	for k := range j.Copied {
		if !j.allows(k, b[j.Copied[k]], b[j.Dim()+k]) {
			return true
		}
	}
	return false
}

// allows reports whether intervals of a copied feature and of its copy have a pair.
func (j *joint) allows(k int, from, to grid.Span) bool {
	f := j.Copied[k]
	a, b := j.codes(f, from), j.codes(j.Dim()+k, to)
	switch {
	case j.Next:
		return a.Hi+1 >= b.Lo && a.Lo+1 <= b.Hi
	case j.Offsets == nil:
		return true
	}
	return j.Offsets[f].allows(j.side(f, a), j.side(f, b))
}

// cut returns a cut of codes that no pair has, or of a feature whose copy is to be the next
// interval.
func (j *joint) cut(b grid.Box) (grid.Cut, bool) {
	for k, f := range j.Copied {
		from, own := b[f], j.Dim()+k
		if j.Next && from.Lo < from.Hi {
			return grid.Cut{Feature: int32(f), After: from.Middle()}, true
		}
		to := b[own]
		single := func(at int32) grid.Span { return grid.Span{Lo: at, Hi: at} }
		for to.Lo < to.Hi && !j.allows(k, from, single(to.Lo)) {
			to.Lo++
		}
		for to.Lo < to.Hi && !j.allows(k, from, single(to.Hi)) {
			to.Hi--
		}
		if to.Lo > b[own].Lo {
			return grid.Cut{Feature: int32(own), After: to.Lo - 1}, true
		}
		if to.Hi < b[own].Hi {
			return grid.Cut{Feature: int32(own), After: to.Hi}, true
		}
	}
	return grid.Cut{}, false
}
