package classifier

import (
	"slices"

	"github.com/seed-1a7dc1f9/facet/polytope"
)

// choices are the leaves that each tree can reach within a ball around X, in
// groups of which an input chooses one each. A group stands for one tree or, once
// merged, for several, and its choices for intersections of their leaves.
type choices struct {
	lo, hi []int32 // slots that meet the ball
	all    bool    // the ball holds everything
	first  []int32 // choices of group g: first[g] ≤ i < first[g+1]
	reach  []float64
	gains  []float64 // choice after choice, what it adds to each contrast
	sides  []side    // those of choice i: start[i] ≤ j < start[i+1], by feature
	start  []int32
	base   []float64 // lead of each contrast before any group chooses

	order []int32 // by contrast: the choices of each group, the largest gain first
	on    []sideOf
	onF   []int32 // sides on feature f: onF[f] ≤ j < onF[f+1]
}

// side restricts a choice to the slots lo ≤ s ≤ hi of a feature.
type side struct {
	feature, lo, hi int32
	gap             float64 // scaled distance from X
}

// sideOf is a side of a choice.
type sideOf struct{ choice, lo, hi int32 }

func (c *choices) groups() int { return len(c.first) - 1 }
func (c *choices) len() int    { return len(c.reach) }

// gather collects what can be reached within a scaled distance of X.
func (s *ensembleSearch) gather(limit float64) *choices {
	c := &choices{first: []int32{0}, start: []int32{0}, all: true}
	c.lo, c.hi = s.ball(limit)
	g := gathering{ensembleSearch: s, c: c, limit: limit, lo: slices.Clone(c.lo), hi: slices.Clone(c.hi)}
	reach := 0.0
	for f := range g.lo {
		reach = s.join(reach, s.scale(s.gap(int32(f), s.lo[f], s.hi[f])), 0)
		c.all = c.all && c.lo[f] == s.lo[f] && c.hi[f] == s.hi[f]
	}
	g.base = reach
	for _, k := range s.contrasts {
		c.base = append(c.base, k.base)
	}
	for t := range s.trees {
		g.tree = &s.trees[t]
		g.visit(0, reach)
		g.close()
	}
	return c
}

// ball returns the slots of each feature within a scaled distance of X.
func (s *ensembleSearch) ball(limit float64) (lo, hi []int32) {
	lo, hi = slices.Clone(s.at), slices.Clone(s.at)
	for f := range lo {
		for lo[f] > s.lo[f] && s.scale(s.gap(int32(f), lo[f]-1, lo[f]-1)) <= limit {
			lo[f]--
		}
		for hi[f] < s.hi[f] && s.scale(s.gap(int32(f), hi[f]+1, hi[f]+1)) <= limit {
			hi[f]++
		}
	}
	return lo, hi
}

// gathering walks the trees.
type gathering struct {
	*ensembleSearch
	c      *choices
	tree   *gridTree
	limit  float64
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
	} else {
		g.c.all = false
	}
	if r := g.join(reach, g.scale(g.gap(f, n.cut+1, hi)), before); r <= g.limit {
		g.lo[f] = n.cut + 1
		g.visit(n.right, r)
		g.lo[f] = lo
	} else {
		g.c.all = false
	}
	if fresh {
		g.path = g.path[:len(g.path)-1]
	}
}

// add appends a leaf.
func (g *gathering) add(leaf int32) {
	c := g.c
	begin := len(c.sides)
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

// extent returns the reach of a choice with these sides.
func (g *gathering) extent(sides []side) float64 { return g.extentOver(sides, g.base) }

// extentOver returns the reach of a box with these sides, given that of the domain.
func (s *ensembleSearch) extentOver(sides []side, reach float64) float64 {
	for i := range sides {
		before := 0.0
		if f := sides[i].feature; s.q.Domain != nil && s.q.Norm != polytope.LInf {
			before = s.scale(s.gap(f, s.at[f], s.at[f]))
		}
		reach = s.join(reach, sides[i].gap, before)
	}
	return reach
}

// close ends a group. One that leaves no choice joins the base instead.
func (g *gathering) close() {
	c := g.c
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
	c.order = make([]int32, k*c.len())
	for contrast := range k {
		order := c.order[contrast*c.len() : (contrast+1)*c.len()]
		for g := range c.groups() {
			c.rank(order, int(c.first[g]), int(c.first[g+1]), contrast)
		}
	}
	c.onF = make([]int32, len(c.lo)+1)
	for i := range c.sides {
		c.onF[c.sides[i].feature+1]++
	}
	for f := range c.lo {
		c.onF[f+1] += c.onF[f]
	}
	next := slices.Clone(c.onF)
	c.on = make([]sideOf, len(c.sides))
	for i := range c.len() {
		for _, s := range c.sides[c.start[i]:c.start[i+1]] {
			c.on[next[s.feature]] = sideOf{int32(i), s.lo, s.hi}
			next[s.feature]++
		}
	}
}

// rank sorts the choices of a group by their gains, the nearer first of a tie.
func (c *choices) rank(order []int32, begin, end, contrast int) {
	for i := begin; i < end; i++ {
		j := i
		for ; j > begin && c.better(int32(i), order[j-1], contrast); j-- {
			order[j] = order[j-1]
		}
		order[j] = int32(i)
	}
}

func (c *choices) better(a, b int32, contrast int) bool {
	k := len(c.base)
	ga, gb := c.gains[int(a)*k+contrast], c.gains[int(b)*k+contrast]
	return ga > gb || (ga == gb && c.reach[a] < c.reach[b])
}
