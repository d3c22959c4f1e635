package pairs

import (
	"context"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/boxtree"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// Contest is what a pair needs to have two labels: leads of both, as sums of trees over codes, none
// of which is negative where the first input has the one label and the second the other. The last
// one is the sum of the leads of both labels over each other, and sees that both inputs share
// features.
type Contest struct{ *Difference }

// Contest adds up the leads that the first input needs for its label and the second for its own.
// They are rounded up, and have what the model's own rounding may add.
func (m *Models) Contest(
	first, second int, a, b []trees.Lead, copied []int,
) (*Contest, error) {
	c := &Contest{m.difference(copied, nil)}
	w := m.walk(first, second, &Output{Ensemble: m.of[first]},
		&Output{Ensemble: m.of[second]}, copied, c.box)
	w.whole = true // the model may round sums of the same leads differently
	t := &terms{w: w, a: a, b: b}
	w.values, w.zeros = t.values, make([]float64, len(a)+len(b)+1)
	base, grown := t.base(), w.all()
	grown = append(grown, c.forbid(grown, base)...)
	quantize(grown, base)
	return c, c.sums(grown, base)
}

// Find searches for a pair that a judge accepts, of those that may have both labels. Without one,
// none says that there is none of real vectors, but for those that the judge refused.
func (c *Contest) Find(
	ctx context.Context, nodes int, judge func(x, other []float64) bool,
) (found, none bool, opened int, err error) {
	w, err := c.model.Satisfy(ctx, boxtree.Wanted{
		Region: c.region(), Nodes: nodes,
		Judge: func(z []float64) bool { return judge(c.pair(codesAt(z))) },
	})
	return w.Example != nil, w.None, w.Nodes, err
}

// terms are the leads of both labels.
type terms struct {
	w    *walker
	a, b []trees.Lead
}

// values returns what leaves add to each lead, rounded up.
func (t *terms) values(at [2]int, i, j int) []float64 {
	values := slices.Clone(t.w.zeros)
	all := len(values) - 1
	add := func(leads []trees.Lead, rival int, gains, at []float64) {
		if gains == nil {
			return
		}
		for k := range leads {
			gain := up(gains[leads[k].Label], gains[leads[k].Rival])
			if at[k] = gain; leads[k].Rival == rival {
				values[all] = sumUp(values[all], gain)
			}
		}
	}
	add(t.a, t.b[0].Label, t.w.a.value(at[0], i), values)
	add(t.b, t.a[0].Label, t.w.b.value(at[1], j), values[len(t.a):])
	return values
}

// base returns what the leads start from, with what rounding may add.
func (t *terms) base() []float64 {
	base := slices.Clone(t.w.zeros)
	all := len(base) - 1
	for k, l := range slices.Concat(t.a, t.b) {
		base[k] = sumUp(l.Base, l.Slack)
		if l.Rival == t.a[0].Label || l.Rival == t.b[0].Label {
			base[all] = sumUp(base[all], base[k])
		}
	}
	return base
}

// sumUp returns a + b, rounded up.
func sumUp(a, b float64) float64 { return -precise.AddDown(-a, -b) }
