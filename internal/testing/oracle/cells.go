package oracle

import (
	"math"
	"math/big"

	"gonum.org/v1/gonum/stat/combin"
)

// CellsKNN returns the distance from the query to the nearest cell of the
// k-nearest-neighbour classifier whose label the goal accepts, and the nearest
// point of that cell; of labels with equally many votes the smallest wins. If no cell
// is left, the distance is +Inf and the point nil.
//
// Every set of k training points has a cell, where its points are at least as near as
// all others. Neighbours are Euclidean in every norm. Of equal training points the one with the
// smaller index is nearer, so a set that holds the later but not the earlier has no cell. A box, if
// not empty, confines the cells; see Box for which of them count.
func CellsKNN(
	norm Norm, x [][]float64, labels []int, k int, query []float64, goal Goal, box Box,
) (float64, []float64) {
	checkPoints(norm, x, labels, k, query, box)
	return CellsVote(norm, x, Plurality(labels), k, query, goal, box)
}

// CellsVote is CellsKNN with another vote.
func CellsVote(
	norm Norm, x [][]float64, vote Vote, k int, query []float64, goal Goal, box Box,
) (float64, []float64) {
	z := nearestCell(floats{}, norm, query, cellsKNN(floats{}, x, vote, k, goal, box))
	if z == nil {
		return math.Inf(1), nil
	}
	return distance(norm, z, query), z
}

// CellsKNNRat is CellsKNN without rounding: it returns the exact distance, in ℓ2
// its square, or nil if there is no cell.
func CellsKNNRat(
	norm Norm, x [][]float64, labels []int, k int, query []float64, goal Goal, box Box,
) (*big.Rat, []*big.Rat) {
	checkPoints(norm, x, labels, k, query, box)
	f := rats{}
	z := nearestCell(f, norm, nums(f, query), cellsKNN(f, x, Plurality(labels), k, goal, box))
	if z == nil {
		return nil, nil
	}
	return cost(f, norm, z, nums(f, query)), z
}

// cellsKNN lists the cells that count.
func cellsKNN[T any](
	f arithmetic[T], x [][]float64, vote Vote, k int, goal Goal, box Box,
) []cell[T] {
	var cells []cell[T]
	for _, members := range combin.Combinations(len(x), k) {
		if !goal(vote(members)) {
			continue
		}
		c, ok := orderedCell(f, x, members)
		if !ok {
			continue
		}
		c.confine(f, box)
		// Unless a box cuts it off, a single member lies in its own cell.
		if k == 1 && box.contains(x[members[0]]) || c.counts(f) {
			cells = append(cells, c)
		}
	}
	return cells
}

// Vote returns the label that a set of training points gives to its cell.
type Vote func(members []int) int

// Plurality is the vote of the most frequent label, the smallest one of a tie.
func Plurality(labels []int) Vote {
	return func(members []int) int { return plurality(labels, members) }
}

// Share is the vote that says 1 where a label has a share of at least p, and otherwise 0.
func Share(labels []int, label int, p float64) Vote {
	return func(members []int) int {
		count := 0.0
		for _, i := range members {
			if labels[i] == label {
				count++
			}
		}
		if count/float64(len(members)) >= p {
			return 1
		}
		return 0
	}
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
	check(norm, query, x, make([]float64, len(x)))
	ok := len(labels) == len(x) && 1 <= k && k <= len(x) && len(box.Lo) == len(box.Hi) &&
		(len(box.Lo) == 0 || len(box.Lo) == len(query))
	for j, lo := range box.Lo {
		ok = ok && lo <= box.Hi[j] && !math.IsInf(lo, 1) && !math.IsInf(box.Hi[j], -1)
	}
	if !ok {
		panic("oracle: no training set, query and box")
	}
}
