package attack_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/attack/explain"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/internal/testing/oracle"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// realForces asks of each set of real features whether it forces the label.
func realForces(x []float64, domain polytope.Box, answer func(q oracle.Ruled) bool) *forces {
	f := &forces{}
	for j := range x {
		f.units = append(f.units, []int{j})
	}
	for s := range 1 << len(x) {
		q := oracle.Ruled{Norm: oracle.Inf, X: x}
		for j, v := range x {
			side := polytope.Line()
			if domain != nil {
				side = domain[j]
			}
			if s>>j&1 == 1 {
				side = polytope.Interval{Lo: v, Hi: v}
			}
			q.Lo, q.Hi = append(q.Lo, side.Lo), append(q.Hi, side.Hi)
			q.Up, q.Down = append(q.Up, 1), append(q.Down, 1)
		}
		f.sets = append(f.sets, !answer(q))
	}
	return f
}

// TestReasonsOfNeighbors compares reasons of k-NN with exact arithmetic over all cells, of the
// searches of k-NN and of cells that are listed.
func TestReasonsOfNeighbors(t *testing.T) {
	t.Parallel()
	testReasonsOfNeighbors(t, 1, false)
	testReasonsOfNeighbors(t, 3, false)
}

// TestReasonsOfShares does the same where the label is that a class has a share of the neighbours.
func TestReasonsOfShares(t *testing.T) {
	t.Parallel()
	for k := 1; k < 5; k++ {
		testReasonsOfNeighbors(t, k, true)
	}
}

func testReasonsOfNeighbors(t *testing.T, k int, above bool) {
	t.Helper()
	t.Run(fmt.Sprint("k=", k), func(t *testing.T) {
		t.Parallel()
		for number := range uint64(instance.Count(25, 7000)) {
			rng := rand.New(rand.NewPCG(number, uint64(k)))
			in := instance.DrawNeighbors(rng)
			for len(in.X) < k || len(in.X) > 9-k || len(in.Query) > 3 { // the oracle takes long
				in = instance.DrawNeighbors(rng)
			}
			knn, vote := in.KNN(t, k), oracle.Plurality(in.Y)
			if above {
				knn, vote = in.Above(t, rng, k)
			}
			goal, ok := in.Goal(knn)
			if !ok || in.Box != nil && !in.Box.Contains(in.Query) {
				continue
			}
			var c classifier.Classifier = knn
			if rng.IntN(2) == 0 {
				c = instance.Listed{Decomposable: knn}
			}
			f := realForces(in.Query, in.Box, func(q oracle.Ruled) bool {
				return q.Vote(in.X, vote, k, goal) != nil
			})
			a := attack.RegionBased{Classifier: c, Options: attack.Options{
				Domain: in.Box, Target: in.Target,
			}}
			f.check(t, a, in.Query, rng, func(format string, args ...any) {
				t.Helper()
				t.Fatalf("instance %d, %T: %s\n%+v",
					number, c, fmt.Sprintf(format, args...), in)
			})
		}
	})
}

// TestReasonsOfOblique does the same for votes of oblique trees.
func TestReasonsOfOblique(t *testing.T) {
	t.Parallel()
	for number := range uint64(instance.Count(40, 7000)) {
		rng := rand.New(rand.NewPCG(number, 7))
		dim, classes := 1+rng.IntN(3), 2+rng.IntN(2)
		var members []*classifier.ObliqueEnsemble
		var nodes [][]classifier.ObliqueNode
		for range 1 + rng.IntN(2) {
			own := instance.ObliqueNodes(rng, dim, classes, 2)
			for i := range own { // no two tests leave a single value: the oracle wants interiors
				own[i].Threshold += rng.Float64() / 8
			}
			nodes = append(nodes, own)
			members = append(members, instance.ObliqueTree(t, dim, nodes[len(nodes)-1]...))
		}
		x := make([]float64, dim)
		for j := range x {
			x[j] = rng.NormFloat64()
		}
		var c classifier.Classifier = members[0]
		if len(members) > 1 {
			c = instance.ObliqueVote(t, classifier.EnsembleOptions{}, members...)
		} else if rng.IntN(2) == 0 {
			c = instance.Listed{Decomposable: members[0]}
		}
		from := c.Predict(x)
		f := realForces(x, nil, func(q oracle.Ruled) bool {
			return reachesOblique(q, nodes, func(z []float64) bool { return c.Predict(z) != from })
		})
		f.check(t, attack.RegionBased{Classifier: c}, x, rng, func(format string, args ...any) {
			t.Helper()
			t.Fatalf("instance %d, %T: %s\nx %v, %+v",
				number, c, fmt.Sprintf(format, args...), x, nodes)
		})
	}
}

// reachesOblique goes through all tuples of leaves, one of each tree.
func reachesOblique(
	q oracle.Ruled, nodes [][]classifier.ObliqueNode, answers func(z []float64) bool,
) bool {
	var halves []oracle.Half
	var visit func(tree, node int) bool
	visit = func(tree, node int) bool {
		inside := q.Inside(halves)
		switch {
		case inside == nil:
			return false
		case tree == len(nodes):
			return answers(inside)
		}
		n := nodes[tree][node]
		if n.Left < 0 {
			return visit(tree+1, 0)
		}
		opposite := slices.Clone(n.Weights)
		for j := range opposite {
			opposite[j] = -opposite[j]
		}
		depth := len(halves)
		halves = append(halves, oracle.HalfOf(n.Weights, n.Threshold, true))
		found := visit(tree, n.Left)
		halves = append(halves[:depth], oracle.HalfOf(opposite, -n.Threshold, false))
		found = found || visit(tree, n.Right)
		halves = halves[:depth]
		return found
	}
	return visit(0, 0)
}

// TestReasonsOfWeightedNeighbors checks reasons of weighted k-NN, which has no cells, against
// many inputs.
func TestReasonsOfWeightedNeighbors(t *testing.T) {
	t.Parallel()
	for number := range uint64(instance.Count(10, 1000)) {
		rng := rand.New(rand.NewPCG(number, 9))
		in := instance.DrawPoints(rng, 6, 2)
		c, err := classifier.TrainWeightedKNN(t.Context(), instance.Dense(in.X), in.Y,
			classifier.KNNOptions{K: 3})
		if err != nil {
			t.Fatal(err)
		}
		a := &attack.RegionBased{Classifier: c, Options: attack.Options{
			Domain: polytope.Cube(2, -1, 7), MaxNodes: 3000,
		}}
		explainer := &explain.Explainer{Classifier: a.Classifier, Options: a.Options}
		found, err := explainer.Reasons(t.Context(), in.Query)
		if err != nil {
			t.Fatalf("instance %d: %v", number, err)
		}
		from := c.Predict(in.Query)
		for range 300 {
			z := []float64{8*rng.Float64() - 1, 8*rng.Float64() - 1}
			for _, j := range found.Found[0].Features {
				z[j] = in.Query[j]
			}
			if got := c.Predict(z); got != from {
				t.Fatalf("instance %d: %+v forces %d at %v, and %v has %d",
					number, found.Found[0], from, in.Query, z, got)
			}
		}
		if math.IsNaN(found.Found[0].Weight) || found.Found[0].Features == nil {
			t.Fatalf("instance %d: %+v", number, found)
		}
	}
}
