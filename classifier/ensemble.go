package classifier

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync"

	"github.com/seed-1a7dc1f9/facet/internal/boxtree"
	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/modelfile/models"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Vote says how an Ensemble turns the sums of its trees' contributions into a label.
type Vote int

const (
	// SoftVote averages the class frequencies of the leaves, as scikit-learn's
	// RandomForestClassifier.
	SoftVote Vote = iota
	// HardVote lets every tree vote for the label that it predicts (Breiman, 2001).
	HardVote
	// SumVote adds up leaf values; the class with the largest sum wins. Boosted trees
	// of several classes have leaves with a value for one class and zeros.
	SumVote
	// LogisticVote is SumVote for boosted trees of two classes whose leaves have a value
	// for label 1 only: label 1 wins when its probability 1/(1+exp(−sum)), computed
	// in the arithmetic of the sums, exceeds 1/2. That differs from SumVote within a
	// rounding error of a tie.
	LogisticVote
	// SoftmaxVote is SumVote for libraries that compare the probabilities exp(sum) instead
	// of the sums, which differs within a rounding error of a tie.
	SoftmaxVote
)

// EnsembleOptions say how the trees of an Ensemble decide together. The zero
// value is the soft vote of scikit-learn's random forests.
type EnsembleOptions struct {
	Vote Vote
	// The sum of each class starts from Base, nil for zeros.
	Base []float64
	// Single rounds values and sums to float32, as XGBoost does.
	Single bool
	// A SoftVote divides the sums by Divisor, where leaves hold frequencies times
	// the weight of their tree, and these weights add up to it. 0 means the number of
	// trees. It is at most that and more than half of it, to which a power of two can
	// scale weights without changing a mean.
	Divisor float64
	// AnyOrder says that the library adds the contributions of the trees in an order of its own,
	// which rounding makes a difference: only for a SumVote. Predict adds in the order of the
	// trees. An attack then gives an example that has its label in any order, and a bound within
	// which no order gives another label.
	AnyOrder bool
	// Categories is of each feature how many codes 0, 1, 2, … it has, 0 for a number; nil for those
	// of the first tree, which knows them if it was read from a file.
	Categories []int

	// as Read found them in the file
	chances trees.Chances
	curve   *trees.Curve
	scale   float64
}

// vote returns the options as plain data.
func (o *EnsembleOptions) vote() trees.Vote {
	return trees.Vote{
		Rule:     trees.Rule(o.Vote),
		Base:     o.Base,
		Single:   o.Single,
		Divisor:  o.Divisor,
		AnyOrder: o.AnyOrder,
		Chances:  o.chances,
		Scale:    o.scale,
		Curve:    o.curve,
	}
}

// Ensemble is a vote of axis-parallel decision trees: a random forest or boosted
// trees. Every tree contributes the values of the leaf that x reaches, one number
// per class; they are added up in the order of the trees, and the Vote turns the
// sums into a label, the smaller one of a tie.
type Ensemble struct {
	labels // of its first tree
	trees  []*Tree
	opts   EnsembleOptions
	vote   *trees.Ensemble[*trees.Axis]
	// Of the trees, prepared for predicting many rows and for searches; made when first asked for.
	batch func() *trees.Batch
	model *lazy[*boxtree.Model]
}

var (
	_ Decomposable = (*Ensemble)(nil)
	_ locator      = (*Ensemble)(nil)
	_ engine       = (*Ensemble)(nil)
)

// NewEnsemble returns the vote of trees with the same features, classes and
// comparison, at least one. It returns an error that wraps ErrModel and names the first tree
// that does not fit, or the option.
func NewEnsemble(members []*Tree, opts EnsembleOptions) (*Ensemble, error) {
	axes := make([]*trees.Axis, len(members))
	for i, t := range members {
		if t == nil {
			return nil, modelError(trees.AtTree(i, errors.New("nil")))
		}
		if t.Comparison() != members[0].Comparison() {
			return nil, modelError(
				trees.AtTree(i,
					fmt.Errorf("comparison %d, tree 0 has %d",
						t.Comparison(), members[0].Comparison())),
			)
		}
		axes[i] = t.axis
	}
	if opts.Vote > SoftmaxVote {
		return nil, modelError(fmt.Errorf("vote %d", opts.Vote))
	}
	vote, err := trees.NewEnsemble(axes, opts.vote())
	if err != nil {
		return nil, modelError(err)
	}
	e := &Ensemble{labels: members[0].labels, trees: slices.Clone(members), opts: opts}
	if opts.Categories != nil {
		e.categories = slices.Clone(opts.Categories)
	}
	if err := models.CheckCategories(e.categories, nil, members[0].Dim()); err != nil {
		return nil, modelError(err)
	}
	e.opts.Base, e.opts.Categories = slices.Clone(opts.Base), e.categories
	e.prepare(vote, func() *boxtree.Model { return boxtree.NewModel(vote) })
	return e, nil
}

