package native_test

import (
	"fmt"
	"math"
	"math/big"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/testing/oracle"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// oracle compares random small problems with the oracle, and sees to it
// that every kind of region occurs.
func (c conformer) oracle(t *testing.T, norm polytope.Norm) {
	r := source(1, norm)
	var empty, zero, positive int
	for range c.instances {
		p := small(r, norm)
		checkTruth(t, c.solver, p, c.tolerance)
		switch dist, feasible := truth(p); {
		case !feasible:
			empty++
		case dist == 0:
			zero++
		default:
			positive++
		}
		if t.Failed() {
			return
		}
	}
	if few := c.instances / 20; min(empty, zero, positive) < few {
		t.Errorf("%d empty regions, %d around x, %d apart: want at least %d of each",
			empty, zero, positive, few)
	}
}

// exact compares bounds and verdicts with the truth in rational arithmetic, with no
// tolerance where a bound must not exceed it.
func (c conformer) exact(t *testing.T, norm polytope.Norm) {
	r := source(2, norm)
	for range max(1, c.instances/4) {
		p := fractions(r, small(r, norm))
		if geometry.EmptyBox(p.Region.Box) {
			continue // the oracle knows no open sides
		}
		got, ok := solve(t, c.solver, p)
		if !ok {
			return
		}
		a, b := rows(p)
		want, feasible := oracle.ClosestRat(oracle.Norm(norm), p.X, a, b)
		if !feasible {
			if got.Status != polytope.StatusInfeasible {
				t.Fatalf("%s: got %+v, want infeasible", describe(p), got)
			}
			continue
		}
		if got.Status != polytope.StatusOptimal {
			t.Fatalf("%s: got %+v, want %v", describe(p), got, want)
		}
		bound := new(big.Rat).SetFloat64(got.Bound)
		if norm == polytope.L2 {
			bound.Mul(bound, bound)
		}
		if bound.Cmp(want) > 0 {
			t.Fatalf("%s: bound %v exceeds the exact distance %v",
				describe(p), got.Bound, want.FloatString(30))
		}
		dist := oracle.Float(oracle.Norm(norm), want)
		if err := agrees(p, got, dist, true, c.tolerance); err != nil {
			t.Fatalf("%s: %v", describe(p), err)
		}
	}
}

// margin compares with the oracle on rows that truth shifts inwards.
func (c conformer) margin(t *testing.T, norm polytope.Norm) {
	r := source(5, norm)
	for range c.instances / 4 {
		p := small(r, norm)
		p.Margin = []float64{0.125, 0.25, 0.5, 1}[r.IntN(4)]
		checkTruth(t, c.solver, p, c.tolerance)
		if t.Failed() {
			return
		}
	}
}

// cutoff asks with cutoffs below, at and above the distance.
func (c conformer) cutoff(t *testing.T, norm polytope.Norm) {
	r := source(4, norm)
	for range c.instances / 4 {
		p := small(r, norm)
		want, feasible := truth(p)
		factors := []float64{0.25, 0.999999, 1, 1.000001, 3, math.Inf(1)}
		base := want
		if !feasible || want == 0 {
			base = 1
		}
		for _, f := range factors {
			p.Cutoff = base * f
			got, ok := solve(t, c.solver, p)
			if !ok {
				return
			}
			if err := c.stopsAt(p, got, want, feasible); err != nil {
				t.Fatalf("%s, true distance %v: %v", describe(p), want, err)
			}
		}
	}
}

// stopsAt checks an answer to a problem with a cutoff. Where the distance is
// within the tolerance of the cutoff, both answers will do.
func (c conformer) stopsAt(
	p polytope.Problem, got polytope.Solution, want float64, feasible bool,
) error {
	slack := c.tolerance * max(1, want)
	if got.Status != polytope.StatusCutoff {
		if feasible && p.Cutoff < want-slack {
			return fmt.Errorf("got %+v, want cutoff", got)
		}
		return agrees(p, got, want, feasible, c.tolerance)
	}
	switch {
	case !(got.Bound >= p.Cutoff):
		return fmt.Errorf("cutoff with bound %v", got.Bound)
	case feasible && got.Bound > want+1e-12*max(1, want):
		return fmt.Errorf("cutoff with bound %v, which is too large", got.Bound)
	case got.Point != nil || !math.IsInf(got.Distance, 1):
		return fmt.Errorf("cutoff with point %v at distance %v", got.Point, got.Distance)
	}
	return nil
}

// deepest is a Separator made of a list: the deepest violated half-space first
// and, when that one is refused, all others, for the sake of margins.
type deepest struct {
	norm polytope.Norm
	list []polytope.HalfSpace
}

// Separate implements polytope.Separator.
func (f deepest) Separate(x, u []float64, add func([]float64, float64) bool) {
	worst, most := -1, math.Inf(-1)
	for i, h := range f.list {
		v := floats.Dot(h.A, x) - h.B + floats.Dot(h.A, u)
		length := geometry.DualLength(f.norm, h.A)
		if length > 0 {
			v /= length
		}
		if v > most {
			worst, most = i, v
		}
	}
	if worst < 0 || f.name(worst, x, add) {
		return
	}
	for i := range f.list {
		f.name(i, x, add)
	}
}

func (f deepest) name(i int, x []float64, add func([]float64, float64) bool) bool {
	h := f.list[i]
	return add(h.A, h.B-floats.Dot(h.A, x))
}

// hidden returns p with the half-spaces from the i-th on in Rest.
func hidden(p polytope.Problem, i int) polytope.Problem {
	p.Region.Rest = deepest{p.Norm, p.Region.HalfSpaces[i:]}
	p.Region.HalfSpaces = p.Region.HalfSpaces[:i]
	return p
}

// separator gives the same region as a list, as a Separator, and as both.
func (c conformer) separator(t *testing.T, norm polytope.Norm) {
	r := source(3, norm)
	for range c.instances / 4 {
		p := small(r, norm)
		p.Margin = float64(r.IntN(3)/2) / 4
		want, feasible := truth(p)
		for _, split := range []int{0, r.IntN(len(p.Region.HalfSpaces) + 1)} {
			got, ok := solve(t, c.solver, hidden(p, split))
			if !ok {
				t.Fatalf("%s with all from half-space %d on in Rest", describe(p), split)
			}
			if err := agrees(p, got, want, feasible, c.tolerance); err != nil {
				t.Fatalf("%s with all from half-space %d on in Rest: %v", describe(p), split, err)
			}
		}
	}
}
