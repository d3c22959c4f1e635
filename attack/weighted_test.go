package attack_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/fixture"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

func (in neighborInstance) weighted(t *testing.T, k int) *classifier.WeightedKNN {
	t.Helper()
	x := mat.NewDense(len(in.x), len(in.query), nil)
	for i, p := range in.x {
		x.SetRow(i, p)
	}
	c, err := classifier.NewWeightedKNN(x, in.y, classifier.WeightedKNNOptions{K: k})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// attackWeighted returns the result of an attack, and whether the query has a label
// that it is not to reach already.
func (in neighborInstance) attackWeighted(t *testing.T, c classifier.Classifier, o attack.Options) (attack.Result, bool) {
	t.Helper()

	if goal, ok := in.goal(c); !ok || goal(c.Predict(in.query)) {
		return attack.Result{}, false
	}
	o.Target, o.Domain = in.target, in.box
	r, err := (&attack.RegionBased{Classifier: c, Options: o}).Perturb(t.Context(), in.query)
	if err != nil {
		t.Fatalf("ℓ%v, from %d: %v\n%+v\n%#v", o.Norm, c.Predict(in.query), err, in, in.query)
	}
	return r, true
}

// checkSound checks what holds for a search that met a limit too.
func (in neighborInstance) checkSound(c classifier.Classifier, norm polytope.Norm, r attack.Result) error {
	goal, _ := in.goal(c)
	switch {
	case r.Bound > r.Distance:
		return fmt.Errorf("bound %v, distance %v", r.Bound, r.Distance)
	case r.Optimal && r.Example != nil && r.Distance-r.Bound > hidden*max(1, r.Distance)+0x1p-49*polytope.LInf.Length(in.query):
		return fmt.Errorf("bound %v, distance %v: not proven", r.Bound, r.Distance)
	case r.Example == nil:
		return nil
	case !goal(c.Predict(r.Example)) || c.Predict(r.Example) != r.Label || !in.box.Contains(r.Example):
		return fmt.Errorf("example %v is predicted %d, result says %d", r.Example, c.Predict(r.Example), r.Label)
	case r.Distance != norm.Distance(in.query, r.Example):
		return fmt.Errorf("distance %v of an example at %v", r.Distance, norm.Distance(in.query, r.Example))
	}
	return nil
}

// onLine returns the distance of the nearest point of an interval with a label that
// is a goal, for d = 1. Between the rows and the points halfway between two of them
// the order of the rows is constant, and the vote is a sign of rational functions, of
// which dense samples find a point of each interval on which it holds, but for the narrowest.
func (in neighborInstance) onLine(c classifier.Classifier) float64 {
	goal, _ := in.goal(c)
	var ends []float64
	for _, p := range in.x {
		for _, q := range in.x {
			ends = append(ends, (p[0]+q[0])/2)
		}
	}
	ends = append(ends, in.query[0])
	if in.box != nil {
		ends = append(ends, in.box[0].Lo, in.box[0].Hi)
	}
	slices.Sort(ends)
	ends = slices.Compact(ends)
	reach := 20 * (ends[len(ends)-1] - ends[0] + 1)
	ends = append(append([]float64{ends[0] - reach}, ends...), ends[len(ends)-1]+reach)
	nearest := math.Inf(1)
	for i := range len(ends) - 1 {
		nearest = min(nearest, in.between(c, goal, ends[i], ends[i+1]))
	}
	return nearest
}

// between returns the distance of the nearest point with a goal label between two ends.
func (in neighborInstance) between(c classifier.Classifier, goal func(int) bool, lo, hi float64) float64 {
	const samples = 200
	x := in.query[0]
	answers := func(z float64) bool {
		return goal(c.Predict([]float64{z})) && in.box.Contains([]float64{z})
	}
	if x >= hi {
		lo, hi = hi, lo // from the end next to x
	}
	before := lo
	for i := 1; i < samples; i++ {
		z := lo + (hi-lo)*float64(i)/samples
		if !answers(z) {
			before = z
			continue
		}
		for range 60 {
			if middle := (before + z) / 2; answers(middle) {
				z = middle
			} else {
				before = middle
			}
		}
		return math.Abs(z - x)
	}
	return math.Inf(1)
}

// TestWeightedOnLine compares with the sampled truth for d = 1.
func TestWeightedOnLine(t *testing.T) {
	t.Parallel()
	compared, found, want := 0, 0, instance.Count(150, 500)
	for number := uint64(0); compared < want; number++ {
		rng := rand.New(rand.NewPCG(number, 41))
		in := drawNeighbors(rng)
		if len(in.query) > 1 {
			continue
		}
		norm := norms[rng.IntN(3)]
		c := in.weighted(t, 1+rng.IntN(len(in.x)))
		r, ok := in.attackWeighted(t, c, attack.Options{Norm: norm, Workers: 1})
		if !ok {
			continue
		}
		truth := in.onLine(c)
		err := in.checkSound(c, norm, r)
		tol := hidden * max(1, truth)
		switch {
		case err != nil:
		case !r.Optimal:
			err = fmt.Errorf("not proven: %+v", r)
		case r.Bound > truth+1e-11:
			err = fmt.Errorf("bound %v, truth %v", r.Bound, truth)
		case r.Distance > truth+tol:
			err = fmt.Errorf("distance %v, truth %v", r.Distance, truth)
		}
		if err != nil {
			t.Fatalf("instance %d, k = %d: %v\n%+v", number, c.K(), err, in)
		}
		compared++
		if r.Example != nil {
			found++
		}
	}
	if found < want/2 {
		t.Errorf("%d of %d instances have an example", found, want)
	}
}

// TestWeightedAgainstSamples looks for examples nearer than the bound.
func TestWeightedAgainstSamples(t *testing.T) {
	proven, drawn := 0, instance.Count(300, 1200)
	for number := range uint64(drawn) {
		rng := rand.New(rand.NewPCG(number, 42))
		in := drawNeighbors(rng)
		norm := norms[rng.IntN(3)]
		c := in.weighted(t, 1+rng.IntN(min(len(in.x), 6)))
		r, ok := in.attackWeighted(t, c, attack.Options{Norm: norm, Workers: 1, MaxNodes: 1000})
		if !ok {
			continue
		}
		err := in.checkSound(c, norm, r)
		if err == nil {
			err = in.sampleBelow(rng, c, norm, r.Bound)
		}
		if err != nil {
			t.Fatalf("instance %d, k = %d, ℓ%v: %v\n%+v\n%+v", number, c.K(), norm, err, r, in)
		}
		if len(in.query) <= 3 && r.Optimal {
			proven++
		}
	}
	if proven < drawn/2 {
		t.Errorf("%d instances proven", proven)
	}
}

// sampleBelow returns an error if it finds an example nearer than the bound.
func (in neighborInstance) sampleBelow(rng *rand.Rand, c classifier.Classifier, norm polytope.Norm, bound float64) error {
	goal, _ := in.goal(c)
	if math.IsInf(bound, 1) {
		bound = 20
	}
	z, u := make([]float64, len(in.query)), make([]float64, len(in.query))
	for range 2000 {
		for j := range u {
			u[j] = rng.NormFloat64()
			if rng.IntN(4) == 0 {
				u[j] = math.Copysign(1, u[j])
			}
		}
		length := norm.Length(u)
		share := bound * (1 - math.Pow(rng.Float64(), 3)) / length
		for j, x := range in.query {
			z[j] = x + u[j]*share
		}
		if norm.Distance(in.query, z) < bound*(1-1e-12)-1e-12 && in.box.Contains(z) && around(rng, c, goal, z) {
			return fmt.Errorf("%v at %v is predicted %d, bound %v", z, norm.Distance(in.query, z), c.Predict(z), bound)
		}
	}
	return nil
}

// around reports whether z has a goal label, and not only by a tie of distances that
// any move breaks.
func around(rng *rand.Rand, c classifier.Classifier, goal func(int) bool, z []float64) bool {
	y := make([]float64, len(z))
	for move := range 5 {
		for j, e := range z {
			y[j] = e + float64(move)*1e-9*rng.NormFloat64()
		}
		if !goal(c.Predict(y)) {
			return false
		}
	}
	return true
}

// TestWeightedOptions holds the options against a search without limits.
func TestWeightedOptions(t *testing.T) {
	compared, drawn := 0, instance.Count(120, 400)
	for number := range uint64(drawn) {
		rng := rand.New(rand.NewPCG(number, 43))
		in := drawNeighbors(rng)
		if len(in.query) > 3 {
			continue
		}
		c := in.weighted(t, 1+rng.IntN(min(len(in.x), 5)))
		o := attack.Options{Norm: norms[rng.IntN(3)], Workers: 1, MaxNodes: 20000}
		r, ok := in.attackWeighted(t, c, o)
		if !ok || !r.Optimal || r.Example == nil || r.Distance < 1e-5 {
			continue
		}
		compared++
		in.checkWorkers(t, c, o, r)
		in.checkRobustAt(t, c, o, r)
		limited := o
		limited.MaxNodes = 1 + rng.IntN(4)
		if l, _ := in.attackWeighted(t, c, limited); l.Bound > r.Distance || l.Distance < r.Bound {
			t.Fatalf("instance %d: %+v with at most %d nodes, %+v without limit", number, l, limited.MaxNodes, r)
		}
		gap := o
		gap.Gap = r.Distance / 10
		if l, _ := in.attackWeighted(t, c, gap); l.Distance-l.Bound > gap.Gap || l.Bound > r.Distance {
			t.Fatalf("instance %d: %+v within a gap of %v, %+v exactly", number, l, gap.Gap, r)
		}
		tight := o
		tight.MaxOpen = 2
		if l, _ := in.attackWeighted(t, c, tight); l.Bound > r.Distance {
			t.Fatalf("instance %d: %+v with 2 open nodes, %+v with all", number, l, r)
		}
	}
	if compared < drawn/3 {
		t.Errorf("%d instances compared", compared)
	}
}

// checkWorkers attacks with three workers.
func (in neighborInstance) checkWorkers(t *testing.T, c classifier.Classifier, o attack.Options, want attack.Result) {
	t.Helper()
	o.Workers = 3
	r, _ := in.attackWeighted(t, c, o)
	if r.Distance != want.Distance || r.Bound != want.Bound || !slices.Equal(r.Example, want.Example) || r.Label != want.Label {
		t.Fatalf("%+v with three workers, %+v with one\n%+v", r, want, in)
	}
}

// checkRobustAt asks on both sides of the radius.
func (in neighborInstance) checkRobustAt(t *testing.T, c classifier.Classifier, o attack.Options, want attack.Result) {
	t.Helper()
	o.Target, o.Domain = in.target, in.box
	a := &attack.RegionBased{Classifier: c, Options: o}
	for radius, robust := range map[float64]bool{want.Distance * 0.999: true, want.Distance * 1.001: false} {
		if got, err := a.RobustAt(t.Context(), in.query, radius); err != nil || got != robust {
			t.Fatalf("RobustAt(%v) = %v, %v at distance %v\n%+v", radius, got, err, want.Distance, in)
		}
	}
}

// TestWeightedTimeout cuts off a search that would go on for long: it still has an example
// and a bound.
func TestWeightedTimeout(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 44))
	in := neighborInstance{query: make([]float64, 12)}
	for i := range 60 {
		p := make([]float64, 12)
		for j := range p {
			p[j] = rng.NormFloat64()
		}
		in.x, in.y = append(in.x, p), append(in.y, i%2)
	}
	c := in.weighted(t, 9)
	enough := 500 * time.Millisecond // for the first example
	if racetest.Enabled {
		enough = 10 * time.Second
	}
	r, _ := in.attackWeighted(t, c, attack.Options{Workers: 2, Timeout: enough})
	if err := in.checkSound(c, polytope.LInf, r); err != nil || r.Example == nil || r.Optimal {
		t.Errorf("%+v: %v", r, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := (&attack.RegionBased{Classifier: c}).Perturb(ctx, in.query); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v of a cancelled search", err)
	}
}

