package bits_test

import (
	"container/heap"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/polytope/native"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/bestfirst"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// waiting is the open nodes of a search, the nearest first.
type waiting []search.Node

func (w waiting) Len() int { return len(w) }
func (w waiting) Less(i, j int) bool {
	return bestfirst.Before(w[i].Bound, w[i].Order, w[j].Bound, w[j].Order)
}
func (w waiting) Swap(i, j int) { w[i], w[j] = w[j], w[i] }
func (w *waiting) Push(n any)   { *w = append(*w, n.(search.Node)) }
func (w *waiting) Pop() any {
	last := len(*w) - 1
	n := (*w)[last]
	(*w)[last] = search.Node{}
	*w = (*w)[:last]
	return n
}

// inUse returns the bytes of the heap that something still needs.
func inUse() float64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}

// mixture returns n rows of two labels that overlap, in 8 dimensions.
func mixture(n int) (*mat.Dense, []int) {
	rng := rand.New(rand.NewPCG(5, 5))
	x, y := mat.NewDense(n, 8, nil), make([]int, n)
	for i := range n {
		for j := range 8 {
			x.Set(i, j, rng.Float64())
		}
		r := x.RawRowView(i)
		y[i] = int(3*(r[0]+r[1]*r[2]-r[3]*r[4]+rng.Float64()/2)+9) % 2
	}
	return x, y
}

// bytesANode opens a search until so many nodes wait, and returns the bytes of each of them. It
// goes on beyond the nearest example, up to four times its distance, so that there are many; ok
// says whether there were.
func bytesANode(
	t *testing.T, c classifier.Classifier, x []float64, open int,
) (bytes float64, ok bool) {
	t.Helper()
	nearest, err := (&attack.RegionBased{Classifier: c}).Perturb(t.Context(), x)
	if err != nil {
		t.Fatal(err)
	}
	s, err := instance.SearchOf(t.Context(), c, search.Query{
		X:      x,
		From:   c.Predict(x),
		Target: -1,
		Cost:   geometry.In(polytope.LInf),
		Solver: native.Solver{},
	})
	if err != nil {
		t.Fatal(err)
	}
	nodes, opener, before := waiting(s.Roots()), s.NewOpener(), 0.0
	for opened := 0; len(nodes) > 0 && len(nodes) < open; opened++ {
		if opened == 2 { // the search has its own memory now
			before = inUse()
		}
		o, err := opener.Open(t.Context(), heap.Pop(&nodes).(search.Node), 4*nearest.Distance)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range o.Children {
			heap.Push(&nodes, c)
		}
	}
	bytes = (inUse() - before) / float64(len(nodes))
	runtime.KeepAlive(s)
	runtime.KeepAlive(nodes)
	runtime.KeepAlive(opener)
	return bytes, len(nodes) >= open
}

// TestBytesANode: an open node takes no more than docs/inside/performance.md says.
func TestBytesANode(t *testing.T) {
	x, y := mixture(3000)
	check := func(open int, most float64, c classifier.Classifier, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		row, bytes, ok := 0, 0.0, false
		for ; !ok; row++ { // some points have few nodes
			bytes, ok = bytesANode(t, c, x.RawRowView(row), open)
		}
		if t.Logf("%T: %.0f bytes a node", c, bytes); bytes > most {
			t.Errorf("%T: %.0f bytes a node, more than %v", c, bytes, most)
		}
	}
	nearest, err := classifier.TrainKNN(t.Context(), x, y, classifier.KNNOptions{K: 1})
	check(1000, 65, nearest, err)
	neighbors, err := classifier.TrainKNN(t.Context(), x, y, classifier.KNNOptions{K: 5})
	check(90, 1300, neighbors, err)
	weighted, err := classifier.TrainWeightedKNN(t.Context(), x, y, classifier.KNNOptions{K: 3})
	check(300, 1000, weighted, err)
	forest, err := classifier.TrainForest(t.Context(), x, y, classifier.ForestOptions{
		Trees:       100,
		TreeOptions: classifier.TreeOptions{MaxDepth: 6},
	})
	check(100, 270, forest, err)
	oblique, err := classifier.TrainOblique(t.Context(), x, y, classifier.ObliqueOptions{
		Trees:    10,
		MaxDepth: 4,
		Restarts: 1,
		Jumps:    1,
	})
	check(20, 12000, oblique, err)
}
