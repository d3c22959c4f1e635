package classifier

import (
	"fmt"
	"iter"
	"slices"

	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Ensemble is a soft vote of axis-parallel decision trees, as scikit-learn's
// RandomForestClassifier: the class frequencies of the leaves that x reaches are
// added up in the order of the trees and divided by their number, and the largest
// wins, the smaller label of a tie.
type Ensemble struct {
	dim, classes int
	trees        []*Tree
	grid         *grid
}

var (
	_ Decomposable = (*Ensemble)(nil)
	_ Locator      = (*Ensemble)(nil)
	_ Searcher     = (*Ensemble)(nil)
)

// NewEnsemble returns the vote of trees with the same features and classes, at
// least one. It returns an error wrapping ErrModel that names the first tree that
// does not fit.
func NewEnsemble(trees []*Tree) (*Ensemble, error) {
	if len(trees) == 0 {
		return nil, fmt.Errorf("classifier: ensemble without trees: %w", ErrModel)
	}
	for i, t := range trees {
		if t == nil {
			return nil, fmt.Errorf("classifier: ensemble: tree %d is nil: %w", i, ErrModel)
		}
		if t.dim != trees[0].dim || t.classes != trees[0].classes || t.precision != trees[0].precision {
			return nil, fmt.Errorf("classifier: ensemble: tree %d has %d features, %d classes, precision %d, tree 0 %d, %d, %d: %w",
				i, t.dim, t.classes, t.precision, trees[0].dim, trees[0].classes, trees[0].precision, ErrModel)
		}
	}
	e := &Ensemble{dim: trees[0].dim, classes: trees[0].classes, trees: slices.Clone(trees)}
	e.grid = newGrid(e.trees)
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

// Predict returns the label of x.
func (e *Ensemble) Predict(x []float64) int {
	if e.classes == 2 {
		return e.predictTwo(x)
	}
	sum := make([]float64, e.classes)
	for _, t := range e.trees {
		leaf := t.leaf(x)
		for c, v := range t.values[leaf*t.classes : (leaf+1)*t.classes] {
			sum[c] += v
		}
	}
	n, best := float64(len(e.trees)), 0
	for c := range sum {
		if sum[c]/n > sum[best]/n {
			best = c
		}
	}
	return best
}

// predictTwo is Predict for two classes, without memory of its own.
func (e *Ensemble) predictTwo(x []float64) int {
	var zero, one float64
	for _, t := range e.trees {
		leaf := t.leaf(x)
		zero += t.values[2*leaf]
		one += t.values[2*leaf+1]
	}
	if n := float64(len(e.trees)); one/n > zero/n {
		return 1
	}
	return 0
}

// Cells lists the nonempty intersections of one leaf of each tree. There can be
// as many as the product of the numbers of leaves.
func (e *Ensemble) Cells() iter.Seq[Cell] {
	return func(yield func(Cell) bool) {
		e.intersect(0, polytope.NewBox(e.dim), make([]float64, e.classes), yield)
	}
}

// intersect yields the cells within box, given the leaves of the trees before tree i.
func (e *Ensemble) intersect(i int, box polytope.Box, sum []float64, yield func(Cell) bool) bool {
	if i == len(e.trees) {
		best := 0
		for c := range sum {
			if sum[c]/float64(i) > sum[best]/float64(i) {
				best = c
			}
		}
		return yield(Cell{Label: best, Region: polytope.Polyhedron{Box: box}})
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
		for c, v := range t.values[leaf*t.classes : (leaf+1)*t.classes] {
			total[c] += v
		}
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
