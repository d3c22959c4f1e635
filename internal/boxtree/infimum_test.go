package boxtree_test

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// exact returns a float64 as a number that sums of squares do not round.
func exact(v float64) *big.Float { return new(big.Float).SetPrec(4400).SetFloat64(v) }

// realIntervals returns the intervals of real numbers that the borders of all trees cut
// the line of each feature into, and a float64 of each.
func realIntervals(e *classifier.Ensemble) (intervals [][]polytope.Interval, inside [][]float64) {
	cuts := make([][]polytope.Interval, e.Dim()) // (−∞, border]
	for i := range e.Len() {
		for cell := range e.Tree(i).Cells() {
			for f, side := range cell.Region.Box {
				if !math.IsInf(side.Hi, 1) {
					cuts[f] = append(cuts[f], polytope.Interval{
						Lo:     math.Inf(-1),
						Hi:     side.Hi,
						HiOpen: side.HiOpen,
					})
				}
			}
		}
	}
	intervals, inside = make([][]polytope.Interval, e.Dim()), make([][]float64, e.Dim())
	for f, c := range cuts {
		slices.SortFunc(c, func(a, b polytope.Interval) int { return cmp.Compare(a.Hi, b.Hi) })
		rest := polytope.Line()
		for _, cut := range append(slices.Compact(c), polytope.Line()) {
			interval := geometry.Intersect(rest, cut)
			rest.Lo, rest.LoOpen = cut.Hi, !cut.HiOpen
			if v, ok := geometry.Inside(interval, 0); ok {
				intervals[f], inside[f] = append(intervals[f], interval), append(inside[f], v)
			}
		}
	}
	return intervals, inside
}

// infimum tries every cell over the real numbers and returns the smallest distance of
// one that answers, in ℓ2 squared, exactly; nil if none does. hollow says that a cell
// at this distance holds no float64.
func infimum(in instance.Ensemble, norm polytope.Norm) (least *big.Float, hollow bool) {
	intervals, inside := realIntervals(in.Ensemble)
	from := in.Ensemble.Predict(in.Query)
	z := make([]float64, len(in.Query))
	var try func(f int, sum *big.Float, empty bool)
	try = func(f int, sum *big.Float, empty bool) {
		if f == len(z) {
			if label := in.Ensemble.Predict(z); (in.Target == nil && label == from) ||
				(in.Target != nil && label != *in.Target) {
				return
			}
			if least == nil || sum.Cmp(least) < 0 {
				least, hollow = sum, false
			}
			hollow = hollow || (empty && sum.Cmp(least) == 0)
			return
		}
		for i, interval := range intervals[f] {
			if in.Box != nil {
				interval = geometry.Intersect(interval, in.Box[f])
			}
			if !geometry.Empty(interval) {
				z[f] = inside[f][i]
				gap := exact(in.Query[f])
				gap.Abs(gap.Sub(gap, exact(geometry.Nearest(interval, in.Query[f]))))
				_, ok := geometry.Inside(interval, in.Query[f])
				try(f+1, joined(norm, sum, gap), empty || !ok)
			}
		}
	}
	try(0, exact(0), false)
	return least, hollow
}

// joined adds a gap to a distance, in ℓ2 to its square.
func joined(norm polytope.Norm, sum, gap *big.Float) *big.Float {
	switch norm {
	case polytope.L1:
		return exact(0).Add(sum, gap)
	case polytope.L2:
		return exact(0).Add(sum, exact(0).Mul(gap, gap))
	}
	if gap.Cmp(sum) > 0 {
		return gap
	}
	return sum
}

// raised returns a distance, in ℓ2 its square, exactly.
func raised(norm polytope.Norm, v float64) *big.Float {
	if norm == polytope.L2 {
		return exact(0).Mul(exact(v), exact(v))
	}
	return exact(v)
}

