package classifier

import (
	"context"
	"errors"
	"math"

	"github.com/seed-1a7dc1f9/facet/classifier/search"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// settleClosely decides on a narrow part if it can: false when it holds no answer.
// A part as small as distances that are not told apart that is filled needs no
// halves; a sliver of it does not count.
func (o *weightedOpener) settleClosely(ctx context.Context, part *weightedPart, bound float64) (bool, error) {
	verdict, inside, err := o.closely(ctx, part)
	switch {
	case errors.Is(err, polytope.ErrNumerical):
		part.unsure = true // the halves may be easier
		return true, nil
	case err != nil:
		return true, err
	case verdict == empty:
		return false, nil
	case o.diameter(part) > max(o.floor, finalShare*bound):
		return true, nil
	}
	part.inside = inside
	return verdict != sliver, nil
}

// isNarrow reports whether a close look at a part is worth while.
func (o *weightedOpener) isNarrow(part *weightedPart) bool {
	return o.diameter(part) <= closeShare*o.scale
}

// diameter returns the length of a part's diagonal.
func (o *weightedOpener) diameter(part *weightedPart) float64 {
	for j, lo := range part.lo {
		o.sides[j] = part.hi[j] - lo
	}
	return o.q.Norm.Length(o.sides)
}

// conclude ends the search at a small part that is known to hold inputs that answer. Of
// those that float64 holds, one is looked for beyond the part, into the depth of the
// cell: where sums nearly tie, Predict sees the label only farther inside.
func (o *weightedOpener) conclude(ctx context.Context, n search.Node, part *weightedPart) (*search.Answer, error) {
	answer := &search.Answer{Bound: n.Bound, Order: n.Order, Distance: math.Inf(1), Settled: true}
	if part.known.Example != nil {
		answer.Example, answer.Distance = part.known.Example, part.known.Distance
	}
	c := o.closeUp(part)
	for _, within := range []float64{math.Inf(1), float64(len(part.lo))} {
		inward, err := c.inward(ctx, within)
		if err != nil {
			return nil, err
		}
		if z := o.deeper(c, part.inside, inward); z != nil {
			if e := o.example(z); e.Distance < answer.Distance {
				answer.Example, answer.Distance = z, e.Distance
			}
			break
		}
	}
	return answer, nil
}

// deeper returns the first example on the way from u into the depth of a cell.
func (o *weightedOpener) deeper(c *closeUp, u, inward []float64) []float64 {
	if z, ok := o.at(u); ok {
		return z
	}
	if inward == nil {
		return nil
	}
	v := make([]float64, len(u))
	most := closeShare*o.scale + o.blur
	for tau, gone := 1.0, 0.0; gone <= most; tau *= 2 {
		gone = 0
		for j, e := range inward {
			step := tau * e * (c.half[j] / o.unit)
			v[j] = u[j] + step
			gone = max(gone, math.Abs(step))
		}
		if z, ok := o.at(v); ok {
			y := make([]float64, len(u))
			for j, x := range o.q.X {
				y[j] = x + u[j]
			}
			return o.toward(z, y)
		}
		if gone == 0 {
			return nil
		}
	}
	return nil
}

// inward returns a direction into the depth of the rows that pass the box within a
// multiple of half its sides, nil if they have none.
func (c *closeUp) inward(ctx context.Context, within float64) ([]float64, error) {
	f := &c.o.family
	f.reset(len(c.half))
	for _, r := range c.rows {
		if r.b < within {
			copy(f.next(), r.a)
			f.add(-1)
		}
	}
	v, err := c.closest(ctx, nil, 0)
	if errors.Is(err, polytope.ErrNumerical) {
		return nil, nil // this is only a try
	}
	return v, err
}
