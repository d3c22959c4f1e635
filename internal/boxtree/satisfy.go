package boxtree

import (
	"context"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/boxtree/grid"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// Wanted asks for an input of a region at which no sum is negative.
type Wanted struct {
	Region
	// Accepts has the last word about inputs, and sees some of each cell whose sums may come to 0.
	// If it is nil, the sums as the model adds them say.
	Accepts func(z []float64) bool
	Limits
}

// Witness is the outcome of a search.
type Witness struct {
	Example []float64 // an input as wanted; nil if none was found
	None    bool      // it is proven that there is none, over the real vectors of the region
	Nodes   int       // boxes opened
}

// Satisfy searches for an input at which no sum is negative. When ctx ends or the nodes are opened
// before, there may be neither an example nor a proof.
func (s *Sums) Satisfy(ctx context.Context, q Wanted) (Witness, error) {
	f, err := newFinder(s.model, &SumQuery{Region: q.Region, Limits: q.Limits})
	if err != nil {
		return Witness{}, err
	}
	o := &wanted{finder: f, sums: s, accepts: q.Accepts}
	for c := range s.added.Classes {
		o.margins = append(o.margins, s.margin(c, false))
	}
	f.objective, f.sum = o, s.mixture()
	f.incumbent = -math.SmallestNonzeroFloat64 // nodes that are dropped are negative
	bound := f.run(ctx)
	return Witness{Example: f.found, None: bound < 0, Nodes: f.nodes}, nil
}

// wanted is the objective of a search in which no sum is to be negative. It is bounded by a mixture
// of the sums, which is not negative where none of them is.
type wanted struct {
	*finder
	sums    *Sums
	margins []trees.Margin
	accepts func(z []float64) bool
}

func (o *wanted) assess(n *sumNode) []int32 {
	for _, of := range o.sums.ends[0] {
		if best := o.choose(n.box, of.gains); best == nil || of.of(best) < -of.slack {
			return nil
		}
	}
	best := o.choose(n.box, o.gains)
	if best != nil {
		n.bound = min(n.bound, o.of(best)+o.slack)
	}
	return best
}

func (o *wanted) example(b grid.Box) (z []float64, value float64, ok bool) {
	z, ok = o.inside(b)
	switch {
	case o.accepts == nil && !o.sums.holds(b):
		return nil, math.Inf(-1), true
	case !ok:
		return nil, 0, false
	case o.accepts == nil || o.accepts(z):
		return z, math.Inf(1), true
	}
	return nil, math.Inf(-1), true
}

func (o *wanted) ascend(ctx context.Context, cell []int32) {
	o.raise(ctx, o.margins, cell, 0)
}

// holds reports whether no sum is negative in a box of one cell, as the model adds them.
func (s *Sums) holds(b grid.Box) bool {
	total := slices.Clone(s.added.Vote.Base)
	for t, leaf := range s.model.grid.LeavesIn(b) {
		s.added.Add(total, t, leaf)
	}
	return slices.Min(total) >= 0
}

// mixture returns a sum of the sums with weights for which the best leaves of all trees come to
// little. The weights grow where the best leaves of the mixture before fall short (the
// multiplicative weights method), each sum in terms of its range.
func (s *Sums) mixture() sum {
	k := s.added.Classes
	if k == 1 {
		return s.ends[0][0]
	}
	scale, weights := make([]float64, k), make([]float64, k)
	for c := range scale {
		scale[c] = s.rangeOf(c)
		weights[c] = 1 / scale[c]
	}
	best, least := slices.Clone(weights), math.Inf(1)
	exponents := make([]float64, k)
	for range mixtures {
		sums := s.sumsOfBest(weights)
		total, size := 0.0, 0.0
		for c, v := range sums {
			total += weights[c] * v
			size += weights[c] * scale[c]
		}
		if total < least*size {
			least = total / size
			copy(best, weights)
		}
		for c, v := range sums {
			exponents[c] -= mixtureRate * v / scale[c]
		}
		most := slices.Max(exponents)
		for c := range weights {
			weights[c] = math.Exp(exponents[c]-most) / scale[c]
		}
	}
	of := s.mix(best)
	for c, weight := range best {
		of.slack += weight * s.ends[0][c].slack
	}
	return of
}

// mixtures is how many mixtures are tried, and mixtureRate how fast weights change.
const mixtures, mixtureRate = 40, 2.0

// rangeOf returns how much a sum can change; 1 for one that cannot.
func (s *Sums) rangeOf(class int) float64 {
	size := 0.0
	for t := range s.added.Trees {
		size += s.ends[0][class].gains[t][0] + s.ends[1][class].gains[t][0]
	}
	if !(size > 0 && size < math.MaxFloat64) {
		return 1
	}
	return size
}

// sumsOfBest returns the sums of the leaves that are the best ones of their trees in a mixture.
func (s *Sums) sumsOfBest(weights []float64) []float64 {
	sums := slices.Clone(s.added.Vote.Base)
	for t, tree := range s.added.Trees {
		best, most := 0, math.Inf(-1)
		for leaf := range tree.Leaves() {
			if v := mixed(weights, s.added.Value(t, leaf)); v > most {
				best, most = leaf, v
			}
		}
		for c, v := range s.added.Value(t, best) {
			sums[c] += v
		}
	}
	return sums
}

// mix returns the sum of the sums with weights. Its slack is the error that rounding may hide in
// products.
func (s *Sums) mix(weights []float64) sum {
	of := sum{
		base:  mixed(weights, s.added.Vote.Base),
		gains: s.model.gainsOf(func(value []float64) float64 { return mixed(weights, value) }),
	}
	for c, weight := range weights {
		size := math.Abs(s.added.Vote.Base[c])
		for t := range s.added.Trees {
			size += max(math.Abs(s.ends[0][c].gains[t][0]), math.Abs(s.ends[1][c].gains[t][0]))
		}
		of.slack += math.Abs(weight) * 0x1p-50 * size * float64(len(weights)+s.added.Len())
	}
	return of
}

// mixed returns the sum of values with weights.
func mixed(weights, values []float64) float64 {
	total := 0.0
	for c, w := range weights {
		total += w * values[c]
	}
	return total
}
