package soundness

import (
	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Query is a question about a classifier.
type Query struct {
	X      []float64
	Norm   polytope.Norm
	Target int // −1 for any other label
	Domain polytope.Box
	Rules  []attack.Feature // of moves; nil for none
	Linear []polytope.HalfSpace
	// of each feature that the model declares a category, else 0; nil for none
	Codes []int
}

// plain tells whether distances of numbers are all that counts.
func (q *Query) plain() bool {
	return q.Rules == nil && q.Codes == nil && q.Linear == nil && q.Norm != instance.Changes
}

// reaches tells whether a label answers for a point with label from.
func (q *Query) reaches(from, label int) bool {
	if q.Target >= 0 {
		return label == q.Target
	}
	return label != from
}

// ends returns the ends of where features may go.
func (q *Query) ends() []float64 {
	var ends []float64
	for _, side := range q.box() {
		ends = append(ends, side.Lo, side.Hi)
	}
	return ends
}

// fixed tells whether a coordinate has one value only.
func (q *Query) fixed(j int) bool {
	box := q.box()
	return box != nil && box[j].Lo == box[j].Hi
}

// flat tells whether a coordinate is fixed.
func (q *Query) flat() bool {
	for _, side := range q.box() {
		if side.Lo == side.Hi {
			return true
		}
	}
	return false
}
