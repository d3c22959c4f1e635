package weighted_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
)

// TestPredictRecorded compares with the predictions of scikit-learn.
func TestPredictRecorded(t *testing.T) {
	text, err := os.ReadFile("testdata/recorded.json")
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
		c := problem{instance.Neighbors{X: in.X, Y: in.Y, Query: in.X[0]}, in.K}.model(t)
		for j, q := range in.Queries {
			if got := c.Predict(q); got != in.Labels[j] {
				t.Errorf("case %d: Predict(%v) = %d, scikit-learn says %d", i, q, got, in.Labels[j])
			}
		}
	}
}

// vote is the definition of the vote, without an index.
func vote(x [][]float64, y []int, k int, z []float64) int {
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

func TestPredictAgainstDefinition(t *testing.T) {
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
		c := problem{instance.Neighbors{X: x, Y: y, Query: x[0]}, k}.model(t)
		for range 5 {
			z := make([]float64, dim)
			for j := range z {
				z[j] = draw()
			}
			if got, want := c.Predict(z), vote(x, y, k, z); got != want {
				t.Fatalf("trial %d, k = %d: Predict(%v) = %d, want %d\n%v %v",
					trial, k, z, got, want, x, y)
			}
		}
	}
}
