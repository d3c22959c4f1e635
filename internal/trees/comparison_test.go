package trees

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
)

// edge is a threshold with a name.
type edge struct {
	name string
	t    float64
}

// edges are the thresholds at which a border is easy to get wrong.
func edges() []edge {
	const maxFloat32 = float64(math.MaxFloat32)
	next := func(v float32) float64 { return float64(math.Nextafter32(v, float32(math.Inf(1)))) }
	half := func(v float32) float64 { return float64(v)/2 + next(v)/2 }
	list := []edge{
		{"zero", 0},
		{"one", 1},
		{"tenth", 0.1},
		{"smallest float64", math.SmallestNonzeroFloat64},
		{"smallest normal float64", 0x1p-1022},
		{"below half the smallest float32", math.Nextafter(0x1p-150, 0)},
		{"half the smallest float32", 0x1p-150},
		{"above half the smallest float32", math.Nextafter(0x1p-150, 1)},
		{"smallest float32", 0x1p-149},
		{"second float32", 0x1p-148},
		{"between the first and second float32", 0x1.8p-149},
		{"smallest normal float32", 0x1p-126},
		{"largest denormal float32", float64(math.Nextafter32(0x1p-126, 0))},
		{"tie to an even float32 below", half(1)},
		{"tie to an even float32 above", half(float32(next(1)))},
		{"below a tie", math.Nextafter(half(1), 0)},
		{"above a tie", math.Nextafter(half(1), 2)},
		{"largest float32", maxFloat32},
		{"the float32 before the largest", float64(math.Nextafter32(math.MaxFloat32, 0))},
		{"below where float32 overflows", math.Nextafter(0x1.ffffffp127, 0)},
		{"where float32 overflows", 0x1.ffffffp127},
		{"above where float32 overflows", math.Nextafter(0x1.ffffffp127, math.Inf(1))},
		{"2^128", 0x1p128},
		{"beyond float32", 1e300},
		{"largest float64", math.MaxFloat64},
		{"infinity", math.Inf(1)},
	}
	for _, e := range list {
		list = append(list, edge{"minus " + e.name, -e.t})
	}
	return list
}

var comparisons = []Comparison{
	AtMostFloat32, AtMostFloat64, BelowFloat32, BelowFloat64,
}

// goesLeft compares the real number x with t as a tree of this comparison does.
func goesLeft(p Comparison, x *big.Float, t float64) bool {
	f, _ := x.Float32()
	switch p {
	case AtMostFloat32:
		return float64(f) <= t
	case BelowFloat32:
		return float64(f) < t
	case BelowFloat64:
		return x.Cmp(big.NewFloat(t)) < 0
	}
	return x.Cmp(big.NewFloat(t)) <= 0
}

// checkBorder looks at the real numbers on the border and 2⁻¹⁴⁰⁰ to both sides of it.
func checkBorder(t *testing.T, p Comparison, threshold float64) {
	t.Helper()
	b := p.border(threshold)
	end, closed := b.End, b.Closed
	if math.IsNaN(end) {
		t.Errorf("comparison %d: border(%v) = NaN", p, threshold)
		return
	}
	if math.IsInf(end, 0) {
		// Every number, or none, goes left.
		for _, x := range []float64{
			-math.MaxFloat64, -0x1p128, -math.MaxFloat32, 0, math.MaxFloat32, 0x1p128,
			math.MaxFloat64,
		} {
			if got := goesLeft(p, big.NewFloat(x), threshold); got != (end > 0) {
				t.Errorf("comparison %d: border(%v) = %v, but %v goes left = %v",
					p, threshold, end, x, got)
			}
		}
		return
	}
	const digits = 3000 // hold 2^1024 + 2^−1400
	at := new(big.Float).SetPrec(digits).SetFloat64(end)
	tiny := new(big.Float).SetPrec(digits).SetMantExp(big.NewFloat(1), -1400)
	below := new(big.Float).Sub(at, tiny)
	above := new(big.Float).Add(at, tiny)
	if !goesLeft(p, below, threshold) {
		t.Errorf("comparison %d: border(%v) = %v, but what lies just below goes right",
			p, threshold, end)
	}
	if goesLeft(p, above, threshold) {
		t.Errorf("comparison %d: border(%v) = %v, but what lies just above goes left",
			p, threshold, end)
	}
	if got := goesLeft(p, at, threshold); got != closed {
		t.Errorf("comparison %d: border(%v) = %v, closed %v, but the end goes left = %v",
			p, threshold, end, closed, got)
	}
}

