package cart

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"runtime"

	"github.com/seed-1a7dc1f9/facet/internal/cart/robust"
	"github.com/seed-1a7dc1f9/facet/internal/rows"
)

// Options are the parameters of growing.
type Options struct {
	Criterion Criterion
	MaxDepth  int // splits on a path; 0 for no limit
	MinSplit  int // rows that a node needs to be split; 0 means 2
	MinLeaf   int // rows that each child must get; 0 means 1
	// features tried at a node, or a constant below; 0 means all for a tree, √d for a forest
	MaxFeatures int
	Seed        uint32
	Chen        float64 // how far features may be moved, of Chen's splits; 0 for plain splitting
	// Reach is of each feature how far an adversary may move it, nil for plain or Chen's splitting.
	// Such trees reduce Gini's index.
	Reach []robust.Reach
	Whole bool // such trees are then changed by the rows that some leaf gets wrong

	// Of a forest:
	Trees       int  // 0 means 100
	NoBootstrap bool // every tree is grown on all rows
	Workers     int  // goroutines; 0 means GOMAXPROCS
}

// What MaxFeatures may be besides a number, of d features.
const (
	SqrtFeatures = -2 // ⌊√d⌋
	Log2Features = -3 // ⌊log₂ d⌋, at least 1
)

const (
	// defaultTrees is the number of trees of scikit-learn and of the paper.
	defaultTrees = 100
	// maxTrees is far beyond any use, and keeps a wrong number from exhausting the
	// memory.
	maxTrees = 1 << 20
)

func (o Options) check() error {
	switch {
	case o.MaxDepth < 0 || o.MinSplit < 0 || o.MinLeaf < 0:
		return fmt.Errorf("%w: depth %d, minimum split %d, minimum leaf %d: none may be negative",
			rows.ErrOption, o.MaxDepth, o.MinSplit, o.MinLeaf)
	case !(o.Chen >= 0) || math.IsInf(o.Chen, 1):
		return fmt.Errorf("%w: robust splitting against moves of %v", rows.ErrOption, o.Chen)
	case o.Whole && o.Reach == nil:
		return fmt.Errorf("%w: whole trees are judged by what an adversary can do, and how far "+
			"features may be moved is not said", rows.ErrOption)
	case o.Trees < 0 || o.Trees > maxTrees || o.Workers < 0:
		return fmt.Errorf(
			"%w: %d trees, %d workers: neither may be negative, nor the trees more than %d",
			rows.ErrOption, o.Trees, o.Workers, maxTrees,
		)
	}
	return nil
}

// forest replaces the zeros that mean something else for a forest.
func (o Options) forest() Options {
	o.Trees, o.MaxFeatures = cmp.Or(o.Trees, defaultTrees), cmp.Or(o.MaxFeatures, SqrtFeatures)
	o.Workers = cmp.Or(o.Workers, runtime.GOMAXPROCS(0))
	return o
}

// complete replaces the numbers that stand for others, given dim features.
func (o Options) complete(dim int) (Options, error) {
	if o.Reach != nil {
		o.MinSplit = cmp.Or(o.MinSplit, reachMinSplit)
		o.MinLeaf = cmp.Or(o.MinLeaf, reachMinLeaf)
	}
	o.MinSplit, o.MinLeaf = max(o.MinSplit, 2), max(o.MinLeaf, 1)
	switch {
	case o.MaxFeatures == 0:
		o.MaxFeatures = dim
	case o.MaxFeatures == SqrtFeatures:
		o.MaxFeatures = int(math.Sqrt(float64(dim)))
	case o.MaxFeatures == Log2Features:
		o.MaxFeatures = max(1, bits.Len(uint(dim))-1)
	case o.MaxFeatures < 0 || o.MaxFeatures > dim:
		return o, fmt.Errorf("%w: %d features tried of %d", rows.ErrOption, o.MaxFeatures, dim)
	}
	return o, nil
}
