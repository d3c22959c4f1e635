package boxtree_test

import (
	"math"
	"math/rand/v2"
	"runtime"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/bestfirst"
	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// centers draws rows of two labels around some centers, so that many rows lie far from others.
func centers(n int) (*mat.Dense, []int) {
	rng := rand.New(rand.NewPCG(5, 46))
	x, y := mat.NewDense(n, 16, nil), make([]int, n)
	var at [8][16]float64
	for i := range at {
		for j := range at[i] {
			at[i][j] = rng.NormFloat64()
		}
	}
	for i := range n {
		y[i] = i % 2
		for j := range 16 {
			x.Set(i, j, at[i%8][j]+rng.NormFloat64())
		}
	}
	return x, y
}

// alive returns the bytes of the heap that something still needs.
func alive() int {
	runtime.GC()
	runtime.GC() // pools keep their objects for one
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

// waiting opens a search for the answers of a question until so many nodes wait, some of which hold
// groups that are joined; false if that never is so.
func waiting(
	t *testing.T, c *classifier.Ensemble, q search.Query, open int,
) (queue *bestfirst.Queue, ok bool) {
	s, err := large{c, 8}.Search(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	queue = new(bestfirst.Queue)
	opener := s.NewOpener()
	for _, n := range s.Roots() {
		queue.Push(n)
	}
	cutoff := math.Inf(1)
	for queue.Len() > 0 && (queue.Len() < open || queue.BytesHeld(0) == 0) {
		o, err := opener.Open(t.Context(), queue.Pop(), cutoff)
		if err != nil {
			t.Fatal(err)
		}
		if o.Answer != nil {
			cutoff = min(cutoff, o.Answer.Bound)
		}
		for _, n := range o.Children {
			queue.Push(n)
		}
	}
	opener.(search.Releaser).Release() // the rest is known to pools
	return queue, queue.Len() > 0
}

// TestMemory: the counted memory of waiting nodes of a search is the memory that they take, be that
// potentials or groups of choices that are joined for a part of the search, of forests, boosted
// trees and models that answer together. Of memory that counts twice half is alive.
func TestMemory(t *testing.T) {
	x, y := centers(3000)
	forest, err := classifier.TrainForest(t.Context(), x, y, classifier.ForestOptions{
		Trees: 150, TreeOptions: classifier.TreeOptions{MaxDepth: 10},
	})
	if err != nil {
		t.Fatal(err)
	}
	boosted, err := classifier.TrainBoosted(t.Context(), x, y,
		classifier.BoostedOptions{Rounds: 100, Depth: 6})
	if err != nil {
		t.Fatal(err)
	}
	for _, model := range []struct {
		name    string
		c, also *classifier.Ensemble
		open    int
	}{
		{name: "forest", c: forest, open: 50},
		{name: "boosted", c: boosted, open: 15},
		{name: "also", c: boosted, also: forest, open: 50},
	} {
		t.Run(model.name, func(t *testing.T) {
			for row := range x.RawMatrix().Rows {
				q := search.Query{
					X: x.RawRowView(row), From: model.c.Predict(x.RawRowView(row)), Target: -1,
					Cost: geometry.In(polytope.L2),
				}
				if model.also != nil {
					q.Also = []search.Requirement{{
						Classifier: model.also, Labels: []int{1 - q.From},
					}}
				}
				queue, ok := waiting(t, model.c, q, model.open)
				if !ok {
					continue // few nodes are needed
				}
				nodes, counted := queue.Len(), queue.BytesHeld(384)/2+queue.Bytes()
				joined, potentials, took := queue.BytesHeld(0)/2, queue.Bytes(), alive()
				queue.Clear()
				took -= alive()
				t.Logf("row %d, %d nodes: %d bytes, %d are counted, %d of potentials, %d of groups",
					row, nodes, took, counted, potentials, joined)
				if took > counted+counted/5 || took < counted/2 {
					t.Errorf("%d nodes take %d bytes, and %d are counted", nodes, took, counted)
				}
				return
			}
		})
	}
}
