package oc1_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
)

// divisible is a set of rows that reach one node of an oblique tree.
type divisible struct {
	x    [][]float64
	y    []int
	rows []int
}

func (d divisible) counts() map[int]int {
	counts := map[int]int{}
	for _, i := range d.rows {
		counts[d.y[i]]++
	}
	return counts
}

func (d divisible) impurity(gini bool) float64 {
	return instance.Impurity(gini, d.counts()) * float64(len(d.rows))
}

// projection returns w·x of a row, summed as the documentation says.
func (d divisible) projection(w []float64, row int) float64 {
	sum := 0.0
	for j, e := range w {
		product := e * d.x[row][j]
		sum += product
	}
	return sum
}

func (d divisible) divide(w []float64, threshold float64) (left, right divisible) {
	left, right = divisible{x: d.x, y: d.y}, divisible{x: d.x, y: d.y}
	for _, i := range d.rows {
		if d.projection(w, i) <= threshold {
			left.rows = append(left.rows, i)
		} else {
			right.rows = append(right.rows, i)
		}
	}
	return left, right
}

// best returns the least impurity that a threshold on w·x leaves, +Inf when there is none.
func (d divisible) best(gini bool, minLeaf int, w []float64) float64 {
	least := math.Inf(1)
	for _, i := range d.rows {
		left, right := d.divide(w, d.projection(w, i))
		if min(len(left.rows), len(right.rows)) >= minLeaf {
			least = min(least, left.impurity(gini)+right.impurity(gini))
		}
	}
	return least
}

// checkOblique checks every node of a tree against the rows it was trained on: class
// frequencies, the options, that a test beats every test of one feature and every other
// threshold, lies halfway between two rows, and that a leaf had to be one.
func checkOblique(
	nodes []classifier.ObliqueNode, x [][]float64, y []int, o classifier.ObliqueOptions,
) error {
	minSplit, minLeaf := max(o.MinSplit, 2), max(o.MinLeaf, 1)
	var visit func(id, depth int, d divisible) error
	visit = func(id, depth int, d divisible) error {
		n, counts := nodes[id], d.counts()
		for c, v := range n.Value {
			if want := float64(counts[c]) / float64(len(d.rows)); v != want {
				return fmt.Errorf("node %d: frequency of class %d = %v, want %v", id, c, v, want)
			}
		}
		single := math.Inf(1)
		for f := range x[0] {
			w := make([]float64, len(x[0]))
			w[f] = 1
			single = min(single, d.best(o.Gini, minLeaf, w))
		}
		if n.Left < 0 {
			full := o.MaxDepth > 0 && depth == o.MaxDepth
			if !full && len(d.rows) >= minSplit && len(d.rows) >= 2*minLeaf && len(counts) > 1 &&
				!math.IsInf(single, 1) {
				return fmt.Errorf("leaf %d of %d rows at depth %d could be split",
					id, len(d.rows), depth)
			}
			return nil
		}
		left, right := d.divide(n.Weights, n.Threshold)
		rest := left.impurity(o.Gini) + right.impurity(o.Gini)
		switch {
		case o.MaxDepth > 0 && depth >= o.MaxDepth, len(d.rows) < minSplit,
			min(len(left.rows), len(right.rows)) < minLeaf:
			return fmt.Errorf("node %d at depth %d is split into %d and %d rows",
				id, depth, len(left.rows), len(right.rows))
		case rest > single+1e-9:
			return fmt.Errorf("node %d: the split leaves %v, a single feature would leave %v",
				id, rest, single)
		case rest > d.best(o.Gini, minLeaf, n.Weights)+1e-9:
			return fmt.Errorf("node %d: another threshold would leave less than %v", id, rest)
		}
		below, above := math.Inf(-1), math.Inf(1)
		for _, i := range left.rows {
			below = max(below, d.projection(n.Weights, i))
		}
		for _, i := range right.rows {
			above = min(above, d.projection(n.Weights, i))
		}
		if middle := below/2 + above/2; n.Threshold != middle &&
			(middle < above || n.Threshold != below) {
			return fmt.Errorf("node %d: threshold %v, want the middle of %v and %v",
				id, n.Threshold, below, above)
		}
		if err := visit(n.Left, depth+1, left); err != nil {
			return err
		}
		return visit(n.Right, depth+1, right)
	}
	all := divisible{x: x, y: y}
	for i := range x {
		all.rows = append(all.rows, i)
	}
	return visit(0, 0, all)
}

