package orderk

import (
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/neighbors"
	"github.com/seed-1a7dc1f9/facet/internal/neighbors/orderk/bisectors"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
)

// bisector returns the constraint that p is at least as near as q. The next call
// overwrites its coefficients.
func (o *opener) bisector(p, q int32) bisectors.Constraint {
	b, err := neighbors.BisectorWithin(o.a, o.X, o.table.Row(p), o.table.Row(q))
	length := o.Cost.SymmetricSupport(o.a)
	c := bisectors.Constraint{Before: p, After: q, Length: length, Support: 1}
	if length == 0 {
		if c.B = o.table.Side(o.a, o.X, p, q); c.B == 0 && q < p {
			c.B = -1
		}
		return c
	}
	if o.Prices != nil && length <= math.MaxFloat64 {
		_, exponent := math.Frexp(length)
		length = math.Ldexp(1, exponent-1)
		c.Length = length
		c.Support = o.Cost.Support(o.a) / length
	}
	for j := range o.a {
		o.a[j] /= length
	}
	c.A = o.a
	if c.B = b / length; length > math.MaxFloat64 {
		c.B = math.NaN() // the program gives up on it
	}
	c.Err = err/length + 2*precise.Roundoff*float64(len(o.a))*math.Abs(c.B)
	return c
}

// face returns the constraint of a face of the domain at a distance from X.
func (o *opener) face(which int32, j int, distance float64) bisectors.Constraint {
	unit := o.Cost.Unit(j)
	c := bisectors.Constraint{
		A:       make([]float64, len(o.a)),
		B:       distance * unit,
		Before:  which,
		After:   int32(j),
		Support: 1,
	}
	if c.Err = precise.Roundoff * math.Abs(c.B); o.Prices != nil {
		c.Err *= 2 // the product is rounded, too
	}
	if c.A[j] = unit; which == bisectors.Lower {
		c.A[j] = -unit
	}
	return c
}

// add appends a constraint to the program and to those added so far. It returns false
// if it holds nowhere; one of equal rows then is not added.
func (o *opener) add(added *[]bisectors.Constraint, c bisectors.Constraint) bool {
	if c.A == nil {
		return c.B >= 0
	}
	c.A = slices.Clone(c.A)
	*added = append(*added, c)
	o.program.Add(c)
	return true
}

// holds reports whether a constraint was added before. The program lets a small violation stand
// when rounding hides whether any point satisfies all, so that points may violate it again.
func holds(added []bisectors.Constraint, c bisectors.Constraint) bool {
	return slices.ContainsFunc(added, func(d bisectors.Constraint) bool {
		return d.Before == c.Before && d.After == c.After
	})
}

// addViolated is add for a constraint that the point violates, once.
func (o *opener) addViolated(
	added *[]bisectors.Constraint, at *point, c bisectors.Constraint,
) bool {
	if !at.violates(&c) || holds(*added, c) {
		return true
	}
	return o.add(added, c)
}

// addLinear adds the linear rules that the point violates.
func (o *opener) addLinear(added *[]bisectors.Constraint, at *point) {
	for i := range o.Linear {
		h := &o.Linear[i]
		excess, err := precise.Excess(h.A, h.B, o.X)
		length := o.Cost.SymmetricSupport(h.A)
		c := bisectors.Constraint{Before: bisectors.Linear, After: int32(i)}
		if c.Support = 1; o.Prices != nil {
			_, exponent := math.Frexp(length)
			length = math.Ldexp(1, exponent-1)
			c.Support = o.Cost.Support(h.A) / length
		}
		c.Length, c.A, c.B = length, slices.Clone(h.A), -excess/length
		for j := range c.A {
			c.A[j] /= length
		}
		c.Err = err/length + 2*precise.Roundoff*float64(len(c.A))*math.Abs(c.B)
		o.addViolated(added, at, c)
	}
}

// addFaces adds the faces of the domain that the point violates.
func (o *opener) addFaces(added *[]bisectors.Constraint, at *point) {
	for j, i := range o.Domain {
		if b := i.Hi - o.X[j]; at.u[j] > b {
			o.addViolated(added, at, o.face(bisectors.Upper, j, b))
		}
		if b := o.X[j] - i.Lo; -at.u[j] > b {
			o.addViolated(added, at, o.face(bisectors.Lower, j, b))
		}
	}
}

// ahead returns a lower bound on the distance of the points of the node that
// satisfy one more constraint. Beyond the cutoff any will do.
func (o *opener) ahead(c bisectors.Constraint, cutoff float64) float64 {
	if c.A == nil {
		if c.B < 0 {
			return math.Inf(1)
		}
		return 0
	}
	distance := c.Distance()
	if distance > cutoff {
		return distance
	}
	return max(distance, o.program.Ahead(c))
}
