package classifier_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
)

// obliqueStump is the nodes of a tree that predicts 1 where w·x > threshold.
func obliqueStump(threshold float64, w ...float64) []classifier.ObliqueNode {
	return []classifier.ObliqueNode{instance.ObliqueInner(threshold, 1, 2, w...),
		instance.ObliqueLeaf(1, 0), instance.ObliqueLeaf(0, 1)}
}

func TestObliqueTreePredict(t *testing.T) {
	inf := math.Inf(1)
	tiny := math.SmallestNonzeroFloat64
	plus := func(w ...float64) []float64 { return w }
	tests := []struct {
		name      string
		weights   []float64
		threshold float64
		left      [][]float64
		right     [][]float64
	}{
		{"oblique", plus(1, 2), 1, [][]float64{{1, 0}, {-1, 1}, {0, -9}},
			[][]float64{{0, 1}, {1, math.Nextafter(0, 1) * 1e308}}},
		{"negated", plus(-1, -2), -1, [][]float64{{1, 0}, {0, 1}},
			[][]float64{{0, 0}, {math.Nextafter(1, 0), 0}}},
		{"one feature", plus(0, 1), 0.1, [][]float64{{7, 0.1}, {-7, -1}},
			[][]float64{{0, math.Nextafter(0.1, 1)}}},
		{"one feature, negative", plus(-2, 0), 1, [][]float64{{-0.5, 3}, {0, 3}},
			[][]float64{{math.Nextafter(-0.5, -1), 0}}},
		{"a product that rounds", plus(3, 0), 0.3, [][]float64{{0.09999999999999999, 0}},
			[][]float64{{0.1, 0}}},
		{"an underflow", plus(0.25, 0), 0, [][]float64{{tiny, 0}, {2 * tiny, 0}},
			[][]float64{{3 * tiny, 0}}},
		{"an overflow", plus(1e300, 0), 1e308, [][]float64{{1e8, 0}, {-1e300, 0}},
			[][]float64{{1e9, 0}, {1e300, 0}}},
		{"no weight, right", plus(0, 0), -1, nil, [][]float64{{0, 0}, {1e300, -1e300}}},
		{"no weight, left", plus(0, math.Copysign(0, -1)), 0, [][]float64{{0, 0}, {1e300, -1e300}},
			nil},
		{"always", plus(1, 1), inf, [][]float64{{1e300, 1e300}, {0, 0}}, nil},
		{"never", plus(1, 0), -inf, nil, [][]float64{{-1e300, 0}}},
		{"always, though a product overflows", plus(0, 2), inf,
			[][]float64{{0, 1e308}, {0, -1e308}}, nil},
		{"never, though a product overflows", plus(-2, 0), -inf, nil,
			[][]float64{{1e308, 0}, {-1e308, 0}}},
		{"a sum in order", plus(1e17, 1, -1e17), 0, [][]float64{{1, 1, 1}}, nil},
		{"the same sum in another", plus(1e17, -1e17, 1), 0, nil, [][]float64{{1, 1, 1}}},
	}
	for _, test := range tests {
		tree := instance.ObliqueTree(t, len(test.weights),
			obliqueStump(test.threshold, test.weights...)...)
		for want, points := range [][][]float64{test.left, test.right} {
			for _, x := range points {
				if got := tree.Predict(x); got != want {
					t.Errorf("%s: Predict(%v) = %d, want %d", test.name, x, got, want)
				}
				cell, err := tree.CellAt(x)
				// its sum rounds
				if err != nil || cell.Label != want || !(cell.Region.Contains(x) || len(x) == 3) {
					t.Errorf("%s: CellAt(%v) = %+v, %v, want label %d",
						test.name, x, cell, err, want)
				}
			}
		}
	}
}

// TestObliqueTestsOfOneFeature compares the ends of cells with predictions on the float64
// beside them.
func TestObliqueTestsOfOneFeature(t *testing.T) {
	numbers := []float64{0, 0.1, -0.1, 1, 3, -1.0 / 3, 1e-300, -1e300, 5e-324, math.MaxFloat64,
		-7.25, 1e17}
	rng := rand.New(rand.NewPCG(3, 1))
	for trial := range racetest.Scale(4000) {
		w, threshold := numbers[rng.IntN(len(numbers))], numbers[rng.IntN(len(numbers))]
		if trial%3 == 0 {
			w, threshold = rng.NormFloat64(), rng.NormFloat64()
		}
		nodes := obliqueStump(threshold, w)
		tree := instance.ObliqueTree(t, 1, nodes...)
		near := []float64{0, threshold, threshold / w, -threshold, math.MaxFloat64,
			-math.MaxFloat64}
		for _, v := range near {
			for range 8 {
				if x := []float64{v}; math.Abs(v) <= math.MaxFloat64 {
					label := instance.ObliqueLeafAt(nodes, x) - 1
					if got := tree.Predict(x); got != label {
						t.Fatalf("weight %v, threshold %v: Predict(%v) = %d, want %d",
							w, threshold, v, got, label)
					}
					if cell, err := tree.CellAt(x); err != nil || !cell.Region.Contains(x) ||
						cell.Label != label || len(cell.Region.HalfSpaces) > 0 {
						t.Fatalf("weight %v, threshold %v: CellAt(%v) = %+v, %v",
							w, threshold, v, cell, err)
					}
				}
				v = math.Nextafter(v, math.Inf(2*(trial%2)-1))
			}
		}
	}
}
