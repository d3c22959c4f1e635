package orderk

import (
	"context"
	"fmt"
	"math"

	"github.com/seed-1a7dc1f9/facet/classifier/search"
	"github.com/seed-1a7dc1f9/facet/internal/cellpoint"
	"github.com/seed-1a7dc1f9/facet/internal/closest"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

var closestKinds = [...]closest.Kind{polytope.LInf: closest.Inf, polytope.L1: closest.One, polytope.L2: closest.Two}

// program minimises ‖u‖ under rows that are added one by one: a closest.Program,
// or a Solver that is asked anew each time.
type program interface {
	// start takes the rows of the parts above, from the root on, and the basis of the last.
	start(path []*orderPart)
	add(r row)
	// resume goes back to the solution of a part that was solved before.
	resume(ctx context.Context, path []*orderPart) error
	// solve returns closest.Optimal when u() is the shortest, unless the bound passes
	// the cutoff before.
	solve(ctx context.Context, cutoff float64) (closest.Status, error)
	// ahead bounds the distance below with one more row.
	ahead(r row) float64
	u() []float64
	bound() float64
	value() float64
}

// warm is a closest.Program that continues from the basis of the part above. Its
// numbers are multiplied by scale, a power of two that brings distances near 1, so
// that what it takes for rounding does not depend on the unit of the data.
type warm struct {
	*closest.Program
	scale float64
	point []float64
}

func (w *warm) start(path []*orderPart) {
	w.Reset(len(w.point))
	for i := len(path) - 1; i >= 0; i-- {
		for _, r := range path[i].added() {
			w.add(r)
		}
	}
	if len(path) > 0 && path[0].done != nil {
		w.Restore(path[0].done.basis)
	}
}

func (w *warm) resume(_ context.Context, path []*orderPart) error {
	w.start(path)
	return nil
}

func (w *warm) add(r row) { w.AddUnit(r.a, r.b*w.scale, r.err*w.scale) }

func (w *warm) solve(_ context.Context, cutoff float64) (closest.Status, error) {
	status, err := w.Solve(math.Nextafter(cutoff*w.scale, math.Inf(1)))
	if err != nil {
		err = fmt.Errorf("%w: %w", polytope.ErrNumerical, err)
	}
	return status, err
}

func (w *warm) ahead(r row) float64 {
	return w.Ahead(r.a, r.b*w.scale, r.err*w.scale) / w.scale
}

func (w *warm) u() []float64 {
	for j, u := range w.U() {
		w.point[j] = u / w.scale
	}
	return w.point
}

func (w *warm) bound() float64 { return w.Bound() / w.scale }
func (w *warm) value() float64 { return w.Value() / w.scale }

// cold asks a Solver.
type cold struct {
	q     *search.Query
	rows  []row
	point []float64
	sol   polytope.Solution
}

func (c *cold) start(path []*orderPart) {
	c.rows = c.rows[:0]
	for i := len(path) - 1; i >= 0; i-- {
		c.rows = append(c.rows, path[i].added()...)
	}
	clear(c.point)
	c.sol = polytope.Solution{}
}

func (c *cold) resume(ctx context.Context, path []*orderPart) error {
	c.start(path)
	_, err := c.solve(ctx, math.Inf(1))
	return err
}

func (c *cold) add(r row)           { c.rows = append(c.rows, r) }
func (c *cold) ahead(r row) float64 { return c.sol.Bound }
func (c *cold) u() []float64        { return c.point }
func (c *cold) bound() float64      { return c.sol.Bound }
func (c *cold) value() float64      { return c.sol.Distance }

func (c *cold) solve(ctx context.Context, cutoff float64) (closest.Status, error) {
	sol, err := c.q.Solver.Closest(ctx, polytope.Problem{
		Norm: c.q.Norm, X: c.q.X, Cutoff: math.Nextafter(cutoff, math.Inf(1)), Region: polytope.Polyhedron{Rest: rowList(c.rows)},
	})
	c.sol = sol
	if err != nil {
		return closest.Optimal, err
	}
	switch sol.Status {
	case polytope.StatusStopped:
		return closest.Optimal, cellpoint.Stopped(ctx)
	case polytope.StatusInfeasible:
		return closest.Infeasible, nil
	case polytope.StatusCutoff:
		return closest.Cutoff, nil
	}
	for j, z := range sol.Point {
		c.point[j] = z - c.q.X[j]
	}
	return closest.Optimal, nil
}

// rowList names rows in terms of the displacement from the query.
type rowList []row

func (l rowList) Separate(_, u []float64, add func([]float64, float64) bool) {
	deepest, most := -1, 0.0
	for i, r := range l {
		if v := precise.Dot(r.a, u) - r.b; v > most {
			deepest, most = i, v
		}
	}
	if deepest >= 0 {
		add(l[deepest].a, l[deepest].b)
	}
}
