package classifier

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/seed-1a7dc1f9/facet/polytope"
)

// choices are the leaves that each tree can reach within a ball around X, in
// groups of which an input chooses one each. A group stands for one tree or, once
// merged, for several, and its choices for intersections of their leaves.
type choices struct {
	metric
	lo, hi []int32 // slots that meet the ball
	first  []int32 // choices of group g: first[g] ≤ i < first[g+1]
	reach  []float64
	gains  []float64 // choice after choice, what it adds to each contrast
	sides  []side    // those of choice i: start[i] ≤ j < start[i+1], by feature
	start  []int32
	base   []float64 // lead of each contrast before any group chooses

	order  []int32   // by contrast: the choices of each group, the largest gain first
	spread []float64 // by contrast: mean difference of the gains of a group
	// The sides by where they begin and by where they end, if that lies within
	// the ball.
	begins, ends edges
}

// side restricts a choice to the slots lo ≤ s ≤ hi of a feature.
type side struct {
	feature, lo, hi int32
	gap             float64 // scaled distance from X
}

// edges are the choices whose sides begin, or end, at each slot of the ball.
type edges struct {
	choice []int32
	first  []int32 // choices at slot s of feature f: from first[offset[f]+s] on
	offset []int32
}

// edge returns the slot at which a side begins or ends; false if that does not lie
// within the ball.
func (c *choices) edge(s *side, end bool) (slot int32, ok bool) {
	if end {
		return s.hi, s.hi < c.hi[s.feature]
	}
	return s.lo, s.lo > c.lo[s.feature]
}

// fill sorts the sides of all choices by the slot at which they begin or end.
func (e *edges) fill(c *choices, end bool) {
	e.offset = resize(e.offset, len(c.lo))
	slots := int32(0)
	for f := range c.lo {
		e.offset[f] = slots - c.lo[f]
		slots += c.hi[f] - c.lo[f] + 1
	}
	e.first = resize(e.first, int(slots)+1)
	clear(e.first)
	for i := range c.sides {
		s := &c.sides[i]
		if slot, ok := c.edge(s, end); ok {
			e.first[e.offset[s.feature]+slot]++
		}
	}
	for i := range slots {
		e.first[i+1] += e.first[i] // where the slot ends, until the choices are in place
	}
	e.choice = resize(e.choice, int(e.first[slots]))
	for i := c.len() - 1; i >= 0; i-- {
		for j := c.start[i]; j < c.start[i+1]; j++ {
			s := &c.sides[j]
			if slot, ok := c.edge(s, end); ok {
				at := e.offset[s.feature] + slot
				e.first[at]--
				e.choice[e.first[at]] = int32(i)
			}
		}
	}
}

// between returns the choices at the slots from ≤ s < to of a feature.
func (e *edges) between(f, from, to int32) []int32 {
	at := e.offset[f]
	return e.choice[e.first[at+from]:e.first[at+to]]
}

func (c *choices) groups() int { return len(c.first) - 1 }
func (c *choices) len() int    { return len(c.reach) }

// slots is the number of slots of all features that meet the ball.
func (c *choices) slots() int { return len(c.begins.first) - 1 }

// gather collects what can be reached within a distance of X. It reuses the memory of
// old choices, which may be nil. It stops with the error of a context that ends.
func (s *ensembleSearch) gather(ctx context.Context, m metric, distance float64, old *choices) (*choices, error) {
	c := &choices{}
	if old != nil {
		*c = *old
	}
	c.metric = m
	c.reset()
	g := gathering{ensembleSearch: s, metric: m, ctx: ctx, c: c, limit: m.scaled(distance)}
	c.lo, c.hi = g.ball(c.lo, c.hi)
	g.lo, g.hi = slices.Clone(c.lo), slices.Clone(c.hi)
	for f := range g.lo {
		g.base = g.join(g.base, g.scale(s.gap(int32(f), s.lo[f], s.hi[f])), 0)
	}
	for _, k := range s.contrasts {
		c.base = append(c.base, k.base)
	}
	for t := range s.trees {
		g.tree = &s.trees[t]
		g.visit(0, g.base)
		if g.err != nil {
			return c, g.err
		}
		c.close()
	}
	return c, nil
}

// reset empties c but keeps its memory.
func (c *choices) reset() {
	c.first, c.start = append(c.first[:0], 0), append(c.start[:0], 0)
	c.reach, c.gains, c.base, c.sides = c.reach[:0], c.gains[:0], c.base[:0], c.sides[:0]
}

// ball returns the slots of each feature within the limit.
func (g *gathering) ball(lo, hi []int32) (_, _ []int32) {
	s := g.ensembleSearch
	lo, hi = append(lo[:0], s.at...), append(hi[:0], s.at...)
	for f := range lo {
		for lo[f] > s.lo[f] && g.scale(s.gap(int32(f), lo[f]-1, lo[f]-1)) <= g.limit {
			lo[f]--
		}
		for hi[f] < s.hi[f] && g.scale(s.gap(int32(f), hi[f]+1, hi[f]+1)) <= g.limit {
			hi[f]++
		}
	}
	return lo, hi
}

// clone returns c, before it is indexed, in memory of its own.
func (c *choices) clone() *choices {
	return &choices{
		metric: c.metric,
		lo:     slices.Clone(c.lo), hi: slices.Clone(c.hi),
		first: slices.Clone(c.first), reach: slices.Clone(c.reach), gains: slices.Clone(c.gains),
		sides: slices.Clone(c.sides), start: slices.Clone(c.start), base: slices.Clone(c.base),
	}
}

