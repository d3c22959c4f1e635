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
		q, lo, hi, inside := draw(), draw(), draw(), make([]float64, dim)
		for j := range lo {
			lo[j], hi[j] = min(lo[j], hi[j]), max(lo[j], hi[j])
			switch rng.IntN(3) {
			case 0:
				inside[j] = lo[j]
			case 1:
				inside[j] = hi[j]
			default:
				inside[j] = max(lo[j], min(hi[j], q[j]))
			}
		}
		for _, norm := range norms {
			for _, limit := range around(norm.Distance(q, inside)) {
				r := newReach(norm, limit)
				within := norm.Distance(q, inside) <= limit
				misses, covers := r.misses(q, lo, hi), r.covers(q, lo, hi)
				if misses && within || covers && !within {
					t.Fatalf("norm %v, limit %v: misses, covers = %v, %v for the box %v to %v, %v in reach of %v = %v", norm, limit, misses, covers, lo, hi, inside, q, within)
				}
				if r.misses(q, inside, inside) == within || r.covers(q, inside, inside) != within {
					t.Fatalf("norm %v, limit %v: the point %v in reach of %v = %v, its box not", norm, limit, inside, q, within)
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
	if big := []float64{math.MaxFloat64}; !r.covers([]float64{-math.MaxFloat64}, big, big) {
		t.Error("an infinite reach does not cover a box")
	}
}
