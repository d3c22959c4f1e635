package cart

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/internal/cart/robust"
	"github.com/seed-1a7dc1f9/facet/internal/numpyrand"
	"github.com/seed-1a7dc1f9/facet/internal/rows"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// What the zeros of Options mean where an adversary has a reach: the defaults of GROOT.
const (
	reachDepth    = 5
	reachMinSplit = 10
	reachMinLeaf  = 5
)

// reaching returns how to grow the tree of a seed against an adversary.
func reaching(
	ctx context.Context, x mat.Matrix, y []int, o Options, workers int,
) (func(seed uint32, bootstrap bool) (*trees.Axis, error), error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	d, err := Reaching(ctx, x, y, o.Reach, workers)
	if err != nil {
		return nil, err
	}
	if o, err = o.complete(len(o.Reach)); err != nil {
		return nil, err
	}
	grow := robust.Options{
		Depth:       cmp.Or(o.MaxDepth, reachDepth),
		MinSplit:    o.MinSplit,
		MinLeaf:     o.MinLeaf,
		MaxFeatures: o.MaxFeatures,
		Workers:     1,
		Whole:       o.Whole,
	}
	return func(seed uint32, bootstrap bool) (*trees.Axis, error) {
		random, times := numpyrand.New(seed), make([]int32, len(y))
		for i := range times {
			if bootstrap {
				times[random.Randint(0, int64(len(times)))]++
			} else {
				times[i] = 1
			}
		}
		nodes, err := robust.Tree(ctx, d, times, random, grow)
		if err != nil {
			return nil, err
		}
		return trees.NewAxis(len(o.Reach), trees.AtMostFloat32, nodes)
	}, nil
}

// Reaching checks labelled rows, and how far an adversary may move each of their features, and
// prepares them on so many goroutines.
func Reaching(
	ctx context.Context, x mat.Matrix, y []int, reach []robust.Reach, workers int,
) (*robust.Data, error) {
	t, classes, err := rows.Labelled(ctx, x, y)
	if err != nil {
		return nil, err
	}
	if err := checkFloat32(t); err != nil {
		return nil, err
	}
	if len(reach) != t.Dim {
		return nil, fmt.Errorf("%w: reaches of %d features, and the rows have %d",
			rows.ErrOption, len(reach), t.Dim)
	}
	for j, r := range reach {
		if !(min(r.Down, r.Up) >= 0) || math.IsInf(max(r.Down, r.Up), 1) {
			return nil, fmt.Errorf("%w: feature %d may be moved down by %v and up by %v, want "+
				"distances from 0 on", rows.ErrOption, j, r.Down, r.Up)
		}
	}
	return robust.NewData(ctx, t, y, classes, reach, workers)
}
