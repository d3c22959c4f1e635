//go:build lpsolve

package lpsolve

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/closest"
	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/internal/rows"
	"github.com/seed-1a7dc1f9/facet/polytope"
	"github.com/seed-1a7dc1f9/facet/polytope/internal/rowgen"
)

// batch is the number of half-spaces of the list that lp_solve gets at a time: it
// starts anew each time.
const batch = 8

// Solver is a polytope.Solver for ℓ∞ and ℓ1. The zero value is ready and may
// be used by any number of goroutines at once: every problem has a lp_solve program of its own.
type Solver struct{}

var _ polytope.Solver = Solver{}

// Closest implements polytope.Solver.
func (Solver) Closest(ctx context.Context, p polytope.Problem) (polytope.Solution, error) {
	if ctx == nil {
		return polytope.Solution{}, rows.ErrContext
	}
	if err := geometry.CheckProblem(p); err != nil {
		return polytope.Solution{}, err
	}
	if p.Norm == polytope.L2 {
		return polytope.Solution{}, fmt.Errorf(
			"lpsolve: norm %v is not linear: %w: use native.Solver",
			p.Norm, errors.ErrUnsupported,
		)
	}
	if p.Prices != nil {
		return polytope.Solution{}, fmt.Errorf(
			"lpsolve: prices of displacements: %w: use native.Solver", errors.ErrUnsupported,
		)
	}
	if math.IsInf(geometry.Of(&p).Bound(p.Region, p.X), 1) { // so is that of an empty side
		return polytope.Solution{
			Status:   polytope.StatusInfeasible,
			Distance: math.Inf(1),
			Bound:    math.Inf(1),
		}, nil
	}
	w := newProgram(ctx, p.Norm, len(p.X))
	lazy := rowgen.New(polytope.Norm(p.Norm), w, batch)
	lazy.Reset(p.X, p.Margin, p.Region.Rest)
	for j, i := range p.Region.Box {
		lazy.Box(p.X[j]-i.Lo, i.Hi-p.X[j])
	}
	for _, h := range p.Region.HalfSpaces {
		v, err := precise.Excess(h.A, h.B, p.X)
		lazy.List(h.A, -v, err)
	}
	cutoff := p.Cutoff
	if cutoff == 0 {
		cutoff = math.Inf(1)
	}
	s := polytope.Solution{Status: polytope.StatusStopped, Distance: math.Inf(1)}
	status, err := lazy.Solve(ctx, cutoff)
	s.Bound, s.Rows, s.Pivots = w.bound, w.Len(), w.pivots
	switch {
	case errors.Is(err, polytope.ErrNumerical):
		return s, fmt.Errorf("lpsolve: %w", err)
	case err != nil: // the context's
	case status == closest.Infeasible:
		s.Status = polytope.StatusInfeasible
	case status == closest.Cutoff:
		s.Status = polytope.StatusCutoff
	default:
		s.Status, s.Distance, s.Bound = polytope.StatusOptimal, w.value, min(w.bound, w.value)
		for j, u := range w.u {
			s.Point = append(s.Point, p.X[j]+u)
		}
		geometry.NearestIn(s.Point, p.Region.Box, s.Point)
	}
	return s, nil
}