func TestWeightedApproxIsRefused(t *testing.T) {
	in := neighborInstance{x: [][]float64{{0}, {2}, {3}}, y: []int{0, 1, 1}, query: []float64{0.1}}
	a := &attack.RegionBased{Classifier: in.weighted(t, 2), Options: attack.Options{Mode: attack.Approx}}
	if _, err := a.Perturb(t.Context(), in.query); !errors.Is(err, attack.ErrClassifier) {
		t.Errorf("error %v, want %v", err, attack.ErrClassifier)
	}
}

// TestWeightedOfOneNeighbor compares with 1-NN, which is the same classifier.
func TestWeightedOfOneNeighbor(t *testing.T) {
	compared, drawn := 0, instance.Count(400, 1000)
	for number := range uint64(drawn) {
		rng := rand.New(rand.NewPCG(number, 45))
		in := drawNeighbors(rng)
		o := attack.Options{Norm: norms[rng.IntN(3)], Workers: 1}
		want, ok := in.attackWeighted(t, in.knn(t, 1), o)
		if !ok || want.Example == nil {
			continue // a point of the border may answer on its own
		}
		r, _ := in.attackWeighted(t, in.weighted(t, 1), o)
		if !r.Optimal || math.Abs(r.Distance-want.Distance) > 1e-7*want.Distance+1e-12 || r.Example == nil {
			t.Fatalf("instance %d: %+v, 1-NN %+v\n%+v", number, r, want, in)
		}
		compared++
	}
	if compared < drawn/2 {
		t.Errorf("%d instances compared", compared)
	}
}

