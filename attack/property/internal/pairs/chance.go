package pairs

import (
	"context"

	"github.com/seed-1a7dc1f9/facet/internal/boxtree"
	"github.com/seed-1a7dc1f9/facet/internal/boxtree/grid"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// Chance is the probability of a class at one input less that at another, of the same model or of
// two: 1/(1 + Σ exp(margin)) of the margins of all other classes. It is made of margins as sums of
// trees over codes, those of the first input before those of the second.
type Chance struct {
	*Difference
	first int // how many sums are those of the first input
}

// Chance makes the trees of such a difference, as Difference does; the probability of no model is
// 0.
func (m *Models) Chance(
	first, second int, a, b *Output, copied []int, within func(grid.Box),
) (*Chance, error) {
	c := &Chance{m.difference(copied, within), a.rivals()}
	w := m.walk(first, second, a, b, copied, c.box)
	l := &rivals{w: w, firsts: c.first}
	w.values, w.zeros = l.values, make([]float64, c.first+b.rivals())
	grown, base := w.all(), l.base()
	err := c.sums(append(grown, l.forbid(c.Difference, grown, base)...), base)
	if err != nil {
		return nil, err
	}
	c.most, err = c.model.Most(boxtree.SumQuery{Region: c.region()}, c.first)
	return c, err
}

// Largest finds the largest difference, as that of Difference does.
func (c *Chance) Largest(
	ctx context.Context, beyond float64, limits boxtree.Limits,
) (End, error) {
	q := boxtree.SumQuery{Region: c.region(), Beyond: &beyond, Limits: limits}
	found, err := c.model.Largest(ctx, q, c.first)
	end := End{Bound: found.Bound, Nodes: found.Nodes}
	if err == nil && found.Example != nil {
		end.X, end.Other = c.pair(codesAt(found.Example))
	}
	return end, err
}

// rivals returns how many other classes there are.
func (o *Output) rivals() int {
	if o == nil {
		return 0
	}
	return o.Ensemble.Classes - 1
}

// rivals are the margins of other classes over one.
type rivals struct {
	w      *walker
	firsts int
}

// values returns the numbers that leaves add to each margin.
func (r *rivals) values(at [2]int, i, j int) []float64 {
	return r.margins(r.w.a.value(at[0], i), r.w.b.value(at[1], j))
}

// base returns the start of the margins.
func (r *rivals) base() []float64 { return r.margins(r.w.a.start(), r.w.b.start()) }

// margins returns those of sums at both inputs; nil is one without margins, or where they are 0.
func (r *rivals) margins(first, second []float64) []float64 {
	margins := make([]float64, len(r.w.zeros))
	r.w.a.margins(margins, first)
	r.w.b.margins(margins[r.firsts:], second)
	return margins
}

// start returns the start of the sums of an operand.
func (s *operand) start() []float64 {
	if s.Output == nil {
		return nil
	}
	return s.Ensemble.Vote.Base
}

// hopeless is a margin beside which no probability counts.
const hopeless = 50

// forbid returns trees that keep pairs from being too far apart: for these the first probability is
// as good as 0.
func (r *rivals) forbid(
	d *Difference, grown [][]trees.Node, base []float64,
) [][]trees.Node {
	list := d.forbid(grown, base)
	for _, nodes := range list {
		for i := range nodes {
			if v := nodes[i].Value; v[len(v)-1] < 0 {
				v[len(v)-1] = 0
				for k := range r.firsts {
					v[k] = 2*size(grown, base, k) + hopeless
				}
			}
		}
	}
	return list
}

// margins sets the margins of all classes over that of the output.
func (o *Output) margins(margins, values []float64) {
	at := 0
	for class, v := range values {
		if class != o.Plus {
			margins[at] = v - values[o.Plus]
			at++
		}
	}
}

// Probability returns that of the class of sums.
func (o *Output) Probability(sums []float64) float64 {
	margins := make([]float64, o.rivals())
	o.margins(margins, sums)
	return boxtree.Probability(margins)
}

// Chances returns the probability of x of the sums of trees without rounding, 0 for none.
func (o *Output) Chances(x []float64) float64 {
	if o == nil {
		return 0
	}
	sums := make([]float64, o.Ensemble.Classes)
	for class := range sums {
		margin := Output{Ensemble: o.Ensemble, Plus: class, Minus: o.Plus, Divisor: 1}
		sums[class], _ = margin.Exactly(x).Float64()
	}
	return o.Probability(sums)
}

// Drift returns by how much the probability of an input that a model computes may differ from that
// without rounding of its sums: a quarter of the difference of margins, and the rounding of
// float64.
func (o *Output) Drift() float64 {
	most := 0.0
	for class := range o.Ensemble.Classes {
		if class != o.Plus {
			margin := Output{Ensemble: o.Ensemble, Plus: class, Minus: o.Plus, Divisor: 1}
			off := margin.Rounding()
			if o.Ensemble.Vote.Scale != 0 { // each value has been rounded, too
				_, size := o.drift(class)
				_, own := o.drift(o.Plus)
				off += 2 * o.Ensemble.Vote.Unit() * (size + own)
			}
			most = max(most, off)
		}
	}
	return most/4 + 0x1p-50
}