// gathering walks the trees.
type gathering struct {
	*ensembleSearch
	metric
	ctx    context.Context
	err    error
	c      *choices
	tree   *gridTree
	limit  float64 // scaled
	base   float64 // reach of the domain
	lo, hi []int32 // slots of the node being visited
	path   []int32 // features that restrict it
}

// visit adds the leaves below a node whose own reach is known.
func (g *gathering) visit(node int32, reach float64) {
	n := &g.tree.nodes[node]
	f := n.feature
	if f < 0 {
		g.add(node)
		return
	}
	if g.err != nil {
		return
	}
	lo, hi := g.lo[f], g.hi[f]
	if n.cut >= hi {
		g.visit(n.left, reach)
		return
	}
	if n.cut < lo {
		g.visit(n.right, reach)
		return
	}
	before := g.scale(g.gap(f, lo, hi))
	fresh := lo == g.c.lo[f] && hi == g.c.hi[f]
	if fresh {
		g.path = append(g.path, f)
	}
	if r := g.join(reach, g.scale(g.gap(f, lo, n.cut)), before); r <= g.limit {
		g.hi[f] = n.cut
		g.visit(n.left, r)
		g.hi[f] = hi
	}
	if r := g.join(reach, g.scale(g.gap(f, n.cut+1, hi)), before); r <= g.limit {
		g.lo[f] = n.cut + 1
		g.visit(n.right, r)
		g.lo[f] = lo
	}
	if fresh {
		g.path = g.path[:len(g.path)-1]
	}
}

// add appends a leaf.
func (g *gathering) add(leaf int32) {
	c := g.c
	begin := len(c.sides)
	if g.err = g.check(); g.err != nil {
		return
	}
	for _, f := range g.path {
		s := side{f, g.lo[f], g.hi[f], g.scale(g.gap(f, g.lo[f], g.hi[f]))}
		c.sides = append(c.sides, s)
		for i := len(c.sides) - 1; i > begin && c.sides[i].feature < c.sides[i-1].feature; i-- {
			c.sides[i], c.sides[i-1] = c.sides[i-1], c.sides[i]
		}
	}
	c.start = append(c.start, int32(len(c.sides)))
	c.reach = append(c.reach, g.extent(c.sides[begin:]))
	classes := g.e.classes
	for i := range g.contrasts {
		c.gains = append(c.gains, g.contrasts[i].gain(g.tree.values[int(leaf)*classes:(int(leaf)+1)*classes]))
	}
}

// mostSides is how many sides the leaves within reach may have, which can be quadratic
// in the depth of a tree, and mostGains how many gains, as many for each as there
// are labels: a few gigabytes.
const mostSides, mostGains = 1 << 26, 1 << 27

// check returns why to stop: the context's error, looked at every so often, or that
// there is too much to keep.
func (g *gathering) check() error {
	if len(g.c.sides) > mostSides || len(g.c.gains) > mostGains {
		return fmt.Errorf("classifier: ensemble: the leaves within reach have more than %d sides, or with the labels %d gains: %w",
			mostSides, mostGains, errors.ErrUnsupported)
	}
	if g.c.len()%64 == 0 {
		return g.ctx.Err()
	}
	return nil
}

// extent returns the reach of a choice with these sides.
func (g *gathering) extent(sides []side) float64 {
	reach := g.base
	for i := range sides {
		before := 0.0
		if f := sides[i].feature; g.q.Domain != nil && g.q.Norm != polytope.LInf {
			before = g.scale(g.gap(f, g.at[f], g.at[f]))
		}
		reach = g.join(reach, sides[i].gap, before)
	}
	return reach
}

// close ends a group. One that leaves no choice joins the base instead.
func (c *choices) close() {
	begin := int(c.first[len(c.first)-1])
	if c.len() != begin+1 {
		c.first = append(c.first, int32(c.len()))
		return
	}
	k := len(c.base)
	for i := range c.base {
		c.base[i] += c.gains[begin*k+i]
	}
	c.gains = c.gains[:begin*k]
	c.reach = c.reach[:begin]
	c.start = c.start[:begin+1]
	c.sides = c.sides[:c.start[begin]]
}

// index prepares the choices for the search.
func (c *choices) index() {
	k := len(c.base)
	c.order, c.spread = resize(c.order, k*c.len()), resize(c.spread, k)
	clear(c.spread)
	for contrast := range k {
		order := c.order[contrast*c.len() : (contrast+1)*c.len()]
		for g := range c.groups() {
			c.rank(order, int(c.first[g]), int(c.first[g+1]), contrast)
		}
	}
	c.begins.fill(c, false)
	c.ends.fill(c, true)
}

// resize returns a slice of n elements of any value in the memory of s.
func resize[T any](s []T, n int) []T { return slices.Grow(s[:0], n)[:n] }

// rank sorts the choices of a group by their gains, the nearer first of a tie.
func (c *choices) rank(order []int32, begin, end, contrast int) {
	if begin == end {
		return
	}
	for i := begin; i < end; i++ {
		j := i
		for ; j > begin && c.better(int32(i), order[j-1], contrast); j-- {
			order[j] = order[j-1]
		}
		order[j] = int32(i)
	}
	k := len(c.base)
	c.spread[contrast] += (c.gains[int(order[begin])*k+contrast] - c.gains[int(order[end-1])*k+contrast]) / float64(c.groups())
}

func (c *choices) better(a, b int32, contrast int) bool {
	k := len(c.base)
	ga, gb := c.gains[int(a)*k+contrast], c.gains[int(b)*k+contrast]
	return ga > gb || (ga == gb && c.reach[a] < c.reach[b])
}
