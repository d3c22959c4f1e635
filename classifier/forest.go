package classifier

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/internal/numpyrand"
)

// ForestOptions are the parameters of training a random forest. The zero value is
// the paper's but for the depth: 100 trees on bootstrap samples, entropy, √d
// features tried at a node.
type ForestOptions struct {
	TreeOptions
	Trees       int  // 0 means 100
	NoBootstrap bool // every tree is grown on all rows
	Workers     int  // goroutines; 0 means GOMAXPROCS
}

var _ Trainer = ForestOptions{}

// TrainForest grows a random forest (Breiman, "Random forests", Machine Learning
// 45, 2001), node for node as RandomForestClassifier of scikit-learn 1.2 does
// with the same random_state. The forest does not depend on the number of
// workers. Errors are those of TrainTree.
func TrainForest(ctx context.Context, x mat.Matrix, y []int, opts ForestOptions) (*Ensemble, error) {
	e, err := opts.grow(ctx, x, y)
	if err != nil {
		return nil, fmt.Errorf("classifier: forest: %w", err)
	}
	return e, nil
}

// Train is TrainForest as a Trainer.
func (o ForestOptions) Train(ctx context.Context, x mat.Matrix, y []int) (Classifier, error) {
	e, err := TrainForest(ctx, x, y, o)
	if err != nil {
		return nil, err
	}
	return e, nil
}

const (
	// defaultTrees is the number of trees of scikit-learn and of the paper.
	defaultTrees = 100
	// maxTrees is far beyond any use, and keeps a wrong number from exhausting the
	// memory.
	maxTrees = 1 << 20
)

func (o ForestOptions) check() error {
	if err := o.TreeOptions.check(); err != nil {
		return err
	}
	if o.Trees < 0 || o.Trees > maxTrees || o.Workers < 0 {
		return fmt.Errorf("%w: %d trees, %d workers: neither may be negative, nor the trees more than %d", ErrOption, o.Trees, o.Workers, maxTrees)
	}
	return nil
}

// withDefaults replaces the zeros that mean something else.
func (o ForestOptions) withDefaults() ForestOptions {
	if o.Trees == 0 {
		o.Trees = defaultTrees
	}
	if o.MaxFeatures == 0 {
		o.MaxFeatures = SqrtFeatures
	}
	if o.Workers == 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	return o
}

func (o ForestOptions) grow(ctx context.Context, x mat.Matrix, y []int) (*Ensemble, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	o = o.withDefaults()
	data, err := newTrainingSet(ctx, x, y, o.Workers)
	if err != nil {
		return nil, err
	}
	if o.MaxFeatures, err = o.features(data.dim()); err != nil {
		return nil, err
	}
	trees, err := o.growTrees(ctx, data)
	if err != nil {
		return nil, err
	}
	return NewEnsemble(trees, EnsembleOptions{})
}

func (o ForestOptions) growTrees(ctx context.Context, data *trainingSet) ([]*Tree, error) {
	trees, seeds := make([]*Tree, o.Trees), o.seeds()
	scores := newScores(o.Criterion, data.len(), data.classes)
	err := share(ctx, o.Workers, o.Trees, func() func(int) error {
		g := newGrower(data, o.TreeOptions, scores)
		return func(i int) (err error) {
			if !o.NoBootstrap {
				g.bootstrap(seeds[i])
			}
			trees[i], err = g.grow(ctx, seeds[i])
			return err
		}
	})
	if err != nil {
		return nil, err
	}
	return trees, nil
}

// seeds draws the random_state of each tree.
func (o ForestOptions) seeds() []uint32 {
	rng := numpyrand.New(o.Seed)
	seeds := make([]uint32, o.Trees)
	for i := range seeds {
		seeds[i] = uint32(rng.Randint(0, math.MaxInt32))
	}
	return seeds
}

// share does the jobs 0..n−1 on so many goroutines, each of which asks once for
// its way of doing them, until ctx ends.
func share(ctx context.Context, workers, n int, worker func() func(job int) error) error {
	var group errgroup.Group
	var next atomic.Int64
	for range min(workers, n) {
		group.Go(func() error {
			do := worker()
			for {
				job := int(next.Add(1)) - 1
				if job >= n {
					return nil
				}
				if err := ctx.Err(); err != nil {
					return fmt.Errorf("training: %w", err)
				}
				if err := do(job); err != nil {
					return err
				}
			}
		})
	}
	return group.Wait()
}
