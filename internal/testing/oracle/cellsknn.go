package oracle

import (
	"fmt"
	"math"
	"math/big"
)

// CellsKNN is Cells1NN for the k nearest neighbours, which vote; of labels with
// equally many votes the smallest wins. Every set of k training points has a
// cell, where its points are at least as near as all others. Cells without
// interior do not count. Of equal training points the one with the smaller index
// is nearer, so a set that holds the later but not the earlier has no cell.
func CellsKNN(norm Norm, x [][]float64, labels []int, k int, query []float64, goal Goal, box Box) (float64, []float64) {
	checkPoints(norm, x, labels, query, box)
	checkK(k, len(x))
	z := nearestCell(floats{}, norm, query, cellsKNN(floats{}, x, labels, k, goal, box))
	if z == nil {
		return math.Inf(1), nil
	}
	return distance(norm, z, query), z
}

// CellsKNNRat is CellsKNN without rounding: it returns the exact distance, in ℓ2
// its square, or nil if there is no cell.
func CellsKNNRat(norm Norm, x [][]float64, labels []int, k int, query []float64, goal Goal, box Box) (*big.Rat, []*big.Rat) {
	checkPoints(norm, x, labels, query, box)
	checkK(k, len(x))
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
		if c.hasInterior(f) {
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
			out = append(out, append(append([]int(nil), s...), last))
		}
	}
	return out
}

func checkK(k, n int) {
	if k < 1 || k > n {
		panic(fmt.Sprintf("oracle: k = %d of %d points", k, n))
	}
}
