package classifier

import (
	"context"
	"fmt"
	"math"
	"runtime"

	"golang.org/x/sync/errgroup"
	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/internal/numpyrand"
	"github.com/seed-1a7dc1f9/facet/internal/rows"
)

// ObliqueOptions are the parameters of training linear decision trees. The zero
// value grows one tree with entropy until the leaves are pure.
type ObliqueOptions struct {
	Criterion Criterion // what a split reduces most
	Trees     int       // 0 means 1; more are grown on bootstrap samples
	MaxDepth  int       // splits on a path; 0 for no limit
	MinSplit  int       // rows that a node needs to be split; 0 means 2
	MinLeaf   int       // rows that each child must get; 0 means 1
	Restarts  int       // random hyperplanes that climbs start from; 0 means 5
	Jumps     int       // random directions tried in a local optimum; 0 means 5
	Seed      uint32
	Workers   int // goroutines; 0 means GOMAXPROCS
}

var _ Trainer = ObliqueOptions{}

// TrainOblique grows linear decision trees by hill climbing, as OC1 does (Murthy,
// Kasif and Salzberg, "A system for induction of oblique decision trees", JAIR 2,
// 1994, doi:10.1613/jair.63), and with several trees bags them (Breiman, "Bagging
// predictors", Machine Learning 24, 1996): each is grown on a bootstrap sample,
// and they vote softly.
//
// A node starts climbs from its best test of a single feature and from random
// hyperplanes. A climb changes one weight at a time, or the threshold, to what
// leaves least impurity, and in a local optimum moves along random directions; the
// best hyperplane wins, its threshold halfway between the rows it parts. Unlike
// OC1 a climb does not move where the impurity stays the same, and stops after a
// fixed number of rounds.
//
// Trees depend on the seed alone, not on the number of workers. With d features
// and n rows one round of a climb takes O(d·n log n) time for each level of a
// tree. Errors wrap ErrEmpty, ErrSize, ErrValue, ErrLength, ErrLabel, ErrOption or
// the context's error.
func TrainOblique(ctx context.Context, x mat.Matrix, y []int, opts ObliqueOptions) (*ObliqueEnsemble, error) {
	e, err := opts.grow(ctx, x, y)
	if err != nil {
		return nil, fmt.Errorf("classifier: oblique trees: %w", err)
	}
	return e, nil
}

// Train is TrainOblique as a Trainer.
func (o ObliqueOptions) Train(ctx context.Context, x mat.Matrix, y []int) (Classifier, error) {
	e, err := TrainOblique(ctx, x, y, o)
	if err != nil {
		return nil, err
	}
	return e, nil
}

// obliqueTries is the number of restarts and of jumps when none is given.
const obliqueTries = 5

func (o ObliqueOptions) check() error {
	if err := o.Criterion.check(); err != nil {
		return err
	}
	if least := min(o.Trees, o.MaxDepth, o.MinSplit, o.MinLeaf, o.Restarts, o.Jumps, o.Workers); least < 0 {
		return fmt.Errorf("%w: %+v: no number may be negative", ErrOption, o)
	}
	return nil
}

// complete fills in what zeros stand for.
func (o ObliqueOptions) complete() ObliqueOptions {
	o.Trees, o.MinSplit, o.MinLeaf = max(o.Trees, 1), max(o.MinSplit, 2), max(o.MinLeaf, 1)
	if o.Restarts == 0 {
		o.Restarts = obliqueTries
	}
	if o.Jumps == 0 {
		o.Jumps = obliqueTries
	}
	if o.Workers == 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	return o
}

func (o ObliqueOptions) grow(ctx context.Context, x mat.Matrix, y []int) (*ObliqueEnsemble, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	table, classes, err := rows.Labelled(ctx, x, y)
	if err != nil {
		return nil, err
	}
	o = o.complete()
	rng := numpyrand.New(o.Seed)
	trees := make([]*ObliqueTree, o.Trees)
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(o.Workers)
	for i := range trees {
		seed := uint32(rng.Randint(0, math.MaxInt32))
		group.Go(func() (err error) {
			g := newObliqueGrower(table, y, classes, o, seed)
			trees[i], err = g.grow(ctx)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return NewObliqueEnsemble(trees, EnsembleOptions{})
}

func newObliqueGrower(table *rows.Table, y []int, classes int, o ObliqueOptions, seed uint32) *obliqueGrower {
	g := &obliqueGrower{
		table: table, y: y, classes: classes, opts: o, rng: numpyrand.New(seed),
		weight: make([]float64, table.Len), left: make([]float64, classes), right: make([]float64, classes),
	}
	for i := range g.weight {
		if o.Trees > 1 { // drawn with replacement
			i = int(g.rng.Randint(0, int64(table.Len)))
		}
		g.weight[i]++
	}
	for i, w := range g.weight {
		if w > 0 {
			g.rows = append(g.rows, int32(i))
		}
	}
	return g
}
