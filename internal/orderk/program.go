package orderk

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/classifier/search"
	"github.com/seed-1a7dc1f9/facet/internal/cellpoint"
	"github.com/seed-1a7dc1f9/facet/internal/closest"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// program minimises ‖u‖ under constraints that are added one by one: a
// closest.Program, or a Solver that is asked anew each time.
type program interface {
	// start takes the constraints of the parts of a path that ends at the root, and
	// the basis of the first part.
	start(path []*part)
	add(c constraint)
	// solve finds the shortest u, unless the bound passes the cutoff before.
	solve(ctx context.Context, cutoff float64) (solution, error)
	// ahead bounds the distance below with one more constraint.
	ahead(c constraint) float64
}

// solution is how a program ended. bound holds even after an error.
type solution struct {
	status closest.Status
	u      []float64 // overwritten by the next solve
	value  float64   // ‖u‖
	bound  float64
}

// warm is a closest.Program that continues from the basis of the part above. Its
// numbers are multiplied by scale, a power of two that brings distances near 1, so
// that what it takes for rounding does not depend on the unit of the data.
type warm struct {
	*closest.Program
	q     *search.Query
	scale float64
	u     []float64
}

func (w *warm) start(path []*part) {
	w.Reset(len(w.u))
	if w.q.Prices == nil { // where there are, sides are added once they are violated
		for j, i := range w.q.Domain {
			w.addSide(j, 1, i.Hi-w.q.X[j])
			w.addSide(j, -1, w.q.X[j]-i.Lo)
		}
	}
	for c := range inherited(path) {
		w.add(c)
	}
	if len(path) > 0 && path[0].below != nil {
		w.Restore(path[0].below.basis)
	}
}

// addSide adds a side of the domain.
func (w *warm) addSide(j int, sign, b float64) {
	if precise.Finite(b) {
		w.AddSide(j, sign, b*w.scale, precise.Roundoff*math.Abs(b)*w.scale)
	}
}

func (w *warm) add(c constraint) { w.AddUnit(c.a, c.b*w.scale, c.err*w.scale) }

func (w *warm) solve(_ context.Context, cutoff float64) (solution, error) {
	status, err := w.Solve(math.Nextafter(cutoff*w.scale, math.Inf(1)))
	if err != nil {
		err = fmt.Errorf("%w: %w", polytope.ErrNumerical, err)
	}
	for j, u := range w.U() {
		w.u[j] = u / w.scale
	}
	return solution{status: status, u: w.u, value: w.Value() / w.scale, bound: w.Bound() / w.scale}, err
}

func (w *warm) ahead(c constraint) float64 {
	return w.Ahead(c.a, c.b*w.scale, c.err*w.scale) / w.scale
}

// cold asks a Solver.
type cold struct {
	q     *search.Query
	rows  []constraint
	point []float64
}

func (c *cold) start(path []*part) {
	c.rows = slices.AppendSeq(c.rows[:0], inherited(path))
}

func (c *cold) add(row constraint)       { c.rows = append(c.rows, row) }
func (c *cold) ahead(constraint) float64 { return 0 }

func (c *cold) solve(ctx context.Context, cutoff float64) (solution, error) {
	sol, err := cellpoint.Ask(ctx, c.q.Solver, polytope.Problem{
		Norm: c.q.Norm, Prices: c.q.Prices, X: c.q.X, Cutoff: math.Nextafter(cutoff, math.Inf(1)), Region: polytope.Polyhedron{Rest: c},
	})
	s := solution{u: c.point, value: sol.Distance, bound: sol.Bound}
	switch sol.Status {
	case polytope.StatusInfeasible:
		s.status = closest.Infeasible
	case polytope.StatusCutoff:
		s.status = closest.Cutoff
	}
	for j, z := range sol.Point {
		c.point[j] = z - c.q.X[j]
	}
	return s, err
}

// Separate names the constraint that a displacement violates most.
func (c *cold) Separate(_, u []float64, add func([]float64, float64) bool) {
	deepest, most := -1, 0.0
	for i, r := range c.rows {
		if v := precise.Dot(r.a, u) - r.b; v > most {
			deepest, most = i, v
		}
	}
	if deepest >= 0 {
		add(c.rows[deepest].a, c.rows[deepest].b)
	}
}
