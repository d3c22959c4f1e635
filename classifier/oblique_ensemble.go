package classifier

import (
	"fmt"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/polytope"
)

// ObliqueEnsemble is a vote of linear decision trees (paper, appendix A): every
// tree contributes the values of the leaf that x reaches, one number per class;
// they are added up in the order of the trees, and the Vote turns the sums into a
// label, the smaller one of a tie.
type ObliqueEnsemble struct {
	dim, classes int
	trees        []*ObliqueTree
	opts         EnsembleOptions
	values       [][]float64 // what tree t's node i contributes: values[t][classes·i:]
	grid         *obliqueGrid
	classValues  []float64
}

var (
	_ Decomposable = (*ObliqueEnsemble)(nil)
	_ Locator      = (*ObliqueEnsemble)(nil)
	_ Searcher     = (*ObliqueEnsemble)(nil)
)

// NewObliqueEnsemble returns the vote of trees with the same features and classes,
// at least one. It returns an error wrapping ErrModel that names the first tree
// that does not fit, or the option.
func NewObliqueEnsemble(trees []*ObliqueTree, opts EnsembleOptions) (*ObliqueEnsemble, error) {
	if len(trees) == 0 {
		return nil, fmt.Errorf("classifier: oblique ensemble without trees: %w", ErrModel)
	}
	for i, t := range trees {
		if t == nil {
			return nil, fmt.Errorf("classifier: oblique ensemble: tree %d is nil: %w", i, ErrModel)
		}
		if t.dim != trees[0].dim || t.classes != trees[0].classes {
			return nil, fmt.Errorf("classifier: oblique ensemble: tree %d has %d features, %d classes, tree 0 %d, %d: %w",
				i, t.dim, t.classes, trees[0].dim, trees[0].classes, ErrModel)
		}
	}
	e := &ObliqueEnsemble{dim: trees[0].dim, classes: trees[0].classes, trees: slices.Clone(trees), opts: opts}
	if err := opts.check(e.classes); err != nil {
		return nil, fmt.Errorf("classifier: oblique ensemble: %w: %w", ErrModel, err)
	}
	e.opts.Base = make([]float64, e.classes)
	copy(e.opts.Base, opts.Base)
	opts.round(e.opts.Base)
	for _, t := range e.trees {
		e.values = append(e.values, t.contributions(opts))
	}
	if err := e.checkSums(); err != nil {
		return nil, err
	}
	if e.grid = newObliqueGrid(e); e.grid == nil {
		return nil, fmt.Errorf("classifier: oblique ensemble: the leaves have more than %d sides: %w", mostObliqueSides, ErrModel)
	}
	return e, nil
}

// checkSums returns an error if the sum of a class can overflow.
func (e *ObliqueEnsemble) checkSums() error {
	size := make([]float64, e.classes)
	for c, v := range e.opts.Base {
		size[c] = math.Abs(v)
	}
	most := make([]float64, e.classes)
	for _, values := range e.values {
		clear(most)
		for i, v := range values {
			c := i % e.classes
			most[c] = max(most[c], math.Abs(v))
		}
		for c, v := range most {
			size[c] += v
		}
	}
	for c, v := range size {
		if !(v <= e.opts.largest()) {
			return fmt.Errorf("classifier: oblique ensemble: %w: the sum of class %d can overflow: up to %v", ErrModel, c, v)
		}
	}
	return nil
}

// contributions returns what the nodes of the tree add to the sums.
func (t *ObliqueTree) contributions(opts EnsembleOptions) []float64 {
	values := slices.Clone(t.values)
	if opts.Vote != HardVote {
		opts.round(values)
		return values
	}
	clear(values)
	for i, label := range t.labels {
		values[i*t.classes+int(label)] = 1
	}
	return values
}

// Dim returns the number of features.
func (e *ObliqueEnsemble) Dim() int { return e.dim }

// Classes returns the number of classes.
func (e *ObliqueEnsemble) Classes() int { return e.classes }

// Len returns the number of trees.
func (e *ObliqueEnsemble) Len() int { return len(e.trees) }

// Tree returns tree i.
func (e *ObliqueEnsemble) Tree(i int) *ObliqueTree { return e.trees[i] }

// ClassValues returns the labels that the classes 0, 1, … have in the training
// data of a model that was read from a file, nil for any other.
func (e *ObliqueEnsemble) ClassValues() []float64 { return slices.Clone(e.classValues) }

// Options returns the options of the vote.
func (e *ObliqueEnsemble) Options() EnsembleOptions {
	opts := e.opts
	opts.Base = slices.Clone(opts.Base)
	return opts
}

// Predict returns the label of x.
func (e *ObliqueEnsemble) Predict(x []float64) int {
	if e.classes <= fewClasses {
		var sum [fewClasses]float64
		return e.vote(x, sum[:e.classes])
	}
	return e.vote(x, make([]float64, e.classes))
}

func (e *ObliqueEnsemble) vote(x, sum []float64) int {
	e.score(x, sum)
	return e.opts.decide(sum, len(e.trees))
}

// Scores returns the sum of each class before the vote.
func (e *ObliqueEnsemble) Scores(x []float64) []float64 {
	sum := make([]float64, e.classes)
	e.score(x, sum)
	return sum
}

func (e *ObliqueEnsemble) score(x, sum []float64) {
	copy(sum, e.opts.Base)
	for t, tree := range e.trees {
		e.add(sum, t, tree.leaf(x))
	}
}

// add adds what node i of a tree contributes.
func (e *ObliqueEnsemble) add(sum []float64, tree, i int) {
	for c, v := range e.values[tree][i*e.classes : (i+1)*e.classes] {
		sum[c] += v
	}
	e.opts.round(sum)
}

// sure reports whether x reaches its leaves in any arithmetic at least as good as
// float64.
func (e *ObliqueEnsemble) sure(x []float64) bool {
	for _, t := range e.trees {
		if !t.sure(x) {
			return false
		}
	}
	return true
}

// CellAt returns the intersection of the leaves that x reaches.
func (e *ObliqueEnsemble) CellAt(x []float64) (Cell, error) {
	if err := polytope.CheckPoint(x, e.dim); err != nil {
		return Cell{}, err
	}
	var p polytope.Polyhedron
	for _, t := range e.trees {
		t.restrict(&p, t.leaf(x))
	}
	return Cell{Label: e.Predict(x), Region: ownRegion(p)}, nil
}
