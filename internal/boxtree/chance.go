package boxtree

import (
	"context"
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/boxtree/grid"
)

// Largest searches for the largest difference of two probabilities 1/(1 + Σ exp(margin)), of which
// each has sums of its own: the margins of other classes at an input. The first sums are those of
// the first one; without any it counts as 0. The second one is that of the same class at another
// input, or in another model. When ctx ends or the nodes are opened, it returns the best input and
// bound so far. Bounds are rounded up by some 1e-12.
func (s *Sums) Largest(ctx context.Context, q SumQuery, first int) (End, error) {
	f, err := s.newChances(&q, first)
	if err != nil {
		return End{}, err
	}
	bound := f.run(ctx)
	if math.IsInf(bound, -1) {
		return End{}, ErrEmpty
	}
	return End{f.incumbent, bound, f.found, f.nodes}, nil
}

// Most bounds all differences as little work can, −Inf where there are no inputs.
func (s *Sums) Most(q SumQuery, first int) (float64, error) {
	f, err := s.newChances(&q, first)
	if err != nil || !f.spread(f.Domain) {
		return math.Inf(-1), err
	}
	return f.ceiling(f.Domain), nil
}

// chances is the objective of a difference of probabilities. In a box, where the sums have ranges,
// a mixture of them is no less than the difference. Its best leaves see that both probabilities
// share features.
type chances struct {
	*finder
	sums     *Sums
	first    int
	shared   []sum     // of two probabilities, by rival: its second margin less its first one
	low, top []float64 // the range of each sum in the box
	weights  []float64 // of the mixture
}

func (s *Sums) newChances(q *SumQuery, first int) (*chances, error) {
	own, err := newFinder(s.model, q)
	if err != nil {
		return nil, err
	}
	count := s.added.Classes
	f := &chances{
		finder: own, sums: s, first: first,
		low: make([]float64, count), top: make([]float64, count), weights: make([]float64, count),
	}
	f.objective, f.shortfall = f, safety
	for c := range count { // a probability changes by a quarter of a sum at most
		f.shortfall += s.ends[0][c].slack / 4
	}
	for r := range first {
		if count == 2*first {
			value := func(v []float64) float64 { return v[first+r] - v[r] }
			f.shared = append(f.shared,
				sum{base: value(s.added.Vote.Base), gains: s.model.gainsOf(value)})
		}
	}
	return f, nil
}

// highest returns the largest sum of a box, rounded up, and the leaves that add up to it; nil if
// there is no input.
func (f *chances) highest(box grid.Box, of *sum) (float64, []int32) {
	best := f.choose(box, of.gains)
	if best == nil {
		return 0, nil
	}
	size := math.Abs(of.base)
	for t, leaf := range best {
		size += math.Abs(of.gains[t][leaf])
	}
	return of.of(best) + size*0x1p-53*float64(f.model.Len()+2), best
}

// spread finds the range of each sum in a box; false if it has no input.
func (f *chances) spread(box grid.Box) bool {
	for c := range f.low {
		top, best := f.highest(box, &f.sums.ends[0][c])
		if best == nil {
			return false
		}
		low, _ := f.highest(box, &f.sums.ends[1][c])
		f.low[c], f.top[c] = -low, max(top, -low)
	}
	return true
}

// safety is the share by which bounds are rounded up.
const safety = 1e-12

// ceiling bounds the differences in a box by the ranges of the sums, and by the differences of the
// margins at both inputs: none of a probability changes it by more than a quarter.
func (f *chances) ceiling(box grid.Box) float64 {
	bound := Probability(f.low[:f.first]) - Probability(f.top[f.first:]) + safety
	most := 0.0
	for r := range f.shared {
		v, best := f.highest(box, &f.shared[r])
		if best == nil {
			return math.Inf(-1)
		}
		most = max(most, v)
	}
	if f.shared != nil {
		bound = min(bound, most/4*(1+safety))
	}
	return bound
}

func (f *chances) assess(n *sumNode) []int32 {
	if !f.spread(n.box) {
		return nil
	}
	if n.bound = min(n.bound, f.ceiling(n.box)); n.bound <= f.incumbent {
		return nil
	}
	constant := over(f.low[:f.first], f.top[:f.first], f.weights[:f.first]) +
		under(f.low[f.first:], f.top[f.first:], f.weights[f.first:])
	size := 1.0
	for c, w := range f.weights {
		size += math.Abs(w) * max(math.Abs(f.low[c]), math.Abs(f.top[c]))
	}
	mix := f.sums.mix(f.weights)
	mix.base, mix.slack = mix.base+constant, mix.slack+safety*size
	if n.depth == 0 { // potentials of the whole hold in its parts, whose own mixtures differ
		f.sum = mix
	}
	total, best := f.highest(n.box, &mix)
	n.bound = min(n.bound, total+mix.slack)
	return best
}

func (f *chances) example(b grid.Box) (z []float64, value float64, ok bool) {
	if z, ok = f.inside(b); !ok {
		return nil, 0, false
	}
	sums := make([]float64, len(f.low))
	f.sums.added.Score(z, sums)
	return z, Probability(sums[:f.first]) - Probability(sums[f.first:]), true
}

// ascend moves one feature after the other to where the difference is largest.
func (f *chances) ascend(ctx context.Context, cell []int32) {
	box := grid.At(cell)
	f.take(box)
	for better := true; better && ctx.Err() == nil; {
		better = false
		for j, s := range f.Domain {
			for at := s.Lo; at <= s.Hi && ctx.Err() == nil; at++ {
				before := f.incumbent
				if box[j] = (grid.Span{Lo: at, Hi: at}); f.near(box) {
					f.take(box)
				}
				if f.incumbent > before {
					cell[j], better = at, true
				}
			}
			box[j] = grid.Span{Lo: cell[j], Hi: cell[j]}
		}
	}
}
