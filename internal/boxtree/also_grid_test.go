package boxtree_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// TestAlsoOnAGrid compares forests that are large enough for nodes to be divided by distance, which
// joint instances are not, with the values of two features next to all thresholds.
func TestAlsoOnAGrid(t *testing.T) {
	t.Parallel()
	answered, n := 0, racetest.Count(300, 2000)
	for number := range uint64(n) {
		rng := rand.New(rand.NewPCG(number, 4503))
		members := make([]*classifier.Ensemble, 2+rng.IntN(2))
		var also []attack.Requirement
		for i := range members {
			members[i] = drawLabels(t, rng)
			if i > 0 {
				label := rng.IntN(2)
				also = append(also, attack.Requirement{
					Classifier: members[i], Labels: []int{label},
				})
			}
		}
		x := []float64{rng.Float64() * 2, rng.Float64() * 2}
		truth := nearestOnGrid(x, members, func(z []float64) bool {
			return members[0].Predict(z) != members[0].Predict(x) &&
				!slices.ContainsFunc(also, func(r attack.Requirement) bool {
					return r.Classifier.Predict(z) != r.Labels[0]
				})
		})
		a := &attack.RegionBased{
			Classifier: large{members[0], rng.IntN(3)},
			Options:    attack.Options{Norm: polytope.LInf, Also: also, Workers: 1},
		}
		r, err := a.Perturb(t.Context(), x)
		if err != nil || !r.Optimal() ||
			r.Distance != truth && !(math.Abs(r.Distance-truth) <= 1e-6) {
			t.Fatalf("instance %d: %+v, %v, and the truth is %v", number, r, err, truth)
		}
		if r.Example != nil {
			answered++
		}
	}
	if answered < n/4 {
		t.Errorf("%d of %d have an answer", answered, n)
	}
}

// drawLabels trains a forest on rows of two features whose labels are drawn.
func drawLabels(t *testing.T, rng *rand.Rand) *classifier.Ensemble {
	t.Helper()
	const rows = 60
	x, y := mat.NewDense(rows, 2, nil), make([]int, rows)
	for i := range y {
		x.SetRow(i, []float64{rng.Float64() * 2, rng.Float64() * 2})
		y[i] = rng.IntN(2)
	}
	e, err := classifier.TrainForest(t.Context(), x, y, classifier.ForestOptions{
		Trees:       4 + rng.IntN(8),
		TreeOptions: classifier.TreeOptions{MaxDepth: 4, Seed: rng.Uint32()},
		Workers:     1,
	})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// nearestOnGrid returns the distance in ℓ∞ of the nearest answer of which each coordinate is that
// of x, or next to a threshold: trees compare float32.
func nearestOnGrid(
	x []float64, members []*classifier.Ensemble, answers func(z []float64) bool,
) float64 {
	values := [][]float64{{x[0]}, {x[1]}}
	for _, e := range members {
		for i := range e.Len() {
			for _, node := range e.Tree(i).Nodes() {
				f, below := node.Feature, float32(node.Threshold)
				if float64(below) > node.Threshold {
					below = math.Nextafter32(below, 0)
				}
				if f >= 0 {
					values[f] = append(values[f], float64(below),
						float64(math.Nextafter32(below, 3)))
				}
			}
		}
	}
	nearest := math.Inf(1)
	for _, v := range values[0] {
		for _, w := range values[1] {
			d := max(math.Abs(v-x[0]), math.Abs(w-x[1]))
			if d < nearest && answers([]float64{v, w}) {
				nearest = d
			}
		}
	}
	return nearest
}
