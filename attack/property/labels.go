package property

import (
	"context"
	"math"

	"github.com/seed-1a7dc1f9/facet/classifier/search"
	"github.com/seed-1a7dc1f9/facet/internal/exact"
	"github.com/seed-1a7dc1f9/facet/internal/pairs"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// flips returns the tasks of labels that differ. One order of two labels is enough, since both
// inputs may change places, and of two models either is first in some task. Of ordered inputs the
// first has the class that counts.
func (q *question) flips(t task) (list []task) {
	for a := range q.of[0].Classes {
		for b := range q.of[0].Classes {
			if t.labels = [...]int{a, b}; b < a && !q.opts.Ordered ||
				b != a && q.opts.Ordered && a == q.outputs[0].Plus {
				list = append(list, t)
			}
		}
	}
	return list
}

// tryLabels searches for a pair with the labels of a task, unless an earlier search found one.
func (b *best) tryLabels(ctx context.Context, m *pairs.Models, s *inquiry) error {
	t := &s.task
	b.mu.Lock()
	b.open--
	b.mu.Unlock()
	if b.earlier(s.at) {
		return nil
	}
	c, err := m.Contest(t.first, t.second, b.leads(t.first, t.labels[0]),
		b.leads(t.second, t.labels[1]), t.copied)
	if err != nil {
		return err
	}
	var p *pair
	doubt := false
	found, none, nodes, err := c.Find(ctx, b.opts.MaxNodes, func(x, other []float64) bool {
		seen := &pair{task: *t, search: s.at, x: x, other: other}
		if x == nil || !m.Within(x) || !b.certain(seen) {
			doubt = true // of real vectors between float64, and of sums in any order
			return false
		}
		label := b.labelAt(t.first, x)
		if label == b.labelAt(t.second, other) || b.opts.Ordered && label != t.labels[0] {
			return false
		}
		p = seen
		return true
	})
	switch {
	case err != nil:
		return err
	case found:
		b.measure(p)
		b.note(0, false, p, nodes)
	case none && !doubt:
		b.note(0, false, nil, nodes)
	default:
		b.note(math.Inf(1), false, nil, nodes)
	}
	return nil
}

// leads returns what a label needs.
func (q *question) leads(model, label int) []trees.Lead {
	return q.of[model].Leads(&search.Query{From: -1, Target: label}, label)
}

// earlier reports whether an earlier search has found a pair.
func (b *best) earlier(search [2]int) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.pair != nil && before(b.pair.search, search)
}

func before(a, b [2]int) bool { return a[0] < b[0] || (a[0] == b[0] && a[1] < b[1]) }

// measure sets the difference of a pair.
func (q *question) measure(p *pair) {
	if q.chances {
		p.difference = exact.Difference(q.output(p.first).Chances(p.x),
			q.output(p.second).Chances(p.other))
		return
	}
	p.difference = q.output(p.first).Exactly(p.x)
	p.difference.Sub(p.difference, q.output(p.second).Exactly(p.other))
}

// certain reports whether a pair has its labels in whatever order sums are added.
func (q *question) certain(p *pair) bool {
	return q.of[p.first].Certain(p.x) && q.of[p.second].Certain(p.other)
}
