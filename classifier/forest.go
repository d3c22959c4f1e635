package classifier

import (
	"context"
	"fmt"
	"math"
	"runtime"

	"golang.org/x/sync/errgroup"
	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/internal/numpyrand"
)

// ForestOptions are the parameters of training a random forest. The zero value is
// the paper's but for the depth: 100 trees on bootstrap samples, entropy, √d
// features tried at a node.
type ForestOptions struct {
	TreeOptions
	Trees       int // 0 means 100
	MaxFeatures int // features tried at a node; 0 means ⌊√d⌋
	Workers     int // goroutines; 0 means GOMAXPROCS
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

// defaultTrees is the number of trees of scikit-learn and of the paper.
const defaultTrees = 100

func (o ForestOptions) grow(ctx context.Context, x mat.Matrix, y []int) (*Ensemble, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	if o.Trees < 0 || o.MaxFeatures < 0 || o.Workers < 0 {
		return nil, fmt.Errorf("%w: %d trees, %d features, %d workers: none may be negative", ErrOption, o.Trees, o.MaxFeatures, o.Workers)
	}
	data, err := newTrainingSet(ctx, x, y)
	if err != nil {
		return nil, err
	}
	if o.MaxFeatures > data.table.Dim {
		return nil, fmt.Errorf("%w: %d features tried of %d", ErrOption, o.MaxFeatures, data.table.Dim)
	}
	features := o.MaxFeatures
	if features == 0 {
		features = max(1, int(math.Sqrt(float64(data.table.Dim))))
	}
	trees, seeds := make([]*Tree, o.trees()), o.seeds()
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(o.workers())
	for i := range trees {
		group.Go(func() (err error) {
			options := o.TreeOptions
			options.Seed = seeds[i]
			trees[i], err = options.growOn(ctx, data, bootstrap(seeds[i], data.table.Len), features)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return NewEnsemble(trees, EnsembleOptions{})
}

func (o ForestOptions) trees() int {
	if o.Trees == 0 {
		return defaultTrees
	}
	return o.Trees
}

func (o ForestOptions) workers() int {
	if o.Workers == 0 {
		return runtime.GOMAXPROCS(0)
	}
	return o.Workers
}

// seeds draws the random_state of each tree.
func (o ForestOptions) seeds() []uint32 {
	rng := numpyrand.New(o.Seed)
	seeds := make([]uint32, o.trees())
	for i := range seeds {
		seeds[i] = uint32(rng.Randint(0, math.MaxInt32))
	}
	return seeds
}

// bootstrap draws n rows with replacement and returns how often each was drawn.
func bootstrap(seed uint32, n int) []float64 {
	rng := numpyrand.New(seed)
	weight := make([]float64, n)
	for range n {
		weight[rng.Randint(0, int64(n))]++
	}
	return weight
}
