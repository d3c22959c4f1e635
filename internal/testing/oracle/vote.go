package oracle

import (
	"cmp"
	"fmt"
	"slices"
)

// Goal accepts the labels that an attack wants to reach.
type Goal func(label int) bool

// Except is the goal of any label but one.
func Except(label int) Goal { return func(l int) bool { return l != label } }

// Exactly is the goal of one label.
func Exactly(label int) Goal { return func(l int) bool { return l == label } }

// LabelKNN returns the label that the k training points nearest to z vote for;
// of labels with equally many votes the smallest wins.
func LabelKNN(x [][]float64, labels []int, k int, z []float64) int {
	checkPoints(Two, x, labels, z, Box{})
	checkK(k, len(x))
	return plurality(labels, byDistance(x, z)[:k])
}

// byDistance returns the indices of the training points from the nearest to the
// farthest; of equally near points the one with the smaller index is nearer.
// Distances are computed in float64, without error for data on a moderate grid.
func byDistance(x [][]float64, z []float64) []int {
	order, squared := make([]int, len(x)), make([]float64, len(x))
	for i := range x {
		order[i], squared[i] = i, cost(floats{}, Two, x[i], z)
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(squared[i], squared[j]) })
	return order
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

// checkPoints panics on input that is no training set, query and box.
func checkPoints(norm Norm, x [][]float64, labels []int, query []float64, box Box) {
	if len(x) == 0 || len(labels) != len(x) {
		panic(fmt.Sprintf("oracle: %d points with %d labels", len(x), len(labels)))
	}
	check(norm, query, x, make([]float64, len(x)))
	box.check(len(query))
}
