package classifier

import (
	"context"
	"math"
	"math/big"

	"github.com/seed-1a7dc1f9/facet/internal/cellpoint"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// A box that is narrow beside the distances from its rows is looked at closely:
// around its middle c the sums are linear but for a known curvature, so that it is a
// box of half-spaces, whose sides are computed from X and the rows without rounding
// errors. In units of half its sides that is a problem of its own, in which neither
// the size of the box nor the distance of X from 0 matters.

// verdict is what a close look at a box shows.
type verdict int

const (
	unclear verdict = iota
	empty           // no input of the box has the set of neighbours and the label
	sliver          // all that do lie within sliverShare of half a side
	filled          // a ball of that radius has them, whatever the curvature
)

// closeShare is the width of the boxes that are looked at closely, in units of the
// scale. In wider ones the curvature outweighs the rounding errors of a cut.
const closeShare = 0x1p-20

// sliverShare is the radius, in units of half the sides of a box, of the ball that
// proves an interior.
const sliverShare = 0x1p-20

// closePrecision is enough for the squares of differences of float64 numbers whose
// exponents differ by up to 100.
const closePrecision = 512

// closeSide is the half-space a·v ≤ b, of the v in units of half the sides of a box,
// that contains whatever answers; what has a·v ≤ sure does satisfy the row.
type closeSide struct {
	a       []float64
	b, sure float64
}

// closeUp is the exact description of a narrow box.
type closeUp struct {
	o      *weightedOpener
	part   *weightedPart
	center []*big.Float // in units of the search
	half   []float64    // of the sides, in units of the search; 0 where the domain is a point
	places map[int32]*closePlace
	rows   []closeSide
	empty  bool // some row holds nowhere in the box
	open   bool // some row may not hold anywhere
}

// closePlace is where a group lies, seen from the center.
type closePlace struct {
	from    []*big.Float // center − P
	squared *big.Float
}

func exactly(v float64) *big.Float { return new(big.Float).SetPrec(closePrecision).SetFloat64(v) }

func minus(a, b *big.Float) *big.Float {
	return new(big.Float).SetPrec(closePrecision).Sub(a, b)
}

func times(a, b *big.Float) *big.Float {
	return new(big.Float).SetPrec(closePrecision).Mul(a, b)
}

func nearestFloat(v *big.Float) float64 {
	f, _ := v.Float64()
	return f
}

// closely returns what a close look shows, and for filled a point of the box.
func (o *weightedOpener) closely(ctx context.Context, part *weightedPart) (verdict, []float64, error) {
	c := o.closeUp(part)
	if c.empty {
		return empty, nil, nil
	}
	upper := func(r closeSide) float64 { return r.b }
	if v, err := c.solve(ctx, 0, upper); err != nil || v == nil {
		return empty, nil, err
	}
	if !c.open {
		v, err := c.solve(ctx, sliverShare, func(r closeSide) float64 { return r.sure })
		if err != nil {
			return unclear, nil, err
		}
		if v != nil {
			return filled, c.at(v), nil
		}
	}
	if v, err := c.solve(ctx, sliverShare, upper); err != nil || v != nil {
		return unclear, nil, err
	}
	return sliver, nil, nil
}

// closeUp lists the half-spaces of a part.
func (o *weightedOpener) closeUp(part *weightedPart) *closeUp {
	c := &closeUp{o: o, part: part, places: map[int32]*closePlace{}}
	for j, lo := range part.lo {
		hi := part.hi[j]
		middle, half := lo+(hi-lo)/2, (hi-lo)/2*(1+0x1p-50)
		if o.domain != nil && o.q.Domain[j].Lo == o.q.Domain[j].Hi {
			c.center = append(c.center, c.displaced(o.q.Domain[j].Lo, j))
			c.half = append(c.half, 0)
			continue
		}
		c.center = append(c.center, times(exactly(middle), exactly(o.unit)))
		c.half = append(c.half, half*o.unit)
	}
	for j := range part.lo {
		c.addSides(j)
	}
	for _, p := range part.pairs {
		c.addPair(p)
	}
	for _, terms := range part.set.sums {
		c.addSum(terms)
	}
	return c
}

// displaced returns coordinate j of an input, seen from X.
func (c *closeUp) displaced(v float64, j int) *big.Float {
	return times(minus(exactly(v), exactly(c.o.q.X[j])), exactly(c.o.unit))
}

func (c *closeUp) place(g int32) *closePlace {
	if p, ok := c.places[g]; ok {
		return p
	}
	row, _ := c.o.c.Row(int(c.o.groups[g][0]))
	p := &closePlace{squared: exactly(0)}
	for j, center := range c.center {
		d := minus(center, c.displaced(row[j], j))
		p.from = append(p.from, d)
		p.squared.Add(p.squared, times(d, d))
	}
	c.places[g] = p
	return p
}

// addSides adds the sides of the domain that the box ends at.
func (c *closeUp) addSides(j int) {
	if c.o.domain == nil || c.half[j] == 0 {
		return
	}
	side := func(sign, room float64) {
		a := make([]float64, len(c.half))
		a[j] = sign * c.half[j]
		c.add(a, room, room)
	}
	if c.part.lo[j] == c.o.domain[j].Lo {
		side(-1, nearestFloat(minus(c.center[j], c.displaced(c.o.q.Domain[j].Lo, j))))
	}
	if c.part.hi[j] == c.o.domain[j].Hi {
		side(1, nearestFloat(minus(c.displaced(c.o.q.Domain[j].Hi, j), c.center[j])))
	}
}

// addPair adds the bisector of a pair.
func (c *closeUp) addPair(p precedence) {
	nearer, farther := c.place(p.nearer), c.place(p.farther)
	a := make([]float64, len(c.half))
	for j, h := range c.half {
		a[j] = 2 * nearestFloat(minus(nearer.from[j], farther.from[j])) * h
	}
	b := nearestFloat(minus(farther.squared, nearer.squared))
	c.add(a, b, b)
}

// addSum adds the tangent of a sum Σ net/‖u−P‖ at the center. The second derivatives
// of 1/‖u−P‖ are at most 2/‖u−P‖³.
func (c *closeUp) addSum(terms []term) {
	value := exactly(0)
	a := make([]float64, len(c.half))
	gradient := make([]*big.Float, len(c.half))
	for j := range gradient {
		gradient[j] = exactly(0)
	}
	bend := 0.0
	for _, t := range terms {
		p := c.place(t.group)
		near := c.o.near[t.group] * c.o.unit * c.o.unit
		if near == 0 || p.squared.Sign() == 0 {
			c.open = c.open || !c.o.wins(terms)
			return
		}
		bend += 2 * math.Abs(float64(t.net)) / (near * math.Sqrt(near))
		weight := exactly(float64(t.net))
		weight.Quo(weight, new(big.Float).SetPrec(closePrecision).Sqrt(p.squared))
		value.Add(value, weight)
		weight.Quo(weight, p.squared)
		for j, d := range p.from {
			gradient[j].Add(gradient[j], times(weight, d))
		}
	}
	curve := 0.0
	for j, h := range c.half {
		a[j] = nearestFloat(gradient[j]) * h
		curve += bend * h * h / 2
	}
	c.add(a, nearestFloat(value)+curve, nearestFloat(value)-curve)
}

// wins reports whether a sum is positive all over the box whose distances are measured.
func (o *weightedOpener) wins(terms []term) bool {
	total, size := 0.0, 0.0
	for _, t := range terms {
		v := o.most.value(-t.net, o.near[t.group], o.far[t.group])
		total += v
		size += math.Abs(v)
	}
	return total < -o.sumNoise()*size
}

// add adds a row.
func (c *closeUp) add(a []float64, b, sure float64) {
	most, dim := 0.0, float64(len(a))
	for _, e := range a {
		most = max(most, math.Abs(e))
	}
	if most == 0 {
		c.empty = c.empty || b < 0
		c.open = c.open || sure < 0
		return
	}
	b, sure = b/most, sure/most
	c.empty = c.empty || b < -dim*(1+closeNoise)
	c.open = c.open || sure < -dim
	for j := range a {
		a[j] /= most
	}
	c.rows = append(c.rows, closeSide{a, b + closeNoise*dim, sure - closeNoise*dim})
}

// closeNoise bounds the error of rows whose coefficients were rounded to float64 and
// divided by the largest, many times over.
const closeNoise = 0x1p-44

// solve returns a point that satisfies the rows with a margin, nil if there is none.
func (c *closeUp) solve(ctx context.Context, margin float64, side func(closeSide) float64) ([]float64, error) {
	f := &c.o.family
	f.reset(len(c.half))
	dim := float64(len(c.half))
	for _, r := range c.rows {
		if b := side(r); b < 2*dim { // the others hold all over the box
			copy(f.next(), r.a)
			f.add(b)
		}
	}
	return c.closest(ctx, polytope.Cube(len(c.half), -1, 1), margin)
}

// closest returns the point of the family of rows closest to the center.
func (c *closeUp) closest(ctx context.Context, box polytope.Box, margin float64) ([]float64, error) {
	p := polytope.Problem{Norm: polytope.LInf, X: c.o.zero, Margin: margin, Region: polytope.Polyhedron{Box: box}}
	if len(c.o.family.b) > 0 {
		p.Region.Rest = &c.o.family
	}
	sol, err := c.o.q.Solver.Closest(ctx, p)
	c.o.solves++
	if err == nil && sol.Status == polytope.StatusStopped {
		return nil, cellpoint.Stopped(ctx)
	}
	if err != nil || sol.Status != polytope.StatusOptimal || sol.Bound > 1+sliverShare && box != nil {
		return nil, err
	}
	return sol.Point, nil
}

// at returns the displacement that v stands for.
func (c *closeUp) at(v []float64) []float64 {
	u := make([]float64, len(v))
	for j, e := range v {
		u[j] = nearestFloat(c.center[j])/c.o.unit + e*(c.half[j]/c.o.unit)
	}
	return u
}
