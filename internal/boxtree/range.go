package boxtree

import (
	"context"
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/boxtree/grid"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// Sums are trees whose values add up, prepared for searches of their ends: those of a
// regressor, or of several sums that are asked for together.
type Sums struct {
	model *Model                       // of the sums, and zeros beside them
	added *trees.Ensemble[*trees.Axis] // the sums as the model adds them
	ends  [2][]sum                     // by class: the sum, and its negative
}

// NewSums prepares an ensemble with a class for each sum.
func NewSums(e *trees.Ensemble[*trees.Axis]) *Sums {
	s := &Sums{model: NewModel(e.WithZero()), added: e}
	for c := range e.Classes {
		large := s.model.gainsOf(func(value []float64) float64 { return value[c] })
		small := s.model.gainsOf(func(value []float64) float64 { return -value[c] })
		base, slack := e.Vote.Base[c], slackOf(e, c, large, small)
		s.ends[0] = append(s.ends[0], sum{base, large, slack})
		s.ends[1] = append(s.ends[1], sum{-base, small, slack})
	}
	return s
}

// margin is that of a sum over zero, or of zero over the sum where the smallest is asked for.
func (s *Sums) margin(class int, least bool) trees.Margin {
	l := trees.Margin{Label: class, Rival: s.added.Classes, Base: s.added.Vote.Base[class]}
	if least {
		l.Label, l.Rival, l.Base = l.Rival, l.Label, -l.Base
	}
	return l
}

// slackOf returns by how much a sum that trees add in their order differs from that of real
// numbers at most; the gains are the largest below each node, toward large and small sums.
func slackOf(e *trees.Ensemble[*trees.Axis], class int, large, small [][]float64) float64 {
	largest, partial := math.Abs(e.Vote.Base[class]), 0.0
	for t := range e.Trees {
		largest += max(math.Abs(large[t][0]), math.Abs(small[t][0]))
		partial += largest
	}
	return 1.01 * e.Vote.Unit() * partial
}

// SumQuery asks for an end of the range of the sums of an ensemble of one class, or for the largest
// difference of two probabilities.
type SumQuery struct {
	Region
	Least  bool     // the smallest sum, in place of the largest
	Beyond *float64 // only sums beyond this one matter; nil if all do
	Limits
}

// Limits end a search early: its result is then the best example and bound so far.
type Limits struct {
	Nodes int // boxes to open, 0 for no limit
	// Bytes is the memory for boxes that wait and for their potentials; 1 GiB if 0. Half of
	// it is for boxes: where they take more, the half that would be opened last is given up.
	Bytes int
}

// End is an end of the range.
type End struct {
	Sum float64 // of Example; meaningless without one
	// No sum in the region lies beyond Bound, unless it is not beyond SumQuery.Beyond either; Bound
	// is Sum if that is proven.
	Bound   float64
	Example []float64 // a float64 input in the region that has the sum; nil if none was found
	Nodes   int       // boxes opened
}

// Find searches for an end. When ctx ends or the nodes are opened, it returns the best input and
// bound so far.
func (s *Sums) Find(ctx context.Context, q SumQuery) (End, error) {
	f, o, err := s.newFinder(q)
	if err != nil {
		return End{}, err
	}
	bound := f.run(ctx)
	if math.IsInf(bound, -1) {
		return End{}, ErrEmpty
	}
	return End{o.sign * f.incumbent, o.sign * bound, f.found, f.nodes}, nil
}

func (s *Sums) newFinder(q SumQuery) (*finder, *sumOf, error) {
	f, err := newFinder(s.model, &q)
	if err != nil {
		return nil, nil, err
	}
	o := &sumOf{finder: f, added: s.added, sign: 1, margin: s.margin(0, q.Least)}
	if f.objective, f.sum = o, s.ends[0][0]; q.Least {
		f.sum, o.sign = s.ends[1][0], -1
	}
	if q.Beyond != nil {
		f.incumbent *= o.sign
	}
	return f, o, nil
}

// sumOf is the objective of an end: sums are compared as the regressor adds them, with a sign.
// Rounding keeps the order of numbers, so the best leaves bound all sums of a box without slack.
type sumOf struct {
	*finder
	added  *trees.Ensemble[*trees.Axis]
	sign   float64
	margin trees.Margin
}

func (o *sumOf) assess(n *sumNode) []int32 {
	best := o.choose(n.box, o.gains)
	if best == nil {
		return nil
	}
	total := [1]float64{o.added.Vote.Base[0]}
	for t, leaf := range best {
		o.added.Add(total[:], t, int(leaf))
	}
	n.bound = min(n.bound, o.sign*total[0])
	return best
}

func (o *sumOf) example(b grid.Box) (z []float64, value float64, ok bool) {
	if z, ok = o.inside(b); !ok {
		return nil, 0, false
	}
	var total [1]float64
	o.added.Score(z, total[:])
	return z, o.sign * total[0], true
}

func (o *sumOf) ascend(ctx context.Context, cell []int32) {
	o.raise(ctx, []trees.Margin{o.margin}, cell, math.Inf(1))
}
