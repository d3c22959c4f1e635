package tuning

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/rows"
)

// Judged is of how many rows the label is right, and of how many it is right and proven to be kept
// within the radius in ℓ∞.
type Judged struct{ Rows, Clean, Certified int }

// Add adds the counts of others.
func (j *Judged) Add(other Judged) {
	j.Rows += other.Rows
	j.Clean += other.Clean
	j.Certified += other.Certified
}

// mostNodes ends a search that would take long. Rows that are undecided then are not certified.
const mostNodes = 100_000

// Judge asks the exact search about rows, so many at a time, 0 for one a core.
func Judge(
	ctx context.Context, c classifier.Classifier, x *mat.Dense, y []int, radius float64,
	workers int,
) (Judged, error) {
	a := &attack.RegionBased{
		Classifier: c, Options: attack.Options{Workers: 1, MaxNodes: mostNodes},
	}
	each := make([]Judged, len(y))
	err := rows.Each(ctx, workers, len(y), func(i int) error {
		each[i].Rows = 1
		if c.Predict(x.RawRowView(i)) != y[i] {
			return nil
		}
		each[i].Clean = 1
		r, err := a.RobustAt(ctx, x.RawRowView(i), radius)
		if err == nil && r.Verdict(radius) == attack.Holds {
			each[i].Certified = 1
		}
		return err
	})
	if err == nil {
		err = ctx.Err()
	}
	var all Judged
	for _, j := range each {
		all.Add(j)
	}
	return all, err
}
