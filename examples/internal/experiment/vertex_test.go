package experiment

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/fixture"
)

// TestVertex checks that the solver's points have another label, no coordinate nearer
// to 0 than it must be, and the exact distance but for the margin.
func TestVertex(t *testing.T) {
	fixture.Each(t, func(t *testing.T, c fixture.Case) {
		tree, err := classifier.TrainTree(t.Context(), c.Set.Train, c.Set.TrainY,
			classifier.TreeOptions{})
		if err != nil {
			t.Fatal(err)
		}
		a := newVertex(tree)
		for i := range 50 {
			x := c.Set.Train.RawRowView(i)
			r, err := a.Perturb(t.Context(), x)
			if err != nil {
				t.Fatal(err)
			}
			if tree.Predict(r.Example) != r.Label || r.Label == tree.Predict(x) {
				t.Errorf("row %d: the example has label %d, not %d",
					i, tree.Predict(r.Example), r.Label)
			}
			if d := floats.Distance(x, r.Example, math.Inf(1)); math.Abs(d-r.Distance) > 1e-15 {
				t.Errorf("row %d: distance %v, want %v", i, r.Distance, d)
			}
		}
	})
}

// TestNearestToZero shows the choice among equally near points: the first feature
// decides the distance 0.2, the second is free, the third has a bound.
func TestNearestToZero(t *testing.T) {
	inf := math.Inf(1)
	l := leaf{lo: []float64{0.5, -inf, 0.45}, hi: []float64{inf, inf, 0.9}}
	z, d := l.nearest([]float64{0.3, 0.6, 0.5})
	if want := []float64{
		0.5, 0.4, 0.45,
	}; math.Abs(d-0.2) > 1e-15 || !floats.EqualApprox(z, want, 1e-15) {
		t.Errorf("%v at %v, want %v at 0.2", z, d, want)
	}
	if _, d := (&leaf{lo: []float64{1}, hi: []float64{0}}).nearest([]float64{
		0,
	}); !math.IsInf(d, 1) {
		t.Errorf("an empty box is at %v", d)
	}
}