func TestBorderIsWhereTheComparisonFlips(t *testing.T) {
	for _, p := range comparisons {
		for _, e := range edges() {
			t.Run(e.name, func(t *testing.T) { checkBorder(t, p, e.t) })
		}
		rng := rand.New(rand.NewPCG(1, uint64(p)))
		for range racetest.Scale(20_000) {
			threshold := math.Float64frombits(rng.Uint64())
			switch rng.IntN(4) {
			case 0: // of moderate size
				threshold = rng.NormFloat64()
			case 1: // a float32
				threshold = float64(math.Float32frombits(rng.Uint32()))
			case 2: // a tie
				f := math.Float32frombits(rng.Uint32())
				threshold = float64(f)/2 + float64(math.Nextafter32(f, 0))/2
			}
			if !math.IsNaN(threshold) {
				checkBorder(t, p, threshold)
			}
		}
	}
}

// lastLeft finds, by bisection of the ordered float64, the last one that goes left
// of the threshold; ok is false when none does.
func lastLeft(p Comparison, threshold float64) (x float64, ok bool) {
	left := func(v float64) bool {
		switch p {
		case AtMostFloat32:
			return float64(float32(v)) <= threshold
		case BelowFloat32:
			return float64(float32(v)) < threshold
		case BelowFloat64:
			return v < threshold
		}
		return v <= threshold
	}
	lo, hi := rank(-math.MaxFloat64), rank(math.MaxFloat64)
	if !left(unrank(lo)) {
		return 0, false
	}
	for lo < hi {
		middle := lo + (hi-lo+1)/2
		if middle < lo { // overflow: lo and hi have different signs
			middle = 0
		}
		if left(unrank(middle)) {
			lo = middle
		} else {
			hi = middle - 1
		}
	}
	return unrank(lo), true
}

// rank numbers the float64 in their order, 0 for 0.
func rank(v float64) int64 {
	if b := int64(math.Float64bits(math.Abs(v))); v < 0 {
		return -b
	} else {
		return b
	}
}

func unrank(r int64) float64 {
	if r < 0 {
		return -math.Float64frombits(uint64(-r))
	}
	return math.Float64frombits(uint64(r))
}

// TestThresholdSplitsInputs checks which side of a tree the inputs beside every special
// threshold are on.
func TestThresholdSplitsInputs(t *testing.T) {
	leaf := Node{Left: -1, Right: -1, Value: []float64{1}}
	for _, c := range comparisons {
		for _, e := range edges() {
			tree, err := NewAxis(1, c,
				Nodes{{Threshold: e.t, Left: 1, Right: 2, Value: []float64{2}}, leaf, leaf})
			if refused := math.IsInf(e.t, -1) && !c.rounds(); refused != (err != nil) {
				t.Errorf("comparison %d, threshold %s: NewAxis: %v", c, e.name, err)
			}
			if err != nil {
				continue
			}
			last, any := lastLeft(c, e.t)
			want := map[float64]int{-math.MaxFloat64: 2, math.MaxFloat64: 2}
			if any {
				want[-math.MaxFloat64] = 1
				want[math.Nextafter(last, math.Inf(-1))] = 1
				want[math.Nextafter(last, math.Inf(1))] = 2
				want[last] = 1
			}
			for x, leaf := range want {
				if math.IsInf(x, 0) {
					continue
				}
				if got := tree.Leaf([]float64{x}); got != leaf {
					t.Errorf("comparison %d, threshold %s: Leaf(%v) = %d, want %d",
						c, e.name, x, got, leaf)
				}
				for _, child := range []int{1, 2} {
					if tree.Side(0, child).Contains(x) != (child == leaf) {
						t.Errorf("comparison %d, threshold %s: Side of child %d is %v, but %v "+
							"reaches %d", c, e.name, child, tree.Side(0, child), x, leaf)
					}
				}
			}
		}
	}
}

// TestBorderAfter: a border that a tree computes from the last number that goes left is that of the
// comparison with the threshold.
func TestBorderAfter(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 35))
	thresholds := []float64{0, math.Copysign(0, -1), 1e39, -1e39, math.Inf(1), 0x1p-149, -0x1p-149,
		0x1p-150, math.MaxFloat32, -math.MaxFloat32, 1, -1, 0x1p-126, 0x1p24}
	for range 1000 {
		v := math.Float32frombits(rng.Uint32())
		if v == v {
			thresholds = append(thresholds, float64(v), math.Nextafter(float64(v), 0))
		}
	}
	for _, threshold := range thresholds {
		for c := AtMostFloat32; c <= BelowFloat64; c++ {
			if c.check(threshold) != nil {
				continue
			}
			axis := Axis{Comparison: c, tests: []test{{last: c.last(threshold)}},
				thresholds: []float64{threshold}}
			if got, want := axis.Border(0), c.border(threshold); got != want {
				t.Errorf("comparison %d with %v: %+v, want %+v", c, threshold, got, want)
			}
		}
	}
}
