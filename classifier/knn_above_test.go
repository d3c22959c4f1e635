package classifier_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/attack/proof"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/internal/testing/oracle"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
)

// TestKNNAbove compares labels above a probability with the neighbours found by sorting.
func TestKNNAbove(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 32))
	seen := [2]int{}
	for range racetest.Scale(2000) {
		in := instance.DrawNeighbors(rng)
		k := 1 + rng.IntN(len(in.X))
		c, vote := in.Above(t, rng, k)
		got, want := c.Predict(in.Query), vote(nearest(in.X, k, in.Query))
		if got != want || c.Classes() != 2 || c.K() != k || c.Len() != len(in.X) {
			t.Fatalf("label %d of %d, want %d; k = %d\n%+v", got, c.Classes(), want, k, in)
		}
		if cell, err := c.CellAt(in.Query); err != nil || cell.Label != want {
			t.Fatalf("cell of label %d, %v, want %d; k = %d\n%+v", cell.Label, err, want, k, in)
		}
		seen[want]++
	}
	if seen[0] == 0 || seen[1] == 0 {
		t.Errorf("labels %v", seen)
	}
}

// TestKNNAboveThresholds goes through probabilities on a share of ten rows and beside it.
func TestKNNAboveThresholds(t *testing.T) {
	y := []int{2, 2, 2, 0, 0, 1, 1, 0, 1, 0}
	c := instance.KNN(t, mat.NewDense(10, 1, nil), y, 10)
	for p, want := range map[float64]int{
		math.Inf(-1): 1, -1: 1, 0: 1, 0.2: 1, 0.3: 1, math.Nextafter(0.3, 1): 0, 0.31: 0, 1: 0,
		1.5: 0, math.Inf(1): 0,
	} {
		above, err := c.Above(2, p)
		if err != nil {
			t.Fatal(err)
		}
		if got := above.Predict([]float64{4}); got != want || above.Classes() != 2 {
			t.Errorf("above %v: %d of %d, want %d", p, got, above.Classes(), want)
		}
	}
	for name, err := range map[string]error{
		"class 3": second(c.Above(3, .5)), "class -1": second(c.Above(-1, .5)),
		"NaN": second(c.Above(0, math.NaN())),
	} {
		if !errors.Is(err, classifier.ErrOption) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func second[T any](_ T, err error) error { return err }

// TestKNNAboveSaved: files and proofs say which label most neighbours have, and no shares.
func TestKNNAboveSaved(t *testing.T) {
	in := instance.Neighbors{
		X: [][]float64{{0}, {1}, {2}, {3}, {4}, {5}}, Y: []int{2, 2, 2, 0, 1, 0},
		Query: []float64{0},
	}
	for _, test := range []struct {
		k, class int
		p        float64
		plain    bool
	}{
		{1, 2, .7, true}, {2, 2, .7, true}, {3, 2, .5, true}, {3, 2, .6, true}, {2, 2, .5, false},
		{3, 2, .7, false}, {3, 2, .3, false}, {3, 2, 2, false}, {4, 2, .5, false},
		{4, 2, .7, true},
	} {
		c, err := in.KNN(t, test.k).Above(test.class, test.p)
		if err != nil {
			t.Fatal(err)
		}
		var text bytes.Buffer
		err = classifier.Save(&text, c)
		if test.plain != (err == nil) || !test.plain && !errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("%+v is saved: %v", test, err)
		}
		w := proof.NewWriter(io.Discard, [32]byte{})
		a := &attack.RegionBased{Classifier: c, Options: attack.Options{Proof: w}}
		_, err = a.Perturb(context.Background(), in.Query)
		if test.plain != (err == nil) || !test.plain && !errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("%+v is proven: %v", test, err)
		}
		if !test.plain {
			continue
		}
		again, err := classifier.Read[classifier.Classifier](&text, classifier.ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for z := -1.; z < 7; z += 1. / 8 {
			got, want := again.Predict([]float64{z}), c.Predict([]float64{z})
			if got != want {
				t.Errorf("%+v: at %v %d was read, %d saved", test, z, got, want)
			}
		}
	}
}

// TestKNNAboveCounterfactuals compares the first of two counterfactuals with the oracle.
func TestKNNAboveCounterfactuals(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 32))
	for range racetest.Scale(200) {
		in := instance.DrawFew(rng)
		k := min(1+rng.IntN(5), len(in.X))
		c, vote := in.Above(t, rng, k)
		goal, ok := in.Goal(c)
		if !ok {
			continue
		}
		truth := oracle.CellsVote(oracle.Inf, in.X, vote, k, in.Query, goal, in.OracleBox())
		a := attack.RegionBased{Classifier: c, Options: attack.Options{
			Domain: in.Box, Target: in.Target,
		}}
		found, err := a.Counterfactuals(t.Context(), in.Query, 2)
		if err != nil {
			t.Fatalf("k = %d: %v\n%+v", k, err, in)
		}
		first := append(found.Found, instance.Others(found))[0]
		if err := instance.CheckExact(t, c, 0, in.Query, first, truth); err != nil {
			t.Fatalf("k = %d: %v\n%+v", k, err, in)
		}
	}
}
