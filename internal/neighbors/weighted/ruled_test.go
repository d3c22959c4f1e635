package weighted_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/neighbors/weighted"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/internal/testing/oracle"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// ruled attacks under rules. The result of one that cannot rule out answers far away is none.
func (in problem) ruled(t *testing.T, c classifier.Classifier, o attack.Options) attack.Result {
	t.Helper()
	o.Target, o.Domain, o.Workers = in.Target, in.Box, 1
	r, err := (&attack.RegionBased{Classifier: c, Options: o}).Perturb(t.Context(), in.Query)
	if err != nil && !errors.Is(err, weighted.ErrFarAway) {
		t.Fatalf("k = %d, ℓ%v, rules %+v: %v\n%+v", in.k, o.Norm, o.Features, err, in)
	}
	return r
}

// leaves reports whether the query has a label that it is to leave.
func (in problem) leaves(c classifier.Classifier) bool {
	goal, ok := in.Goal(c)
	return ok && !goal(c.Predict(in.Query))
}

// TestRulesOnLine compares with the truth in rational arithmetic, on either side of the query.
func TestRulesOnLine(t *testing.T) {
	t.Parallel()
	compared, proven := 0, 0
	for number, kind := range instance.RealRules {
		for i := range uint64(instance.Count(20, 700)) {
			rng := rand.New(rand.NewPCG(i, uint64(600+number)))
			in := drawLine(rng)
			c := in.model(t)
			if !in.leaves(c) || math.Abs(in.Query[0]) > 100 {
				continue // far from 0 a float64 is worth too much
			}
			o := attack.Options{Norm: instance.Norms()[rng.IntN(3)], MaxNodes: 20000}
			o.Features = instance.DrawRealRules(rng, kind, o.Norm, 1)
			q := instance.Priced(o.Norm, in.Query, o.Features, in.Box)
			r, truth := in.ruled(t, c, o), in.truthOnLine(c, q)
			price := max(q.Up[0], q.Down[0])
			if math.IsInf(price, 1) {
				price = min(q.Up[0], q.Down[0])
			}
			if err := in.checkLinePriced(r, o, truth, price); err != nil {
				t.Errorf("instance %d, ℓ%v: %v: %+v, truth %v\n%+v\nrules %+v",
					i, o.Norm, err, r, truth, in, o.Features)
			}
			if compared++; r.Optimal() {
				proven++
			}
		}
	}
	if proven < compared*9/10 {
		t.Errorf("%d of %d proven", proven, compared)
	}
}

// truthOnLine returns the cost of the nearer answer of the two sides.
func (in problem) truthOnLine(c classifier.Classifier, q oracle.Ruled) float64 {
	goal, _ := in.Goal(c)
	cost := math.Inf(1)
	for _, side := range []struct{ lo, hi, price float64 }{
		{q.Lo[0], min(q.Hi[0], q.X[0]), q.Down[0]}, {max(q.Lo[0], q.X[0]), q.Hi[0], q.Up[0]},
	} {
		if side.lo > side.hi {
			continue
		}
		box := polytope.Box{{Lo: side.lo, Hi: side.hi}}
		if far := in.lineVote().nearest(q.X[0], box, goal); far == 0 {
			cost = 0
		} else if !math.IsInf(side.price, 1) {
			cost = min(cost, far*side.price)
		}
	}
	return cost
}

// checkLinePriced is checkLine for costs; a distance that rounding hides costs as much as the
// higher price.
func (in problem) checkLinePriced(r attack.Result, o attack.Options, truth, price float64) error {
	tol := 1e-9 * max(1, truth, price)
	switch {
	case r.Distance < truth && r.Bound >= r.Distance-tol:
		return nil // a single point, or one where rounding hides a lead from Predict
	case !r.Optimal():
		if r.Bound > truth*(1+1e-13) || r.Distance < truth-tol {
			return errors.New("not an interval around the truth")
		}
		return nil // sums that touch, as without rules
	case r.Bound > truth*(1+1e-13):
		return errors.New("bound too high")
	case math.IsInf(truth, 1) != (r.Example == nil):
		return errors.New("not the example")
	case r.Example != nil && r.Bound < truth-1.01*tol:
		return errors.New("bound too low")
	case r.Example != nil &&
		r.Distance > truth+price*(hidden*max(1, truth)+0x1p-51*math.Abs(in.Query[0])):
		return errors.New("example too far")
	}
	return nil
}

