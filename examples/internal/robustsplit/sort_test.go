package robustsplit

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestSort checks the order of values, of any shape, and that rows move with them.
func TestSort(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for trial := range 500 {
		n := rng.IntN(80)
		c := column{make([]float32, n), make([]int, n)}
		values := make([]float32, n)
		for i := range n {
			values[i] = float32(rng.IntN(1 + trial%20))
			c.values[i], c.rows[i] = values[i], i
		}
		if trial%2 == 0 {
			c.sort()
		} else {
			c.heapsort()
		}
		if !slices.IsSorted(c.values) {
			t.Fatalf("%v is not sorted", c.values)
		}
		for k, i := range c.rows {
			if c.values[k] != values[i] {
				t.Fatalf("row %d is not where its value %v is", i, values[i])
			}
		}
	}
}

// TestTies follows the divisions of scikit-learn 0.21, done by hand: about 2, 0 and 1.
func TestTies(t *testing.T) {
	c := column{[]float32{1, 0, 1, 0, 2, 1, 0, 2}, []int{0, 1, 2, 3, 4, 5, 6, 7}}
	c.sort()
	if got, want := fmt.Sprint(c.rows), "[6 1 3 5 2 0 4 7]"; got != want {
		t.Errorf("rows %s, want %s", got, want)
	}
}
