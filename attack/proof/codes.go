package proof

import "math"

// codeSlots are the slots of a feature that is a category.
type codeSlots struct {
	own    int32   // the slot that holds the value of x; −1 if the domain does not
	others slotSet // those that hold codes, if a change is nearer than the bound
}

// codeSlots returns the slots of a category in reach, of those from first to last, which meet the
// domain.
func (b *boxes) codeSlots(f int, first, last int32) *codeSlots {
	low, high := b.limits(f)
	borders := b.e.borders[f]
	c := &codeSlots{own: -1, others: make(slotSet, len(borders)/64+1)}
	if x := b.X[f]; low <= x && x <= high && b.Bound > 0 {
		c.own = b.home[f]
	}
	if b.farPoint(f, 1) {
		return c
	}
	most := min(high, float64(b.Codes[f]-1))
	for slot := first; slot <= last; slot++ {
		code := max(0, math.Ceil(low))
		if slot > 0 {
			border := borders[slot-1]
			if code = max(code, math.Ceil(border.end)); border.low(code) {
				code++
			}
		}
		if code <= most && (int(slot) == len(borders) || borders[slot].low(code)) {
			c.others.add(slot, slot)
		}
	}
	return c
}

// nearest is that of boxes.
func (c *codeSlots) nearest(low, high int32, set slotSet) (z float64, ok bool) {
	if c.own >= low && c.own <= high && (set == nil || set.has(c.own)) {
		return 0, true
	}
	for slot := c.others.from(low, high); slot <= high; slot = c.others.from(slot+1, high) {
		if set == nil || set.has(slot) {
			return 1, true
		}
	}
	return 0, false
}
