package classifier_test

import (
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/classifier"
)

// TestWeightedRecorded compares with what scikit-learn predicts.
func TestWeightedRecorded(t *testing.T) {
	text, err := os.ReadFile("testdata/weighted/recorded.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		K          int
		X, Queries [][]float64
		Y, Labels  []int
	}
	if err := json.Unmarshal(text, &cases); err != nil {
		t.Fatal(err)
	}
	if len(cases) < 6 {
		t.Fatalf("%d cases", len(cases))
	}
	for i, in := range cases {
		c, err := classifier.NewWeightedKNN(dense(in.X), in.Y, classifier.WeightedKNNOptions{K: in.K})
		if err != nil {
			t.Fatal(err)
		}
		for j, q := range in.Queries {
			if got := c.Predict(q); got != in.Labels[j] {
				t.Errorf("case %d: Predict(%v) = %d, scikit-learn says %d", i, q, got, in.Labels[j])
			}
		}
	}
}

// weightedVote is the definition of the vote, without an index.
func weightedVote(x [][]float64, y []int, k int, z []float64) int {
	distance := make([]float64, len(x))
	order := make([]int, len(x))
	for i, p := range x {
		order[i] = i
		for j, e := range p {
			distance[i] += float64((z[j] - e) * (z[j] - e))
		}
	}
	slices.SortStableFunc(order, func(i, j int) int {
		switch {
		case distance[i] < distance[j]:
			return -1
		case distance[i] > distance[j]:
			return 1
		}
		return 0
	})
	order = order[:k]
	sums := make([]float64, slices.Max(y)+1)
	for _, i := range order {
		switch {
		case distance[order[0]] > 0:
			sums[y[i]] += 1 / math.Sqrt(distance[i])
		case distance[i] == 0:
			sums[y[i]]++
		}
	}
	best := 0
	for label, sum := range sums {
		if sum > sums[best] {
			best = label
		}
	}
	return best
}

func TestWeightedAgainstDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 51))
	for trial := range 2000 {
		n, dim, classes := 1+rng.IntN(60), 1+rng.IntN(6), 1+rng.IntN(4)
		draw := func() float64 {
			if trial%2 == 0 {
				return float64(rng.IntN(4))
			}
			return rng.NormFloat64()
		}
		x, y := make([][]float64, n), make([]int, n)
		for i := range x {
			for range dim {
				x[i] = append(x[i], draw())
			}
			y[i] = rng.IntN(classes)
		}
		k := 1 + rng.IntN(n)
		c, err := classifier.NewWeightedKNN(dense(x), y, classifier.WeightedKNNOptions{K: k})
		if err != nil {
			t.Fatal(err)
		}
		for range 5 {
			z := make([]float64, dim)
			for j := range z {
				z[j] = draw()
			}
			if got, want := c.Predict(z), weightedVote(x, y, k, z); got != want {
				t.Fatalf("trial %d, k = %d: Predict(%v) = %d, want %d\n%v %v", trial, k, z, got, want, x, y)
			}
		}
	}
}

// TestWeightedDiffers holds a point that the uniform vote labels otherwise.
func TestWeightedDiffers(t *testing.T) {
	x, y := dense([][]float64{{0}, {4}, {5}}), []int{1, 0, 0}
	weighted, err := classifier.NewWeightedKNN(x, y, classifier.WeightedKNNOptions{K: 3})
	if err != nil {
		t.Fatal(err)
	}
	uniform, err := classifier.NewKNN(x, y, classifier.KNNOptions{K: 3})
	if err != nil {
		t.Fatal(err)
	}
	if w, u := weighted.Predict([]float64{1}), uniform.Predict([]float64{1}); w != 1 || u != 0 {
		t.Errorf("weighted vote %d, uniform vote %d, want 1 and 0", w, u)
	}
	if row, label := weighted.Row(1); row[0] != 4 || label != 0 || weighted.Len() != 3 || weighted.K() != 3 || weighted.Dim() != 1 || weighted.Classes() != 2 {
		t.Errorf("row 1 is %v, %d; %d rows, k = %d, %d × %d", row, label, weighted.Len(), weighted.K(), weighted.Dim(), weighted.Classes())
	}
}

func TestWeightedIsNotDecomposable(t *testing.T) {
	c, err := classifier.WeightedKNNOptions{}.Train(t.Context(), dense([][]float64{{0}, {1}}), []int{0, 1})
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := c.(classifier.Searcher); !ok {
		t.Error("a weighted k-NN is no Searcher")
	}
	if _, ok := c.(classifier.Decomposable); ok {
		t.Error("a weighted k-NN has no cells")
	}
	if _, ok := c.(classifier.Locator); ok {
		t.Error("a weighted k-NN has no cell around a point")
	}
}

func TestWeightedErrors(t *testing.T) {
	x := dense([][]float64{{0}, {1}})
	tests := []struct {
		name string
		x    mat.Matrix
		y    []int
		k    int
		want error
	}{
		{"no rows", nil, nil, 1, classifier.ErrEmpty},
		{"NaN", dense([][]float64{{math.NaN()}}), []int{0}, 1, classifier.ErrValue},
		{"too few labels", x, []int{0}, 1, classifier.ErrLength},
		{"negative label", x, []int{0, -1}, 1, classifier.ErrLabel},
		{"k > n", x, []int{0, 1}, 3, classifier.ErrOption},
		{"k < 0", x, []int{0, 1}, -1, classifier.ErrOption},
	}
	for _, tt := range tests {
		if _, err := classifier.NewWeightedKNN(tt.x, tt.y, classifier.WeightedKNNOptions{K: tt.k}); !errors.Is(err, tt.want) {
			t.Errorf("%s: error %v, want %v", tt.name, err, tt.want)
		}
		if c, err := (classifier.WeightedKNNOptions{K: tt.k}).Train(t.Context(), tt.x, tt.y); !errors.Is(err, tt.want) || c != nil {
			t.Errorf("%s: Train: %v, %v, want nil, %v", tt.name, c, err, tt.want)
		}
	}
}
