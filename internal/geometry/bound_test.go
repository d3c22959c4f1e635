package geometry_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// digits hold a sum of squares of any two differences of float64 without rounding.
const digits = 4400

func exactly(v float64) *big.Float { return new(big.Float).SetPrec(digits).SetFloat64(v) }

// exactLength returns the length of a vector, to more digits than matter.
func exactLength(norm polytope.Norm, v []*big.Float) *big.Float {
	sum := exactly(0)
	for _, e := range v {
		switch a := exactly(0).Abs(e); norm {
		case polytope.L1:
			sum.Add(sum, a)
		case polytope.L2:
			sum.Add(sum, a.Mul(a, a))
		default:
			if a.Cmp(sum) > 0 {
				sum = a
			}
		}
	}
	if norm == polytope.L2 {
		sum.Sqrt(sum)
	}
	return sum
}

// checkBound compares a bound with the exact distance: never above it, and at most scale·ulps below
// it.
func checkBound(t *testing.T, what string, bound float64, truth *big.Float, relative float64) {
	t.Helper()
	if math.IsNaN(bound) || exactly(bound).Cmp(truth) > 0 {
		t.Fatalf("%s: bound %v lies above %v", what, bound, truth)
	}
	want, _ := truth.Float64()
	want = min(want, math.MaxFloat64)
	if bound < want*(1-relative)-4*math.SmallestNonzeroFloat64 {
		t.Fatalf("%s: bound %v of %v", what, bound, want)
	}
}

// drawScale draws a power of two from the whole range of float64, or 1.
func drawScale(rng *rand.Rand) float64 {
	if rng.IntN(2) == 0 {
		return 1
	}
	return math.Ldexp(1, rng.IntN(2090)-1070)
}

func finiteOr(v, otherwise float64) float64 {
	if math.IsInf(v, 0) || math.IsNaN(v) {
		return otherwise
	}
	return v
}

// TestBoxBound compares with exact arithmetic at all scales, mixed ones and borders
// an ulp apart too.
func TestBoxBound(t *testing.T) {
	for number := range uint64(20000) {
		rng := rand.New(rand.NewPCG(number, 31))
		norm := norms[number%3]
		dim := 1 + rng.IntN(4)
		scale := drawScale(rng)
		box, x, gaps := make(polytope.Box, dim), make([]float64, dim), make([]*big.Float, dim)
		for j := range box {
			if rng.IntN(3) == 0 {
				scale = drawScale(rng)
			}
			x[j] = finiteOr(scale*rng.NormFloat64(), math.MaxFloat64)
			lo := finiteOr(scale*rng.NormFloat64(), -math.MaxFloat64)
			if rng.IntN(4) == 0 {
				lo = math.Nextafter(x[j], math.MaxFloat64)
			}
			box[j] = polytope.Interval{Lo: lo, Hi: math.Inf(1)}
			gaps[j] = exactly(0)
			if x[j] < lo {
				gaps[j].Sub(exactly(lo), exactly(x[j]))
			}
			if rng.IntN(2) == 0 { // the same on the other side
				box[j], x[j] = polytope.Interval{Lo: math.Inf(-1), Hi: -lo}, -x[j]
			}
		}
		truth := exactLength(norm, gaps)
		bound := geometry.In(norm).BoundBox(box, x)
		checkBound(t, norm.String(), bound, truth, 1e-15*float64(dim))
		if norm == polytope.LInf {
			if up := math.Nextafter(
				bound, math.Inf(1),
			); exactly(min(up, math.MaxFloat64)).Cmp(truth) <= 0 && bound < math.MaxFloat64 {
				t.Fatalf("instance %d: bound %v, and %v is no larger than %v",
					number, bound, up, truth)
			}
		}
		distance := norm.Distance(x, geometry.NearestIn(nil, box, x))
		want, _ := truth.Float64()
		if math.Abs(distance-want) > 1e-15*float64(dim+1)*want+4*math.SmallestNonzeroFloat64 {
			t.Fatalf("instance %d: distance %v, want %v", number, distance, want)
		}
	}
}

