package boxtree

import (
	"context"
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/boxtree/grid"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// Sums is the trees of a regressor, prepared for searches of their largest and smallest sums.
type Sums struct {
	model *Model                       // of the sums, and zeros beside them
	added *trees.Ensemble[*trees.Axis] // the sums as the regressor adds them
	ends  [2][][]float64               // gains toward large sums and small ones: see gainsOf
	slack float64                      // between a sum and that of real numbers, at most
}

// NewSums prepares the trees of a regressor: an ensemble of one class.
func NewSums(e *trees.Ensemble[*trees.Axis]) *Sums {
	s := &Sums{model: NewModel(e.WithZero()), added: e}
	for i := range s.ends {
		s.ends[i] = s.model.gainsOf(s.lead(i == 1))
	}
	s.slack = slackOf(e, s.ends[0], s.ends[1])
	return s
}

// lead is that of the sum over zero, or of zero over the sum where the smallest is asked for.
func (s *Sums) lead(least bool) trees.Lead {
	base := s.added.Vote.Base[0]
	if least {
		return trees.Lead{Label: 1, Rival: 0, Base: -base}
	}
	return trees.Lead{Label: 0, Rival: 1, Base: base}
}

// slackOf returns by how much a sum that trees add in their order differs from that of real
// numbers at most; the gains are the largest below each node, toward large and small sums.
func slackOf(e *trees.Ensemble[*trees.Axis], large, small [][]float64) float64 {
	largest, partial := math.Abs(e.Vote.Base[0]), 0.0
	for t := range e.Trees {
		largest += max(math.Abs(large[t][0]), math.Abs(small[t][0]))
		partial += largest
	}
	unit := precise.Roundoff
	if e.Vote.Single {
		unit = 0x1p-24
	}
	return 1.01 * unit * partial
}

// SumQuery asks for an end of the range of sums.
type SumQuery struct {
	Region
	Least bool // the smallest sum, in place of the largest
	Nodes int  // boxes to open, 0 for no limit
}

// End is an end of the range.
type End struct {
	Sum     float64   // of Example; meaningless without one
	Bound   float64   // that no sum in the region exceeds, or falls short of: Sum if that is proven
	Example []float64 // a float64 input in the region that has the sum; nil if none was found
	Nodes   int       // boxes opened
}

// Find searches for an end. When ctx ends or the nodes are opened, it returns what is proven then.
func (s *Sums) Find(ctx context.Context, q SumQuery) (End, error) {
	f, o, err := s.newFinder(q)
	if err != nil {
		return End{}, err
	}
	bound := f.run(ctx)
	if math.IsInf(bound, -1) {
		return End{}, ErrEmpty
	}
	return End{o.sign * f.best, o.sign * bound, f.found, f.nodes}, nil
}

func (s *Sums) newFinder(q SumQuery) (*finder, *sumOf, error) {
	b, err := newBall(&s.model.grid, &q.Region)
	if err != nil {
		return nil, nil, err
	}
	o := &sumOf{ball: &b, added: s.added, sign: 1}
	f := newFinder(s.model, b, []trees.Lead{s.lead(q.Least)}, o)
	f.gains, f.slack, f.most = s.ends[0], s.slack, q.Nodes
	if q.Least {
		o.sign, f.gains = -1, s.ends[1]
	}
	return f, o, nil
}

// sumOf is the objective of an end: sums are compared as the regressor adds them, with a sign.
// Rounding keeps the order of numbers, so the best leaves bound all sums of a box without slack.
type sumOf struct {
	*ball
	added *trees.Ensemble[*trees.Axis]
	sign  float64
}

func (o *sumOf) bound(leaves []int32) float64 {
	total := [1]float64{o.added.Vote.Base[0]}
	for t, leaf := range leaves {
		o.added.Add(total[:], t, int(leaf))
	}
	return o.sign * total[0]
}

func (o *sumOf) example(b grid.Box) (z []float64, sum float64, ok bool) {
	if z, ok = o.inside(b); !ok {
		return nil, 0, false
	}
	var total [1]float64
	o.added.Score(z, total[:])
	return z, o.sign * total[0], true
}
