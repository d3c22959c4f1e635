package orderk_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/neighbors"
	"github.com/seed-1a7dc1f9/facet/internal/neighbors/orderk"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/internal/testing/oracle"
	"github.com/seed-1a7dc1f9/facet/polytope"
	"github.com/seed-1a7dc1f9/facet/polytope/native"
)

// TestDecideAgainstBruteForce compares decisions about supporting rows together, around the
// distance that a search through every set of k rows finds: no distance is refuted from there on,
// and no input answers nearer. Rows lie on grids, equal ones among them.
func TestDecideAgainstBruteForce(t *testing.T) {
	t.Parallel()
	counts := map[orderk.Verdict]int{}
	want := instance.Count(300, 6000)
	for number, compared := uint64(0), 0; compared < want; number++ {
		rng := rand.New(rand.NewPCG(number, 77))
		norm := instance.Norms()[number%3]
		in := instance.DrawNeighbors(rng)
		k := 2 + rng.IntN(3)
		c := in.KNN(t, min(k, len(in.X)))
		goal, ok := in.Goal(c)
		if !ok || k > len(in.X) ||
			math.Pow(float64(len(in.X)), float64(k)) > 4000 {
			continue
		}
		compared++
		truth := oracle.CellsVote(oracle.Norm(norm), in.X, oracle.Plurality(in.Y), k, in.Query,
			goal, in.OracleBox())
		for _, share := range []float64{0.5, 0.999, 1, 1.001, 2} {
			radius := share * min(truth, 10)
			v, z := decideWithin(t, in, k, norm, c.Predict(in.Query), radius)
			counts[v]++
			if v == orderk.Refuted && !(radius < truth*(1+1e-12)) ||
				v == orderk.Answered && radius < truth*(1-1e-9) {
				t.Fatalf("instance %d: verdict %d within %v, the distance is %v\n%+v",
					number, v, radius, truth, in)
			}
			if v == orderk.Answered &&
				!(norm.Distance(in.Query, z) <= radius && goal(c.Predict(z))) {
				t.Fatalf("instance %d: %v is no answer within %v\n%+v", number, z, radius, in)
			}
		}
	}
	if counts[orderk.Refuted] == 0 || counts[orderk.Answered] == 0 {
		t.Errorf("verdicts %v", counts)
	}
}

// decideWithin asks a query as a question about a radius does, with all supporting rows.
func decideWithin(
	t *testing.T, in instance.Neighbors, k int, norm polytope.Norm, label int, radius float64,
) (orderk.Verdict, []float64) {
	t.Helper()
	x := mat.NewDense(len(in.X), len(in.Query), nil)
	for i, p := range in.X {
		x.SetRow(i, p)
	}
	table, err := neighbors.New(t.Context(), x, in.Y)
	if err != nil {
		t.Fatal(err)
	}
	q := search.Query{
		X: in.Query, From: label, Target: -1, Cost: geometry.In(norm), Domain: in.Box,
		Solver: native.Solver{}, Any: true,
	}
	if in.Target != nil {
		q.Target = *in.Target
	}
	return orderk.DecideWithin(t.Context(), table, k, q, radius)
}
