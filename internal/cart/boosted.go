package cart

import (
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/internal/cart/robust"
	"github.com/seed-1a7dc1f9/facet/internal/rows"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// defaultMinLeaf is how many rows a leaf may have at least if a twentieth of all is not less.
const defaultMinLeaf = 20

// Boosted grows trees that add up to a margin of label 1, or of more classes to one of each: the
// trees of a round one after another. It returns the number of classes.
func Boosted(
	ctx context.Context, x mat.Matrix, y []int, reach []robust.Reach, o robust.Boosting,
) (all []*trees.Axis, classes int, err error) {
	switch {
	case o.Rounds < 1 || o.Rounds > maxTrees || o.Depth < 1 || o.MinLeaf < 0 || o.Workers < 1:
		return nil, 0, fmt.Errorf("%w: %d rounds of trees of depth %d, %d rows in a leaf, %d "+
			"workers", rows.ErrOption, o.Rounds, o.Depth, o.MinLeaf, o.Workers)
	case !(o.Rate > 0 && o.Rate <= 1):
		return nil, 0, fmt.Errorf("%w: the learning rate is %v, want more than 0 and 1 at most",
			rows.ErrOption, o.Rate)
	}
	d, err := Reaching(ctx, x, y, reach, o.Workers)
	if err != nil {
		return nil, 0, err
	}
	classes = slices.Max(y) + 1
	switch {
	case slices.Min(y) == slices.Max(y):
		return nil, 0, fmt.Errorf("%w: all rows have the label %d: there is nothing to learn",
			rows.ErrOption, y[0])
	case !d.Splits():
		return nil, 0, fmt.Errorf("%w: an adversary who may move features so far can bring all "+
			"rows to the same place: be robust to less", rows.ErrOption)
	}
	if o.MinLeaf == 0 {
		o.MinLeaf = max(1, min(defaultMinLeaf, len(y)/20))
	}
	o.MaxFeatures = len(reach)
	margins := make([][]trees.Nodes, classes)
	for label := range margins {
		if classes == 2 && label == 0 {
			continue
		}
		if margins[label], err = robust.Boost(ctx, d, label, o); err != nil {
			return nil, 0, err
		}
	}
	for round := range o.Rounds {
		for _, of := range margins {
			if of == nil {
				continue
			}
			t, err := trees.NewAxis(len(reach), trees.BelowFloat32, of[round])
			if err != nil {
				return nil, 0, err
			}
			all = append(all, t)
		}
	}
	return all, classes, nil
}
