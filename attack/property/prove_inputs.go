package property

import (
	"cmp"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/attack/property/internal/pairs"
	"github.com/seed-1a7dc1f9/facet/internal/exact"
	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/rules"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// mostCodes is how many a category of a proof may have.
const mostCodes = 999_999_999

// inputs says which inputs a claim is about: those of the question, near a row if it has rows, and
// others that proofs have no words to leave out. So ends are not open, numbers on a grid are any
// but for whole ones from 0 up to an end, categories without an end of their codes are numbers, and
// the inputs near a row are a box, in any norm.
func (q *question) inputs(c *pairs.Claim, row int) {
	dim := q.of[0].Dim()
	if q.opts.Domain != nil || q.near != nil {
		c.Domain = make(polytope.Box, dim)
	}
	var codes []int
	groups := map[int][]int{}
	for j := range dim {
		side, f := polytope.Line(), rules.Feature{}
		if q.opts.Domain != nil {
			side.Lo, side.Hi = q.opts.Domain[j].Lo, q.opts.Domain[j].Hi
		}
		if q.features != nil {
			f = q.features[j]
		}
		count := codesOf(&f, side)
		if f.Group > 0 {
			groups[f.Group] = append(groups[f.Group], j)
		}
		if q.near != nil && !q.isFree(j) {
			side, count = nearby(&f, side, count, q.near.Row(row)[j], q.radius(j))
		}
		if c.Domain != nil {
			c.Domain[j] = side
		}
		codes = append(codes, count)
	}
	if slices.Max(codes) > 0 {
		c.Codes = codes
	}
	for j := range dim {
		if q.features != nil && len(groups[q.features[j].Group]) > 0 {
			c.OneHot = append(c.OneHot, groups[q.features[j].Group])
			delete(groups, q.features[j].Group)
		}
	}
}

// codesOf returns how many codes 0, 1, … hold all values that a feature may have, 0 if none do.
func codesOf(f *rules.Feature, side polytope.Interval) int {
	last := math.Floor(side.Hi)
	whole := f.Step == 1 && f.Origin == math.Trunc(f.Origin) && side.Lo >= 0
	switch {
	case f.Categorical && f.Codes > 0:
		last = min(last, float64(f.Codes-1))
	case !f.Categorical && !whole:
		return 0
	}
	if last < 0 || last >= mostCodes {
		return 0
	}
	return int(last) + 1
}

// nearby returns the values of a feature within a radius of that of a row, and how many codes hold
// them.
func nearby(
	f *rules.Feature, side polytope.Interval, codes int, x, radius float64,
) (polytope.Interval, int) {
	up, down := cmp.Or(f.Up, 1), cmp.Or(f.Down, 1)
	at := polytope.Interval{Lo: x, Hi: x}
	switch {
	case f.Group > 0:
		if up > radius && x != 1 {
			at = polytope.Interval{} // another one of the group is 1
		} else {
			at = polytope.Line()
		}
	case f.Frozen:
	case f.Categorical && up <= radius:
		at = polytope.Line()
	case !f.Categorical:
		at.Lo, at.Hi = -farthest(-x, radius, down), farthest(x, radius, up)
	}
	if x < 0 || x >= float64(codes) || x != math.Trunc(x) {
		codes = 0
	}
	return geometry.Intersect(side, at), codes
}

// farthest returns a float64 that is no less than any number within reach of x at a price a unit.
func farthest(x, within, price float64) float64 {
	switch {
	case within == 0 || math.IsInf(price, 1):
		return x
	case math.IsInf(within, 1):
		return within
	}
	end := exact.Float(within)
	return exact.Up(end.Quo(end, exact.Float(price)).Add(end, exact.Float(x)))
}
