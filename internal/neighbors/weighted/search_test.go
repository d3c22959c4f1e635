package weighted_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/fixture"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// TestOptions holds the options against a search without limits.
func TestOptions(t *testing.T) {
	compared, drawn := 0, instance.Count(80, 400)
	for number := range uint64(drawn) {
		rng := rand.New(rand.NewPCG(number, 43))
		in := draw(rng, 5)
		if len(in.Query) > 3 {
			continue
		}
		c := in.model(t)
		o := attack.Options{Norm: instance.Norms()[rng.IntN(3)], MaxNodes: 20000}
		r, ok := in.attack(t, c, o)
		if !ok || !r.Optimal() || r.Example == nil || r.Distance < 1e-5 {
			continue
		}
		compared++
		three := o
		three.Workers = 3
		if l, _ := in.attack(t, c, three); l.Distance != r.Distance || l.Bound != r.Bound ||
			!slices.Equal(l.Example, r.Example) || l.Label != r.Label {
			t.Fatalf("instance %d: %+v with three workers, %+v with one\n%+v", number, l, r, in)
		}
		in.checkRobustAt(t, c, o, r)
		limited := o
		limited.MaxNodes = 1 + rng.IntN(4)
		if l, _ := in.attack(t, c, limited); l.Bound > r.Distance || l.Distance < r.Bound {
			t.Fatalf("instance %d: %+v with at most %d nodes, %+v without limit",
				number, l, limited.MaxNodes, r)
		}
		gap := o
		gap.Gap = r.Distance / 10
		if l, _ := in.attack(t, c, gap); l.Distance-l.Bound > gap.Gap || l.Bound > r.Distance {
			t.Fatalf("instance %d: %+v within a gap of %v, %+v exactly", number, l, gap.Gap, r)
		}
		tight := o
		tight.MaxMemory = 3 << 10 // of two nodes
		if l, _ := in.attack(t, c, tight); l.Bound > r.Distance {
			t.Fatalf("instance %d: %+v with 2 open nodes, %+v with all", number, l, r)
		}
	}
	if compared < drawn/3 {
		t.Errorf("%d instances compared", compared)
	}
}

// checkRobustAt asks on both sides of the radius.
func (in problem) checkRobustAt(
	t *testing.T, c classifier.Classifier, o attack.Options, want attack.Result,
) {
	t.Helper()
	o.Target, o.Domain = in.Target, in.Box
	a := &attack.RegionBased{Classifier: c, Options: o}
	for radius, robust := range map[float64]attack.Verdict{
		want.Distance * 0.999: attack.Holds, want.Distance * 1.001: attack.Refuted,
	} {
		r, err := a.RobustAt(t.Context(), in.Query, radius)
		if got := r.Verdict(radius); err != nil || got != robust {
			t.Fatalf("RobustAt(%v) = %v, %v at distance %v\n%+v",
				radius, got, err, want.Distance, in)
		}
	}
}

// TestLimit cuts off a search that would go on for long: it still has an example
// and a bound.
func TestLimit(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 44))
	in := problem{instance.Neighbors{Query: make([]float64, 12)}, 9}
	for i := range 60 {
		p := make([]float64, 12)
		for j := range p {
			p[j] = rng.NormFloat64()
		}
		in.X, in.Y = append(in.X, p), append(in.Y, i%2)
	}
	c := in.model(t)
	const enough = 1000 // nodes for the first example, too few for all
	if r, _ := in.attack(t, c, attack.Options{Workers: 2, MaxNodes: enough}); r.Example == nil ||
		r.Optimal() {
		t.Errorf("%+v", r)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := (&attack.RegionBased{Classifier: c}).Perturb(
		ctx, in.Query,
	); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v of a cancelled search", err)
	}
}

// TestApproxIsRefused: there are no cells to pass over.
func TestApproxIsRefused(t *testing.T) {
	in := problem{instance.Neighbors{
		X:     [][]float64{{0}, {2}, {3}},
		Y:     []int{0, 1, 1},
		Query: []float64{0.1},
	}, 2}
	if _, err := in.try(
		t, in.model(t), attack.Options{Mode: attack.Approx},
	); !errors.Is(err, attack.ErrClassifier) {
		t.Errorf("error %v, want %v", err, attack.ErrClassifier)
	}
}

// TestOfOneNeighbor compares with 1-NN, which is the same classifier.
func TestOfOneNeighbor(t *testing.T) {
	compared, drawn := 0, instance.Count(200, 1000)
	for number := range uint64(drawn) {
		rng := rand.New(rand.NewPCG(number, 45))
		in := draw(rng, 1)
		o := attack.Options{Norm: instance.Norms()[rng.IntN(3)]}
		want, ok := in.attack(t, in.KNN(t, 1), o)
		if !ok || want.Example == nil {
			continue // a point of the border may answer on its own
		}
		r, _ := in.attack(t, in.model(t), o)
		if !r.Optimal() || math.Abs(r.Distance-want.Distance) > 1e-7*want.Distance+1e-12 ||
			r.Example == nil {
			t.Fatalf("instance %d: %+v, 1-NN %+v\n%+v", number, r, want, in)
		}
		compared++
	}
	if compared < drawn/2 {
		t.Errorf("%d instances compared", compared)
	}
}

// TestOnPaperSets attacks points of the paper's sets: the bounds hold, no row of the
// training or the test set lies below them, and most points are proven. In the plane,
// those with five neighbours need boxes.
func TestOnPaperSets(t *testing.T) {
	least := map[string]map[int]int{
		"halfmoon":   {3: 20, 5: 20},
		"fourclass":  {3: 20, 5: 20},
		"diabetes":   {3: 18},
		"cancer":     {3: 18},
		"australian": {3: 18},
	}
	fixture.Each(t, func(t *testing.T, s fixture.Case) {
		for k, want := range least[s.Set.Name] {
			c, err := classifier.TrainWeightedKNN(t.Context(), s.Set.Train, s.Set.TrainY,
				classifier.KNNOptions{K: k})
			if err != nil {
				t.Fatal(err)
			}
			proven := 0
			for _, x := range s.Points(t)["3nn"].X[:20] {
				in := problem{instance.Neighbors{Query: x}, k}
				r, ok := in.attack(t, c, attack.Options{MaxNodes: 400})
				if !ok || r.Example == nil {
					t.Fatalf("%v: %t, %+v", x, ok, r)
				}
				if r.Optimal() {
					proven++
				}
				checkNoRowBelow(t, c, s.Set.Train, x, r.Bound)
				checkNoRowBelow(t, c, s.Set.Test, x, r.Bound)
			}
			if proven < want {
				t.Errorf("k = %d: %d points proven, want %d", k, proven, want)
			}
		}
	})
}

func checkNoRowBelow(
	t *testing.T, c classifier.Classifier, rows *mat.Dense, x []float64, bound float64,
) {
	t.Helper()
	n, _ := rows.Dims()
	for i := range n {
		z := rows.RawRowView(i)
		if polytope.LInf.Distance(x, z) < bound && c.Predict(z) != c.Predict(x) {
			t.Fatalf("row %d at %v has another label, bound %v",
				i, polytope.LInf.Distance(x, z), bound)
		}
	}
}
