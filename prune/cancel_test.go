package prune

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/attack/proof"
	"github.com/seed-1a7dc1f9/facet/internal/rows"
)

// rings returns two rings that are far from each other, each a hard component.
func rings(points, labels int, k float64) (*mat.Dense, []int, Adversarial) {
	one, y, a := ring(points, labels, k)
	x := mat.NewDense(2*points, 2, nil)
	x.Stack(one, one)
	for i := points; i < 2*points; i++ {
		x.Set(i, 0, x.At(i, 0)+10)
	}
	return x, slices.Concat(y, y), a
}

// TestSolveOutOfTime ends the context at every look, by its deadline: once the relaxation
// is solved that is no error, and results are true, whichever component is being solved.
func TestSolveOutOfTime(t *testing.T) {
	x, y, a := rings(30, 3, 4)
	count := &fuse{Context: t.Context(), n: math.MaxInt64}
	best, err := a.Solve(count, x, y, nil)
	if err != nil {
		t.Fatal(err)
	}
	relaxed, unfinished := false, 0
	for n := int64(1); n <= count.looks.Load(); n++ {
		r, err := a.Solve(&fuse{Context: t.Context(), n: n, end: context.DeadlineExceeded}, x, y,
			nil)
		if err != nil {
			if relaxed || r != nil || !errors.Is(err, context.DeadlineExceeded) {
				t.Fatalf("out of time at look %d: %v, %v, after one without error: %v",
					n, r, err, relaxed)
			}
			continue
		}
		relaxed = true
		if r.Status != attack.StatusOptimal {
			unfinished++
		}
		if r.Weight > best.Weight || r.Bound < best.Weight {
			t.Fatalf("out of time at look %d: %v of %v, best %v", n, r.Weight, r.Bound, best.Weight)
		}
		if err := a.Verify(t.Context(), x, y, nil, r); err != nil {
			t.Fatalf("out of time at look %d: %v", n, err)
		}
	}
	if unfinished < 100 {
		t.Errorf("%d unfinished results, want more: most looks are before there are any",
			unfinished)
	}
}

// TestCompleteEnds: with no time left beyond the context's, completing a set looks at the
// context once a row and stops.
func TestCompleteEnds(t *testing.T) {
	x, y, a := ring(60, 3, 4)
	p, err := a.withTrees(t.Context(), x, y)
	if err != nil {
		t.Fatal(err)
	}
	count := &fuse{Context: t.Context(), n: 5}
	keep, err := p.complete(count, 0, nil)
	if !errors.Is(err, context.Canceled) || len(keep) == 0 || count.looks.Load() != 5 {
		t.Errorf("%d rows, %v after %d looks, want some, context.Canceled and 5",
			len(keep), err, count.looks.Load())
	}
	whole, err := p.complete(t.Context(), 0, nil)
	if err != nil || len(whole) <= len(keep) {
		t.Errorf("%d rows, %v, want more than %d", len(whole), err, len(keep))
	}
	late, err := p.complete(&fuse{Context: t.Context(), n: 1}, math.MaxInt64, nil)
	if err != nil || !slices.Equal(late, whole) {
		t.Errorf("%d rows, %v with time left, want %d", len(late), err, len(whole))
	}
}

// TestColumnsEnd: columns, of which there may be a million, are compared pair by pair.
func TestColumnsEnd(t *testing.T) {
	table := &rows.Table{Data: make([]float64, 50), Len: 50, Dim: 1}
	count := &fuse{Context: t.Context(), n: 50 * 49 / 2}
	if err := arrange(count, table, &ball{}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v after %d looks, want context.Canceled", err, count.looks.Load())
	}
}

// TestVerifyCancelled cancels at every look: that is the error, and not a proof that fails.
func TestVerifyCancelled(t *testing.T) {
	x, y, a := ring(60, 2, 3)
	r, err := a.Solve(t.Context(), x, y, nil)
	if err != nil {
		t.Fatal(err)
	}
	count := &fuse{Context: t.Context(), n: math.MaxInt64}
	if err := a.Verify(count, x, y, nil, r); err != nil {
		t.Fatal(err)
	}
	looks := count.looks.Load()
	if least := int64(60 + 2*len(r.Cliques) + 60); looks < least {
		t.Errorf("%d looks at the context, want %d at least", looks, least)
	}
	for n := int64(1); n <= looks; n++ {
		err := a.Verify(&fuse{Context: t.Context(), n: n}, x, y, nil, r)
		if !errors.Is(err, context.Canceled) || errors.Is(err, proof.ErrProof) {
			t.Fatalf("cancelled at look %d of %d: %v", n, looks, err)
		}
	}
}

// TestComponentsEnd: telling components apart asks for the neighbours of every point.
func TestComponentsEnd(t *testing.T) {
	x, y, a := rings(30, 3, 4)
	p, err := a.withTrees(t.Context(), x, y)
	if err != nil {
		t.Fatal(err)
	}
	kernel := slices.Repeat([]bool{true}, 60)
	count := &fuse{Context: t.Context(), n: math.MaxInt64}
	if _, parts := components(count, p.doubled(), kernel, nil); len(parts) != 2 ||
		count.looks.Load() < 60 {
		t.Errorf("%d components after %d looks, want 2 and 60 looks at least",
			len(parts), count.looks.Load())
	}
	for n := int64(1); n < count.looks.Load(); n++ {
		points := 0
		_, parts := components(&fuse{Context: t.Context(), n: n}, p.doubled(), kernel, nil)
		for _, part := range parts {
			points += len(part.points)
		}
		if points != 60 {
			t.Fatalf("cancelled at look %d: %d points in components, want all 60", n, points)
		}
	}
}
