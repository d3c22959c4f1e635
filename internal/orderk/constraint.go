package orderk

import (
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/neighbors"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
)

// constraint is a half-space a·u ≤ b of displacements, a of dual length 1 as a program takes
// it: that one row is at least as near as another, or a side of the domain.
type constraint struct {
	a             []float64 // nil for rows equal but where there is no moving: b says who is nearer
	b, err        float64
	before, after int32   // rows; for a side of the domain which one, and the coordinate
	length        float64 // of the bisector before it was divided by it
	sink          float64 // of a; 1 where both directions have one price
}

// distance returns the distance of the half-space from X, rounded down.
func (c *constraint) distance() float64 {
	const down = 1 - 0x1p-40
	if b := (-c.b - c.err) * down; b > 0 && b <= math.MaxFloat64 {
		return min(b/c.sink, math.MaxFloat64)
	}
	return 0
}

// bisector returns the constraint that p is at least as near as q. The next call
// overwrites its coefficients.
func (o *opener) bisector(p, q int32) constraint {
	b, err := neighbors.BisectorWithin(o.a, o.X, o.table.Row(p), o.table.Row(q))
	length := o.Gauge().Span(o.a)
	c := constraint{before: p, after: q, length: length, sink: 1}
	if length == 0 {
		if c.b = neighbors.BisectorSide(o.a, o.X, o.table.Row(p), o.table.Row(q)); c.b == 0 && q < p {
			c.b = -1
		}
		return c
	}
	if o.Prices != nil {
		c.sink = o.Gauge().Sink(o.a) / length
	}
	for j := range o.a {
		o.a[j] /= length
	}
	c.a = o.a
	if c.b = b / length; length > math.MaxFloat64 {
		c.b = math.NaN() // the program gives up on it
	}
	c.err = err/length + 2*precise.Roundoff*float64(len(o.a))*math.Abs(c.b)
	return c
}

// The sides of the domain, for constraint.before.
const (
	upper = -1
	lower = -2
)

// side returns the constraint of a side of the domain at a distance from X.
func (o *opener) side(which int32, j int, distance float64) constraint {
	unit := o.Gauge().Unit(j)
	c := constraint{a: make([]float64, len(o.a)), b: distance * unit, before: which, after: int32(j), sink: 1}
	if c.err = precise.Roundoff * math.Abs(c.b); o.Prices != nil {
		c.err *= 2 // the product is rounded, too
	}
	if c.a[j] = unit; which == lower {
		c.a[j] = -unit
	}
	return c
}

// add appends a constraint to the program and to those added so far. It returns false
// if it holds nowhere; one of equal rows then is not added.
func (o *opener) add(added *[]constraint, c constraint) bool {
	if c.a == nil {
		return c.b >= 0
	}
	c.a = slices.Clone(c.a)
	*added = append(*added, c)
	o.program.add(c)
	return true
}

// addViolated is add for a constraint that the point violates, once: the program
// lets a small violation stand when rounding hides whether any point satisfies all.
func (o *opener) addViolated(added *[]constraint, at *point, c constraint) bool {
	same := func(d constraint) bool { return d.before == c.before && d.after == c.after }
	if !at.violates(&c) || slices.ContainsFunc(*added, same) {
		return true
	}
	return o.add(added, c)
}

// addSides adds the sides of the domain that the point violates.
func (o *opener) addSides(added *[]constraint, at *point) {
	for j, i := range o.Domain {
		if b := i.Hi - o.X[j]; at.u[j] > b {
			o.addViolated(added, at, o.side(upper, j, b))
		}
		if b := o.X[j] - i.Lo; -at.u[j] > b {
			o.addViolated(added, at, o.side(lower, j, b))
		}
	}
}

// ahead returns a lower bound on the distance of the points of the part that
// satisfy one more constraint. Beyond the cutoff any will do.
func (o *opener) ahead(c constraint, cutoff float64) float64 {
	if c.a == nil {
		if c.b < 0 {
			return math.Inf(1)
		}
		return 0
	}
	distance := c.distance()
	if distance > cutoff {
		return distance
	}
	return max(distance, o.program.ahead(c))
}