// drawAnywhere makes a small ensemble at an offset and scale from the whole range of
// float64, with thresholds that repeat, lie an ulp apart, or have scales of their own.
func drawAnywhere(t *testing.T, rng *rand.Rand) instance.Ensemble {
	t.Helper()
	dim, classes := 1+rng.IntN(3), 2+rng.IntN(3)
	scale, offset := 1.0, 0.0
	switch rng.IntN(6) {
	case 0:
		offset = 1e12
	case 1:
		offset, scale = float64(rng.IntN(3)), 0x1p-52
	case 2:
		scale = math.SmallestNonzeroFloat64
	case 3:
		scale = math.Ldexp(1, rng.IntN(1900)-1000)
	}
	mixed := rng.IntN(4) == 0
	draw := func() float64 {
		s := scale
		if mixed {
			s *= math.Pow(10, 6*rng.Float64())
		}
		v := offset + s*float64(rng.IntN(9)-4)
		if rng.IntN(4) == 0 {
			v = math.Nextafter(v, offset+s*float64(rng.IntN(3)-1))
		}
		return v
	}
	var trees []*classifier.Tree
	comparison := classifier.Comparison(rng.IntN(4))
	if scale > 1e30 || scale < 1e-30 {
		comparison = classifier.AtMostFloat64 + 2*classifier.Comparison(rng.IntN(2))
	}
	for range 1 + rng.IntN(4) {
		trees = append(trees,
			instance.GrowTree(t, rng, comparison, dim, classes, rng.IntN(4), draw,
				func() float64 { return float64(rng.IntN(4)) / 2 }))
	}
	e, err := classifier.NewEnsemble(trees, instance.DrawVote(rng, classes))
	if err != nil {
		t.Fatal(err)
	}
	in := instance.Ensemble{Ensemble: e}
	for range dim {
		in.Query = append(in.Query, draw())
	}
	if rng.IntN(3) == 0 {
		in.Target = new(rng.IntN(classes))
	}
	if rng.IntN(3) == 0 {
		in.Box = drawSides(rng, dim, draw)
	}
	return in
}

// drawSides draws a domain: points, half-open and unbounded sides.
func drawSides(rng *rand.Rand, dim int, draw func() float64) polytope.Box {
	box := polytope.NewBox(dim)
	for f := range box {
		a, b := draw(), draw()
		switch i := (polytope.Interval{
			Lo:     min(a, b),
			Hi:     max(a, b),
			LoOpen: rng.IntN(2) == 0,
			HiOpen: rng.IntN(2) == 0,
		}); rng.IntN(5) {
		case 0:
			box[f] = polytope.Interval{Lo: a, Hi: a}
		case 1:
			box[f].Lo, box[f].LoOpen = a, rng.IntN(2) == 0
		case 2:
			box[f].Hi, box[f].HiOpen = a, rng.IntN(2) == 0
		case 3:
			if !geometry.Empty(i) {
				box[f] = i
			}
		}
	}
	return box
}

// attains reports whether an example lies at its bound, within the tolerance of Optimal.
func attains(r attack.Result) bool {
	return r.Example != nil && r.Distance-r.Bound <= 1e-9*max(1, r.Distance)
}

// checkInfimum compares a result with the infimum over the real numbers: the bound is never above
// it, in ℓ∞ it is the float64 next to it or, of subnormal ones, the one before that, and an example
// attains it but for the ulps by which it lies inside.
func checkInfimum(
	in instance.Ensemble, norm polytope.Norm, r attack.Result, truth *big.Float, hollow bool,
) error {
	if truth == nil {
		if r.Example != nil || !r.Optimal() || !math.IsInf(r.Bound, 1) {
			return fmt.Errorf("%+v where nothing answers", r)
		}
		return nil
	}
	if r.Optimal() != attains(r) && !hollow || r.Optimal() && !attains(r) {
		return fmt.Errorf("%+v: optimal %v, hollow %v", r, r.Optimal(), hollow)
	}
	if math.IsInf(r.Bound, 0) || raised(norm, r.Bound).Cmp(truth) > 0 {
		return fmt.Errorf("norm %v: bound %v lies above %v: %+v", norm, r.Bound, truth, r)
	}
	up := math.Nextafter(r.Bound, math.Inf(1))
	if r.Bound < 0x1p-1022 { // the runner takes off the rounding of a quotient
		up += math.SmallestNonzeroFloat64
	}
	if norm != polytope.LInf {
		up = r.Bound*(1+1e-13) + 4*math.SmallestNonzeroFloat64
	}
	if r.Bound < math.MaxFloat64 && raised(norm, min(up, math.MaxFloat64)).Cmp(truth) <= 0 {
		return fmt.Errorf("norm %v: bound %v, although %v does not exceed %v",
			norm, r.Bound, up, truth)
	}
	if hollow { // the nearest cell has a bound, and no example
		return nil
	}
	if r.Example == nil || in.Ensemble.Predict(r.Example) != r.Label ||
		(in.Box != nil && !in.Box.Contains(r.Example)) {
		return fmt.Errorf("%+v, want %v", r, truth)
	}
	slack := 0.0
	for _, v := range r.Example {
		slack += 2 * (math.Nextafter(math.Abs(v), math.Inf(1)) - math.Abs(v))
	}
	far := r.Bound*(1+1e-13) + slack + 4*math.SmallestNonzeroFloat64
	if r.Distance != norm.Distance(in.Query, r.Example) || r.Distance > far {
		return fmt.Errorf("norm %v: distance %v of a bound %v: %+v", norm, r.Distance, r.Bound, r)
	}
	return nil
}

