package orderk

import (
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/neighbors"
	"github.com/seed-1a7dc1f9/facet/internal/neighbors/orderk/bisectors"
	"github.com/seed-1a7dc1f9/facet/internal/nnindex"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
)

// point is X+u, the solution of a program. Distances from it are computed from u,
// because rounding X+u may move it by more than they differ.
type point struct {
	x, u   []float64
	value  float64   // ‖u‖
	length float64   // ‖u‖₂
	z      []float64 // x+u, rounded, within the domain
	drift  float64   // ‖z − x − u‖₂
}

// moveTo makes the point of a solution the current one.
func (o *opener) moveTo(sol bisectors.Solution) *point {
	at := &o.point
	at.u, at.value = sol.U, sol.Value
	var length, drift float64
	for j, u := range at.u {
		z, low := precise.TwoSum(at.x[j], u)
		if o.Domain != nil {
			near := geometry.Nearest(o.Domain[j], z)
			low += z - near
			z = near
		}
		at.z[j] = z
		length += u * u
		drift += low * low
	}
	at.length, at.drift = math.Sqrt(length), math.Sqrt(drift)*(1+neighbors.Spread)
	return at
}

// squared returns the squared distance of a row.
func (at *point) squared(p []float64) float64 { return nnindex.Moved(at.x, at.u, p) }

// among visits the rows of a candidate set within a squared distance, until visit returns
// false. to leads from X to the rows, if it is there.
func (o *opener) among(
	at *point, rows []candidate, to []float64, limit float64,
	visit func(id int32, squared float64) bool,
) {
	near, d := at.nearby(limit), len(at.u)
	for i := range rows {
		r := &rows[i]
		if near.misses(r) {
			continue
		}
		var squared float64
		if to != nil {
			squared = nnindex.Below(at.u, to[i*d:(i+1)*d], limit)
		} else {
			squared = at.squared(o.table.Row(r.id))
		}
		if squared <= limit && !visit(r.id, squared) {
			return
		}
	}
}

// nearby returns numbers that tell which rows may lie within a squared distance.
func (at *point) nearby(squared float64) nearby {
	return nearby{
		rest:  squared - at.length*at.length*(1-neighbors.Spread),
		slope: 2 * at.value * (1 + neighbors.Spread),
	}
}

// within visits the rows of trees within a squared distance, until visit returns
// false. The trees are asked about z.
func (at *point) within(
	trees neighbors.Trees, limit float64, visit func(id int32, squared float64) bool,
) {
	trees.Within(at.z, at.widened(limit), func(id int32, p []float64) bool {
		squared := at.squared(p)
		return squared > limit || visit(id, squared)
	})
}

// widened returns a squared distance from z within which all lies that is within
// one from x+u, or the other way round.
func (at *point) widened(squared float64) float64 {
	distance := math.Sqrt(squared)
	// The displacement from x to a row is rounded by a fraction of itself.
	distance += at.drift + 2*precise.Roundoff*(distance+at.length)
	return distance * distance * (1 + neighbors.Spread)
}

// tolerance returns the difference of squared distances within which the bisector
// decides which of two rows at least as near as the square root of squared is nearer.
func (at *point) tolerance(squared float64) float64 {
	return neighbors.Tolerance(len(at.x), squared, at.length)
}

// violates reports whether the point lies outside a constraint by more than rounding.
func (at *point) violates(c *bisectors.Constraint) bool {
	if c.A == nil {
		return c.B < 0
	}
	return precise.Dot(c.A, at.u)-c.B > neighbors.Rounded*max(at.value, math.Abs(c.B))
}

// comesBefore reports whether row p comes before row q at a point, by more than
// rounding. margin is the difference of their squared distances.
func (o *opener) comesBefore(at *point, p, q int32, margin, tolerance float64) bool {
	if margin > tolerance {
		return true
	}
	if margin < -tolerance {
		return false
	}
	c := o.bisector(q, p)
	return at.violates(&c)
}
