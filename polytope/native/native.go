// Package native solves closest-point problems in pure Go. It is the Solver of attacks unless
// another one is given.
package native

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"sync"

	"github.com/seed-1a7dc1f9/facet/internal/closest"
	"github.com/seed-1a7dc1f9/facet/internal/exact"
	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/internal/rows"
	"github.com/seed-1a7dc1f9/facet/polytope"
	"github.com/seed-1a7dc1f9/facet/polytope/internal/rowgen"
)

// Solver is the default polytope.Solver: exact linear programs for ℓ∞ and ℓ1 and
// an exact quadratic program for ℓ2, with half-spaces taken up only when the
// point reached violates them. A problem costs a few passes over the half-spaces
// of its region (d·m operations each, m half-spaces in R^d) and, per half-space
// taken up, about d·q + q³ operations with q ≤ d sides active at the optimum.
// Infeasible is reported when the half-spaces contradict each other in exact
// arithmetic, those of Rest taken as they were named, give or take their rounding.
//
// The zero value is ready, and has no state.
type Solver struct{}

// workspaces keeps the memory of finished problems for the next ones, by norm. It is all that
// problems share, and no earlier problem is read again.
var workspaces [3]sync.Pool // of *workspace

// Closest implements polytope.Solver.
func (Solver) Closest(ctx context.Context, p polytope.Problem) (polytope.Solution, error) {
	if ctx == nil {
		return polytope.Solution{}, rows.ErrContext
	}
	if err := geometry.CheckProblem(p); err != nil {
		return polytope.Solution{}, err
	}
	p.Region.Box = geometry.Reachable(p.Prices, p.Region.Box, p.X)
	if geometry.EmptyBox(p.Region.Box) ||
		slices.ContainsFunc(p.Region.HalfSpaces, geometry.EmptyHalfSpace) {
		return polytope.Solution{
			Status: polytope.StatusInfeasible, Distance: math.Inf(1), Bound: math.Inf(1),
		}, nil
	}
	if len(p.Region.HalfSpaces) == 0 && p.Region.Rest == nil {
		return boxOnly(p), nil
	}
	w, ok := workspaces[p.Norm].Get().(*workspace)
	if !ok {
		w = newWorkspace(p.Norm)
	}
	sol, err := w.solve(ctx, p)
	workspaces[p.Norm].Put(w) // not after a panic in the caller's Rest: w may hold half a problem
	return sol, err
}

// workspace solves one problem at a time.
type workspace struct {
	program *closest.Program
	lazy    *rowgen.Lazy
}

func newWorkspace(norm polytope.Norm) *workspace {
	program := closest.New(norm)
	return &workspace{program, rowgen.New(norm, program, 1)}
}

func (w *workspace) solve(ctx context.Context, p polytope.Problem) (polytope.Solution, error) {
	w.program.Price(p.Prices)
	w.program.Rounded = p.Region.Rest != nil
	w.program.Reset(len(p.X))
	w.lazy.Price(p.Prices)
	w.lazy.Reset(p.X, p.Margin, p.Region.Rest)
	defer w.lazy.Reset(nil, 0, nil) // lets go of the problem
	for j, i := range p.Region.Box {
		w.lazy.Box(p.X[j]-i.Lo, i.Hi-p.X[j])
	}
	for _, h := range p.Region.HalfSpaces {
		v, err := precise.Excess(h.A, h.B, p.X)
		w.lazy.List(h.A, -v, err)
	}
	cutoff := p.Cutoff
	if cutoff == 0 {
		cutoff = math.Inf(1)
	}
	status, err := w.lazy.Solve(ctx, cutoff)
	switch {
	case errors.Is(err, polytope.ErrNumerical):
		return w.unfinished(polytope.StatusStopped), fmt.Errorf(
			"polytope: %w after %d pivots on %d half-spaces",
			err, w.program.Pivots(), w.program.Len(),
		)
	case err != nil: // the context's
		return w.unfinished(polytope.StatusStopped), nil
	case status == closest.Infeasible:
		return w.infeasible(p)
	case status == closest.Cutoff:
		return w.unfinished(polytope.StatusCutoff), nil
	}
	return w.optimal(p), nil
}

