package attack

import (
	"math"
	"testing"
)

// TestInOrder: answers that were found after farther ones come before them, and bounds are about
// the answers that are left to find.
func TestInOrder(t *testing.T) {
	example := []float64{0}
	found := []Result{
		{Example: example, Distance: 1, Bound: 1, Status: StatusOptimal},
		{Example: example, Distance: 5, Bound: 2},
		{Example: example, Distance: 3, Bound: 3, Status: StatusOptimal},
		{Distance: math.Inf(1), Bound: 4},
	}
	want := []struct {
		distance, bound float64
		optimal         bool
	}{{1, 1, true}, {3, 2, false}, {5, 2, false}, {math.Inf(1), 4, false}}
	for i, r := range inOrder(found) {
		if r.Distance != want[i].distance || r.Bound != want[i].bound ||
			r.Optimal() != want[i].optimal {
			t.Errorf("answer %d: %+v, want %+v", i, r, want[i])
		}
	}
}
