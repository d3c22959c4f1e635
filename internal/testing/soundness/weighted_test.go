package soundness

import (
	"context"
	"iter"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/classifier"
)

// Weighted is an attack on distance-weighted k nearest neighbours. There is no
// oracle for the infimum: inputs nearer than the bound are tried.
type Weighted struct {
	Rows   [][]float64
	Labels []int
	K      int
	Query  Query
}

// weightedNodes limits a search, weightedGap is, with room, what the documentation of
// its Search names, and weightedLead the least lead, relative to the weights, of
// an answer that is not near a tie: a thousand times what it names.
const weightedNodes, weightedGap, weightedLead = 3000, 1.01e-8, 1e-9

// Check implements Instance.
func (in *Weighted) Check(seed uint64) []Failure {
	c, err := classifier.TrainWeightedKNN(context.Background(), matrix(in.Rows), in.Labels,
		classifier.KNNOptions{K: in.K})
	if err != nil {
		return []Failure{{'E', err.Error()}}
	}
	return checkAttack(c, &in.Query,
		Truth{Label: in.label, Toward: in.Rows, Gap: weightedGap, Limit: weightedNodes}, seed)
}

// label is the vote at z, sure where the neighbours are certain and the winner leads
// by far.
func (in *Weighted) label(z []float64) (int, bool) {
	order, square := byDistance(in.Rows, z)
	distance := make([]float64, len(order))
	for i, s := range square {
		v, _ := s.Float64()
		distance[i] = math.Sqrt(v)
	}
	if in.K < len(order) && distance[order[in.K]] <= distance[order[in.K-1]]*(1+weightedLead) {
		return 0, false
	}
	if distance[order[0]] <= weightedLead*distance[order[len(order)-1]] {
		return 0, false // so near a row that only rounding matters
	}
	sums, total := make([]float64, slices.Max(in.Labels)+1), 0.0
	for _, i := range order[:in.K] {
		sums[in.Labels[i]] += 1 / distance[i]
		total += 1 / distance[i]
	}
	best := largest(sums)
	for label, sum := range sums {
		if label != best && sums[best]-sum <= weightedLead*total {
			return best, false
		}
	}
	return best, true
}

// Smaller implements Instance.
func (in *Weighted) Smaller() iter.Seq[Instance] {
	return func(yield func(Instance) bool) {
		for rows, labels := range fewerRows(in.Rows, in.Labels) {
			c := *in
			c.Rows, c.Labels, c.K = rows, labels, min(in.K, len(rows))
			if !yield(&c) {
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
