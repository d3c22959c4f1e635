package grid

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// drawView draws a grid of one feature, of stumps that say x ≤ threshold, seen from some x.
func drawView(t *testing.T, rng *rand.Rand) View {
	t.Helper()
	draw := func() float64 { return math.Ldexp(rng.Float64()-0.5, rng.IntN(120)-60) }
	var axes []*trees.Axis
	for range 1 + rng.IntN(6) {
		nodes := []trees.Node{{Threshold: draw(), Left: 1, Right: 2, Value: []float64{1, 1}},
			{Left: -1, Right: -1, Value: []float64{1, 0}}, {
				Left:  -1,
				Right: -1,
				Value: []float64{0, 1},
			}}
		axis, err := trees.NewAxis(1, trees.AtMostFloat64, trees.Nodes(nodes))
		if err != nil {
			t.Fatal(err)
		}
		axes = append(axes, axis)
	}
	grid := New(1, axes)
	v, ok := NewView(&grid, search.Query{X: []float64{draw()}})
	if !ok {
		t.Fatal("no interval meets the line")
	}
	return v
}

// trueGap returns the distance of an interval from X, exactly.
func trueGap(v *View, interval int32) *big.Rat {
	end := v.Query.X[0]
	switch {
	case interval < v.At[0]:
		end = v.Borders[0][interval].End
	case interval > v.At[0]:
		end = v.Borders[0][interval-1].End
	}
	gap := new(big.Rat).SetFloat64(end)
	return gap.Abs(gap.Sub(gap, new(big.Rat).SetFloat64(v.Query.X[0])))
}

// TestGaps: gaps are the true ones, rounded down.
func TestGaps(t *testing.T) {
	rounded := 0
	for number := range uint64(racetest.Count(2000, 20000)) {
		v := drawView(t, rand.New(rand.NewPCG(number, 91)))
		for interval := range int32(len(v.Borders[0]) + 1) {
			gap, exact := v.Gap(0, interval, interval), trueGap(&v, interval)
			off := new(big.Rat).SetFloat64(gap).Cmp(exact)
			if above := math.Nextafter(gap, math.Inf(1)); off > 0 ||
				new(big.Rat).SetFloat64(above).Cmp(exact) < 0 {
				t.Fatalf("instance %d: the gap of interval %d is %v, not %v",
					number, interval, gap, exact)
			}
			if off < 0 {
				rounded++
			}
		}
	}
	if rounded < 100 {
		t.Errorf("%d gaps were rounded", rounded)
	}
}

// TestMetric: the distances of a reach lie on the safe side of the squares, or sums, of real
// numbers, for every unit.
func TestMetric(t *testing.T) {
	for number := range uint64(racetest.Count(2000, 20000)) {
		rng := rand.New(rand.NewPCG(number, 92))
		norm, dim := []polytope.Norm{polytope.LInf, polytope.L1, polytope.L2}[number%3], 1+
			rng.IntN(30)
		m := NewMetric(norm, dim, 0)
		size := rng.IntN(1800) - 900
		m.Fit(math.Ldexp(1, size))
		reach, sum := 0.0, new(big.Float).SetPrec(400)
		for range dim {
			gap := math.Ldexp(rng.Float64(), size-rng.IntN(30))
			reach = m.Join(reach, m.Scale(gap), 0)
			switch g := new(big.Float).SetPrec(400).SetFloat64(gap); norm {
			case polytope.LInf:
				if g.Cmp(sum) > 0 {
					sum = g
				}
			case polytope.L1:
				sum.Add(sum, g)
			default:
				sum.Add(sum, g.Mul(g, g))
			}
		}
		if norm == polytope.L2 {
			sum.Sqrt(sum)
		}
		if d := m.Distance(reach); sum.Cmp(big.NewFloat(d)) < 0 {
			t.Fatalf("instance %d: a distance of %v, which is %v", number, d, sum)
		}
		above, _ := sum.Float64()
		if above = math.Nextafter(above, math.Inf(1)); m.Scaled(above) < reach {
			t.Fatalf("instance %d: what is at %v reaches %v, which %v should not",
				number, sum, reach, above)
		}
	}
}
