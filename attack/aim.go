package attack

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/classifier/search"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// aim checks what a baseline is given, as RegionBased does, and returns what it
// is to answer.
func aim(c classifier.Classifier, norm polytope.Norm, target *int, x []float64) (search.Query, error) {
	a := &RegionBased{Classifier: c, Options: Options{Norm: norm, Target: target}}
	return a.query(x)
}

// tried is the result of a baseline that tried z: z itself if c gives it a label
// that answers q, otherwise nothing. z is kept.
func tried(c classifier.Classifier, q search.Query, z []float64) Result {
	r := nothing()
	d := q.Norm.Distance(q.X, z)
	if math.IsNaN(d) || math.IsInf(d, 1) {
		return r
	}
	if label := predict(c, z); q.Reaches(label) {
		r.Example, r.Label, r.Distance = z, label, d
	}
	return r
}

// cancelled returns the error of a context that was cancelled. A deadline only
// ends an attack early.
func cancelled(ctx context.Context) error {
	if err := ctx.Err(); errors.Is(err, context.Canceled) {
		return fmt.Errorf("attack: %w", err)
	}
	return nil
}
