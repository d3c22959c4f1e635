package instance

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/oracle"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// RealRules are the kinds of rules about real features that DrawRealRules knows.
var RealRules = []string{"prices", "scales", "directions", "one way", "frozen", "limits", "all"}

// DrawRealRules draws rules of real features: of one kind, or of all kinds mixed.
func DrawRealRules(rng *rand.Rand, kind string, norm polytope.Norm, dim int) []attack.Feature {
	features := make([]attack.Feature, dim)
	for j := range features {
		of := kind
		if kind == "all" {
			of = RealRules[rng.IntN(len(RealRules)-1)]
		}
		features[j] = drawPrices(rng, of, norm)
	}
	if rng.IntN(20) == 0 {
		for j := range features {
			features[j] = attack.Feature{Frozen: kind == "frozen", Up: 3, Down: 3}
		}
	}
	return features
}

func drawPrices(rng *rand.Rand, kind string, norm polytope.Norm) (f attack.Feature) {
	few := []float64{0.25, 0.5, 1, 1, 2, 3, 0.1}
	switch kind {
	case "scales":
		f.Up = math.Pow(10, float64(rng.IntN(13)-6))
		f.Down = f.Up
	case "directions":
		f.Up, f.Down = few[rng.IntN(len(few))], few[rng.IntN(len(few))]
		if rng.IntN(4) == 0 {
			f.Up *= 1e5
		}
		if norm == polytope.L2 {
			f.Down = f.Up
		}
	case "one way":
		f.Up, f.Down = few[rng.IntN(len(few))], math.Inf(1)
		switch rng.IntN(4) {
		case 0:
			f.Up, f.Down = f.Down, f.Up
		case 1:
			f.Down = f.Up
		}
	case "frozen":
		f.Frozen = rng.IntN(2) == 0
	case "limits":
		// Limits do not end where tests do: x ≤ t and x ≥ t have one value in common.
		f.MaxUp, f.MaxDown = 0.51*float64(rng.IntN(4)), 0.51*float64(rng.IntN(4))
		if rng.IntN(2) == 0 {
			f.MaxUpPart, f.MaxDownPart = rng.Float64(), 0.51*float64(rng.IntN(3))
		}
	default:
		f.Up = few[rng.IntN(len(few))]
		f.Down = f.Up
	}
	return f
}

// Priced returns the oracle's question about rules of real features.
func Priced(
	norm polytope.Norm, x []float64, features []attack.Feature, box polytope.Box,
) oracle.Ruled {
	r := oracle.Ruled{Norm: oracle.Norm(norm), X: x}
	one := func(price float64) float64 {
		if price == 0 {
			return 1
		}
		return price
	}
	for j, f := range features {
		lo, hi := math.Inf(-1), math.Inf(1)
		if box != nil {
			lo, hi = box[j].Lo, box[j].Hi
		}
		if f.MaxUp > 0 {
			hi = min(hi, x[j]+f.MaxUp)
		}
		if f.MaxUpPart > 0 {
			hi = min(hi, x[j]+f.MaxUpPart*math.Abs(x[j]))
		}
		if f.MaxDown > 0 {
			lo = max(lo, x[j]-f.MaxDown)
		}
		if f.MaxDownPart > 0 {
			lo = max(lo, x[j]-f.MaxDownPart*math.Abs(x[j]))
		}
		if math.IsInf(f.Up, 1) {
			hi = min(hi, x[j])
		}
		if math.IsInf(f.Down, 1) {
			lo = max(lo, x[j])
		}
		if f.Frozen {
			lo, hi = x[j], x[j]
		}
		r.Up, r.Down = append(r.Up, one(f.Up)), append(r.Down, one(f.Down))
		r.Lo, r.Hi = append(r.Lo, lo), append(r.Hi, hi)
	}
	return r
}

// CheckPriced compares a result with the oracle's answer, which it takes.
func CheckPriced(
	t testing.TB, c classifier.Classifier, q oracle.Ruled, r attack.Result, truth float64,
) error {
	t.Helper()
	open := !r.Optimal() && coarse(q, r) && r.Bound <= truth*(1+1e-13)+1e-14 &&
		!(r.Distance < truth-1e-9*math.Max(1, truth))
	if !open {
		if err := proven(r, truth); err != nil || r.Example == nil {
			return err
		}
	}
	return CheckExample(c, q, r)
}

// coarse reports whether a last digit of float64 may cost more than the tolerance: of moves that
// are priced so, or so long.
func coarse(q oracle.Ruled, r attack.Result) bool {
	wide := func(price float64) bool { return price >= 1e4 && price < 1e9 || price <= 1e-4 }
	far := func(v float64) bool { return math.Abs(v) >= 1e4 }
	return slices.ContainsFunc(q.Up, wide) || slices.ContainsFunc(q.Down, wide) ||
		slices.ContainsFunc(r.Example, far) || far(r.Bound)
}

// CheckExample returns an error for an example that has not the label of the result, breaks a rule,
// or costs something else.
func CheckExample(c classifier.Classifier, q oracle.Ruled, r attack.Result) error {
	if r.Example == nil {
		return nil
	}
	if c.Predict(r.Example) == c.Predict(q.X) || c.Predict(r.Example) != r.Label {
		return fmt.Errorf("example %v is predicted %d, result says %d, x %d",
			r.Example, c.Predict(r.Example), r.Label, c.Predict(q.X))
	}
	var sum, squares, most float64
	for j, z := range r.Example {
		if z < q.Lo[j] || z > q.Hi[j] {
			return fmt.Errorf("feature %d of the example is %v, not between %v and %v",
				j, z, q.Lo[j], q.Hi[j])
		}
		cost := 0.0
		if move := z - q.X[j]; move > 0 {
			cost = q.Up[j] * move
		} else if move < 0 {
			cost = -q.Down[j] * move
		}
		sum += cost
		squares += cost * cost
		most = max(most, cost)
	}
	cost := [...]float64{oracle.Inf: most, oracle.One: sum, oracle.Two: math.Sqrt(squares)}[q.Norm]
	if math.Abs(cost-r.Distance) > 1e-12*max(1, cost) {
		return fmt.Errorf("the example costs %v, not %v", cost, r.Distance)
	}
	return nil
}

// Cost is the answer of the oracle as a number.
func Cost(norm polytope.Norm, answer *big.Rat) float64 {
	return oracle.Float(oracle.Norm(norm), answer)
}
