package boxtree

// edges are the choices whose sides begin, or end, at each slot of the ball.
type edges struct {
	choices []int32
	first   []int32 // choices at slot s of feature f: from first[offset[f]+s] on
	offset  []int32
}

// newEdges sorts the sides of all choices by an edge of theirs; false when that does
// not lie within the ball.
func newEdges(c *choices, edge func(s *side) (slot int32, ok bool)) edges {
	e := edges{offset: make([]int32, len(c.ball))}
	slots := int32(0)
	for f, ball := range c.ball {
		e.offset[f] = slots - ball.lo
		slots += ball.hi - ball.lo + 1
	}
	e.first = make([]int32, slots+1)
	for i := range c.sides {
		if slot, ok := edge(&c.sides[i]); ok {
			e.first[e.offset[c.sides[i].feature]+slot]++
		}
	}
	for i := range slots {
		e.first[i+1] += e.first[i] // where the slot ends, until the choices are in place
	}
	e.choices = make([]int32, e.first[slots])
	for i := int32(c.len()) - 1; i >= 0; i-- {
		sides := c.sidesOf(i)
		for j := range sides {
			if slot, ok := edge(&sides[j]); ok {
				at := e.offset[sides[j].feature] + slot
				e.first[at]--
				e.choices[e.first[at]] = i
			}
		}
	}
	return e
}

// slots is the number of slots of all features that meet the ball.
func (e *edges) slots() int { return len(e.first) - 1 }

// between returns the choices at the slots from ≤ s < to of a feature.
func (e *edges) between(f, from, to int32) []int32 {
	at := e.offset[f]
	return e.choices[e.first[at+from]:e.first[at+to]]
}
