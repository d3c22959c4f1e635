package attack_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
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
		t.Fatalf("%v\n%+v", err, in)
	}
	return r, true
}

// checkSound checks what holds for a search that met a limit too.
func (in neighborInstance) checkSound(c classifier.Classifier, norm polytope.Norm, r attack.Result) error {
	goal, _ := in.goal(c)
	switch {
	case r.Bound > r.Distance:
		return fmt.Errorf("bound %v, distance %v", r.Bound, r.Distance)
	case r.Optimal && r.Example != nil && r.Distance-r.Bound > 1.1e-8*r.Distance:
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
	compared, found := 0, 0
	for number := range uint64(20000) {
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
		tol := 1.1e-8*truth + 1e-12
		switch {
		case err != nil:
		case !r.Optimal:
			err = fmt.Errorf("not proven: %+v", r)
		case r.Bound > truth+1e-12:
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
	if compared < 3000 || found < 2000 {
		t.Errorf("%d instances compared, %d with an example", compared, found)
	}
}

// TestWeightedAgainstSamples looks for examples nearer than the bound.
func TestWeightedAgainstSamples(t *testing.T) {
	proven := 0
	for number := range uint64(1200) {
		rng := rand.New(rand.NewPCG(number, 42))
		in := drawNeighbors(rng)
		norm := norms[rng.IntN(3)]
		c := in.weighted(t, 1+rng.IntN(min(len(in.x), 6)))
		r, ok := in.attackWeighted(t, c, attack.Options{Norm: norm, Workers: 1, MaxNodes: 3000})
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
	if proven < 600 {
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
		if norm.Distance(in.query, z) < bound*(1-1e-12)-1e-13 && in.box.Contains(z) && around(rng, c, goal, z) {
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
