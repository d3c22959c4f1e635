package bestfirst

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/search"
)

// TestQueueAgainstSorting mixes pushes and pops of nodes with many equal bounds.
func TestQueueAgainstSorting(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	var q Queue
	var sorted []search.Node
	for step := range 20_000 {
		if len(sorted) == 0 || rng.IntN(100) < 40+step/1000 {
			n := search.Node{Bound: float64(rng.IntN(8)), Order: rng.Int64N(50), Item: int64(step)}
			q.Push(n)
			i, _ := slices.BinarySearchFunc(sorted, n, func(a, b search.Node) int {
				return cmp.Or(cmp.Compare(a.Bound, b.Bound), cmp.Compare(a.Order, b.Order))
			})
			sorted = slices.Insert(sorted, i, n)
			continue
		}
		got, want := q.Pop(), sorted[0]
		if got.Bound != want.Bound || got.Order != want.Order {
			t.Fatalf("step %d: pop = %+v, want %+v", step, got, want)
		}
		i := slices.IndexFunc(sorted, func(n search.Node) bool { return n.Item == got.Item })
		if i < 0 {
			t.Fatalf("step %d: %+v was popped twice", step, got)
		}
		sorted = slices.Delete(sorted, i, i+1)
		if q.Len() != len(sorted) {
			t.Fatalf("step %d: %d nodes in the queue, want %d", step, q.Len(), len(sorted))
		}
	}
}
