package prune

import (
	"context"
	"fmt"
	"math"
	"runtime"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/internal/matching"
	"github.com/seed-1a7dc1f9/facet/internal/rows"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Adversarial is adversarial pruning (paper, section 3): it keeps a largest set
// of rows in which differently labelled ones are more than 2·Radius apart. The
// zero value removes what is needed to leave no row under two labels.
type Adversarial struct {
	// Radius is R, in the unit of the data. Rows of different labels at
	// distance ≤ 2R conflict; kept rows are strictly farther apart.
	Radius float64
	// Norm measures the distance. The zero value is ℓ∞.
	Norm polytope.Norm
}

var _ Pruner = Adversarial{}

// Prune returns the rows to keep, ascending. Of all sets of the largest
// possible size it is the one with the fewest rows of the larger label; see the
// package comment. With one label, or without conflicts, all rows are kept.
//
// With n rows of d columns and m conflicts it takes O(n²·d) time to find the
// conflicts at worst (far less where one column tells most rows apart) and
// O(m·√n) to resolve them, and O(n·d + m) memory, at most n²/4 conflicts of 8
// bytes each.
//
// Errors wrap ErrEmpty, ErrSize, ErrValue, ErrLength, ErrLabel, ErrClasses (more
// than two labels), ErrRadius, polytope.ErrNorm or the context's error.
func (a Adversarial) Prune(ctx context.Context, x mat.Matrix, y []int) ([]int, error) {
	if err := a.validate(); err != nil {
		return nil, err
	}
	t, err := rows.Copy(ctx, x)
	if err != nil {
		return nil, fmt.Errorf("prune: %w", err)
	}
	smaller, larger, err := twoClasses(y, t.Len)
	if err != nil {
		return nil, err
	}
	if len(larger) == 0 {
		return kept(make([]bool, t.Len)), nil
	}
	reach := newReach(a.Norm, 2*a.Radius)
	c, err := findConflicts(ctx, t, larger, smaller, reach, runtime.GOMAXPROCS(0))
	if err != nil {
		return nil, err
	}
	_, cover, err := c.resolve(ctx)
	if err != nil {
		return nil, err
	}
	return kept(c.removed(cover)), nil
}

func (a Adversarial) validate() error {
	if !(a.Radius >= 0) || math.IsInf(a.Radius, 1) {
		return fmt.Errorf("prune: %w: %v", ErrRadius, a.Radius)
	}
	if err := a.Norm.Validate(); err != nil {
		return fmt.Errorf("prune: %w", err)
	}
	return nil
}

// resolve returns a largest matching of the conflicts and the smallest vertex
// cover that goes with it.
func (c *conflicts) resolve(ctx context.Context) (*matching.Matching, *matching.Cover, error) {
	m, err := matching.Maximum(ctx, &c.graph)
	if err != nil {
		return nil, nil, fmt.Errorf("prune: %w", err)
	}
	cover, err := matching.CoverOf(ctx, &c.graph, m)
	if err != nil {
		return nil, nil, fmt.Errorf("prune: %w", err)
	}
	return m, cover, nil
}

// removed marks the rows of the cover.
func (c *conflicts) removed(cover *matching.Cover) []bool {
	removed := make([]bool, len(c.left)+len(c.right))
	for u, in := range cover.Left {
		removed[c.left[u]] = in
	}
	for v, in := range cover.Right {
		removed[c.right[v]] = in
	}
	return removed
}

// kept returns the rows that are not removed, ascending.
func kept(removed []bool) []int {
	rows := make([]int, 0, len(removed))
	for i, gone := range removed {
		if !gone {
			rows = append(rows, i)
		}
	}
	return rows
}
