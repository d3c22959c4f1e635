package classifier_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/attack/property"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// TestRange: no input drawn from a box has an output beyond the ends, for every link, and the
// examples have them.
func TestRange(t *testing.T) {
	for number := range uint64(racetest.Count(500, 20000)) {
		rng := rand.New(rand.NewPCG(number, 55))
		const dim = 3
		r := drawRegressor(t, rng, dim, 1+rng.IntN(6), rng.IntN(5))
		box := polytope.Cube(dim, -0.5-rng.Float64(), 0.5*rng.Float64())
		least, most, err := computed(t, r, property.Options{Domain: box})
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range []property.End{least, most} {
			if !proven(e) || r.Predict(e.X) != e.Output || !box.Contains(e.X) {
				t.Fatalf("instance %d: %+v, of which the example has %v",
					number, e, r.Predict(e.X))
			}
		}
		for range 50 {
			x := make([]float64, dim)
			for j := range x {
				x[j] = box[j].Lo + rng.Float64()*(box[j].Hi-box[j].Lo)
			}
			if v := r.Predict(x); v < least.Output || v > most.Output {
				t.Fatalf("instance %d: %v at %v, beyond %v and %v",
					number, v, x, least.Output, most.Output)
			}
		}
	}
}

// TestRangeLimits: a search that is cut short has bounds that hold, and senseless arguments are
// refused.
func TestRangeLimits(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 56))
	const dim = 4
	r := drawRegressor(t, rng, dim, 40, 6)
	least, most, err := computed(t, r, property.Options{})
	if err != nil || !proven(least) || !proven(most) || most.Nodes < 3 {
		t.Fatalf("%+v, %+v, %v", least, most, err)
	}
	cut := 0
	for _, opts := range []property.Options{
		{MaxNodes: 1}, {MaxNodes: 2}, {Timeout: time.Nanosecond},
	} {
		small, large, err := computed(t, r, opts)
		if err != nil || small.Bound > least.Output || large.Bound < most.Output ||
			small.Output < least.Output || large.Output > most.Output {
			t.Fatalf("%+v to %+v, want %+v to %+v: %v", small, large, least, most, err)
		}
		if !proven(large) {
			cut++
		}
	}
	if cut == 0 {
		t.Error("no search was cut short")
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	_, _, err = property.Range(ended, r, property.Options{Computed: true})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled search: %v", err)
	}
	row := mat.NewDense(1, dim, nil)
	for name, test := range map[string]struct {
		opts property.Options
		want error
	}{
		"box of other dimensions": {property.Options{Domain: polytope.Cube(dim+1, 0, 1)},
			polytope.ErrDimension},
		"empty box": {property.Options{Domain: polytope.Cube(dim, 1, 0)}, classifier.ErrOption},
		"row":       {property.Options{Near: mat.NewDense(1, dim-1, nil)}, polytope.ErrDimension},
		"two rows":  {property.Options{Near: mat.NewDense(2, dim, nil)}, errors.ErrUnsupported},
		"radius":    {property.Options{Near: row, Within: math.NaN()}, classifier.ErrOption},
		"norm 3":    {property.Options{Near: row, Norm: 3}, classifier.ErrOption},
		"nodes":     {property.Options{MaxNodes: -1}, classifier.ErrOption},
		"features": {property.Options{Features: make([]attack.Feature, dim)},
			errors.ErrUnsupported},
		"ball beside the box": {
			property.Options{Domain: polytope.Cube(dim, 2, 3), Near: row, Within: 1},
			classifier.ErrNoInput},
		"round ball beside": {
			property.Options{
				Domain: polytope.Cube(dim, 2, 3), Near: row, Within: 3, Norm: polytope.L2},
			classifier.ErrNoInput},
	} {
		if _, _, err := computed(t, r, test.opts); !errors.Is(err, test.want) {
			t.Errorf("%s: %v, want %v", name, err, test.want)
		}
	}
	tree, err := classifier.NewTree(1, classifier.AtMostFloat64,
		[]classifier.TreeNode{{Left: -1, Right: -1, Value: []float64{1}}})
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = property.Range(t.Context(), tree, property.Options{Computed: true})
	if !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("a classifier: %v, want errors.ErrUnsupported", err)
	}
}

// computed asks for the range of computed outputs.
func computed(
	t *testing.T, r *classifier.Regressor, opts property.Options,
) (least, most property.End, err error) {
	t.Helper()
	opts.Computed = true
	return property.Range(t.Context(), r, opts)
}

// proven reports whether an end is exactly known.
func proven(e property.End) bool {
	return e.Status == attack.StatusOptimal && e.Output == e.Bound && e.Rounding == 0
}

// TestRangeExamples: where all inputs of a box are equal, the example is its middle, or the end
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
		least, most, err := computed(t, r, property.Options{Domain: box})
		if err != nil || least.X[0] != want || most.X[0] != want {
			t.Errorf("%v: examples %v and %v, %v, want %v", box, least.X, most.X, err, want)
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
	row := mat.NewDense(1, 1, []float64{.1})
	// .1+.5 exceeds .6 by less than an ulp
	for radius, want := range map[float64]float64{.5: 2, 0.4999: 1} {
		least, most, err := computed(t, r, property.Options{Near: row, Within: radius})
		if err != nil || most.Output != 1 || most.Bound != want || !proven(least) {
			t.Errorf("radius %v: %+v, %+v, %v, want the output 1 and the bound %v",
				radius, least, most, err, want)
		}
		found, err := (&attack.RegionBased{Classifier: above}).RobustAt(t.Context(), []float64{.1},
			radius)
		if robust := found.Verdict(radius); (robust == attack.Holds) != (want == 1) {
			t.Errorf("radius %v: robust is %v, %v", radius, robust, err)
		}
	}
	least, most, err := computed(t, r, property.Options{
		Domain: polytope.Box{{Lo: .6, LoOpen: true, Hi: 1}}, Near: row, Within: .5,
	})
	if err != nil || most.X != nil || most.Bound != 2 || least.Bound != 2 {
		t.Errorf("a region without float64: %+v, %+v, %v, want the bounds 2", least, most, err)
	}
}
