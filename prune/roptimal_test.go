package prune

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
)

var _ classifier.Classifier = (*ROptimal)(nil)

// TestROptimal: the classifier is right, and constant, within r of the points of
// its set, which are as heavy as any separated set.
func TestROptimal(t *testing.T) {
	for number := range uint64(racetest.Scale(500)) {
		rng := rand.New(rand.NewPCG(50, number))
		in, mass := newWeighted(rng, 1+rng.IntN(12), 1+rng.IntN(3))
		if in.x.At(0, 0) != 0 && math.Abs(math.Log(math.Abs(in.x.At(0, 0)))) > 100 {
			continue // moving within r of such numbers rounds to more
		}
		c, err := NewROptimal(t.Context(), in.adversarial(), in.x, in.y, mass)
		if err != nil {
			t.Fatal(err)
		}
		total := len(in.y)
		if mass != nil {
			total = 0
			for _, m := range mass {
				total += m
			}
		}
		share := 0.0
		if total > 0 {
			share = float64(heaviestSet(in, mass)) / float64(total)
		}
		if got := c.Astuteness(); got != share {
			t.Errorf("instance %d: astuteness %v, want %v of %v", number, got, share, total)
		}
		for _, i := range c.Result.Keep {
			for range 10 {
				z := within(rng, in, in.x.RawRowView(i))
				if got := c.Predict(z); got != in.y[i] {
					t.Fatalf("instance %d: Predict(%v) = %d, want %d: row %d is within %v",
						number, z, got, in.y[i], i, in.radius)
				}
			}
		}
	}
}

// within returns a point at most 0.999 times the radius from x.
func within(rng *rand.Rand, in *instance, x []float64) []float64 {
	step, zero := make([]float64, len(x)), make([]float64, len(x))
	for j := range step {
		step[j] = float64(rng.IntN(3)-1) + rng.NormFloat64()*float64(rng.IntN(2))
	}
	z := make([]float64, len(x))
	scale := 0.0
	if norm := in.norm.Distance(step, zero); norm > 0 {
		scale = 0.999 * in.radius / norm
	}
	for j := range z {
		z[j] = x[j] + scale*step[j]
	}
	return z
}

// TestPredictIsNearest compares with a scan of the set.
func TestPredictIsNearest(t *testing.T) {
	for number := range uint64(racetest.Scale(300)) {
		rng := rand.New(rand.NewPCG(51, number))
		in, mass := newWeighted(rng, 1+rng.IntN(300), 1+rng.IntN(4))
		c, err := NewROptimal(t.Context(), in.adversarial(), in.x, in.y, mass)
		if err != nil {
			t.Fatal(err)
		}
		for range 50 {
			x := within(rng, &instance{radius: 10 * in.radius, norm: in.norm},
				in.x.RawRowView(rng.IntN(len(in.y))))
			best := c.Result.Keep[0]
			for _, i := range c.Result.Keep {
				if in.norm.Distance(x, in.x.RawRowView(i)) <
					in.norm.Distance(x, in.x.RawRowView(best)) {
					best = i
				}
			}
			if got := c.Predict(x); got != in.y[best] {
				t.Fatalf("instance %d: Predict(%v) = %d, want %d of row %d",
					number, x, got, in.y[best], best)
			}
		}
	}
}

func TestROptimalShape(t *testing.T) {
	x := mat.NewDense(3, 2, []float64{0, 0, 0, 0, 1, 0})
	c, err := NewROptimal(t.Context(), Adversarial{Radius: 0.2}, x, []int{4, 2, 2}, []int{3, 2, 5})
	if err != nil {
		t.Fatal(err)
	}
	if c.Dim() != 2 || c.Classes() != 5 || c.Astuteness() != 0.8 {
		t.Errorf("Dim, Classes, Astuteness = %d, %d, %v, want 2, 5, 0.8",
			c.Dim(), c.Classes(), c.Astuteness())
	}
	for at, want := range map[float64]int{-9: 4, 0: 4, 0.4: 4, 0.5: 4, 0.6: 2, 1: 2, 9: 2} {
		if got := c.Predict([]float64{at, 0}); got != want {
			t.Errorf("Predict(%v, 0) = %d, want %d", at, got, want)
		}
	}
	if c, err := NewROptimal(
		t.Context(), Adversarial{}, x, []int{0, 1, 0}, []int{0, 0, 0},
	); err != nil || c.Astuteness() != 0 {
		t.Errorf("no mass: astuteness %v, error %v", c.Astuteness(), err)
	}
	if c, err := NewROptimal(
		t.Context(), Adversarial{}, nil, nil, nil,
	); !errors.Is(err, classifier.ErrEmpty) || c != nil {
		t.Errorf("no points: %v, %v", c, err)
	}
}
