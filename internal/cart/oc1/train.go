package oc1

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"runtime"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/internal/cart"
	"github.com/seed-1a7dc1f9/facet/internal/numpyrand"
	"github.com/seed-1a7dc1f9/facet/internal/rows"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// Options are the parameters of training.
type Options struct {
	Criterion cart.Criterion
	Trees     int // 0 means 1; more are grown on bootstrap samples
	MaxDepth  int // splits on a path; 0 for no limit
	MinSplit  int // rows that a node needs to be split; 0 means 2
	MinLeaf   int // rows that each child must get; 0 means 1
	Restarts  int // random hyperplanes that climbs start from; 0 means 5
	Jumps     int // random directions tried in a local optimum; 0 means 5
	Seed      uint32
	Workers   int // goroutines; 0 means GOMAXPROCS
}

// defaultTries is the number of restarts and of jumps when none is given.
const defaultTries = 5

func (o Options) check() error {
	if least := min(
		o.Trees, o.MaxDepth, o.MinSplit, o.MinLeaf, o.Restarts, o.Jumps, o.Workers,
	); least < 0 {
		return fmt.Errorf("%w: %+v: no number may be negative", rows.ErrOption, o)
	}
	return nil
}

// complete fills in the values that zeros stand for.
func (o Options) complete() Options {
	o.Trees, o.MinSplit, o.MinLeaf = max(o.Trees, 1), max(o.MinSplit, 2), max(o.MinLeaf, 1)
	o.Restarts = cmp.Or(o.Restarts, defaultTries)
	o.Jumps = cmp.Or(o.Jumps, defaultTries)
	o.Workers = cmp.Or(o.Workers, runtime.GOMAXPROCS(0))
	return o
}

// Train grows trees on labelled rows. They depend on the seed alone, not on the number of
// workers.
func Train(ctx context.Context, x mat.Matrix, y []int, o Options) ([]*trees.Oblique, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	table, classes, err := rows.Labelled(ctx, x, y)
	if err != nil {
		return nil, err
	}
	o = o.complete()
	rng := numpyrand.New(o.Seed)
	all := make([]*trees.Oblique, o.Trees)
	seeds := make([]uint32, o.Trees)
	for i := range seeds {
		seeds[i] = uint32(rng.Randint(0, math.MaxInt32))
	}
	err = rows.Each(ctx, o.Workers, o.Trees, func(i int) (err error) {
		all[i], err = newGrower(table, y, classes, o, seeds[i]).grow(ctx)
		return err
	})
	if err == nil && ctx.Err() != nil {
		err = fmt.Errorf("training: %w", ctx.Err())
	}
	return all, err
}