// TestEnsemblesAgainstTheRealInfimum tries every cell of small ensembles and single
// trees in exact arithmetic: no bound lies above the truth, by however little.
func TestEnsemblesAgainstTheRealInfimum(t *testing.T) {
	for _, norm := range instance.Norms() {
		t.Run("norm="+norm.String(), func(t *testing.T) {
			t.Parallel()
			hollows := 0
			for number := range uint64(racetest.Count(2500, 4000)) {
				in := drawAnywhere(t, rand.New(rand.NewPCG(number, 90+uint64(norm))))
				var c classifier.Classifier = in.Ensemble
				if number%3 == 0 {
					e, err := classifier.NewEnsemble([]*classifier.Tree{in.Ensemble.Tree(0)},
						classifier.EnsembleOptions{Vote: classifier.HardVote})
					if err != nil {
						t.Fatal(err)
					}
					in.Ensemble, c = e, in.Ensemble.Tree(0)
				}
				if in.Target != nil && *in.Target == c.Predict(in.Query) {
					continue
				}
				a := &attack.RegionBased{
					Classifier: c,
					Options: attack.Options{
						Norm:    norm,
						Target:  in.Target,
						Domain:  in.Box,
						Workers: 1 + int(number%2)*2,
					},
				}
				r, err := a.Perturb(t.Context(), in.Query)
				if _, ok := geometry.InsideBox(nil, in.Box, in.Query); !ok &&
					errors.Is(err, classifier.ErrOption) {
					continue // a domain without a float64
				}
				truth, hollow := infimum(in, norm)
				if hollow {
					hollows++
				}
				if err == nil {
					err = checkInfimum(in, norm, r, truth, hollow)
				}
				if err != nil {
					t.Fatalf("instance %d: %v\n%+v", number, err, in)
				}
			}
			if hollows == 0 && !racetest.Enabled {
				t.Error("no cell without a float64 was drawn")
			}
		})
	}
}

// TestFartherThanAnyFloat64: an answer whose ℓ1 distance overflows is no proof that there is none.
func TestFartherThanAnyFloat64(t *testing.T) {
	far := -math.MaxFloat64 / 1.5
	tree, err := classifier.NewTree(2, classifier.AtMostFloat64, []classifier.TreeNode{
		{Feature: 0, Threshold: far, Left: 1, Right: 4, Value: []float64{0, 0}},
		{Feature: 1, Threshold: far, Left: 2, Right: 3, Value: []float64{0, 0}},
		{Feature: -1, Left: -1, Right: -1, Value: []float64{1, 0}},
		{Feature: -1, Left: -1, Right: -1, Value: []float64{0, 1}},
		{Feature: -1, Left: -1, Right: -1, Value: []float64{0, 1}},
	})
	if err != nil {
		t.Fatal(err)
	}
	e, err := classifier.NewEnsemble([]*classifier.Tree{tree}, classifier.EnsembleOptions{
		Vote: classifier.SumVote,
	})
	if err != nil {
		t.Fatal(err)
	}
	r, err := (&attack.RegionBased{
		Classifier: e,
		Options:    attack.Options{Norm: polytope.L1},
	}).Perturb(t.Context(), []float64{0, 0})
	if err != nil || math.IsInf(r.Bound, 1) || r.Bound < 0.9*math.MaxFloat64 {
		t.Errorf("%+v, %v", r, err)
	}
}