// TestBoxBoundIsExactOnIntegers: where no sum is rounded, the bound is the distance.
func TestBoxBoundIsExactOnIntegers(t *testing.T) {
	for _, scale := range []float64{1, 0x1p45, 0x1p-60, 0x1p700, 0x1p-700} {
		box := polytope.Box{{Lo: 3 * scale, Hi: math.Inf(1)}, {Lo: math.Inf(-1), Hi: -4 * scale}}
		for norm, want := range map[polytope.Norm]float64{
			polytope.LInf: 4,
			polytope.L1:   7,
			polytope.L2:   5,
		} {
			if got := geometry.In(norm).BoundBox(box, []float64{0, 0}); got != want*scale {
				t.Errorf("scale %v, norm %v: bound %v, want %v", scale, norm, got, want*scale)
			}
		}
	}
}

// TestBeyondFloat64: a point farther than float64 goes is infinitely far, but its
// bound claims no more than is known.
func TestBeyondFloat64(t *testing.T) {
	far := polytope.Box{{Lo: math.MaxFloat64, Hi: math.Inf(1)}, {
		Lo: math.MaxFloat64,
		Hi: math.Inf(1),
	}}
	x := []float64{-math.MaxFloat64, 0}
	for _, norm := range norms {
		cost := geometry.In(norm)
		d, b := norm.Distance(x, geometry.NearestIn(nil, far, x)), cost.BoundBox(far, x)
		if !math.IsInf(d, 1) || b != math.MaxFloat64 {
			t.Errorf("norm %v: distance %v, bound %v", norm, d, b)
		}
		if b := cost.Bound(polytope.Polyhedron{Box: far}, x); b != math.MaxFloat64 {
			t.Errorf("norm %v: a polyhedron's bound %v", norm, b)
		}
	}
	beyond := polytope.Interval{Lo: math.MaxFloat64, LoOpen: true, Hi: math.Inf(1)}
	if v, ok := geometry.Inside(beyond, 0); ok {
		t.Errorf("%v inside what lies beyond float64", v)
	}
	if v, ok := geometry.Inside(polytope.Interval{Lo: math.Inf(-1), Hi: math.Inf(-1)}, 0); ok {
		t.Errorf("%v inside −∞", v)
	}
}

// TestHalfSpaceBound compares with exact arithmetic at all scales.
func TestHalfSpaceBound(t *testing.T) {
	for number := range uint64(20000) {
		rng := rand.New(rand.NewPCG(number, 32))
		norm := norms[number%3]
		dim := 1 + rng.IntN(4)
		h := polytope.HalfSpace{A: make([]float64, dim)}
		weight, place := drawScale(rng), drawScale(rng)
		x, a := make([]float64, dim), make([]*big.Float, dim)
		excess := exactly(0)
		for j := range x {
			h.A[j] = finiteOr(weight*rng.NormFloat64(), 1)
			x[j] = finiteOr(place*rng.NormFloat64(), 1)
			a[j] = exactly(h.A[j])
			excess.Add(excess, exactly(0).Mul(a[j], exactly(x[j])))
		}
		h.B, _ = excess.Float64()
		if h.B = finiteOr(h.B, 0); rng.IntN(2) == 0 {
			h.B *= rng.Float64()
		}
		excess.Sub(excess, exactly(h.B))
		length := exactLength(geometry.Dual(norm), a)
		if excess.Sign() <= 0 || length.Sign() == 0 {
			continue
		}
		truth := excess.Quo(excess, length)
		bound := geometry.In(norm).BoundHalfSpace(h, x)
		if math.IsNaN(bound) || exactly(bound).Cmp(truth) > 0 {
			t.Fatalf("instance %d, %v: bound %v lies above %v\n%+v %v",
				number, norm, bound, truth, h, x)
		}
		want, _ := truth.Float64()
		// Not where the plane is too near for these digits, or products underflow.
		if want > 1e-10*geometry.Length(polytope.LInf, x) &&
			want*min(1, geometry.Length(polytope.LInf, h.A)) > 0x1p-900 {
			if bound < min(want, math.MaxFloat64)*(1-1e-9) {
				t.Fatalf("instance %d, %v: bound %v, want %v\n%+v %v",
					number, norm, bound, want, h, x)
			}
		}
	}
}
