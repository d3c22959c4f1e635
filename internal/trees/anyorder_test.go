package trees_test

import (
	"math/rand/v2"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// TestShareInAnyOrder: an input is certain to reach a softmax, or not to, only if it does so in
// every order in which float32 may be added.
func TestShareInAnyOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	flips, certain := 0, 0
	for range 300 {
		var members []*trees.Axis
		for range 6 {
			leaf := trees.Node{Feature: -1, Left: -1, Right: -1, Value: make([]float64, 3)}
			for c := range leaf.Value {
				leaf.Value[c] = rng.NormFloat64()
			}
			tree, err := trees.NewAxis(1, trees.AtMostFloat32, trees.Nodes{leaf})
			if err != nil {
				t.Fatal(err)
			}
			members = append(members, tree)
		}
		e := ordered(t, members, 0)
		sum := make([]float64, 3)
		e.Score([]float64{0}, sum)
		least := e.Softmax(sum) // which it reaches in this order
		for _, below := range []float64{0, 1e-3} {
			e := ordered(t, members, least-below)
			sure := e.Certain([]float64{0})
			for range 20 {
				rng.Shuffle(len(members), func(i, j int) {
					members[i], members[j] = members[j], members[i]
				})
				if ordered(t, members, least-below).Predict([]float64{0}) == 1 {
					continue
				}
				if flips++; sure {
					t.Errorf("it does not reach %v in another order", least-below)
				}
			}
			if sure {
				certain++
			}
		}
	}
	if flips == 0 || certain < 300 {
		t.Errorf("%d orders differ, and %d inputs are certain", flips, certain)
	}
}

// ordered asks whether the softmax of class 1 reaches a number.
func ordered(t *testing.T, members []*trees.Axis, least float64) *trees.Ensemble[*trees.Axis] {
	t.Helper()
	vote := trees.Vote{Rule: trees.Sum, Single: true, AnyOrder: true, Chances: trees.Odds}
	e, err := trees.NewEnsemble(members, vote)
	if err != nil {
		t.Fatal(err)
	}
	asked, err := e.WithShare(1, least)
	if err != nil {
		t.Fatal(err)
	}
	return asked
}