// TestRulesOfOneNeighbor compares with 1-NN under the same rules.
func TestRulesOfOneNeighbor(t *testing.T) {
	t.Parallel()
	compared := 0
	for number, kind := range instance.RealRules {
		for i := range uint64(instance.Count(30, 1000)) {
			rng := rand.New(rand.NewPCG(i, uint64(700+number)))
			in := draw(rng, 1)
			o := attack.Options{Norm: instance.Norms()[rng.IntN(3)]}
			o.Features = instance.DrawRealRules(rng, kind, o.Norm, len(in.Query))
			c := in.model(t)
			if !in.leaves(c) {
				continue
			}
			want := in.ruled(t, in.KNN(t, 1), o)
			if want.Example == nil {
				continue // a point of the border may answer on its own
			}
			r := in.ruled(t, c, o)
			if r.Bound > want.Distance*(1+1e-12)+1e-12 ||
				r.Distance < want.Bound-1e-9*max(1, want.Bound) &&
					r.Bound < r.Distance-1e-9*max(1, r.Distance) {
				t.Fatalf("instance %d, ℓ%v: %+v, 1-NN %+v\n%+v\nrules %+v",
					i, o.Norm, r, want, in, o.Features)
			}
			if r.Optimal() {
				compared++
			}
		}
	}
	if compared < instance.Count(100, 3000) {
		t.Errorf("%d instances proven", compared)
	}
}

// TestRulesAreSound compares, in up to three dimensions, with samples: no answer that obeys the
// rules is nearer than the bound, and the example is one.
func TestRulesAreSound(t *testing.T) {
	t.Parallel()
	proven, all := 0, 0
	for number, kind := range instance.RealRules {
		for i := range uint64(instance.Count(10, 700)) {
			rng := rand.New(rand.NewPCG(i, uint64(800+number)))
			in := drawGrid(rng)
			o := attack.Options{Norm: instance.Norms()[rng.IntN(3)], MaxNodes: 300}
			o.Features = instance.DrawRealRules(rng, kind, o.Norm, len(in.Query))
			c := in.model(t)
			if !in.leaves(c) {
				continue
			}
			r := in.ruled(t, c, o)
			q := instance.Priced(o.Norm, in.Query, o.Features, in.Box)
			if err := instance.CheckExample(c, q, r); err != nil {
				t.Fatalf("instance %d, ℓ%v: %v\n%+v\nrules %+v", i, o.Norm, err, in, o.Features)
			}
			if all++; r.Optimal() {
				proven++
			}
			if z := in.sample(rng, c, q, o.Norm, o.Features, r.Bound); z != nil {
				t.Fatalf("instance %d, ℓ%v: %v answers nearer than %+v\n%+v\nrules %+v",
					i, o.Norm, z, r, in, o.Features)
			}
		}
	}
	if proven < all/2 {
		t.Errorf("%d of %d proven", proven, all)
	}
}

// sample looks for an answer that costs less than a bound.
func (in problem) sample(
	rng *rand.Rand, c classifier.Classifier, q oracle.Ruled, norm polytope.Norm,
	features []attack.Feature, bound float64,
) []float64 {
	for j, lo := range q.Lo {
		if lo > q.Hi[j] {
			return nil // there is nowhere to go
		}
	}
	goal, _ := in.Goal(c)
	g := geometry.Cost{Norm: norm, Prices: &polytope.Prices{Up: q.Up, Down: q.Down}}
	for range 300 {
		z := make([]float64, len(q.X))
		for j, x := range q.X {
			reach := math.Exp(2 * rng.NormFloat64())
			if price := g.Coordinate(j, 1); !math.IsInf(bound, 1) && !math.IsInf(price, 1) {
				reach = min(1e4, 1.5*bound/price) // beyond that rounding makes ties
			}
			z[j] = max(q.Lo[j], min(q.Hi[j], x+reach*(2*rng.Float64()-1)))
			if features[j].Frozen {
				z[j] = x
			}
		}
		if g.Distance(q.X, z) < bound*(1-1e-9) && goal(c.Predict(z)) {
			return z
		}
	}
	return nil
}
