package classifier_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/access"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
)

func knnOf(t *testing.T, rows [][]float64, y []int, k int) *classifier.KNN {
	t.Helper()
	c, err := classifier.TrainKNN(t.Context(), instance.Dense(rows), y, classifier.KNNOptions{K: k})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// scales draw coordinates: each kind makes another sort of trouble.
var scales = []struct {
	name  string
	exact bool // squared distances do not round
	draw  func(*rand.Rand) float64
}{
	{"grid", true, func(r *rand.Rand) float64 { return float64(r.IntN(4)) }},
	{"tenths", false, func(r *rand.Rand) float64 { return float64(r.IntN(6)) / 10 }},
	{"normal", false, func(r *rand.Rand) float64 { return r.NormFloat64() }},
	{"millions", false, func(r *rand.Rand) float64 { return 1e6 * r.NormFloat64() }},
	{"far from zero", true, func(r *rand.Rand) float64 { return 1e6 + float64(r.IntN(3))*0x1p-20 }},
	{"millionths", false, func(r *rand.Rand) float64 { return 1e-6 * r.NormFloat64() }},
	{"one value", true, func(*rand.Rand) float64 { return 0.25 }},
}

// predictBySorting sorts all rows by (squared distance, row) and counts votes.
func predictBySorting(x [][]float64, y []int, k, classes int, z []float64) int {
	squared, order := make([]float64, len(x)), make([]int, len(x))
	for i, p := range x {
		order[i] = i
		for j := range p {
			d := z[j] - p[j]
			squared[i] += float64(d * d)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case squared[a] < squared[b]:
			return -1
		case squared[a] > squared[b]:
			return 1
		}
		return 0
	})
	votes := make([]int, classes)
	for _, i := range order[:k] {
		votes[y[i]]++
	}
	return slices.Index(votes, slices.Max(votes))
}

func TestPredictAgainstSorting(t *testing.T) {
	t.Parallel()
	for _, scale := range scales {
		t.Run(scale.name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(3, uint64(len(scale.name))))
			for trial := range racetest.Scale(150) {
				n, dim, classes := 1+rng.IntN(40), 1+rng.IntN(4), 1+rng.IntN(4)
				if scale.exact && trial%5 == 0 {
					dim = 5 + rng.IntN(20) // where the order of the sum cannot matter
				}
				x, y := instance.DrawRows(rng, n, dim, classes, scale.draw)
				for k := 1; k <= n; k++ {
					c := knnOf(t, x, y, k)
					for range 4 {
						z := make([]float64, dim)
						for j := range z {
							z[j] = scale.draw(rng)
						}
						switch a, b := rng.IntN(n), rng.IntN(n); rng.IntN(3) {
						case 0: // on a row
							copy(z, x[a])
						case 1: // halfway between two
							for j := range z {
								z[j] = x[a][j]/2 + x[b][j]/2
							}
						}
						if got, want := c.Predict(z), predictBySorting(
							x, y, k, classes, z,
						); got != want {
							t.Fatalf(
								"trial %d, k = %d: Predict(%v) = %d, want %d; rows %v, labels %v",
								trial, k, z, got, want, x, y,
							)
						}
					}
				}
			}
		})
	}
}

func TestPredictTies(t *testing.T) {
	tests := []struct {
		name string
		x    [][]float64
		y    []int
		k    int
		z    float64
		want int
	}{
		{"equally near rows: the first", [][]float64{{1}, {-1}}, []int{1, 0}, 1, 0, 1},
		{"equally near rows, the other way", [][]float64{{-1}, {1}}, []int{0, 1}, 1, 0, 0},
		{"equal rows: the first", [][]float64{{1}, {1}}, []int{2, 0}, 1, 1, 2},
		{"equal votes: the smaller label", [][]float64{{1}, {-2}}, []int{1, 0}, 2, 0, 0},
		{"equal votes of three", [][]float64{{1}, {2}, {3}}, []int{2, 1, 2}, 3, 0, 2},
		{"three labels, a vote each", [][]float64{{1}, {2}, {3}}, []int{2, 3, 1}, 3, 0, 1},
		{"the last vote goes to the earlier of two rows", [][]float64{{0}, {1}, {-1}},
			[]int{0, 1, 0}, 2, 0, 0},
		{"labels that no row holds", [][]float64{{0}, {5}}, []int{3, 1}, 1, 1, 3},
		{"one class", [][]float64{{0}, {5}}, []int{0, 0}, 2, 1, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := knnOf(t, test.x, test.y, test.k)
			if got := c.Predict([]float64{test.z}); got != test.want {
				t.Errorf("Predict(%v) = %d, want %d", test.z, got, test.want)
			}
			if got, want := c.Classes(), slices.Max(test.y)+1; got != want {
				t.Errorf("Classes() = %d, want %d", got, want)
			}
		})
	}
}

func TestKNNKeepsItsRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 1))
	x, y := instance.DrawRows(rng, 60, 3, 3, scales[0].draw)
	m := instance.Dense(x)
	c, err := classifier.TrainKNN(t.Context(), m, y, classifier.KNNOptions{K: 5})
	if err != nil {
		t.Fatal(err)
	}
	labels := slices.Clone(y)
	m.Set(0, 0, 77) // a copy was kept
	y[0] = 2
	if c.K() != 5 || c.Len() != 60 || c.Dim() != 3 {
		t.Errorf("K, Len, Dim = %d, %d, %d, want 5, 60, 3", c.K(), c.Len(), c.Dim())
	}
	for i := range x {
		if got, label := c.Row(i); !slices.Equal(got, x[i]) || label != labels[i] {
			t.Errorf("Row(%d) = %v, %d, want %v, %d", i, got, label, x[i], labels[i])
		}
	}
}

func TestTrainKNNErrors(t *testing.T) {
	wrong := map[string]classifier.KNNOptions{
		"k = -1": {K: -1}, "k = 3 with 2 rows": {K: 3},
	}
	instance.CheckUntrained(t, "classifier: k-NN: ", classifier.TrainKNN, wrong)
	instance.CheckUntrained(t, "classifier: k-NN: ", classifier.TrainWeightedKNN, wrong)
	c, err := classifier.TrainKNN(t.Context(), instance.Dense([][]float64{{0, 1}, {2, 3}}),
		[]int{0, 1}, classifier.KNNOptions{})
	if err != nil || c.K() != 1 {
		t.Errorf("TrainKNN without K: K = %d, error %v, want 1", c.K(), err)
	}
}

// TestWeightedDiffers holds a point that the uniform vote labels otherwise.
func TestWeightedDiffers(t *testing.T) {
	x, y := instance.Dense([][]float64{{0}, {4}, {5}}), []int{1, 0, 0}
	weighted, err := classifier.TrainWeightedKNN(t.Context(), x, y, classifier.KNNOptions{K: 3})
	if err != nil {
		t.Fatal(err)
	}
	uniform, err := classifier.TrainKNN(t.Context(), x, y, classifier.KNNOptions{K: 3})
	if err != nil {
		t.Fatal(err)
	}
	if w, u := weighted.Predict([]float64{1}), uniform.Predict([]float64{1}); w != 1 || u != 0 {
		t.Errorf("weighted vote %d, uniform vote %d, want 1 and 0", w, u)
	}
	if row, label := weighted.Row(1); row[0] != 4 || label != 0 || weighted.Len() != 3 ||
		weighted.K() != 3 || weighted.Dim() != 1 || weighted.Classes() != 2 {
		t.Errorf("row 1 is %v, %d; %d rows, k = %d, %d × %d",
			row, label, weighted.Len(), weighted.K(), weighted.Dim(), weighted.Classes())
	}
}

func TestWeightedIsNotDecomposable(t *testing.T) {
	c, err := classifier.TrainerOf(classifier.TrainWeightedKNN, classifier.KNNOptions{})(
		t.Context(), instance.Dense([][]float64{{0}, {1}}), []int{0, 1})
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := access.Searcher(c); !ok {
		t.Error("a weighted k-NN does not search")
	}
	if _, ok := c.(classifier.Decomposable); ok {
		t.Error("a weighted k-NN has no cells")
	}
	if _, ok := c.(locator); ok {
		t.Error("a weighted k-NN has no cell around a point")
	}
}

// TestNeighborsAreInterrupted ends the context at the last look, when the rows have been
// read and are sorted into trees.
func TestNeighborsAreInterrupted(t *testing.T) {
	const n = 1 << 15
	rng := rand.New(rand.NewPCG(2, 2))
	x, y := mat.NewDense(n, 2, nil), make([]int, n)
	for i := range n {
		x.SetRow(i, []float64{rng.Float64(), rng.Float64()})
	}
	looks := new(atomic.Int64)
	looks.Store(math.MaxInt64)
	o := classifier.KNNOptions{}
	if _, err := classifier.TrainKNN(
		instance.Impatient{Context: t.Context(), Looks: looks}, x, y, o,
	); err != nil {
		t.Fatal(err)
	}
	taken := math.MaxInt64 - looks.Load()
	if taken <= n {
		t.Errorf("%d looks at the context, want more than the %d of reading rows", taken, n)
	}
	looks.Store(taken - 1)
	if c, err := classifier.TrainKNN(
		instance.Impatient{Context: t.Context(), Looks: looks}, x, y, o,
	); c != nil ||
		!errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("TrainKNN = %v, %v, want context.DeadlineExceeded", c, err)
	}
}
