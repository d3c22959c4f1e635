package oblique_test

import (
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/testing/oracle"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// radius goes through all tuples of leaves, one of each tree, and has the oracle
// project on those whose interior meets the domain.
func (in drawn) radius(norm polytope.Norm) float64 {
	from, least := in.Classifier.Predict(in.Query), math.Inf(1)
	rows := &obliqueRows{in: in}
	for j, i := range in.Box {
		rows.side(j, 1, i.Hi)
		rows.side(j, -1, -i.Lo)
	}
	rows.fixed = len(rows.b)
	var visit func(tree, node int)
	visit = func(tree, node int) {
		if tree == len(in.Trees) {
			inside := rows.inside()
			if label := in.Classifier.Predict(inside); label == from ||
				(in.Target != nil && label != *in.Target) {
				return
			}
			d, _, _ := oracle.Closest(oracle.Norm(norm), in.Query, rows.a, rows.b)
			least = min(least, d)
			return
		}
		n := in.Trees[tree][node]
		if n.Left < 0 {
			visit(tree+1, 0)
			return
		}
		for _, child := range []int{n.Left, n.Right} {
			sign := 1.0
			if child == n.Right {
				sign = -1
			}
			if !slices.ContainsFunc(n.Weights, func(w float64) bool { return w != 0 }) {
				if (child == n.Left) == (0 <= n.Threshold) {
					visit(tree, child)
				}
				continue
			}
			rows.push(n.Weights, n.Threshold, sign)
			d, _, ok := oracle.Closest(oracle.Norm(norm), in.Query, rows.a, rows.b)
			if ok && d < least && rows.inside() != nil {
				visit(tree, child)
			}
			rows.pop()
		}
	}
	visit(0, 0)
	return least
}

// obliqueRows are the rows a·z ≤ b of a cell, those of the domain first.
type obliqueRows struct {
	in    drawn
	a     [][]float64
	b     []float64
	fixed int
}

func (r *obliqueRows) side(j int, sign, bound float64) {
	if math.IsInf(bound, 1) {
		return
	}
	row := make([]float64, len(r.in.Query))
	row[j] = sign
	r.a, r.b = append(r.a, row), append(r.b, bound)
}

func (r *obliqueRows) push(w []float64, threshold, sign float64) {
	row := make([]float64, len(w))
	for j, v := range w {
		row[j] = sign * v
	}
	r.a, r.b = append(r.a, row), append(r.b, sign*threshold)
}

func (r *obliqueRows) pop() {
	r.a, r.b = r.a[:len(r.a)-1], r.b[:len(r.b)-1]
}

// inside returns a point deep enough inside the cell that rounding does not matter, nil
// when there is none.
func (r *obliqueRows) inside() []float64 {
	const margin = 1e-6
	b := append([]float64(nil), r.b...)
	for i := r.fixed; i < len(b); i++ {
		length := 0.0
		for _, v := range r.a[i] {
			length += math.Abs(v)
		}
		b[i] -= margin * length
	}
	_, z, _ := oracle.Closest(oracle.Inf, r.in.Query, r.a, b)
	return z
}
