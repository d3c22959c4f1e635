package attacking

import (
	"math"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/metrics"
)

func TestGap(t *testing.T) {
	for _, c := range []struct{ distance, bound, want float64 }{
		{4, 1, 0.75}, {math.Inf(1), 1, 1}, {0, 0, 0}, {2, 2, 0},
	} {
		p := metrics.Point{Result: attack.Result{Distance: c.distance, Bound: c.bound}}
		if got := gap(p); got != c.want {
			t.Errorf("distance %v and bound %v: gap %v, want %v", c.distance, c.bound, got, c.want)
		}
	}
}
