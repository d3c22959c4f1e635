package cart

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/internal/numpyrand"
	"github.com/seed-1a7dc1f9/facet/internal/rows"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// Tree grows the tree of labelled rows.
func Tree(ctx context.Context, x mat.Matrix, y []int, o Options) (*trees.Axis, error) {
	if o.Reach != nil {
		grow, err := reaching(ctx, x, y, o, 1)
		if err != nil {
			return nil, err
		}
		return grow(o.Seed, false)
	}
	newGrower, err := growers(ctx, x, y, o, 1)
	if err != nil {
		return nil, err
	}
	return newGrower().grow(ctx, o.Seed)
}

// Forest grows the trees of a forest, which do not depend on the number of workers.
func Forest(ctx context.Context, x mat.Matrix, y []int, o Options) ([]*trees.Axis, error) {
	o = o.forest()
	worker, err := foresters(ctx, x, y, o)
	if err != nil {
		return nil, err
	}
	seeds, all := o.seeds(), make([]*trees.Axis, o.Trees)
	err = spread(ctx, o.Workers, o.Trees, func() func(int) error {
		grow := worker()
		return func(i int) (err error) {
			all[i], err = grow(seeds[i], !o.NoBootstrap)
			return err
		}
	})
	if err != nil {
		return nil, err
	}
	return all, nil
}

// foresters returns a function that makes, for each goroutine, one that grows the tree of a seed.
func foresters(ctx context.Context, x mat.Matrix, y []int, o Options) (
	func() func(seed uint32, bootstrap bool) (*trees.Axis, error), error,
) {
	if o.Reach != nil {
		grow, err := reaching(ctx, x, y, o, o.Workers)
		return func() func(uint32, bool) (*trees.Axis, error) { return grow }, err
	}
	newGrower, err := growers(ctx, x, y, o, o.Workers)
	return func() func(uint32, bool) (*trees.Axis, error) {
		g := newGrower()
		return func(seed uint32, bootstrap bool) (*trees.Axis, error) {
			if bootstrap {
				g.bootstrap(seed)
			}
			return g.grow(ctx, seed)
		}
	}, err
}

// growers checks the options, prepares the data on so many goroutines, and returns a function that
// makes growers of trees on all rows.
func growers(
	ctx context.Context, x mat.Matrix, y []int, o Options, workers int,
) (func() *grower, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	d, err := newData(ctx, x, y, workers)
	if err != nil {
		return nil, err
	}
	if o, err = o.complete(len(d.columns)); err != nil {
		return nil, err
	}
	scores := newScores(o.Criterion, len(d.y), d.classes)
	return func() *grower { return newGrower(d, o, scores) }, nil
}

// seeds draws the random_state of each tree.
func (o Options) seeds() []uint32 {
	rng := numpyrand.New(o.Seed)
	seeds := make([]uint32, o.Trees)
	for i := range seeds {
		seeds[i] = uint32(rng.Randint(0, math.MaxInt32))
	}
	return seeds
}

// spread does the jobs 0..n−1 on so many goroutines, each of which asks once for
// its way of doing them, until ctx ends.
func spread(ctx context.Context, workers, n int, worker func() func(job int) error) error {
	err := rows.EachOwn(ctx, workers, n, worker)
	if err == nil && ctx.Err() != nil {
		err = fmt.Errorf("training: %w", ctx.Err())
	}
	return err
}
