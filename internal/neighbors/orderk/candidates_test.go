package orderk

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/neighbors"
	"github.com/seed-1a7dc1f9/facet/internal/nnindex"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/polytope"
	"github.com/seed-1a7dc1f9/facet/polytope/native"
)

// TestCandidatesHoldWhatMatters draws points within a radius and checks
// that the rows which the search relies on are in it, and are not missed.
func TestCandidatesHoldWhatMatters(t *testing.T) {
	t.Parallel()
	for number := range uint64(racetest.Scale(1500)) {
		rng := rand.New(rand.NewPCG(number, 700))
		norm := polytope.Norm(number % 3)
		o := drawOpener(t, rng, norm)
		if o == nil {
			continue
		}
		radius := 2 * rng.Float64()
		checkBoxes(t, number, o, norm, radius)
		s := o.gather(radius)
		for range 10 {
			checkCandidates(t, number, o, s, norm, shift(rng, o.X, norm, radius))
		}
		s = s.shrink(o.Allowed, radius/3)
		for range 10 {
			checkCandidates(t, number, o, s, norm, shift(rng, o.X, norm, radius/3))
		}
	}
}

// drawOpener returns an opener on random rows, on a grid every second time;
// nil if the query has no answer.
func drawOpener(t *testing.T, rng *rand.Rand, norm polytope.Norm) *opener {
	t.Helper()
	n, d, classes := 8+rng.IntN(120), 1+rng.IntN(12), 2+rng.IntN(2)
	draw := func() float64 { return rng.NormFloat64() }
	if rng.IntN(2) == 0 {
		draw = func() float64 { return float64(rng.IntN(4)) }
	}
	x, y, q := mat.NewDense(n, d, nil), make([]int, n), make([]float64, d)
	for i := range n {
		y[i] = rng.IntN(classes)
		for j := range d {
			x.Set(i, j, draw())
		}
	}
	for j := range q {
		q[j] = draw()
	}
	table, err := neighbors.New(t.Context(), x, y)
	if err != nil {
		t.Fatal(err)
	}
	k := 2 + rng.IntN(5)
	s := newQuery(table, k, search.Query{
		X:      q,
		From:   table.Vote(q, k),
		Target: -1,
		Cost:   geometry.In(norm),
		Solver: native.Solver{},
	})
	if s.Required == 0 {
		return nil
	}
	o := s.NewOpener().(*opener)
	o.prepare()
	return o
}

// shift returns a point within a distance of x, at that distance half of the time.
func shift(rng *rand.Rand, x []float64, norm polytope.Norm, radius float64) []float64 {
	z, zero := make([]float64, len(x)), make([]float64, len(x))
	for j := range z {
		z[j] = rng.NormFloat64()
	}
	scale := radius / norm.Distance(zero, z)
	if rng.IntN(2) == 0 {
		scale *= rng.Float64()
	}
	for j := range z {
		z[j] = x[j] + scale*z[j]
	}
	return z
}

// checkBoxes compares the bounds of a node of the rivals' trees with its rows.
func checkBoxes(t *testing.T, number uint64, o *opener, norm polytope.Norm, radius float64) {
	t.Helper()
	for _, tree := range o.rivals {
		for node, n := range tree.Nodes {
			least := o.near.LeastBelow(tree, node, radius)
			for i := int(n.First); i < int(n.End); i++ {
				p := tree.Point(i)
				square, length := nnindex.Squared(o.X, p), geometry.Dual(norm).Distance(o.X, p)
				if value := square - 2*radius*length; least > value+1e-9*(square+radius*length) {
					t.Fatalf("instance %d, node %d: bound %v, row %d has %v",
						number, node, least, i, value)
				}
			}
		}
	}
}

func checkCandidates(
	t *testing.T, number uint64, o *opener, s *candidateSet, norm polytope.Norm, z []float64,
) {
	t.Helper()
	rivals := order(o.rivals, z)
	// supporting rows at a larger squared distance have too many rivals before them
	most := math.Inf(1)
	if len(rivals) > o.Allowed {
		most = rivals[o.Allowed].Squared
	}
	distance, length := norm.Distance(o.X, z), polytope.L2.Distance(o.X, z)
	check := func(r *candidate, squared float64) {
		near := (&point{value: distance, length: length}).nearby(squared)
		if near.misses(r) {
			t.Fatalf("instance %d: row %d at squared distance %v is missed", number, r.id, squared)
		}
	}
	for _, n := range order(o.own, z) {
		i := slices.IndexFunc(s.supporting, func(r candidate) bool { return r.id == n.ID })
		if i >= 0 {
			check(&s.supporting[i], n.Squared)
		} else if n.Squared < most*(1-1e-12) {
			t.Fatalf("instance %d: supporting row %d at %v is no candidate; rivals at %v",
				number, n.ID, n.Squared, most)
		}
	}
	for place, n := range rivals {
		i := slices.IndexFunc(s.rivals, func(r candidate) bool { return r.id == n.ID })
		if i >= 0 {
			check(&s.rivals[i], n.Squared)
		} else if place <= o.Allowed && n.Squared < most {
			t.Fatalf("instance %d: rival %d, number %d of the nearest, is no candidate",
				number, n.ID, place)
		}
	}
}

// order returns all points of trees by distance.
func order(trees neighbors.Trees, z []float64) []nnindex.Neighbor {
	var all []nnindex.Neighbor
	for _, t := range trees {
		for i, id := range t.IDs {
			all = append(all, nnindex.Neighbor{Squared: nnindex.Squared(z, t.Point(i)), ID: id})
		}
	}
	slices.SortFunc(all, nnindex.Neighbor.Compare)
	return all
}
