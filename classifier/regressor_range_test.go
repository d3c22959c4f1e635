package classifier_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// TestRange: no input drawn from a box has an output beyond the ends, whatever the link, and the
// examples have them.
func TestRange(t *testing.T) {
	for number := range uint64(racetest.Count(500, 20000)) {
		rng := rand.New(rand.NewPCG(number, 55))
		const dim = 3
		r := drawRegressor(t, rng, dim, 1+rng.IntN(6), rng.IntN(5))
		box := polytope.Cube(dim, -0.5-rng.Float64(), 0.5*rng.Float64())
		ends, err := r.Range(t.Context(), box, classifier.RangeOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range []classifier.RangeEnd{ends.Min, ends.Max} {
			if !e.Proven() || r.Predict(e.Example) != e.Output || !box.Contains(e.Example) {
				t.Fatalf("instance %d: %+v, of which the example has %v",
					number, e, r.Predict(e.Example))
			}
		}
		for range 50 {
			x := make([]float64, dim)
			for j := range x {
				x[j] = box[j].Lo + rng.Float64()*(box[j].Hi-box[j].Lo)
			}
			if v := r.Predict(x); v < ends.Min.Output || v > ends.Max.Output {
				t.Fatalf("instance %d: %v at %v, beyond %v and %v",
					number, v, x, ends.Min.Output, ends.Max.Output)
			}
		}
	}
}

// TestRangeLimits: a search that is cut short has bounds that hold, and what makes no sense is
// said.
func TestRangeLimits(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 56))
	const dim = 4
	r := drawRegressor(t, rng, dim, 40, 6)
	whole, err := r.Range(t.Context(), nil, classifier.RangeOptions{})
	if err != nil || !whole.Min.Proven() || !whole.Max.Proven() || whole.Max.Nodes < 3 {
		t.Fatalf("%+v, %v", whole, err)
	}
	cut := 0
	for _, opts := range []classifier.RangeOptions{
		{MaxNodes: 1}, {MaxNodes: 2}, {Timeout: time.Nanosecond},
	} {
		part, err := r.Range(t.Context(), nil, opts)
		if err != nil || part.Min.Bound > whole.Min.Output || part.Max.Bound < whole.Max.Output ||
			part.Min.Output < whole.Min.Output || part.Max.Output > whole.Max.Output {
			t.Fatalf("%+v, want %+v: %v", part, whole, err)
		}
		if !part.Max.Proven() {
			cut++
		}
	}
	if cut == 0 {
		t.Error("no search was cut short")
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := r.Range(ended, nil, classifier.RangeOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled search: %v", err)
	}
	center := make([]float64, dim)
	for name, test := range map[string]struct {
		box  polytope.Box
		opts classifier.RangeOptions
		want error
	}{
		"box of other dimensions": {polytope.Cube(dim+1, 0, 1), classifier.RangeOptions{},
			polytope.ErrDimension},
		"empty box": {polytope.Cube(dim, 1, 0), classifier.RangeOptions{},
			classifier.ErrOption},
		"center": {nil, classifier.RangeOptions{Center: center[1:]},
			polytope.ErrDimension},
		"radius": {nil, classifier.RangeOptions{Center: center, Radius: math.NaN()},
			classifier.ErrOption},
		"norm 3": {nil, classifier.RangeOptions{Center: center, Norm: 3},
			polytope.ErrNorm},
		"nodes": {nil, classifier.RangeOptions{MaxNodes: -1}, classifier.ErrOption},
		"ball beside the box": {polytope.Cube(dim, 2, 3),
			classifier.RangeOptions{Center: center, Radius: 1}, classifier.ErrNoInput},
		"round ball beside": {polytope.Cube(dim, 2, 3),
			classifier.RangeOptions{Center: center, Radius: 3, Norm: polytope.L2},
			classifier.ErrNoInput},
	} {
		if _, err := r.Range(t.Context(), test.box, test.opts); !errors.Is(err, test.want) {
			t.Errorf("%s: %v, want %v", name, err, test.want)
		}
	}
}

// TestRangeExamples: where all inputs of a box are equal, the example is its middle, or what is
// nearest to 0 of an endless side.
func TestRangeExamples(t *testing.T) {
	file := strings.NewReader(`{"format":"facet-model","version":1,"kind":"regressor","n_features":1,"comparison":"x <= t","vote":"sum",
		"trees":[{"feature":[0],"threshold":[0],"left":[-1],"right":[-1],"value":[[2]]}]}`)
	r, err := classifier.Read[*classifier.Regressor](file, classifier.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for want, box := range map[float64]polytope.Box{
		0:  nil,
		3:  {{Lo: 2, Hi: 4}},
		1:  {{Lo: 1, Hi: math.Inf(1)}},
		-5: {{Lo: math.Inf(-1), Hi: -5}},
	} {
		ends, err := r.Range(t.Context(), box, classifier.RangeOptions{})
		if err != nil || ends.Min.Example[0] != want || ends.Max.Example[0] != want {
			t.Errorf("%v: examples %v and %v, %v, want %v",
				box, ends.Min.Example, ends.Max.Example, err, want)
		}
	}
}

// TestRangeRealVectors: a ball ends where its center and its radius say, be that a float64 or not,
// as it does for the classifier that says where the output reaches a threshold.
func TestRangeRealVectors(t *testing.T) {
	file := strings.NewReader(`{"format":"facet-model","version":1,"kind":"regressor","n_features":1,"comparison":"x <= t","vote":"sum",
		"trees":[{"feature":[0,0,0],"threshold":[0.6,0,0],"left":[1,-1,-1],"right":[2,-1,-1],"value":[[0],[1],[2]]}]}`)
	r, err := classifier.Read[*classifier.Regressor](file, classifier.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	above, err := r.Above(2)
	if err != nil {
		t.Fatal(err)
	}
	// .1+.5 exceeds .6 by less than an ulp
	for radius, want := range map[float64]float64{.5: 2, 0.4999: 1} {
		ends, err := r.Range(t.Context(), nil, classifier.RangeOptions{
			Center: []float64{.1},
			Radius: radius,
		})
		if err != nil || ends.Max.Output != 1 || ends.Max.Bound != want || !ends.Min.Proven() {
			t.Errorf("radius %v: %+v, %v, want the output 1 and the bound %v",
				radius, ends, err, want)
		}
		found, err := (&attack.RegionBased{Classifier: above}).RobustAt(t.Context(), []float64{.1},
			radius)
		if robust := found.Verdict(radius); (robust == attack.Robust) != (want == 1) {
			t.Errorf("radius %v: robust is %v, %v", radius, robust, err)
		}
	}
	ends, err := r.Range(t.Context(), polytope.Box{{Lo: .6, LoOpen: true, Hi: 1}},
		classifier.RangeOptions{Center: []float64{.1}, Radius: .5})
	if err != nil || ends.Max.Example != nil || ends.Max.Bound != 2 || ends.Min.Bound != 2 {
		t.Errorf("a region without float64: %+v, %v, want the bounds 2", ends, err)
	}
}
