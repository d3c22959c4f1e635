package classifier

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"sync"

	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Ensemble is a vote of axis-parallel decision trees: a random forest or boosted
// trees. Every tree contributes the values of the leaf that x reaches, one number
// per class; they are added up in the order of the trees, and the Vote turns the
// sums into a label, the smaller one of a tie.
type Ensemble struct {
	dim, classes int
	trees        []*Tree
	opts         EnsembleOptions
	base         []float64   // what the sums start from, in their arithmetic
	values       [][]float64 // what tree t's node i contributes: values[t][classes·i:]
	grid         *grid
	spare        sync.Pool // of *choices: memory for the dives of searches
}

// EnsembleOptions say how the trees of an Ensemble decide together. The zero
// value is the soft vote of scikit-learn's random forests.
type EnsembleOptions struct {
	Vote Vote
	// Base is what the sum of each class starts from, nil for zeros.
	Base []float64
	// Single rounds values and sums to float32, as XGBoost does.
	Single bool
}

var (
	_ Decomposable = (*Ensemble)(nil)
	_ Locator      = (*Ensemble)(nil)
	_ Searcher     = (*Ensemble)(nil)
)

// NewEnsemble returns the vote of trees with the same features, classes and
// comparison, at least one. It returns an error wrapping ErrModel that names the
// first tree that does not fit, or the option.
func NewEnsemble(trees []*Tree, opts EnsembleOptions) (*Ensemble, error) {
	if len(trees) == 0 {
		return nil, fmt.Errorf("classifier: ensemble without trees: %w", ErrModel)
	}
	for i, t := range trees {
		if t == nil {
			return nil, fmt.Errorf("classifier: ensemble: tree %d is nil: %w", i, ErrModel)
		}
		if t.dim != trees[0].dim || t.classes != trees[0].classes || t.comparison != trees[0].comparison {
			return nil, fmt.Errorf("classifier: ensemble: tree %d has %d features, %d classes, comparison %d, tree 0 %d, %d, %d: %w",
				i, t.dim, t.classes, t.comparison, trees[0].dim, trees[0].classes, trees[0].comparison, ErrModel)
		}
	}
	e := &Ensemble{dim: trees[0].dim, classes: trees[0].classes, trees: slices.Clone(trees), opts: opts}
	if err := opts.check(e.classes); err != nil {
		return nil, fmt.Errorf("classifier: ensemble: %w: %w", ErrModel, err)
	}
	e.opts.Base, e.base = slices.Clone(opts.Base), make([]float64, e.classes)
	copy(e.base, opts.Base)
	opts.round(e.base)
	for _, t := range e.trees {
		e.values = append(e.values, opts.contributions(t))
	}
	e.grid = newGrid(e.trees, e.values)
	for c, size := range e.grid.size {
		if size += math.Abs(e.base[c]); !(size <= opts.largest()) {
			return nil, fmt.Errorf("classifier: ensemble: %w: the sum of class %d can overflow: up to %v", ErrModel, c, size)
		}
	}
	return e, nil
}

// Dim returns the number of features.
func (e *Ensemble) Dim() int { return e.dim }

// Classes returns the number of classes.
func (e *Ensemble) Classes() int { return e.classes }

// Len returns the number of trees.
func (e *Ensemble) Len() int { return len(e.trees) }

// Tree returns tree i.
func (e *Ensemble) Tree(i int) *Tree { return e.trees[i] }

// ClassValues returns the labels that the classes 0, 1, … have in the training
// data of a model that was read from a file, nil for any other.
func (e *Ensemble) ClassValues() []float64 { return e.trees[0].ClassValues() }

// Options returns the options of the vote.
func (e *Ensemble) Options() EnsembleOptions {
	opts := e.opts
	opts.Base = slices.Clone(opts.Base)
	return opts
}

// Predict returns the label of x.
func (e *Ensemble) Predict(x []float64) int {
	if e.classes <= fewClasses {
		var sum [fewClasses]float64
		return e.vote(x, sum[:e.classes])
	}
	return e.vote(x, make([]float64, e.classes))
}

// fewClasses is how many classes Predict needs no memory of its own for.
const fewClasses = 16

// Scores returns the sum of each class before the vote: the number of votes of a
// HardVote, the sum of class frequencies of a SoftVote, the margins of boosted trees.
func (e *Ensemble) Scores(x []float64) []float64 {
	sum := make([]float64, e.classes)
	e.score(x, sum)
	return sum
}

func (e *Ensemble) score(x, sum []float64) {
	copy(sum, e.base)
	for t := range e.trees {
		e.add(sum, t, e.trees[t].leaf(x))
	}
}

func (e *Ensemble) vote(x, sum []float64) int {
	e.score(x, sum)
	return e.opts.decide(sum, len(e.trees))
}

// add adds what node i of a tree contributes.
func (e *Ensemble) add(sum []float64, tree, i int) {
	for c, v := range e.values[tree][i*e.classes : (i+1)*e.classes] {
		sum[c] += v
	}
	e.opts.round(sum)
}

// Cells lists the nonempty intersections of one leaf of each tree. There can be
// as many as the product of the numbers of leaves.
func (e *Ensemble) Cells() iter.Seq[Cell] {
	return func(yield func(Cell) bool) {
		e.intersect(0, polytope.NewBox(e.dim), slices.Clone(e.base), yield)
	}
}

// intersect yields the cells within box, given the leaves of the trees before tree i.
func (e *Ensemble) intersect(i int, box polytope.Box, sum []float64, yield func(Cell) bool) bool {
	if i == len(e.trees) {
		label := e.opts.decide(slices.Clone(sum), i)
		return yield(Cell{Label: label, Region: polytope.Polyhedron{Box: box}})
	}
	t := e.trees[i]
	for leaf, n := range t.nodes {
		if n.Left >= 0 {
			continue
		}
		part := make(polytope.Box, e.dim)
		t.box(part, leaf)
		for f, side := range box {
			part[f] = part[f].Intersect(side)
		}
		if part.Empty() {
			continue
		}
		total := slices.Clone(sum)
		e.add(total, i, leaf)
		if !e.intersect(i+1, part, total, yield) {
			return false
		}
	}
	return true
}

// CellAt returns the intersection of the leaves that x reaches.
func (e *Ensemble) CellAt(x []float64) (Cell, error) {
	if err := polytope.CheckPoint(x, e.dim); err != nil {
		return Cell{}, err
	}
	box, leaf := polytope.NewBox(e.dim), make(polytope.Box, e.dim)
	for _, t := range e.trees {
		t.box(leaf, t.leaf(x))
		for f, side := range leaf {
			box[f] = box[f].Intersect(side)
		}
	}
	return Cell{Label: e.Predict(x), Region: polytope.Polyhedron{Box: box}}, nil
}
