package boxtree

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/boxtree/grid"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// borrow returns memory to gather choices in, which is to be put back.
func (m *Model) borrow() *choices {
	if c, ok := m.spare.Get().(*choices); ok {
		return c
	}
	return &choices{}
}

// gather gathers in c the choices within a distance of X. It stops with the error of a
// context that ends.
func (s *boxSearch) gather(
	ctx context.Context, c *choices, m grid.Metric, distance float64,
) error {
	c.reset(m)
	c.within = distance
	for i := range s.margins {
		c.base = append(c.base, s.margins[i].Base)
	}
	g := gathering{boxSearch: s, c: c, limit: m.Scaled(distance)}
	c.ball = append(c.ball, s.ball(&m, distance)...)
	g.node = slices.Clone(c.ball)
	if s.HasSets() {
		g.masks = make([]grid.Set, len(s.At))
	}
	for f, d := range s.Domain {
		g.base = m.Join(g.base, m.Scale(s.Gap(int32(f), d.Lo, d.Hi)), 0)
	}
	for _, p := range s.parts {
		for t := p.Tree; t < p.Tree+p.Len(); t++ {
			if err := g.visit(ctx, &s.Trees[t], 0, g.base); err != nil {
				return err
			}
			if n := c.groups(); c.closeGroup() > n {
				c.trees = append(c.trees, int32(t))
			}
		}
		c.parts = append(c.parts, int32(c.groups()))
	}
	return nil
}

// ball returns the intervals within a distance of X, each feature on its own.
func (s *boxSearch) ball(m *grid.Metric, distance float64) grid.Box {
	b, limit := make(grid.Box, len(s.At)), m.Scaled(distance)
	for f := range b {
		b[f] = s.IntervalsWithin(m, int32(f), 0, limit)
	}
	return b
}

// gathering walks the trees.
type gathering struct {
	*boxSearch
	c     *choices
	limit float64    // scaled
	base  float64    // reach of the domain
	node  grid.Box   // intervals of the node being visited
	path  []int32    // features that restrict it
	masks []grid.Set // by feature: the intervals that reach the node by tests of sets; nil for all
}

// visit adds the leaves below node i, whose own reach is known.
func (g *gathering) visit(ctx context.Context, t *grid.Tree, i int32, reach float64) error {
	n := &t.Nodes[i]
	f := n.Feature
	if f < 0 {
		return g.add(ctx, t, i)
	}
	if g.Words(f) > 0 {
		return g.visitSet(ctx, t, n, reach)
	}
	now := g.node[f]
	if n.Cut >= now.Hi {
		return g.visit(ctx, t, n.Left, reach)
	}
	if n.Cut < now.Lo {
		return g.visit(ctx, t, n.Right, reach)
	}
	m := &g.c.metric
	before := m.Scale(g.Gap(f, now.Lo, now.Hi))
	fresh := now == g.c.ball[f]
	if fresh {
		g.path = append(g.path, f)
	}
	if r := m.Join(reach, m.Scale(g.Gap(f, now.Lo, n.Cut)), before); r <= g.limit {
		g.node[f].Hi = n.Cut
		if err := g.visit(ctx, t, n.Left, r); err != nil {
			return err
		}
		g.node[f].Hi = now.Hi
	}
	if r := m.Join(reach, m.Scale(g.Gap(f, n.Cut+1, now.Hi)), before); r <= g.limit {
		g.node[f].Lo = n.Cut + 1
		if err := g.visit(ctx, t, n.Right, r); err != nil {
			return err
		}
		g.node[f].Lo = now.Lo
	}
	if fresh {
		g.path = g.path[:len(g.path)-1]
	}
	return nil
}

// visitSet is visit of a feature of which some test asks for a set.
func (g *gathering) visitSet(
	ctx context.Context, t *grid.Tree, n *grid.Node, reach float64,
) error {
	f, m := n.Feature, &g.c.metric
	whole, mask := g.node[f], g.masks[f]
	if mask == nil {
		g.path = append(g.path, f)
		defer func() { g.path = g.path[:len(g.path)-1] }()
	}
	defer func() { g.node[f], g.masks[f] = whole, mask }()
	before := m.Scale(g.GapIn(f, whole, mask))
	for _, left := range [...]bool{true, false} {
		below := make(grid.Set, g.Words(f))
		if copy(below, mask); mask == nil {
			below.Fill()
		}
		g.Keep(below, n, left)
		hull := below.Hull(whole)
		if hull.Lo > hull.Hi {
			continue
		}
		r := m.Join(reach, m.Scale(g.GapIn(f, hull, below)), before)
		if r > g.limit {
			continue
		}
		child := n.Right
		if left {
			child = n.Left
		}
		g.node[f], g.masks[f] = hull, below
		if err := g.visit(ctx, t, child, r); err != nil {
			return err
		}
	}
	return nil
}

// add appends a leaf.
func (g *gathering) add(ctx context.Context, t *grid.Tree, leaf int32) error {
	c := g.c
	if err := c.check(ctx); err != nil {
		return err
	}
	begin := len(c.ranges)
	for _, f := range g.path {
		now := g.node[f]
		s := featureRange{feature: f, Span: now}
		if g.masks == nil || g.masks[f] == nil {
			s.gap = c.metric.Scale(g.Gap(f, now.Lo, now.Hi))
		} else {
			s.gap = c.metric.Scale(g.GapIn(f, now, g.masks[f]))
			if g.masks[f].Count(now) < int(now.Hi-now.Lo)+1 {
				s.set = int32(len(c.bits)) + 1
				c.bits = append(c.bits, g.masks[f]...)
			}
		}
		c.ranges = append(c.ranges, s)
		for i := len(c.ranges) - 1; i > begin && c.ranges[i].feature < c.ranges[i-1].feature; i-- {
			c.ranges[i], c.ranges[i-1] = c.ranges[i-1], c.ranges[i]
		}
	}
	c.closeChoice(g.reachOf(c.ranges[begin:]))
	value := g.model.Value(t.Index, int(leaf))
	for i := range g.margins {
		c.gains = append(c.gains, g.margins[i].Gain(value))
	}
	return nil
}

// reachOf returns the reach of a choice with these ranges.
func (g *gathering) reachOf(sides []featureRange) float64 {
	reach, m := g.base, &g.c.metric
	for i := range sides {
		before := 0.0
		if f := sides[i].feature; g.Away && g.Norm != polytope.LInf {
			before = m.Scale(g.Gap(f, g.At[f], g.At[f]))
		}
		reach = m.Join(reach, sides[i].gap, before)
	}
	return reach
}

// mostRanges is how many ranges the leaves within reach may have, which can be quadratic
// in the depth of a tree, and mostGains how many gains, as many for each as there
// are labels: a few gigabytes.
const mostRanges, mostGains = 1 << 26, 1 << 27

// check returns why to stop: the context's error, looked at every so often, or that
// there is too much to keep.
func (c *choices) check(ctx context.Context) error {
	if len(c.ranges) > mostRanges || len(c.gains) > mostGains {
		return fmt.Errorf("classifier: ensemble: the leaves within reach have more than %d "+
			"ranges, or with the labels %d gains: %w",
			mostRanges, mostGains, errors.ErrUnsupported)
	}
	if c.len()%64 == 0 {
		return ctx.Err()
	}
	return nil
}
