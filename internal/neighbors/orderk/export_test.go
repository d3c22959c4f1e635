package orderk

import (
	"context"
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/neighbors"
	"github.com/seed-1a7dc1f9/facet/internal/search"
)

// Verdict is that of decide.
type Verdict = verdict

const (
	Refuted  = refuted
	Answered = answered
)

// DecideWithin decides about the supporting rows as a question about a radius does.
func DecideWithin(
	ctx context.Context, table *neighbors.Table, k int, q search.Query, radius float64,
) (Verdict, []float64) {
	s := newQuery(table, k, q)
	if s.Required == 0 {
		return undecided, nil
	}
	o := s.NewOpener().(*opener)
	o.prepare()
	side, _ := o.gatherSupporting(radius, math.MaxInt)
	d := o.newDecision(mostDecided)
	v := d.decide(ctx, o.refute(side, radius), radius)
	return v, d.answer
}

// Impatient is New where sets of rows are decided about after so many nodes, 0 for never.
func Impatient(table *neighbors.Table, k int, q search.Query, nodes int) search.Search {
	s := newQuery(table, k, q)
	s.patience = nodes
	return s
}
