package boxtree

import (
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/boxtree/grid"
)

// divideSet returns the interval of a feature, in which best choices have no common interval,
// behind which to split, by the product of the losses of both halves: regrets, by the share of a
// choice's intervals that the half lacks.
func (o *splitter) divideSet(
	x *crossing, f int32, bound, floor float64,
) (interval int32, most float64) {
	c, span, words := o.region.choices, o.region.box[f], o.Words(f)
	known := c.metric.Scaled(bound)
	width := int(span.Hi - span.Lo)
	o.lows, o.highs = resize(o.lows, width), resize(o.highs, width)
	for i := range width {
		o.lows[i], o.highs[i] = floor, floor
	}
	for g, i := range x.best {
		if i == none {
			continue
		}
		for _, s := range c.rangesOf(i) {
			if s.feature != f {
				continue
			}
			within := grid.Span{Lo: max(s.Lo, span.Lo), Hi: min(s.Hi, span.Hi)}
			if within == span && s.set == 0 {
				continue
			}
			regret := o.regret(x, g, known)
			count, set := int(within.Hi-within.Lo)+1, grid.Set(nil)
			if s.set > 0 {
				set = c.setOf(s.set, words)
				count = set.Count(within)
			}
			o.share(span, count, regret, func(at int32) bool {
				return at >= within.Lo && at <= within.Hi && (set == nil || set.Has(at))
			})
		}
	}
	interval, most = span.Lo, math.Inf(-1)
	for i := range width {
		at := span.Lo + int32(i)
		low, high := o.farther(x, f, at, bound)
		if score := (o.lows[i] + low) * (o.highs[i] + high); score > most {
			interval, most = at, score
		}
	}
	return interval, most
}

// share adds the losses of the halves by a choice with so many intervals in a span.
func (o *splitter) share(span grid.Span, count int, regret float64, has func(interval int32) bool) {
	low := 0
	for i := range o.lows {
		if has(span.Lo + int32(i)) {
			low++
		}
		part := float64(low) / float64(count)
		o.lows[i] += regret * (1 - part) * (1 - part)
		o.highs[i] += regret * part * part
	}
}