// TestWeightedOnPaperSets attacks points of the paper's sets: the bounds hold, no row
// of the training or the test set lies below them, and most points are proven.
func TestWeightedOnPaperSets(t *testing.T) {
	least := map[string]int{"halfmoon": 20, "fourclass": 20, "diabetes": 18, "cancer": 18, "australian": 18}
	fixture.Each(t, func(t *testing.T, s fixture.Case) {
		c, err := classifier.NewWeightedKNN(s.Set.Train, s.Set.TrainY, classifier.WeightedKNNOptions{K: 3})
		if err != nil {
			t.Fatal(err)
		}
		proven := 0
		for i, x := range s.Points(t)["3nn"].X[:20] {
			in := neighborInstance{query: x}
			r, ok := in.attackWeighted(t, c, attack.Options{Workers: 1, MaxNodes: 500})
			if !ok {
				t.Fatalf("point %d: nothing to reach", i)
			}
			if err := in.checkSound(c, polytope.LInf, r); err != nil || r.Example == nil {
				t.Fatalf("point %d: %v: %+v", i, err, r)
			}
			if r.Optimal {
				proven++
			}
			checkNoRowBelow(t, c, s.Set.Train, x, r.Bound)
			checkNoRowBelow(t, c, s.Set.Test, x, r.Bound)
		}
		if proven < least[s.Set.Name] {
			t.Errorf("%d points proven, want %d", proven, least[s.Set.Name])
		}
	})
}

