package soundness

import "github.com/seed-1a7dc1f9/facet/polytope"

// Query is what is asked about a classifier.
type Query struct {
	X      []float64
	Norm   polytope.Norm
	Target int // −1 for any other label
	Domain polytope.Box
}

// reaches tells whether a label answers for a point with label from.
func (q *Query) reaches(from, label int) bool {
	if q.Target >= 0 {
		return label == q.Target
	}
	return label != from
}

// ends returns the ends of the domain.
func (q *Query) ends() []float64 {
	var ends []float64
	for _, side := range q.Domain {
		ends = append(ends, side.Lo, side.Hi)
	}
	return ends
}

// flat tells whether the domain fixes a coordinate.
func (q *Query) flat() bool {
	for _, side := range q.Domain {
		if side.Lo == side.Hi {
			return true
		}
	}
	return false
}
