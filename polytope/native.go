package polytope

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
	"github.com/seed-1a7dc1f9/facet/internal/gauge"
	"github.com/seed-1a7dc1f9/facet/polytope/internal/rowgen"
)

// Native is the default Solver: pure Go, exact linear programs for ℓ∞ and ℓ1 and
// an exact quadratic program for ℓ2, with half-spaces taken up only when the
// point reached violates them. A problem costs a few passes over the half-spaces
// of its region (d·m operations each, m half-spaces in R^d) and, per half-space
// taken up, about d·q + q³ operations with q ≤ d sides active at the optimum.
// Infeasible is reported when the half-spaces contradict each other in exact
// arithmetic, those of Rest taken as they were named, give or take their rounding.
//
// The zero value is ready, and holds nothing.
type Native struct{}

// workspaces keeps the memory of finished problems for the next ones, by norm. It is all that
// problems share, and no earlier problem is read again.
var workspaces [3]sync.Pool // of *native

// Closest implements Solver.
func (s *Native) Closest(ctx context.Context, p Problem) (Solution, error) {
	if err := p.Check(); err != nil {
		return Solution{}, err
	}
	p.Region.Box = within(p.Prices, p.Region.Box, p.X)
	if p.Region.Box.Empty() || slices.ContainsFunc(p.Region.HalfSpaces, HalfSpace.empty) {
		return Solution{Status: StatusInfeasible, Distance: math.Inf(1), Bound: math.Inf(1)}, nil
	}
	if len(p.Region.HalfSpaces) == 0 && p.Region.Rest == nil {
		return p.boxOnly(), nil
	}
	w, ok := workspaces[p.Norm].Get().(*native)
	if !ok {
		w = newNative(p.Norm)
	}
	sol, err := w.solve(ctx, p)
	workspaces[p.Norm].Put(w) // not after a panic in the caller's Rest: w may hold half a problem
	return sol, err
}

// native solves one problem at a time.
type native struct {
	program *closest.Program
	lazy    *rowgen.Lazy
}

func newNative(norm Norm) *native {
	program := closest.New(closest.Norm(norm))
	return &native{program, rowgen.New(gauge.Norm(norm), program, 1)}
}

func (w *native) solve(ctx context.Context, p Problem) (Solution, error) {
	w.program.Price((*closest.Prices)(p.Prices))
	w.program.Rounded = p.Region.Rest != nil
	w.program.Reset(len(p.X))
	w.lazy.Price((*gauge.Prices)(p.Prices))
	w.lazy.Reset(p.X, p.Margin, p.Region.Rest)
	defer w.lazy.Reset(nil, 0, nil) // lets go of the problem
	for j, i := range p.Region.Box {
		w.lazy.Box(p.X[j]-i.Lo, i.Hi-p.X[j])
	}
	for _, h := range p.Region.HalfSpaces {
		v, err := h.Excess(p.X)
		w.lazy.List(h.A, -v, err)
	}
	cutoff := p.Cutoff
	if cutoff == 0 {
		cutoff = math.Inf(1)
	}
	status, err := w.lazy.Solve(ctx, cutoff)
	switch {
	case errors.Is(err, ErrNumerical):
		return w.unfinished(StatusStopped), fmt.Errorf(
			"polytope: %w after %d pivots on %d half-spaces",
			err, w.program.Pivots(), w.program.Len(),
		)
	case err != nil: // the context's
		return w.unfinished(StatusStopped), nil
	case status == closest.Infeasible:
		return w.infeasible(p)
	case status == closest.Cutoff:
		return w.unfinished(StatusCutoff), nil
	}
	return w.optimal(p), nil
}

func (w *native) optimal(p Problem) Solution {
	z := make([]float64, len(p.X))
	for j, u := range w.program.U() {
		z[j] = p.X[j] + u
	}
	p.Region.Box.Closest(z, z)
	s := w.unfinished(StatusOptimal)
	s.Point, s.Distance, s.Bound = z, w.program.Value(), min(s.Bound, w.program.Value())
	return s
}

func (w *native) unfinished(s Status) Solution {
	return Solution{
		Status: s, Distance: math.Inf(1), Bound: w.program.Bound(),
		Rows: w.program.Len(), Pivots: w.program.Pivots(),
	}
}

// infeasible answers a problem whose rows look as if they contradicted each other.
// Whether they do is decided in exact arithmetic: half-spaces that are all but
// parallel may meet far away. Those that Rest names are not known exactly, so that
// it can be for the caller to decide.
func (w *native) infeasible(p Problem) (Solution, error) {
	s := w.unfinished(StatusInfeasible)
	if p.Margin > 0 || math.IsInf(s.Bound, 1) || w.refuted(p) {
		s.Bound = math.Inf(1)
		return s, nil
	}
	if p.Region.Rest != nil {
		return s, nil
	}
	s.Status = StatusStopped
	return s, fmt.Errorf("polytope: %w: %d half-spaces all but contradict each other",
		ErrNumerical, w.program.Len())
}

// refuted reports whether the rows to which the program has given multipliers, and
// the box, have no point in common.
func (w *native) refuted(p Problem) bool {
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

// absolute returns the right-hand side of a·z ≤ b + a·x for a row a·u ≤ b, moved
// outwards by what rounding may have done to b.
func absolute(x, a []float64, b, err float64) *big.Rat {
	sum := new(big.Rat).Add(exact.Float(b), exact.Float(err))
	for j, a := range a {
		sum.Add(sum, new(big.Rat).Mul(exact.Float(a), exact.Float(x[j])))
	}
	return sum
}
