package boxtree

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/boxtree/grid"
	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// anyHolds reports, by all cells, whether no sum is negative at some input of a region: at one of
// float64, and at a real vector.
func anyHolds(e *trees.Ensemble[*trees.Axis], q *SumQuery) (number, vector bool) {
	g := grid.New(e.Dim(), e.Trees)
	cell, sides := make([]int32, e.Dim()), make(polytope.Box, e.Dim())
	var walk func(f int)
	walk = func(f int) {
		if f < len(cell) {
			for i := range int32(len(g.Borders[f]) + 1) {
				sides[f], cell[f] = g.Borders[f].Values(i, i), i
				if q.Domain != nil {
					sides[f] = geometry.Intersect(sides[f], q.Domain[f])
				}
				if !geometry.Empty(sides[f]) {
					walk(f + 1)
				}
			}
			return
		}
		sums := slices.Clone(e.Vote.Base)
		for t := range g.Trees {
			e.Add(sums, t, int(g.Leaf(&g.Trees[t], cell)))
		}
		if !meets(q, sides) || slices.Min(sums) < 0 {
			return
		}
		vector = true
		z := make([]float64, len(sides))
		for f := range z {
			v, ok := geometry.Inside(sides[f], q.Center[f])
			if z[f] = v; !ok {
				return
			}
		}
		number = number || !exceeds(q, z)
	}
	walk(0)
	return number, vector
}

// TestSatisfy compares searches for an input at which no sum is negative with all cells.
func TestSatisfy(t *testing.T) {
	found, none, thin := 0, 0, 0
	for number := range uint64(racetest.Count(4000, 200000)) {
		rng := rand.New(rand.NewPCG(number, 64))
		dim, classes := 1+rng.IntN(3), 1+rng.IntN(4)
		value := func() float64 { return rng.NormFloat64() }
		if rng.IntN(2) == 0 { // sums often come to 0
			value = func() float64 { return float64(rng.IntN(5)-2) / 10 }
		}
		v := trees.Vote{Rule: trees.Sum, Base: make([]float64, classes), Single: rng.IntN(2) == 0}
		for c := range v.Base {
			v.Base[c] = value() - 0.2
		}
		e := vote(t, drawTrees(t, rng, dim, 1+rng.IntN(6), rng.IntN(5), classes, value), v)
		q := drawQuery(rng, dim)
		holds, may := anyHolds(e, &q)
		w, err := NewSums(e).Satisfy(t.Context(), Wanted{Region: q.Region})
		switch {
		case errors.Is(err, ErrEmpty) && !may:
			continue
		case err != nil || (w.Example != nil) != holds || w.None == may:
			t.Fatalf("instance %d: %+v, %v, want %v, %v in %+v", number, w, err, holds, may, q)
		case w.None:
			none++
		case w.Example == nil:
			thin++
		default:
			found++
		}
		if !holds {
			continue
		}
		sums := make([]float64, classes)
		if e.Score(w.Example, sums); slices.Min(sums) < 0 || exceeds(&q, w.Example) ||
			(q.Domain != nil && !q.Domain.Contains(w.Example)) {
			t.Fatalf("instance %d: %v has the sums %v in %+v", number, w.Example, sums, q)
		}
		asked := 0
		refuse := func([]float64) bool { asked++; return false }
		w, err = NewSums(e).Satisfy(t.Context(), Wanted{Region: q.Region, Accepts: refuse})
		if err != nil || w.Example != nil || asked == 0 {
			t.Fatalf("instance %d: %+v, %v after %d refusals", number, w, err, asked)
		}
	}
	if found < none/100 || none < found/100 || none == 0 || thin == 0 {
		t.Errorf("%d found, %d without, %d thin", found, none, thin)
	}
}

// TestSatisfyAccepts: Accepts sees every cell whose sums come to 0, until it takes one.
func TestSatisfyAccepts(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 64))
	members := drawTrees(t, rng, 2, 8, 3, 2, func() float64 { return 0 })
	s := NewSums(vote(t, members, trees.Vote{Rule: trees.Sum}))
	q := Wanted{Region: Region{Center: []float64{0, 0}, Radius: math.Inf(1)}}
	cells := map[[2]int32]bool{}
	q.Accepts = func(z []float64) bool {
		b := s.model.grid.Borders
		cells[[2]int32{b[0].Interval(z[0]), b[1].Interval(z[1])}] = true
		return false
	}
	if w, err := s.Satisfy(t.Context(), q); err != nil || !w.None || len(cells) == 0 {
		t.Errorf("%+v, %v after %d cells", w, err, len(cells))
	}
	q.Accepts = func(z []float64) bool { return z[0] > 0.5 && z[1] < -0.5 }
	w, err := s.Satisfy(t.Context(), q)
	if err != nil || w.Example == nil || !q.Accepts(w.Example) {
		t.Errorf("%+v, %v", w, err)
	}
}