func checkNoRowBelow(t *testing.T, c classifier.Classifier, rows *mat.Dense, x []float64, bound float64) {
	t.Helper()
	n, _ := rows.Dims()
	for i := range n {
		z := rows.RawRowView(i)
		if c.Predict(z) != c.Predict(x) && polytope.LInf.Distance(x, z) < bound {
			t.Fatalf("row %d at %v has another label, bound %v", i, polytope.LInf.Distance(x, z), bound)
		}
	}
}

// TestWeightedTouching attacks past a point where the sums of two labels touch: the lead
// of label 0 is 0 at 0 and negative around it.
func TestWeightedTouching(t *testing.T) {
	in := neighborInstance{
		x: [][]float64{{-2}, {-2}, {-1}, {1}, {2}, {2}}, y: []int{0, 0, 1, 1, 0, 0}, query: []float64{0.3},
	}
	for _, norm := range norms {
		r, ok := in.attackWeighted(t, in.weighted(t, 6), attack.Options{Norm: norm, Workers: 1, MaxNodes: 2000})
		if err := in.checkSound(in.weighted(t, 6), norm, r); !ok || err != nil || !r.Optimal {
			t.Errorf("ℓ%v: %+v: %v", norm, r, err)
		}
		if r.Bound > in.onLine(in.weighted(t, 6))+1e-11 {
			t.Errorf("ℓ%v: bound %v, nearest example at %v", norm, r.Bound, in.onLine(in.weighted(t, 6)))
		}
	}
}