// boxOnly answers a problem whose region is a box: clamping is optimal in all
// three norms.
func boxOnly(p polytope.Problem) polytope.Solution {
	z := geometry.NearestIn(nil, p.Region.Box, p.X)
	cost := geometry.Of(&p)
	dist := cost.Distance(p.X, z)
	bound := cost.BoundBox(p.Region.Box, p.X)
	if p.Cutoff > 0 && bound >= p.Cutoff {
		return polytope.Solution{
			Status: polytope.StatusCutoff, Distance: math.Inf(1), Bound: bound,
		}
	}
	return polytope.Solution{
		Status: polytope.StatusOptimal, Point: z, Distance: dist, Bound: bound,
	}
}

func (w *workspace) optimal(p polytope.Problem) polytope.Solution {
	z := make([]float64, len(p.X))
	for j, u := range w.program.U() {
		z[j] = p.X[j] + u
	}
	geometry.NearestIn(z, p.Region.Box, z)
	s := w.unfinished(polytope.StatusOptimal)
	s.Point, s.Distance, s.Bound = z, w.program.Value(), min(s.Bound, w.program.Value())
	return s
}

func (w *workspace) unfinished(s polytope.Status) polytope.Solution {
	return polytope.Solution{
		Status: s, Distance: math.Inf(1), Bound: w.program.Bound(),
		Rows: w.program.Len(), Pivots: w.program.Pivots(),
	}
}

// infeasible answers a problem whose rows look as if they contradicted each other.
// Whether they do is decided in exact arithmetic: half-spaces that are all but
// parallel may meet far away. Those that Rest names are not known exactly, so that
// it can be for the caller to decide.
func (w *workspace) infeasible(p polytope.Problem) (polytope.Solution, error) {
	s := w.unfinished(polytope.StatusInfeasible)
	if p.Margin > 0 || math.IsInf(s.Bound, 1) || w.refuted(p) {
		s.Bound = math.Inf(1)
		return s, nil
	}
	if p.Region.Rest != nil {
		return s, nil
	}
	s.Status = polytope.StatusStopped
	return s, fmt.Errorf("polytope: %w: %d half-spaces all but contradict each other",
		polytope.ErrNumerical, w.program.Len())
}

// refuted reports whether the rows to which the program has given multipliers, and
// the box, have no point in common.
func (w *workspace) refuted(p polytope.Problem) bool {
	var rows []exact.Inequality
	w.program.Multipliers(func(i int, weight float64) {
		listed, a, b, err := w.lazy.Source(i)
		var right *big.Rat
		switch {
		case listed >= 0:
			h := p.Region.HalfSpaces[listed]
			a, right = h.A, exact.Float(h.B)
		case a != nil:
			right = absolute(p.X, a, b, err)
		default:
			return // a side of the box
		}
		rows = append(rows, exact.Inequality{
			A:      a,
			B:      right,
			Weight: weight / cmp.Or(w.program.DualLength(a), 1),
		})
	})
	lo, hi := make([]float64, len(p.X)), make([]float64, len(p.X))
	for j := range lo {
		lo[j], hi[j] = math.Inf(-1), math.Inf(1)
		if p.Region.Box != nil {
			lo[j], hi[j] = p.Region.Box[j].Lo, p.Region.Box[j].Hi
		}
	}
	return exact.Refuted(rows, lo, hi)
}

// absolute returns the right-hand side of a·z ≤ b + a·x for a row a·u ≤ b, moved outwards by the
// largest rounding error of b.
func absolute(x, a []float64, b, err float64) *big.Rat {
	sum := new(big.Rat).Add(exact.Float(b), exact.Float(err))
	for j, a := range a {
		sum.Add(sum, new(big.Rat).Mul(exact.Float(a), exact.Float(x[j])))
	}
	return sum
}
