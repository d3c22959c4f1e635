package oracle

import (
	"math/big"
	"slices"

	"gonum.org/v1/gonum/stat/combin"
)

// Box is the domain {z : Lo ≤ z ≤ Hi}; infinite bounds are none, and the zero
// Box is the whole space.
type Box struct {
	Lo, Hi []float64
}

// CellsKNN returns the distance from the query to the nearest cell of the
// k-nearest-neighbour classifier whose label the goal accepts; of labels with equally many votes
// the smallest wins. If no cell is left, the distance is +Inf.
//
// Every set of k training points has a cell, where its points are nearer than
// all others. Neighbours are Euclidean whatever the norm. Of equally near points the one
// with the smaller index is nearer, so that cells are half-open, and a set that holds the later of
// equal points but not the earlier has no cell. A box, if not empty, confines the cells.
func CellsKNN(
	norm Norm, x [][]float64, labels []int, k int, query []float64, goal Goal, box Box,
) float64 {
	if len(labels) != len(x) {
		panic("oracle: not as many labels as rows")
	}
	return CellsVote(norm, x, Plurality(labels), k, query, goal, box)
}

// CellsVote is CellsKNN with another vote.
func CellsVote(
	norm Norm, x [][]float64, vote Vote, k int, query []float64, goal Goal, box Box,
) float64 {
	return Float(norm, Unpriced(norm, query, box).Vote(x, vote, k, goal))
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

// KNN returns what it costs to reach a label of the goal, in Two its square; nil if there is none.
// It goes through the cells, as CellsKNN.
func (r Ruled) KNN(x [][]float64, labels []int, k int, goal Goal) *big.Rat {
	return r.Vote(x, Plurality(labels), k, goal)
}

// Vote is KNN with another vote.
func (r Ruled) Vote(x [][]float64, vote Vote, k int, goal Goal) *big.Rat {
	best, _ := r.nearestCell(x, vote, k, goal)
	return best
}

// nearestCell is Vote, and returns the nearest point of the closure of a cell.
func (r Ruled) nearestCell(
	x [][]float64, vote Vote, k int, goal Goal,
) (best *big.Rat, z []*big.Rat) {
	unit := CommonUnit(append(slices.Clone(x), r.X)...)
	points, nearer := make([][]*big.Int, len(x)), make([][]Row, len(x))
	for i, p := range x {
		points[i] = Integers(p, unit)
		for j, v := range Integers(r.X, unit) {
			points[i][j].Sub(points[i][j], v)
		}
	}
	var s Solver
	fixed := r.fixed()
	for _, members := range combin.Combinations(len(x), k) {
		if best != nil && best.Sign() == 0 || !goal(vote(members)) {
			continue
		}
		rows := slices.Clone(fixed)
		for _, p := range members {
			for q := range x {
				if len(nearer[p]) == q {
					row := bisector(points[p], points[q], unit, p < q)
					nearer[p] = append(nearer[p], r.inside(row))
				}
				if !slices.Contains(members, q) {
					rows = append(rows, nearer[p][q])
				}
			}
		}
		if cost, at := r.nearest(&s, rows, best); cost != nil {
			best, z = cost, at
		}
	}
	return best, z
}

// bisector is the row 2(q−p)·u ≤ ‖q‖² − ‖p‖² of the points that are nearer to p than to q, of
// multiples of 2^unit.
func bisector(p, q []*big.Int, unit int, firm bool) Row {
	r := Row{B: new(big.Int), Firm: firm}
	for j := range p {
		a, sum := new(big.Int).Sub(q[j], p[j]), new(big.Int).Add(q[j], p[j])
		r.B.Add(r.B, sum.Mul(sum, a))
		r.A = append(r.A, a.Lsh(a, uint(1+max(0, -unit))))
	}
	r.B.Lsh(r.B, uint(max(0, unit)))
	return r
}
