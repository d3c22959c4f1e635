package prune

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Adversarial is adversarial pruning (paper, section 3): it keeps a largest set
// of rows in which differently labelled ones are more than 2·Radius apart, of any
// number of labels. The zero value removes what is needed to leave no row under
// two labels.
type Adversarial struct {
	// Radius is R, in the unit of the data. Rows of different labels at
	// distance ≤ 2R conflict; kept rows are strictly farther apart.
	Radius float64
	// Norm measures the distance. The zero value is ℓ∞.
	Norm polytope.Norm
	// Effort limits the search that three or more labels may need: the number of
	// rows that all of its nodes look at together. 0 stands for 2,000,000, some
	// seconds on hard problems.
	Effort int
}

var _ Pruner = Adversarial{}

// Prune returns the rows to keep, ascending. With one or two labels no separated
// set has more, and of those with as many it is the one with the fewest rows of the
// larger label; see the package comment. With more labels it is what Solve finds.
//
// With n rows of d columns it takes O(n log² n) time for the trees and O(√n)
// phases, in practice up to 25, each of O(n) queries. A query takes about a
// microsecond in the plane, O(n·d) at worst. Conflicts are listed while there are
// at most 256 for each row of the larger label on average: then a phase takes O(n)
// plus a step for each, and listing them O(n²·d) at worst. Memory is O(n·d), some
// 100 bytes a row beside the data, and 4 bytes for each conflict that is listed, or
// 64 MiB for the matrix; see the package comment.
//
// Errors wrap ErrEmpty, ErrSize, ErrValue, ErrLength, ErrLabel, ErrRadius, ErrEffort,
// polytope.ErrNorm or the context's error.
func (a Adversarial) Prune(ctx context.Context, x mat.Matrix, y []int) ([]int, error) {
	r, err := a.Solve(ctx, x, y, nil)
	if err != nil {
		return nil, err
	}
	return r.Keep, nil
}

func (a Adversarial) validate() error {
	if !(a.Radius >= 0) || math.IsInf(a.Radius, 1) {
		return fmt.Errorf("prune: %w: %v", ErrRadius, a.Radius)
	}
	if err := a.Norm.Validate(); err != nil {
		return fmt.Errorf("prune: %w", err)
	}
	if a.Effort < 0 {
		return fmt.Errorf("prune: %w: %d", ErrEffort, a.Effort)
	}
	return nil
}
