package pairs

import (
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Contest is a vote of trees over codes that label 0 wins wherever the first input of a pair may
// have one label and the second another. Class 0 has sums of zero, each other one the negative of a
// lead that a label needs, and the last one that of the sum of the leads of both labels over each
// other: their potentials see that both inputs share features.
type Contest struct {
	*Difference // of no trees of its own
	Trees       [][]trees.Node
	Base        []float64
	Domain      polytope.Box
	size        float64
}

// Contest makes the vote, of leads that the first input needs for its label and the second for its
// own. Rounding is on the side of label 0.
func (m *Models) Contest(first, second int, a, b []trees.Lead, copied []int) *Contest {
	c := &Contest{Difference: &Difference{Space: m.Space, copied: copied, box: m.box(copied)}}
	w := m.walk(m.side(first, &Output{Ensemble: m.of[first]}),
		m.side(second, &Output{Ensemble: m.of[second]}), copied, c.box)
	t := &terms{w: w, a: a, b: b}
	w.values, w.zeros = t.values, make([]float64, len(a)+len(b)+1)
	base := t.base()
	c.Trees = w.all()
	c.size = 1 + 2*math.Abs(quantize(c.Trees, base)[len(base)-1])
	c.Base = against(base)
	for _, nodes := range c.Trees {
		for i := range nodes {
			nodes[i].Value = against(nodes[i].Value)
		}
	}
	for _, s := range c.box {
		c.Domain = append(c.Domain, polytope.Interval{Lo: float64(s.Lo), Hi: float64(s.Hi)})
	}
	return c
}

// against returns what leads are for the other classes.
func against(leads []float64) []float64 {
	values := make([]float64, 1, len(leads)+1)
	for _, v := range leads {
		values = append(values, 0-v)
	}
	return values
}

// Pair returns the inputs of a point of the vote, nil if there are none of float64.
func (c *Contest) Pair(point []float64) (x, other []float64) { return c.pair(codesAt(point)) }

// Start returns a point of the vote.
func (c *Contest) Start() []float64 {
	point := make([]float64, len(c.box))
	for f, s := range c.box {
		point[f] = float64((s.Lo + s.Hi) / 2)
	}
	return point
}

// Without makes label 0 lose in the leaves of all trees that a point reaches.
func (c *Contest) Without(point []float64) {
	cell, codes := slices.Clone(c.box), codesAt(point)
	for _, nodes := range c.Trees {
		for i := 0; nodes[i].Left >= 0; {
			n := &nodes[i]
			s, last := &cell[n.Feature], int32(math.Floor(n.Threshold))
			if codes[n.Feature] <= last {
				i, s.Hi = n.Left, min(s.Hi, last)
			} else {
				i, s.Lo = n.Right, max(s.Lo, last+1)
			}
		}
	}
	var nodes []trees.Node
	leaf := func(value []float64) {
		nodes = append(nodes, trees.Node{Feature: -1, Left: -1, Right: -1, Value: value})
	}
	none := make([]float64, len(c.Base))
	part := func(f int, behind int32, below bool) { // the cell lies below the cut, or beyond
		at := len(nodes)
		n := trees.Node{Feature: f, Threshold: float64(behind) + 0.5, Value: none}
		if n.Left, n.Right = at+1, at+2; below {
			n.Left, n.Right = at+2, at+1
		}
		nodes = append(nodes, n)
		leaf(none)
	}
	for f, s := range cell {
		if s.Lo > c.box[f].Lo {
			part(f, s.Lo-1, false)
		}
		if s.Hi < c.box[f].Hi {
			part(f, s.Hi, true)
		}
	}
	lost := slices.Clone(none)
	lost[len(lost)-1] = c.size // more than all leads together
	leaf(lost)
	c.Trees = append(c.Trees, nodes)
}

// terms are the leads of both labels.
type terms struct {
	w    *walker
	a, b []trees.Lead
}

// values returns what leaves add to each lead, rounded up.
func (t *terms) values(tree, i, j int) []float64 {
	values := slices.Clone(t.w.zeros)
	all := len(values) - 1
	add := func(leads []trees.Lead, rival int, gains, at []float64) {
		for k := range leads {
			gain := up(gains[leads[k].Label], gains[leads[k].Rival])
			if at[k] = gain; leads[k].Rival == rival {
				values[all] = sumUp(values[all], gain)
			}
		}
	}
	if i >= 0 {
		add(t.a, t.b[0].Label, t.w.a.value(tree, i), values)
	}
	if j >= 0 {
		add(t.b, t.a[0].Label, t.w.b.value(tree, j), values[len(t.a):])
	}
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