func TestTrainObliqueGrowsAsSaid(t *testing.T) {
	draws := []func(*rand.Rand) float64{
		func(r *rand.Rand) float64 { return float64(r.IntN(4)) },
		func(r *rand.Rand) float64 { return float64(r.IntN(6)) / 10 },
		func(r *rand.Rand) float64 { return r.NormFloat64() },
		func(r *rand.Rand) float64 { return 1e6 + float64(r.IntN(3))*0x1p-20 },
		func(r *rand.Rand) float64 { return 1e-6 * r.NormFloat64() },
		func(*rand.Rand) float64 { return 0.25 },
	}
	inner := 0
	for trial := range uint64(racetest.Scale(300)) {
		rng := rand.New(rand.NewPCG(trial, 12))
		n, dim, classes := 1+rng.IntN(40), 1+rng.IntN(4), 1+rng.IntN(4)
		x, y := instance.DrawRows(rng, n, dim, classes, draws[trial%uint64(len(draws))])
		o := classifier.ObliqueOptions{
			Gini:     rng.IntN(2) == 1,
			Seed:     rng.Uint32(),
			Restarts: rng.IntN(3),
			Jumps:    rng.IntN(3),
		}
		if rng.IntN(2) == 0 {
			o.MaxDepth = 1 + rng.IntN(5)
		}
		if rng.IntN(2) == 0 {
			o.MinSplit, o.MinLeaf = rng.IntN(12), rng.IntN(6)
		}
		e, err := classifier.TrainOblique(t.Context(), instance.Dense(x), y, o)
		if err != nil {
			t.Fatal(err)
		}
		if e.Len() != 1 || e.Dim() != dim || e.Classes() != slices.Max(y)+1 {
			t.Fatalf("trial %d: %d trees, %d features, %d classes",
				trial, e.Len(), e.Dim(), e.Classes())
		}
		if err := checkOblique(e.Tree(0), x, y, o); err != nil {
			t.Fatalf("trial %d, %+v: %v; rows %v, labels %v", trial, o, err, x, y)
		}
		inner += len(e.Tree(0)) / 2
	}
	if inner < racetest.Scale(480) {
		t.Errorf("%d tests in all trees, want more", inner)
	}
}

// TestTrainObliqueFindsTheHyperplane parts rows by a random hyperplane, which one test repeats
// and a test of one feature cannot.
func TestTrainObliqueFindsTheHyperplane(t *testing.T) {
	t.Parallel()
	normal := func(r *rand.Rand) float64 { return r.NormFloat64() }
	sparse := func(r *rand.Rand) float64 { return max(0, float64(r.IntN(9)-4)) }
	for _, test := range []struct {
		name string
		draw func(*rand.Rand) float64
		dim  int
		want int // of 40 sets
	}{
		{"normal", normal, 2, 39}, {"normal", normal, 6, 25}, {"sparse", sparse, 2, 39},
		{"sparse", sparse, 6, 38},
	} {
		found := 0
		for trial := range uint64(40) {
			rng := rand.New(rand.NewPCG(trial, 13))
			x, y := instance.DrawRows(rng, 120, test.dim, 1, test.draw)
			w, _ := instance.DrawRows(rng, 1, test.dim, 1,
				func(r *rand.Rand) float64 { return 1 + r.Float64() })
			all := divisible{x: x}
			for i := range x {
				if all.projection(w[0], i) > 0.3 {
					y[i] = 1
				}
			}
			e, err := classifier.TrainOblique(t.Context(), instance.Dense(x), y,
				classifier.ObliqueOptions{MaxDepth: 1, Restarts: 10, Jumps: 1})
			if err != nil {
				t.Fatal(err)
			}
			wrong := 0
			for i, row := range x {
				if e.Predict(row) != y[i] {
					wrong++
				}
			}
			if wrong == 0 {
				found++
			}
		}
		if found < test.want {
			t.Errorf("%s, d = %d: the hyperplane was found in %d of 40 sets, want %d",
				test.name, test.dim, found, test.want)
		}
	}
}

