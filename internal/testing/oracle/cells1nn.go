package oracle

import (
	"math"
	"math/big"
)

// Cells1NN returns the distance from the query to the nearest cell of the
// 1-nearest-neighbour classifier whose label the goal accepts, and the nearest
// point of that cell. Neighbours are Euclidean whatever the norm; of equal
// training points the one with the smallest index is the neighbour, so that the
// others have no cell. A box, if not empty, confines the cells; those that then
// have no interior (see Box) do not count. If no cell is left, the distance is
// +Inf and the point nil.
func Cells1NN(norm Norm, x [][]float64, labels []int, query []float64, goal Goal, box Box) (float64, []float64) {
	checkPoints(norm, x, labels, query, box)
	z := nearestCell(floats{}, norm, query, cells1NN(floats{}, x, labels, goal, box))
	if z == nil {
		return math.Inf(1), nil
	}
	return distance(norm, z, query), z
}

// Cells1NNRat is Cells1NN without rounding: it returns the exact distance, in
// ℓ2 its square, or nil if there is no cell.
func Cells1NNRat(norm Norm, x [][]float64, labels []int, query []float64, goal Goal, box Box) (*big.Rat, []*big.Rat) {
	checkPoints(norm, x, labels, query, box)
	f := rats{}
	z := nearestCell(f, norm, nums(f, query), cells1NN(f, x, labels, goal, box))
	if z == nil {
		return nil, nil
	}
	return cost(f, norm, z, nums(f, query)), z
}

// cells1NN lists the cells that count.
func cells1NN[T any](f arithmetic[T], x [][]float64, labels []int, goal Goal, box Box) []cell[T] {
	var cells []cell[T]
	for j := range x {
		if !goal(labels[j]) {
			continue
		}
		c, ok := orderedCell(f, x, []int{j})
		if !ok {
			continue
		}
		c.confine(f, box)
		// Unless a box cuts it off, x_j itself is interior.
		if box.contains(x[j]) || c.hasInterior(f) {
			cells = append(cells, c)
		}
	}
	return cells
}
