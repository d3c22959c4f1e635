package prune

import (
	"fmt"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/rows"
	"github.com/seed-1a7dc1f9/facet/prune/internal/bipartite"
)

// mostWeight is the largest weight of all rows together. The relaxation of more than two labels
// counts half units: up to here their sums are exact as float64, and as int64 on both sides of a
// graph.
const mostWeight = 1 << 52

var errWeight = rows.Named("weights are not counts of at most 2⁵² rows", classifier.ErrOption)

// checkWeights returns the weights of n rows. No weights stand for 1 each, and stay nil.
func checkWeights(weights []int, n int) ([]int64, error) {
	if weights == nil {
		return nil, nil
	}
	if len(weights) != n {
		return nil, fmt.Errorf("%w: %d weights, %d rows", rows.ErrLength, len(weights), n)
	}
	checked, left := make([]int64, n), int64(mostWeight)
	for i, w := range weights {
		if w < 0 || int64(w) > left {
			return nil, rows.Wrong(i, errWeight, w)
		}
		checked[i] = int64(w)
		left -= checked[i]
	}
	return checked, nil
}

// weightOf returns the weight of a row.
func (p *problem) weightOf(row int32) int64 {
	if p.weight == nil {
		return 1
	}
	return p.weight[row]
}

// weightsOf returns the weights of some rows.
func (p *problem) weightsOf(rows []int32) []int64 {
	w := make([]int64, len(rows))
	for i, row := range rows {
		w[i] = p.weightOf(row)
	}
	return w
}

// sides returns the weights of both sides of a graph.
func (p *problem) sides(left, right []int32) bipartite.Weights {
	if p.weight == nil {
		return bipartite.Weights{}
	}
	return bipartite.Weights{Left: p.weightsOf(left), Right: p.weightsOf(right)}
}

// total returns the weight of some rows together.
func (p *problem) total(rows []int32) int64 {
	if p.weight == nil {
		return int64(len(rows))
	}
	var sum int64
	for _, row := range rows {
		sum += p.weight[row]
	}
	return sum
}
