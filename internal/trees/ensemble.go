package trees

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// Ensemble is trees of one kind that decide together.
type Ensemble[T Tree] struct {
	Sums
	Trees []T
}

// Tree is a Shape with its tests.
type Tree interface {
	Plain
	shape() *Shape
	Leaf(x []float64) int // that x reaches
}

// NewEnsemble returns the vote of trees, at least one, with the same features and
// classes. Its errors are faults.
func NewEnsemble[T Tree](trees []T, v Vote) (*Ensemble[T], error) {
	if len(trees) == 0 {
		return nil, faultf("no trees")
	}
	shapes := make([]*Shape, len(trees))
	for i, t := range trees {
		shapes[i] = t.shape()
		if s, first := shapes[i], shapes[0]; s.Dim != first.Dim || s.Classes != first.Classes {
			return nil, AtTree(i,
				fmt.Errorf("%d features, %d classes, tree 0 has %d, %d",
					s.Dim, s.Classes, first.Dim, first.Classes))
		}
	}
	sums, err := newSums(shapes, v)
	if err != nil {
		return nil, FaultOf(err)
	}
	return &Ensemble[T]{Sums: sums, Trees: trees}, nil
}

// Dim returns the number of features.
func (e *Ensemble[T]) Dim() int { return e.Trees[0].shape().Dim }

// fewClasses is how many classes Predict needs no memory of its own for.
const fewClasses = 16

// Predict returns the label of x.
func (e *Ensemble[T]) Predict(x []float64) int {
	if e.Classes <= fewClasses {
		var sum [fewClasses]float64
		return e.predict(x, sum[:e.Classes])
	}
	return e.predict(x, make([]float64, e.Classes))
}

func (e *Ensemble[T]) predict(x, sum []float64) int {
	e.Score(x, sum)
	return e.Decide(sum)
}

// Score sets sum to the sum of each class before the vote.
func (e *Ensemble[T]) Score(x, sum []float64) {
	copy(sum, e.Vote.Base)
	axes, ok := any(e.Trees).([]*Axis)
	if !ok || slices.ContainsFunc(axes, (*Axis).HasSets) {
		for t, tree := range e.Trees {
			e.Add(sum, t, tree.Leaf(x))
		}
		return
	}
	var leaf [abreast]int32
	for t := range axes {
		if t%abreast == 0 {
			leaves(axes[t:min(t+abreast, len(axes))], x, &leaf)
		}
		e.Add(sum, t, int(leaf[t%abreast]))
	}
}

// Sums are the contributions of the trees of an ensemble to the sum of each class.
type Sums struct {
	Vote    Vote // its Base rounded as the sums are, one per class
	Classes int
	divisor float64     // of a soft vote
	values  [][]float64 // contribution of tree t's node i: values[t][Classes·i:]
	size    []float64   // by class: the most that all leaves and the base together can add or take
	most    [][]float64 // the largest contribution of tree t to a class: most[t][class]
}

// newSums checks the vote of trees, and that no sum can overflow.
func newSums(shapes []*Shape, v Vote) (Sums, error) {
	s := Sums{Vote: v, Classes: shapes[0].Classes}
	if err := v.check(s.Classes, len(shapes)); err != nil {
		return s, err
	}
	s.divisor = cmp.Or(v.Divisor, float64(len(shapes)))
	s.values, s.most = make([][]float64, 0, len(shapes)), make([][]float64, 0, len(shapes))
	for _, shape := range shapes {
		values, most := v.contributions(shape)
		s.values, s.most = append(s.values, values), append(s.most, most)
	}
	return s, s.start(v.Base)
}

// start sets the start of the sums, nil for zeros.
func (s *Sums) start(base []float64) error {
	s.Vote.Base, s.size = make([]float64, s.Classes), make([]float64, s.Classes)
	copy(s.Vote.Base, base)
	s.Vote.round(s.Vote.Base)
	for c, b := range s.Vote.Base {
		for _, most := range s.most {
			s.size[c] += most[c]
		}
		if s.size[c] += math.Abs(b); !(s.size[c] <= s.Vote.largestSum()) {
			return fmt.Errorf("the sum of class %d can overflow: up to %v", c, s.size[c])
		}
	}
	return nil
}

// WithBase returns the vote of the same trees whose sums start elsewhere.
func (e *Ensemble[T]) WithBase(base []float64) (*Ensemble[T], error) {
	c := *e
	c.Vote.Base = base
	if err := c.Vote.check(c.Classes, c.Len()); err != nil {
		return nil, FaultOf(err)
	}
	if err := c.start(base); err != nil {
		return nil, FaultOf(err)
	}
	return &c, nil
}

// Divisor returns the divisor of sums for means, of a soft vote or a hard one.
func (s *Sums) Divisor() float64 { return s.divisor }

// Len returns the number of trees.
func (s *Sums) Len() int { return len(s.values) }

// Value returns the contribution of node i of tree t, which is not to be changed.
func (s *Sums) Value(t, i int) []float64 { return s.values[t][i*s.Classes : (i+1)*s.Classes] }

// Add adds the contribution of node i of tree t, in the arithmetic of the sums.
func (s *Sums) Add(sum []float64, t, i int) {
	for c, v := range s.Value(t, i) {
		sum[c] += v
	}
	s.Vote.round(sum)
}

// Decide returns the label that the sums of all trees vote for. It uses sum as scratch
// space.
func (s *Sums) Decide(sum []float64) int {
	switch s.Vote.Rule {
	case Soft:
		for c := range sum {
			sum[c] /= s.divisor
		}
	case Logistic:
		if sum[1]-sum[0] > s.Vote.evenMargin() {
			return 1
		}
		return 0
	case Softmax:
		s.Vote.softmax(sum)
	case Share:
		if s.Softmax(sum) >= s.Vote.Least {
			return 1
		}
		return 0
	}
	return floats.MaxIdx(sum)
}

// WithZero returns the sums of the same trees with one more class, whose sum stays 0: a margin over
// it is a sum itself.
func (e *Ensemble[T]) WithZero() *Ensemble[T] {
	zero := func(to, values []float64) []float64 { return append(append(to, values...), 0) }
	c := e.changed(e.Classes+1, zero)
	c.Vote.Base, c.size = zero(nil, e.Vote.Base), zero(nil, e.size)
	return c
}

// changed returns the same trees with other values, of so many classes: a function appends those of
// a node. The base and the sizes are still those of e.
func (e *Ensemble[T]) changed(
	classes int, of func(to, values []float64) []float64,
) *Ensemble[T] {
	c := *e
	c.Classes, c.values, c.most = classes, make([][]float64, e.Len()), make([][]float64, e.Len())
	for t, values := range e.values {
		c.values[t] = make([]float64, 0, len(values)/e.Classes*classes)
		for own := range slices.Chunk(values, e.Classes) {
			c.values[t] = of(c.values[t], own)
		}
		c.most[t] = of(nil, e.most[t])
	}
	return &c
}
