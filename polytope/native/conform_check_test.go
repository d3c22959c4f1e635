package native_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// checkTruth solves p, whose Rest must be nil, and compares the answer with the
// oracle's: it is meant for small problems with moderate numbers.
func checkTruth(t testing.TB, s polytope.Solver, p polytope.Problem, tolerance float64) {
	t.Helper()
	got, ok := solve(t, s, p)
	if !ok {
		return
	}
	want, feasible := truth(p)
	if err := agrees(p, got, want, feasible, tolerance); err != nil {
		t.Errorf("%s: %v", describe(p), err)
	}
}

// proved solves p and checks that the answer proves itself: Point lies in the
// region, and Bound meets Distance. Problems may have any size.
func proved(
	t testing.TB, s polytope.Solver, p polytope.Problem, tolerance float64,
) polytope.Solution {
	t.Helper()
	got, ok := solve(t, s, p)
	if !ok {
		return got
	}
	if got.Status != polytope.StatusOptimal {
		t.Errorf("status %v, want optimal", got.Status)
		return got
	}
	if err := consistent(p, got, tolerance); err != nil {
		t.Error(err)
	}
	if gap := got.Distance - got.Bound; !(gap <= tolerance*max(1, got.Distance)) {
		t.Errorf("distance %v and bound %v differ by %.2g", got.Distance, got.Bound, gap)
	}
	return got
}

func solve(t testing.TB, s polytope.Solver, p polytope.Problem) (polytope.Solution, bool) {
	t.Helper()
	got, err := s.Closest(context.Background(), p)
	if err != nil {
		t.Errorf("%s: Closest() = %+v, error %v", describe(p), got, err)
		return got, false
	}
	return got, true
}

// agrees compares an answer to a problem without cutoff with the true distance.
func agrees(
	p polytope.Problem, got polytope.Solution, want float64, feasible bool, tolerance float64,
) error {
	if !feasible {
		if got.Status != polytope.StatusInfeasible || !math.IsInf(got.Bound, 1) ||
			got.Point != nil {
			return fmt.Errorf("got %+v, want infeasible", got)
		}
		return nil
	}
	if got.Status != polytope.StatusOptimal {
		return fmt.Errorf("got %+v, want distance %v", got, want)
	}
	slack := tolerance * max(1, want)
	switch {
	case !(math.Abs(got.Distance-want) <= slack):
		return fmt.Errorf("distance %v, want %v", got.Distance, want)
	case !(got.Bound <= want+1e-12*max(1, want)): // the oracle rounds, too; exact compares without
		return fmt.Errorf("bound %v exceeds the distance %v", got.Bound, want)
	case !(got.Bound >= want-slack):
		return fmt.Errorf("bound %v falls short of the distance %v", got.Bound, want)
	}
	return consistent(p, got, tolerance)
}

// consistent checks that Point satisfies every side, that Distance is its
// distance, and that Bound does not exceed it.
func consistent(p polytope.Problem, got polytope.Solution, tolerance float64) error {
	slack := tolerance * max(1, got.Distance)
	if err := inside(p, got.Point, slack); err != nil {
		return err
	}
	if d := geometry.Of(&p).Distance(
		p.X, got.Point,
	); !(math.Abs(d-got.Distance) <= slack) {
		return fmt.Errorf("point %v is at distance %v, not %v", got.Point, d, got.Distance)
	}
	if got.Bound > got.Distance {
		return fmt.Errorf("bound %v exceeds distance %v", got.Bound, got.Distance)
	}
	return nil
}

// inside checks that z is at most slack away from every side, each taken by itself.
func inside(p polytope.Problem, z []float64, slack float64) error {
	if err := geometry.CheckPoint(z, len(p.X)); err != nil {
		return fmt.Errorf("point: %w", err)
	}
	for i, h := range p.Region.HalfSpaces {
		length := geometry.DualLength(p.Norm, h.A)
		if length == 0 {
			continue // decided by the status
		}
		if v := (floats.Dot(h.A, z) - h.B + p.Margin*length) / length; !(v <= slack) {
			return fmt.Errorf("half-space %d is violated by %v at %v", i, v, z)
		}
	}
	for j, i := range p.Region.Box {
		if v := max(i.Lo-z[j], z[j]-i.Hi); !(v <= slack) {
			return fmt.Errorf("side %d of the box is violated by %v at %v", j, v, z)
		}
	}
	return nil
}

// describe prints a small problem so that it can be pasted into a test.
func describe(p polytope.Problem) string {
	if len(p.X)*(1+len(p.Region.HalfSpaces)) > 200 {
		return fmt.Sprintf("problem with %d half-spaces in dimension %d, norm %v",
			len(p.Region.HalfSpaces), len(p.X), p.Norm)
	}
	return fmt.Sprintf("%#v", p)
}
