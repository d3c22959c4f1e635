package oracle

import (
	"fmt"
	"math"
	"math/big"
	"slices"
)

// CellsKNN returns the distance from the query to the nearest cell of the
// k-nearest-neighbour classifier whose label the goal accepts, and the nearest
// point of that cell; of labels with equally many votes the smallest wins. If no cell
// is left, the distance is +Inf and the point nil.
//
// Every set of k training points has a cell, where its points are at least as near as
// all others. Neighbours are Euclidean whatever the norm. Of equal training points the one
// with the smaller index is nearer, so a set that holds the later but not the earlier
// has no cell. A box, if not empty, confines the cells. Those without interior
// (see Box) do not count.
func CellsKNN(norm Norm, x [][]float64, labels []int, k int, query []float64, goal Goal, box Box) (float64, []float64) {
	checkPoints(norm, x, labels, k, query, box)
	z := nearestCell(floats{}, norm, query, cellsKNN(floats{}, x, labels, k, goal, box))
	if z == nil {
		return math.Inf(1), nil
	}
	return distance(norm, z, query), z
}

// CellsKNNRat is CellsKNN without rounding: it returns the exact distance, in ℓ2
// its square, or nil if there is no cell.
func CellsKNNRat(norm Norm, x [][]float64, labels []int, k int, query []float64, goal Goal, box Box) (*big.Rat, []*big.Rat) {
	checkPoints(norm, x, labels, k, query, box)
	f := rats{}
	z := nearestCell(f, norm, nums(f, query), cellsKNN(f, x, labels, k, goal, box))
	if z == nil {
		return nil, nil
	}
	return cost(f, norm, z, nums(f, query)), z
}

// cellsKNN lists the cells that count.
func cellsKNN[T any](f arithmetic[T], x [][]float64, labels []int, k int, goal Goal, box Box) []cell[T] {
	var cells []cell[T]
	for _, members := range subsets(len(x), k) {
		if !goal(plurality(labels, members)) {
			continue
		}
		c, ok := orderedCell(f, x, members)
		if !ok {
			continue
		}
		c.confine(f, box)
		// Unless a box cuts it off, a single member is interior to its cell.
		if k == 1 && box.contains(x[members[0]]) || c.hasInterior(f) {
			cells = append(cells, c)
		}
	}
	return cells
}

// subsets returns all subsets of {0, …, n−1} of size k, each in rising order.
func subsets(n, k int) [][]int {
	if k == 0 {
		return [][]int{nil}
	}
	var out [][]int
	for last := k - 1; last < n; last++ {
		for _, s := range subsets(last, k-1) {
			out = append(out, append(slices.Clone(s), last))
		}
	}
	return out
}

// plurality returns the smallest of the most frequent labels of the members.
func plurality(labels, members []int) int {
	votes := map[int]int{}
	winner := labels[members[0]]
	for _, i := range members {
		votes[labels[i]]++
	}
	for label, n := range votes {
		if n > votes[winner] || (n == votes[winner] && label < winner) {
			winner = label
		}
	}
	return winner
}

// Goal accepts the labels that an attack wants to reach.
type Goal func(label int) bool

// Except is the goal of any label but one.
func Except(label int) Goal { return func(l int) bool { return l != label } }

// Exactly is the goal of one label.
func Exactly(label int) Goal { return func(l int) bool { return l == label } }

// checkPoints panics on input that is no training set, query and box.
func checkPoints(norm Norm, x [][]float64, labels []int, k int, query []float64, box Box) {
	if len(labels) != len(x) || k < 1 || k > len(x) {
		panic(fmt.Sprintf("oracle: k = %d of %d points with %d labels", k, len(x), len(labels)))
	}
	check(norm, query, x, make([]float64, len(x)))
	if len(box.Lo) != len(box.Hi) || len(box.Lo) != 0 && len(box.Lo) != len(query) {
		panic(fmt.Sprintf("oracle: box with %d and %d bounds in dimension %d", len(box.Lo), len(box.Hi), len(query)))
	}
	for j, lo := range box.Lo {
		if !(lo <= box.Hi[j]) || math.IsInf(lo, 1) || math.IsInf(box.Hi[j], -1) {
			panic(fmt.Sprintf("oracle: box side [%v, %v]", lo, box.Hi[j]))
		}
	}
}
