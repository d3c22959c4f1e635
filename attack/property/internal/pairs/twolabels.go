package pairs

import (
	"context"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/boxtree"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// Rivalry is two labels that both inputs of a pair are to have.
type Rivalry struct {
	First, Second int
	A, B          []trees.Margin // that each input must win for its label
	Copied        []int
	// Alike says that both inputs have the same label where all trees add the same.
	Alike bool
	// Outputs, unless they are nil, are to differ by more than By: the first is the larger one or,
	// with Less, the second.
	Outputs [2]*Output
	Less    bool
	By      float64
}

// TwoLabels are the conditions on a pair with two labels, as sums of trees over codes, none of
// which is negative where the first input has the one label and the second the other: the margins
// of both labels; the margins of both over each other, added up, which sees that both inputs share
// features; if they are alike, how many trees add something else, less a half; and by how much
// outputs differ more than they may.
type TwoLabels struct{ *Difference }

// TwoLabels adds up the conditions of a rivalry. Sums include the most that the model's own
// rounding may add, and are rounded up.
func (m *Models) TwoLabels(r *Rivalry) (*TwoLabels, error) {
	c := &TwoLabels{m.difference(r.Copied, nil)}
	x, other := &Output{Ensemble: m.of[r.First]}, &Output{Ensemble: m.of[r.Second]}
	if r.Outputs[0] != nil {
		x, other = r.Outputs[0], r.Outputs[1]
	}
	w := m.walk(r.First, r.Second, x, other, r.Copied, c.box)
	w.whole = true // the model may round sums of the same margins differently
	t := &terms{w: w, Rivalry: r}
	w.values, w.zeros = t.values, make([]float64, t.count())
	base, grown := t.base(), w.all()
	grown = append(grown, c.forbid(grown, base)...)
	quantize(grown, base)
	return c, c.sums(grown, base)
}

// Find searches for a pair that is accepted, of those that may have both labels. Without one, none
// says that there is none of real vectors, but for those that were refused.
func (c *TwoLabels) Find(
	ctx context.Context, limits boxtree.Limits, accepts func(x, other []float64) bool,
) (found, none bool, opened int, err error) {
	w, err := c.model.Satisfy(ctx, boxtree.Wanted{
		Region: c.region(), Limits: limits,
		Accepts: func(z []float64) bool { return accepts(c.pair(codesAt(z))) },
	})
	return w.Example != nil, w.None, w.Nodes, err
}

// terms are the sums that a pair needs.
type terms struct {
	w *walker
	*Rivalry
}

// all is the sum of the margins of both labels over each other. Those of each come before it.
func (t *terms) all() int { return len(t.A) + len(t.B) }

// differ is how many trees add something else.
func (t *terms) differ() int { return t.all() + 1 }

// count returns how many sums there are.
func (t *terms) count() int {
	count := t.differ()
	if t.Alike {
		count++
	}
	if t.Outputs[0] != nil {
		count++
	}
	return count
}

// values returns the numbers that leaves add to each sum, rounded up.
func (t *terms) values(at [2]int, i, j int) []float64 {
	values := slices.Clone(t.w.zeros)
	a, b := t.w.a.value(at[0], i), t.w.b.value(at[1], j)
	add := func(margins []trees.Margin, rival int, gains, to []float64) {
		if gains == nil {
			return
		}
		for k := range margins {
			gain := precise.SubUp(gains[margins[k].Label], gains[margins[k].Rival])
			if to[k] = gain; margins[k].Rival == rival {
				values[t.all()] = precise.AddUp(values[t.all()], gain)
			}
		}
	}
	add(t.A, t.B[0].Label, a, values)
	add(t.B, t.A[0].Label, b, values[len(t.A):])
	if t.Alike && !slices.Equal(a, b) && !t.w.constant(at) {
		values[t.differ()] = 1
	}
	if t.Outputs[0] != nil {
		values[len(values)-1] = t.excess(at, i, j)
	}
	return values
}

// excess returns by how much the outputs of leaves differ, rounded up.
func (t *terms) excess(at [2]int, i, j int) float64 {
	if !t.Less {
		return t.w.difference(at, i, j)[0]
	}
	turned := walker{a: t.w.b, b: t.w.a}
	return turned.difference([...]int{at[1], at[0]}, j, i)[0]
}

// base returns the start of the sums, with an allowance for rounding.
func (t *terms) base() []float64 {
	base := slices.Clone(t.w.zeros)
	for k, l := range slices.Concat(t.A, t.B) {
		base[k] = precise.AddUp(l.Base, l.Slack)
		if l.Rival == t.A[0].Label || l.Rival == t.B[0].Label {
			base[t.all()] = precise.AddUp(base[t.all()], base[k])
		}
	}
	if t.Alike {
		base[t.differ()] = -0.5
	}
	if t.Outputs[0] != nil {
		first, second := t.Outputs[0].base(), t.Outputs[1].base()
		if t.Less {
			first, second = second, first
		}
		base[len(base)-1] = precise.SubUp(precise.SubUp(first.high, second.low), t.By)
	}
	return base
}

// InOrder reports whether trees that stand at the same place in both models are walked together,
// and those of one leaf add the same.
func (m *Models) InOrder() bool {
	if m.of[0] == m.of[1] {
		return true
	}
	if len(m.trees[0]) != len(m.trees[1]) {
		return false
	}
	for t := range m.trees[0] {
		one, other := m.trees[0][t].Len() == 1, m.trees[1][t].Len() == 1
		if one != other || one && !slices.Equal(m.of[0].Value(t, 0), m.of[1].Value(t, 0)) {
			return false
		}
	}
	return !slices.ContainsFunc(m.matched, func(pair [2]int) bool {
		return pair[0] != none && pair[1] != none && pair[0] != pair[1]
	})
}

// constant reports whether a tree of one leaf is walked alone.
func (w *walker) constant(at [2]int) bool {
	return at[0] == none && w.b.trees[at[1]].Len() == 1 ||
		at[1] == none && w.a.trees[at[0]].Len() == 1
}
