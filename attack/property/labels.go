package property

import (
	"context"
	"math"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/classifier/search"
	"github.com/seed-1a7dc1f9/facet/internal/pairs"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// flips returns the tasks of labels that differ. Where both inputs may change places, one order of
// two labels is enough.
func (q *question) flips(t task) (list []task) {
	for a := range q.of[0].Classes {
		for b := range q.of[0].Classes {
			if a != b && (a > b || t.first != t.second) {
				t := t
				t.labels = [...]int{a, b}
				list = append(list, t)
			}
		}
	}
	return list
}

// tryLabels searches for a pair with the labels of a task, unless an earlier search found one.
func (b *best) tryLabels(ctx context.Context, m *pairs.Models, t task, search [2]int) error {
	if b.earlier(search) {
		return nil
	}
	c := m.Contest(t.first, t.second, b.leads(t.first, t.labels[0]), b.leads(t.second, t.labels[1]),
		t.copied)
	for range mostTies {
		point, bound, nodes, err := b.contest(ctx, c)
		if err != nil {
			return err
		}
		if point == nil {
			b.note(bound, false, nil, nodes)
			return nil
		}
		p := &pair{task: t, search: search}
		p.x, p.other = c.Pair(point)
		if p.x == nil || !m.Within(p.x) || !b.certain(p) {
			break
		}
		if b.flipped(p) {
			b.note(bound, false, p, nodes)
			return nil
		}
		b.note(0, false, nil, nodes)
		c.Without(point)
	}
	b.note(math.Inf(1), false, nil, 0)
	return nil
}

// mostTies is how many points are looked at that seem to have two labels, as far as sums are known
// without rounding, and have one.
const mostTies = 100

// leads returns what a label needs.
func (q *question) leads(model, label int) []trees.Lead {
	return q.of[model].Leads(&search.Query{From: -1, Target: label}, label)
}

// contest searches for a point at which label 0 of a contest wins. Without one the bound is 0 if it
// is proven that there is none, and else infinite.
func (q *question) contest(
	ctx context.Context, c *pairs.Contest,
) (point []float64, bound float64, nodes int, err error) {
	e, err := voteOf(c)
	if err != nil {
		return nil, 0, 0, err
	}
	start := c.Start()
	if e.Predict(start) == 0 {
		return start, math.Inf(1), 0, nil
	}
	a := &attack.RegionBased{Classifier: e, Options: attack.Options{
		Target: new(int), Domain: c.Domain, Workers: 1, MaxNodes: q.opts.MaxNodes,
		Gap: math.MaxFloat64, // any point will do
	}}
	r, err := a.Perturb(ctx, start)
	if err == nil && r.Status() != attack.StatusNone {
		bound = math.Inf(1)
	}
	return r.Example, bound, r.Nodes, err
}

// voteOf returns the vote of a contest.
func voteOf(c *pairs.Contest) (*classifier.Ensemble, error) {
	members := make([]*classifier.Tree, len(c.Trees))
	for t, plain := range c.Trees {
		nodes := make([]classifier.TreeNode, len(plain))
		for i, n := range plain {
			nodes[i] = classifier.TreeNode{
				Feature: n.Feature, Threshold: n.Threshold, Left: n.Left, Right: n.Right,
				Value: n.Value,
			}
		}
		var err error
		members[t], err = classifier.NewTree(len(c.Domain), classifier.AtMostFloat64, nodes)
		if err != nil {
			return nil, err
		}
	}
	return classifier.NewEnsemble(members,
		classifier.EnsembleOptions{Vote: classifier.SumVote, Base: c.Base})
}

// earlier reports whether an earlier search has found a pair.
func (b *best) earlier(search [2]int) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.pair != nil && before(b.pair.search, search)
}

func before(a, b [2]int) bool { return a[0] < b[0] || (a[0] == b[0] && a[1] < b[1]) }

// flipped reports whether the labels of a pair differ.
func (q *question) flipped(p *pair) bool {
	p.difference = q.outputs[p.first].Exactly(p.x)
	p.difference.Sub(p.difference, q.outputs[p.second].Exactly(p.other))
	return q.labelAt(p.first, p.x) != q.labelAt(p.second, p.other)
}

// certain reports whether a pair has its labels in whatever order sums are added.
func (q *question) certain(p *pair) bool {
	return q.of[p.first].Certain(p.x) && q.of[p.second].Certain(p.other)
}
