package rowgen

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/closest"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// halves names the half-spaces u_j ≤ −1, the first one violated.
type halves struct{ asked int }

func (h *halves) Separate(_, u []float64, add func([]float64, float64) bool) {
	h.asked++
	for j := range u {
		a := make([]float64, len(u))
		if a[j] = 2; add(a, -2) {
			return
		}
	}
}

// TestLazySources: rows of the engine are known by where they come from, and only
// violated ones become rows.
func TestLazySources(t *testing.T) {
	p, rest := closest.New(polytope.L2), &halves{}
	p.Reset(2)
	l := New(polytope.L2, p, 1)
	l.Reset([]float64{7, 7}, 0.5, rest)
	l.Box(math.Inf(1), -3) // u_1 ≤ −3
	l.Box(10, math.Inf(1))
	l.List([]float64{0, 1}, 5, 0)           // never violated
	l.List([]float64{0, 1}, math.Inf(1), 0) // everything
	l.List([]float64{0, 4}, -2, 0)          // u_2 ≤ −1/2, less the margin
	status, err := l.Solve(t.Context(), math.Inf(1))
	if err != nil || status != closest.Optimal || !slices.Equal(p.U(), []float64{-3, -1.5}) {
		t.Fatalf("%v, %v: u = %v, want (−3, −1.5)", status, err, p.U())
	}
	var listed []int
	named := 0
	for i := range p.Len() {
		n, a, b, _ := l.Source(i)
		if listed = append(listed, n); a != nil {
			named++
			if b != -3 { // −2, less the margin times the length
				t.Errorf("row %d: named with right-hand side %v, want −3", i, b)
			}
		}
	}
	if !slices.Equal(listed, []int{-1, 2, -1}) || named != 1 || rest.asked != 2 {
		t.Errorf("rows from %v of the list, %d named in %d rounds", listed, named, rest.asked)
	}
}

// TestLazyEnds: with the context's error, and where numbers overflow.
func TestLazyEnds(t *testing.T) {
	p := closest.New(polytope.LInf)
	p.Reset(1)
	l := New(polytope.LInf, p, 1)
	l.Reset([]float64{0}, 0, nil)
	l.List([]float64{1}, -1, 0)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := l.Solve(ctx, math.Inf(1)); !errors.Is(err, context.Canceled) || p.Len() != 0 {
		t.Errorf("cancelled: error %v, %d rows", err, p.Len())
	}
	l.List([]float64{math.MaxFloat64}, -math.MaxFloat64, math.Inf(1))
	if _, err := l.Solve(t.Context(), math.Inf(1)); !errors.Is(err, polytope.ErrNumerical) {
		t.Errorf("overflow: error %v, want %v", err, polytope.ErrNumerical)
	}
}
