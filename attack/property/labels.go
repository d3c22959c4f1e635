package property

import (
	"context"
	"math"
	"math/big"

	"github.com/seed-1a7dc1f9/facet/attack/property/internal/pairs"
	"github.com/seed-1a7dc1f9/facet/internal/exact"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// flips returns the tasks of labels that differ. One order of two labels is enough, since both
// inputs may change places, and of two models either is first in some task. Of ordered inputs the
// first has the class that counts. If outputs may differ by something, some output is to differ by
// more besides.
func (q *question) flips(m *pairs.Models, t task) (list []task, err error) {
	ways := []task{t}
	if q.opts.By > 0 {
		if ways, err = q.exceeding(m, t); err != nil {
			return nil, err
		}
	}
	for a := range q.of[0].Classes {
		for b := range q.of[0].Classes {
			ordered := b != a && a == q.classes[0]
			if q.opts.Ordered && !ordered || !q.opts.Ordered && b >= a {
				continue
			}
			for _, t := range ways {
				t.labels = [...]int{a, b}
				list = append(list, t)
			}
		}
	}
	return list, nil
}

// exceeding returns the ways in which an output may differ by more than By.
func (q *question) exceeding(m *pairs.Models, t task) (list []task, err error) {
	for _, one := range q.each(t) {
		for _, falls := range []bool{true, false} {
			way := one
			if falls && (q.outputs[0][one.output].Minus >= 0 || q.opts.Ordered) {
				continue // a margin is that of the labels, and ordered outputs fall
			}
			if falls {
				way.first, way.second = way.second, way.first
			}
			d, err := q.difference(m, &way)
			if err != nil {
				return nil, err
			}
			if one.exceeds, one.falls = true, falls; d.Most() > q.opts.By {
				list = append(list, one)
			}
		}
	}
	return list, nil
}

// tryLabels searches for a pair with the labels of a task, unless an earlier search found one.
func (b *best) tryLabels(ctx context.Context, m *pairs.Models, s *attempt) error {
	t := &s.task
	b.mu.Lock()
	b.open--
	b.mu.Unlock()
	if b.earlier(s.at) {
		return nil
	}
	c, err := m.TwoLabels(b.rivalry(m, t))
	if err != nil {
		return err
	}
	var p *pair
	doubt := false
	found, none, nodes, err := c.Find(ctx, b.limits, func(x, other []float64) bool {
		seen := &pair{task: *t, search: s.at, x: x, other: other}
		if x == nil || !m.Within(x) || !b.certain(seen) {
			doubt = true // of real vectors between float64, and of sums in any order
			return false
		}
		label := b.labelAt(t.first, x)
		if label == b.labelAt(t.second, other) || b.opts.Ordered && label != t.labels[0] {
			return false
		}
		if b.measure(seen); t.exceeds && !b.goesBeyond(seen) {
			return false
		}
		p = seen
		return true
	})
	switch {
	case err != nil:
		return err
	case found:
		b.note(0, false, p, nodes)
	case none && !doubt:
		b.note(0, false, nil, nodes)
	default:
		b.note(math.Inf(1), false, nil, nodes)
	}
	return nil
}

// rivalry returns the conditions on a pair with the labels of a task.
func (b *best) rivalry(m *pairs.Models, t *task) *pairs.Rivalry {
	r := &pairs.Rivalry{
		First: t.first, Second: t.second, A: b.margins(t.first, t.labels[0]),
		B: b.margins(t.second, t.labels[1]), Copied: t.copied,
		Alike: b.models[0] == b.models[1] || b.added() && m.InOrder(),
	}
	if t.exceeds {
		r.Outputs = [...]*pairs.Output{b.output(t.first, t), b.output(t.second, t)}
		r.Less, r.By = t.falls, b.opts.By
	}
	return r
}

// goesBeyond reports whether the outputs of a pair differ by more than By, as real numbers and as
// the models compute them.
func (q *question) goesBeyond(p *pair) bool {
	real := new(big.Rat).Set(p.difference)
	computed := exact.Difference(q.sumAt(p.first, p.output, p.x),
		q.sumAt(p.second, p.output, p.other))
	if p.falls {
		real, computed = real.Neg(real), computed.Neg(computed)
	}
	by := exact.Float(q.opts.By)
	return real.Cmp(by) > 0 && computed.Cmp(by) > 0
}

// margins returns the margins that a label needs.
func (q *question) margins(model, label int) []trees.Margin {
	return q.of[model].Margins(&search.Query{From: -1, Target: label}, label)
}

// earlier reports whether an earlier search has found a pair.
func (b *best) earlier(search [2]int) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.pair != nil && before(b.pair.search, search)
}

func before(a, b [2]int) bool { return a[0] < b[0] || (a[0] == b[0] && a[1] < b[1]) }

// measure sets the difference of a pair: of labels, unless a task names an output, that of the one
// that differs most.
func (q *question) measure(p *pair) {
	if !q.opts.Labels || p.exceeds {
		p.difference = q.differenceOf(p)
		return
	}
	most := new(big.Rat)
	for _, t := range q.each(p.task) {
		one := pair{task: t, x: p.x, other: p.other}
		one.difference = q.differenceOf(&one)
		if size := new(big.Rat).Abs(one.difference); p.difference == nil || size.Cmp(most) > 0 {
			p.output, p.difference, most = t.output, one.difference, size
		}
	}
}

// differenceOf returns by how much the first output of a pair exceeds the second.
func (q *question) differenceOf(p *pair) *big.Rat {
	x, other := q.output(p.first, &p.task), q.output(p.second, &p.task)
	if q.chances {
		return exact.Difference(x.Chances(p.x), other.Chances(p.other))
	}
	d := x.Exactly(p.x)
	return d.Sub(d, other.Exactly(p.other))
}

// certain reports whether a pair has its labels in any order of adding the sums.
func (q *question) certain(p *pair) bool {
	return q.of[p.first].Certain(p.x) && q.of[p.second].Certain(p.other)
}