// TestWeightedAtAnyScale: the bound holds whatever the unit of the rows, for units
// that are powers of two, and in large units the search ends as it does in 1.
func TestWeightedAtAnyScale(t *testing.T) {
	compared, drawn := 0, instance.Count(120, 400)
	for number := range uint64(drawn) {
		rng := rand.New(rand.NewPCG(number, 46))
		in := drawNeighbors(rng)
		if len(in.query) > 2 {
			continue
		}
		k := 1 + rng.IntN(min(len(in.x), 5))
		o := attack.Options{Norm: norms[rng.IntN(3)], Workers: 1, MaxNodes: 2000}
		want, ok := in.attackWeighted(t, in.weighted(t, k), o)
		if !ok || !want.Optimal || want.Distance < 1e-9 {
			continue
		}
		compared++
		for _, unit := range []float64{0x1p300, 0x1p400, 0x1p500} {
			scaled := in.scaled(unit)
			r, _ := scaled.attackWeighted(t, scaled.weighted(t, k), o)
			if !r.Optimal || r.Bound/unit > want.Distance*(1+1e-9) || r.Distance/unit < want.Bound*(1-1e-9) {
				t.Errorf("instance %d in units of %v: %+v, %+v in those of 1", number, unit, r, want)
			}
		}
		o.MaxNodes = 100
		for _, unit := range []float64{0x1p-500, 0x1p-400, 0x1p-300} {
			scaled := in.scaled(unit)
			a := &attack.RegionBased{Classifier: scaled.weighted(t, k), Options: o}
			a.Target, a.Domain = scaled.target, scaled.box
			if r, err := a.Perturb(t.Context(), scaled.query); err == nil && r.Bound/unit > want.Distance*(1+1e-9) {
				t.Errorf("instance %d in units of %v: %+v, %+v in those of 1", number, unit, r, want)
			}
		}
	}
	if compared < drawn/5 {
		t.Errorf("%d instances compared", compared)
	}
}

// scaled returns the instance in another unit.
func (in neighborInstance) scaled(unit float64) neighborInstance {
	times := func(v []float64) []float64 {
		w := slices.Clone(v)
		for j := range w {
			w[j] *= unit
		}
		return w
	}
	out := neighborInstance{y: in.y, query: times(in.query), target: in.target}
	for _, p := range in.x {
		out.x = append(out.x, times(p))
	}
	for _, i := range in.box {
		out.box = append(out.box, polytope.Interval{Lo: i.Lo * unit, Hi: i.Hi * unit})
	}
	return out
}

// TestWeightedSolverIsUnsure: programs that the solver gives up on leave the bound
// where it is.
func TestWeightedSolverIsUnsure(t *testing.T) {
	compared, ended, drawn := 0, 0, instance.Count(200, 800)
	for number := range uint64(drawn) {
		rng := rand.New(rand.NewPCG(number, 47))
		in := drawNeighbors(rng)
		if len(in.query) > 3 {
			continue
		}
		c := in.weighted(t, 1+rng.IntN(min(len(in.x), 5)))
		o := attack.Options{Norm: norms[rng.IntN(3)], Workers: 1, MaxNodes: 400}
		want, ok := in.attackWeighted(t, c, o)
		if !ok || !want.Optimal {
			continue
		}
		often := rng.IntN(4)
		o.Target, o.Domain = in.target, in.box
		o.Solver = solverFunc(func(ctx context.Context, p polytope.Problem) (polytope.Solution, error) {
			if rng.IntN(4) <= often {
				return polytope.Solution{}, polytope.ErrNumerical
			}
			return new(polytope.Native).Closest(ctx, p)
		})
		r, err := (&attack.RegionBased{Classifier: c, Options: o}).Perturb(t.Context(), in.query)
		switch {
		case errors.Is(err, polytope.ErrNumerical):
			ended++
		case err == nil && r.Bound > want.Distance*(1+1e-9):
			t.Errorf("instance %d: %+v, %+v by a sure solver\n%+v", number, r, want, in)
		}
		compared++
	}
	if compared < drawn/3 || ended == compared {
		t.Errorf("%d instances compared, %d without an answer", compared, ended)
	}
}
