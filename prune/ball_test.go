package prune

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-1a7dc1f9/facet/polytope"
)

// around returns the values at which comparing with d is decided.
func around(d float64) []float64 {
	return []float64{d, math.Nextafter(d, math.Inf(1)), math.Nextafter(d, 0), d / 2, 2 * d, 0}
}

// checkBall compares with the definition, Distance(x, y) ≤ limit.
func checkBall(t *testing.T, norm polytope.Norm, limit float64, x, y []float64) {
	t.Helper()
	r := newBall(norm, limit)
	want := norm.Distance(x, y) <= limit
	if got := r.within(x, y); got != want {
		t.Fatalf("norm %v, limit %v: within(%v, %v) = %v, want %v", norm, limit, x, y, got, want)
	}
	for j := range x {
		if want && r.tooFar(x[j], y[j]) {
			t.Fatalf("norm %v, limit %v: %v and %v are apart in column %d, though near",
				norm, limit, x, y, j)
		}
	}
}

func TestBallIsTheComparison(t *testing.T) {
	for number := range uint64(20_000) {
		rng := rand.New(rand.NewPCG(6, number))
		dim := 1 + rng.IntN(6)
		scale := math.Ldexp(1, rng.IntN(2098)-1074)
		if number%2 == 0 {
			scale = 1
		}
		x, y := make([]float64, dim), make([]float64, dim)
		for j := range x {
			switch rng.IntN(3) {
			case 0: // a grid whose steps are not exact
				x[j], y[j] = 0.1*float64(rng.IntN(8))*scale, 0.1*float64(rng.IntN(8))*scale
			case 1:
				x[j], y[j] = rng.NormFloat64()*scale, rng.NormFloat64()*scale
			}
			x[j] = max(-math.MaxFloat64, min(x[j], math.MaxFloat64))
			y[j] = max(-math.MaxFloat64, min(y[j], math.MaxFloat64))
		}
		for _, norm := range norms {
			for _, limit := range around(norm.Distance(x, y)) {
				checkBall(t, norm, limit, x, y)
			}
		}
	}
}

func TestBallAtTheLimits(t *testing.T) {
	// One coordinate apart: every norm's distance is the difference itself.
	differences := []float64{
		0, 5e-324, 1e-320, 0x1p-1022, 1e-300, 0x1p-450, 1e-140, leastPlain, 1e-130,
		0.1, 0.3, 1, 3, 1e130, greatestPlain, 1e140, 0x1p450, 1e200, 1e308, math.MaxFloat64,
	}
	for _, d := range differences {
		for _, norm := range norms {
			for _, limit := range append(around(d), differences...) {
				checkBall(t, norm, limit, []float64{0}, []float64{d})
				checkBall(t, norm, limit, []float64{0, d, 0}, []float64{0, 0, 0})
				checkBall(t, norm, limit, []float64{d, 0, 1}, []float64{0, d, 1})
			}
			checkBall(t, norm, math.Inf(1), []float64{-math.MaxFloat64}, []float64{d})
		}
	}
}

func TestSquareLimit(t *testing.T) {
	for number := range uint64(2000) {
		rng := rand.New(rand.NewPCG(7, number))
		d := math.Ldexp(1+rng.Float64(), rng.IntN(878)-439)
		s := squareLimit(d)
		if math.Sqrt(s) > d || math.Sqrt(math.Nextafter(s, math.Inf(1))) <= d {
			t.Fatalf("squareLimit(%v) = %v is not the largest with a root ≤ %v", d, s, d)
		}
	}
}

// TestBoxes: a box that is missed holds no point of the ball, a box that is covered
// holds no other, and a box that is a point is one of them.
func TestBoxes(t *testing.T) {
	missed, covered := 0, 0
	for number := range uint64(20_000) {
		rng := rand.New(rand.NewPCG(14, number))
		dim := 1 + rng.IntN(5)
		scale := []float64{1, 0.1, 1e-160, 1e200, 5e-324}[rng.IntN(5)]
		draw := func() []float64 {
			p := make([]float64, dim)
			for j := range p {
				p[j] = scale * float64(rng.IntN(7)-3)
				if number%2 == 0 {
					p[j] = scale * rng.NormFloat64()
				}
			}
			return p
		}
		q, lo, hi, drawn := draw(), draw(), draw(), make([]float64, dim)
		for j := range lo {
			lo[j], hi[j] = min(lo[j], hi[j]), max(lo[j], hi[j])
			switch rng.IntN(3) {
			case 0:
				drawn[j] = lo[j]
			case 1:
				drawn[j] = hi[j]
			default:
				drawn[j] = max(lo[j], min(hi[j], q[j]))
			}
		}
		for _, norm := range norms {
			for _, limit := range around(norm.Distance(q, drawn)) {
				r := newBall(norm, limit)
				within := norm.Distance(q, drawn) <= limit
				misses, covers := r.box(q, lo, hi) == outside, r.box(q, lo, hi) == inside
				if misses && within || covers && !within {
					t.Fatalf("norm %v, limit %v: misses, covers = %v, %v for the box %v to %v, "+
						"%v near %v = %v", norm, limit, misses, covers, lo, hi, drawn, q,
						within)
				}
				if got := r.box(q, drawn, drawn); got != map[bool]overlap{
					false: outside,
					true:  inside,
				}[within] {
					t.Fatalf("norm %v, limit %v: the point %v near %v = %v, its box not",
						norm, limit, drawn, q, within)
				}
				if misses {
					missed++
				}
				if covers {
					covered++
				}
			}
		}
	}
	if missed < 10_000 || covered < 10_000 {
		t.Errorf("%d boxes missed, %d covered: too few", missed, covered)
	}
	r := newBall(polytope.LInf, math.Inf(1))
	if big := []float64{math.MaxFloat64}; r.box([]float64{-math.MaxFloat64}, big, big) != inside {
		t.Error("an infinite ball does not cover a box")
	}
}