// withBase returns the vote of the same trees whose sums start elsewhere.
func (e *Ensemble) withBase(base []float64) (*Ensemble, error) {
	vote, err := e.vote.WithBase(base)
	if err != nil {
		return nil, modelError(err)
	}
	based := &Ensemble{labels: e.labels, trees: e.trees, opts: e.opts}
	based.opts.Base = base
	based.prepare(vote, func() *boxtree.Model { return e.model.get().With(vote) })
	return based, nil
}

// prepare says how the trees vote, and how they are prepared for searches.
func (e *Ensemble) prepare(vote *trees.Ensemble[*trees.Axis], model func() *boxtree.Model) {
	e.vote, e.model = vote, newLazy(model)
	e.batch = sync.OnceValue(func() *trees.Batch { return trees.NewBatch(vote) })
}

// Dim returns the number of features.
func (e *Ensemble) Dim() int { return e.vote.Dim() }

// Classes returns the number of classes.
func (e *Ensemble) Classes() int { return e.vote.Labels() }

// Len returns the number of trees.
func (e *Ensemble) Len() int { return len(e.trees) }

// Tree returns tree i.
func (e *Ensemble) Tree(i int) *Tree { return e.trees[i] }

// Categories returns how many codes 0, 1, 2, … each feature has that is a category, by the options
// or by a file that the trees were read from, 0 for each that is a number; nil if all are. A value
// counts as the code that the model's library takes it for, and a code beyond these as
// one that the library has not seen. Attacks leave it to a row, and move to those below.
func (e *Ensemble) Categories() []int { return slices.Clone(e.categories) }

// Options returns the options of the vote.
func (e *Ensemble) Options() EnsembleOptions {
	opts := e.opts
	opts.Base, opts.Categories = slices.Clone(opts.Base), slices.Clone(opts.Categories)
	return opts
}

// Predict returns the label of x.
func (e *Ensemble) Predict(x []float64) int { return e.vote.Predict(x) }

// batchOf is access.Batch.
func batchOf(c any) (*trees.Batch, bool) {
	e, ok := c.(*Ensemble)
	if !ok {
		return nil, false
	}
	return e.batch(), true
}

// Scores returns the sum of each class before the vote: the number of votes of a
// HardVote, the sum of class frequencies of a SoftVote, the margins of boosted trees.
func (e *Ensemble) Scores(x []float64) []float64 {
	sum := make([]float64, e.vote.Classes)
	e.vote.Score(x, sum)
	return sum
}

// Cells lists the nonempty intersections of one leaf of each tree. There can be
// as many as the product of the numbers of leaves.
func (e *Ensemble) Cells() iter.Seq[Cell] {
	return func(yield func(Cell) bool) {
		e.intersect(0, polytope.NewBox(e.Dim()), slices.Clone(e.vote.Vote.Base), yield)
	}
}

// intersect yields the cells within box, given the leaves of the trees before tree i.
func (e *Ensemble) intersect(i int, box polytope.Box, sum []float64, yield func(Cell) bool) bool {
	if i == len(e.trees) {
		label := e.vote.Decide(slices.Clone(sum))
		return yield(Cell{Label: label, Region: polytope.Polyhedron{Box: box}})
	}
	t := e.vote.Trees[i]
	for leaf := range t.Len() {
		if !t.IsLeaf(leaf) {
			continue
		}
		total := slices.Clone(sum)
		e.vote.Add(total, i, leaf)
		for part := range t.Parts(box, leaf) {
			if !e.intersect(i+1, slices.Clone(part), total, yield) {
				return false
			}
		}
	}
	return true
}

// CellAt returns the intersection of the leaves that x reaches.
func (e *Ensemble) CellAt(x []float64) (Cell, error) {
	if err := geometry.CheckPoint(x, e.Dim()); err != nil {
		return Cell{}, err
	}
	box := polytope.NewBox(e.Dim())
	for _, t := range e.vote.Trees {
		t.RestrictTo(box, t.Leaf(x), x)
	}
	return Cell{Label: e.Predict(x), Region: polytope.Polyhedron{Box: box}}, nil
}

// search implements engine: branch and bound over boxes whose borders are thresholds.
//
// Within a radius every tree can reach the leaves that meet both the box and the ball
// around X; the sum of the best of them bounds from which radius on a label could win. It
// is exact, and exponential in the worst case: the question is NP-hard (Kantchelian,
// Tygar and Joseph, ICML 2016).
func (e *Ensemble) search(ctx context.Context, q search.Query) (search.Search, error) {
	m, err := together(ctx, e, &q)
	if err != nil {
		return nil, err
	}
	return boxtree.New(m, q)
}
