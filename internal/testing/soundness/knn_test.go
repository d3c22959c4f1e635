package soundness

import (
	"cmp"
	"context"
	"iter"
	"math/big"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/classifier"
)

// KNN is an attack on k nearest neighbours.
type KNN struct {
	Rows   [][]float64
	Labels []int
	K      int
	// Listed hides the classifier's own search: its cells are listed.
	Listed bool
	Query  Query
}

// listed is a classifier that does nothing but list its cells.
type listed struct{ classifier.Decomposable }

// Check implements Instance.
func (in *KNN) Check(seed uint64) []Failure {
	c, err := classifier.TrainKNN(context.Background(), matrix(in.Rows), in.Labels,
		classifier.KNNOptions{K: in.K})
	if err != nil {
		return []Failure{{'E', err.Error()}}
	}
	truth := Truth{Infimum: in.infimum, Within: in.within, Label: in.label}
	if in.Listed {
		return checkAttack(listed{c}, &in.Query, truth, seed)
	}
	return checkAttack(c, &in.Query, truth, seed)
}

func matrix(rows [][]float64) *mat.Dense {
	m := mat.NewDense(len(rows), len(rows[0]), nil)
	for i, r := range rows {
		m.SetRow(i, r)
	}
	return m
}

// label is the exact vote at z, with ties in the order of the rows.
func (in *KNN) label(z []float64) (int, bool) {
	order, _ := byDistance(in.Rows, z)
	return plurality(in.Labels, order[:in.K]), true
}

// byDistance returns the rows from the nearest to the farthest, equally near ones in
// their order, and the squares of their distances in some unit.
func byDistance(rows [][]float64, z []float64) ([]int, []*big.Int) {
	unit := commonUnit(append([][]float64{z}, rows...)...)
	order, square := make([]int, len(rows)), make([]*big.Int, len(rows))
	at := integers(z, unit)
	for i, p := range rows {
		u := integers(p, unit)
		for j := range u {
			u[j].Sub(u[j], at[j])
		}
		order[i], square[i] = i, dot(new(big.Int), u, u)
	}
	slices.SortStableFunc(order, func(i, j int) int {
		return cmp.Or(square[i].Cmp(square[j]), cmp.Compare(i, j))
	})
	return order, square
}

// Smaller implements Instance.
func (in *KNN) Smaller() iter.Seq[Instance] {
	return func(yield func(Instance) bool) {
		for rows, labels := range fewerRows(in.Rows, in.Labels) {
			c := *in
			c.Rows, c.Labels, c.K = rows, labels, min(in.K, len(rows))
			if !yield(&c) {
				return
			}
		}
		if in.K > 1 {
			c := *in
			if c.K--; !yield(&c) {
				return
			}
		}
		for rows, q := range simplerPoints(in.Rows, in.Query) {
			c := *in
			if c.Rows, c.Query = rows, q; !yield(&c) {
				return
			}
		}
	}
}