// TestTrainObliqueIsReproducible: trees depend on the seed, not on the workers.
func TestTrainObliqueIsReproducible(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 14))
	x, y := instance.DrawRows(rng, 80, 3, 3, func(r *rand.Rand) float64 { return r.NormFloat64() })
	train := func(o classifier.ObliqueOptions) (trees [][]classifier.ObliqueNode) {
		t.Helper()
		e, err := classifier.TrainOblique(t.Context(), instance.Dense(x), y, o)
		if err != nil {
			t.Fatal(err)
		}
		for i := range e.Len() {
			trees = append(trees, e.Tree(i))
		}
		return trees
	}
	o := classifier.ObliqueOptions{Trees: 5, MaxDepth: 3, Seed: 7, Workers: 1}
	first := train(o)
	if len(first) != 5 || reflect.DeepEqual(first[0], first[1]) {
		t.Errorf("%d trees, the first two equal: want 5 different ones", len(first))
	}
	o.Workers = 4
	if !reflect.DeepEqual(train(o), first) {
		t.Error("four workers grow other trees than one")
	}
	o.Seed = 8
	if reflect.DeepEqual(train(o), first) {
		t.Error("another seed grows the same trees")
	}
}

// TestTrainObliqueExtremes trains on rows that overflow, do not differ, or differ by little.
func TestTrainObliqueExtremes(t *testing.T) {
	tests := []struct {
		name string
		x    [][]float64
	}{
		{"equal rows", [][]float64{{1, 2}, {1, 2}, {1, 2}, {1, 2}}},
		{
			"huge", [][]float64{{1.7e308, -1.7e308}, {1.7e308, 1.7e308}, {-1.7e308, 1.7e308},
				{-1.7e308, 0}},
		},
		{"tiny", [][]float64{{5e-324, 0}, {0, 5e-324}, {1e-323, 1e-323}, {0, 0}}},
		{"neighbours",
			[][]float64{{1, 1}, {1, math.Nextafter(1, 2)}, {math.Nextafter(1, 2), 1}, {1, 1}}},
		{"zeros", [][]float64{{0, 0}, {0, math.Copysign(0, -1)}, {1, 0}, {0, 1}}},
	}
	for _, test := range tests {
		e, err := classifier.TrainOblique(t.Context(), instance.Dense(test.x), []int{0, 1, 0, 1},
			classifier.ObliqueOptions{})
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		for _, row := range test.x {
			if got := e.Predict(row); got < 0 || got > 1 {
				t.Errorf("%s: Predict = %d", test.name, got)
			}
		}
	}
}

// TestTrainObliqueStops cancels training that would take minutes.
func TestTrainObliqueStops(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 15))
	x, y := instance.DrawRows(rng, 4000, 20, 3,
		func(r *rand.Rand) float64 { return r.NormFloat64() })
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	e, err := classifier.TrainOblique(ctx, instance.Dense(x), y, classifier.ObliqueOptions{
		Trees:    100,
		Restarts: 100,
	})
	if e != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("TrainOblique = %v, %v, want context.Canceled", e, err)
	}
}

func TestTrainObliqueErrors(t *testing.T) {
	instance.CheckUntrained(t, "classifier: oblique trees: ", classifier.TrainOblique,
		map[string]classifier.ObliqueOptions{
			"Trees:-1": {Trees: -1}, "MaxDepth:-1": {MaxDepth: -1}, "MinSplit:-1": {MinSplit: -1},
			"MinLeaf:-1": {MinLeaf: -1}, "Restarts:-1": {Restarts: -1}, "Jumps:-1": {Jumps: -1},
			"Workers:-1": {Workers: -1},
		})
}
