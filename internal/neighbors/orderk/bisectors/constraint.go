// Package bisectors finds the displacement from a query's input nearest to it under bisectors of
// rows and faces of the domain, which are added one by one: with the programs of package
// closest, which continue from a basis found before, or with the query's own Solver, which is asked
// anew each time.
package bisectors

import (
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/closest"
	"github.com/seed-1a7dc1f9/facet/internal/neighbors"
)

// Constraint is a half-space A·u ≤ B of displacements, A of dual length 1 as a program takes
// it: that one row is at least as near as another, or a face of the domain. Where there are prices
// A is divided by the power of two next to its length, which does not round, as programs then take
// rows for exact.
type Constraint struct {
	A             []float64 // nil for rows equal but where there is no moving: B says who is nearer
	B, Err        float64
	Before, After int32   // rows; for a face of the domain which one, and the coordinate
	Length        float64 // of the bisector before it was divided by it
	Support       float64 // of A; 1 where both directions have one price
}

// The faces of the domain, and linear rules, for Constraint.Before.
const (
	Upper  = -1
	Lower  = -2
	Linear = -3
)

// Distance returns the distance of the half-space from X, rounded down.
func (c *Constraint) Distance() float64 {
	const down = 1 - 0x1p-40
	if b := (-c.B - c.Err) * down; b > 0 && b <= math.MaxFloat64 {
		return min(b/c.Support, math.MaxFloat64)
	}
	return 0
}

// Confine adds constraints to an exact system.
func Confine(r *neighbors.ExactSystem, rows []Constraint) {
	for _, c := range rows {
		switch c.Before {
		case Upper, Lower:
			r.Face(int(c.After), c.Before == Upper)
		case Linear: // they are added all at once
		default:
			r.Before(c.Before, c.After)
		}
	}
}

// Solution is how a program ended. Bound holds even after an error.
type Solution struct {
	Status closest.Status
	U      []float64 // overwritten by the next solve
	Value  float64   // ‖u‖
	Bound  float64
}
