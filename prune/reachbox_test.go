package prune

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-1a7dc1f9/facet/polytope"
)

// TestBoxes: a box that is missed holds no point within reach, a box that is covered
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
				r := newReach(norm, limit)
				within := norm.Distance(q, drawn) <= limit
				misses, covers := r.box(q, lo, hi) == outside, r.box(q, lo, hi) == inside
				if misses && within || covers && !within {
					t.Fatalf("norm %v, limit %v: misses, covers = %v, %v for the box %v to %v, %v in reach of %v = %v", norm, limit, misses, covers, lo, hi, drawn, q, within)
				}
				if got := r.box(q, drawn, drawn); got != map[bool]overlap{false: outside, true: inside}[within] {
					t.Fatalf("norm %v, limit %v: the point %v in reach of %v = %v, its box not", norm, limit, drawn, q, within)
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
	r := newReach(polytope.LInf, math.Inf(1))
	if big := []float64{math.MaxFloat64}; r.box([]float64{-math.MaxFloat64}, big, big) != inside {
		t.Error("an infinite reach does not cover a box")
	}
}
