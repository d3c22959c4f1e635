package weighted

import (
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/precise"
)

// span is the interval of the squared distances of a group from the inputs of a box, in
// units of the search.
type span struct{ near, far float64 }

// measure computes the span of a group.
func (o *opener) measure(g int32, p *node) {
	pad := o.pads[g]
	var near, far float64
	for j, e := range o.point(g) {
		below, above := p.box[j].Lo-e, p.box[j].Hi-e
		if gap := (max(below, -above) - pad) * o.unit; gap > 0 {
			near += float64(gap * gap)
		}
		length := (max(above, -below) + pad) * o.unit
		far += float64(length * length)
	}
	eps := precise.Noise(len(p.box))
	o.spans[g] = span{near * (1 - eps), far * (1 + eps)}
}

// survey measures the groups of a node, and drops those behind k rows wherever in
// the box.
func (o *opener) survey(p *node) []span {
	for _, g := range p.groups {
		o.measure(g, p)
	}
	o.top.Reset(o.k)
	for _, g := range p.groups {
		for range min(len(o.groups.rows[g]), o.k) {
			o.top.Offer(-o.spans[g].far, g)
		}
	}
	within := -o.top.Least()
	behind := func(g int32) bool { return o.spans[g].near > within }
	if slices.ContainsFunc(p.groups, behind) {
		p.groups = slices.DeleteFunc(slices.Clone(p.groups), behind)
	}
	return o.spans
}

// surveySet measures the groups that a node with a settled set depends on.
func (o *opener) surveySet(p *node) []span {
	for _, terms := range p.sums {
		for _, t := range terms {
			o.measure(t.group, p)
		}
	}
	for _, pair := range p.pairs {
		o.measure(pair.nearer, p)
		o.measure(pair.farther, p)
	}
	return o.spans
}

// most returns the largest value of net/√s in a span.
func (s span) most(net int32) float64 {
	switch {
	case net > 0:
		return float64(net) / math.Sqrt(s.near)
	case net < 0:
		return float64(net) / math.Sqrt(s.far)
	}
	return 0
}

// tally is a sum, and that of the sizes of its terms.
type tally struct{ sum, size float64 }

func (t *tally) add(v float64) {
	t.sum += v
	t.size += math.Abs(v)
}

// negative reports whether a sum of weights of k rows is negative for all rounding errors; false
// when a weight is infinite.
func (t tally) negative(k int) bool { return t.sum < -precise.Noise(k+2)*t.size }

// winnable reports whether some label may win somewhere in the box of a node.
func (o *opener) winnable(s *assignment, spans []span) bool {
	return slices.ContainsFunc(o.goals, func(t goal) bool {
		return !slices.ContainsFunc(t.rivals,
			func(rival int32) bool { return o.beaten(s, spans, t.label, rival) })
	})
}

// beaten reports whether the label's sum is less than the rival's all over the box,
// whichever of the open rows take the ranks.
func (o *opener) beaten(s *assignment, spans []span, label, rival int32) bool {
	var total tally
	for _, g := range s.certain {
		total.add(spans[g].most(o.net(o.groups.rows[g], label, rival)))
	}
	o.top.Reset(s.free)
	for _, g := range s.open {
		rows := o.groups.rows[g]
		for _, row := range rows[:min(len(rows), s.free)] {
			o.top.Offer(spans[g].most(o.margin(row, label, rival)), row)
		}
	}
	for _, r := range o.top.Rows {
		total.add(r.Value)
	}
	return total.negative(o.k)
}

// loses reports whether a settled set's label loses to a rival all over the box.
func (o *opener) loses(sums [][]term, spans []span) bool {
	return slices.ContainsFunc(sums, func(terms []term) bool {
		var total tally
		for _, t := range terms {
			total.add(spans[t.group].most(t.net))
		}
		return total.negative(o.k)
	})
}
