package classifier

import (
	"context"
	"math"
	"math/bits"
	"slices"

	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Search implements Searcher: branch and bound over boxes of slots.
//
// For a radius r every tree can reach the leaves that meet both the box and the
// ball around X; the sum of the best of these over the trees, a step function of
// r, reaches the decision threshold at a radius below which the box holds no
// answer. If the best leaves at that radius have a common point at that distance,
// the box is solved; otherwise it is split where two of them disagree or, in ℓ1
// and ℓ2, where their intersection lies farthest from X. With more than two
// classes there is one such search for each label that answers.
func (e *Ensemble) Search(_ context.Context, q Query) (Search, error) {
	s := &ensembleSearch{e: e, q: q}
	if ok := s.measure(); !ok {
		return s, nil
	}
	for label := range e.classes {
		if q.Reaches(label) {
			s.targets = append(s.targets, label)
		}
	}
	for _, target := range s.targets {
		var rivals []contrast
		for _, label := range s.rivals(target) {
			rivals = append(rivals, e.contrast(target, label))
		}
		s.contrasts = append(s.contrasts, rivals)
	}
	return s, nil
}

// rivals returns the labels that a target must beat: the one predicted for X, or
// every other one when no other answer will do.
func (s *ensembleSearch) rivals(target int) []int {
	if s.q.Target < 0 {
		return []int{s.q.From}
	}
	var rivals []int
	for label := range s.e.classes {
		if label != target {
			rivals = append(rivals, label)
		}
	}
	return rivals
}

// contrast is what the leaves add to the lead of one label over another.
type contrast struct {
	base  float64   // the lead without any tree
	gains []float64 // by leaf
	// slack is how far below a tie a sum of gains may lie, by rounding in
	// another order than the vote's own, and still turn out to answer.
	slack float64
}

// contrast compares two labels. A vote of T trees rounds T times in its own
// arithmetic, and so does a sum of gains in float64, whose terms are rounded
// themselves.
func (e *Ensemble) contrast(target, rival int) contrast {
	base := e.opts.Base
	c := contrast{base: base[target] - base[rival], gains: make([]float64, len(e.grid.leaves))}
	size := math.Abs(base[target]) + math.Abs(base[rival])
	for t := range e.trees {
		var most float64
		for l := e.grid.first[t]; l < e.grid.first[t+1]; l++ {
			v := e.grid.leaves[l].value
			c.gains[l] = v[target] - v[rival]
			most = max(most, math.Abs(v[target])+math.Abs(v[rival]))
		}
		size += most
	}
	unit := 0x1p-50
	if e.opts.Single {
		unit = 0x1p-24
	}
	c.slack = unit*float64(len(e.trees)+2)*size + e.opts.blur()
	return c
}

// ensembleSearch is the search of one query. It does not change once made.
type ensembleSearch struct {
	e       *Ensemble
	q       Query
	at      []int32     // slot of X by feature
	away    [][]float64 // distance from X to each slot by feature, within the domain
	lo, hi  []int32     // slots that meet the domain
	targets []int       // labels that answer
	// contrasts of each target with the labels that it must beat.
	contrasts [][]contrast
}

// measure computes the distances to all slots. It returns false when no slot of
// some feature meets the domain.
func (s *ensembleSearch) measure() bool {
	g := s.e.grid
	s.at, s.away = make([]int32, s.e.dim), make([][]float64, s.e.dim)
	s.lo, s.hi = make([]int32, s.e.dim), make([]int32, s.e.dim)
	for f, borders := range g.borders {
		x := s.q.X[f]
		s.at[f] = g.slot(f, x)
		s.away[f] = make([]float64, len(borders)+1)
		s.lo[f], s.hi[f] = int32(len(borders)+1), -1
		for slot := range s.away[f] {
			side := s.slotSide(f, slot)
			if side.Empty() {
				continue
			}
			s.away[f][slot] = math.Abs(x - side.Closest(x))
			s.lo[f], s.hi[f] = min(s.lo[f], int32(slot)), int32(slot)
		}
		if s.hi[f] < 0 {
			return false
		}
		s.at[f] = min(max(s.at[f], s.lo[f]), s.hi[f])
	}
	return true
}

// slotSide returns the values of a slot within the domain.
func (s *ensembleSearch) slotSide(f, slot int) polytope.Interval {
	return s.side(f, int32(slot), int32(slot))
}

// side returns the values of the slots lo ≤ s ≤ hi within the domain.
func (s *ensembleSearch) side(f int, lo, hi int32) polytope.Interval {
	i := polytope.Line()
	borders := s.e.grid.borders[f]
	if lo > 0 {
		i.Lo, i.LoOpen = borders[lo-1].end, borders[lo-1].closed
	}
	if int(hi) < len(borders) {
		i.Hi, i.HiOpen = borders[hi].end, !borders[hi].closed
	}
	if s.q.Domain != nil {
		i = i.Intersect(s.q.Domain[f])
	}
	return i
}

// gap returns the distance from X to slots lo ≤ s ≤ hi of feature f.
func (s *ensembleSearch) gap(f int, lo, hi int32) float64 {
	switch at := s.at[f]; {
	case at < lo:
		return s.away[f][lo]
	case at > hi:
		return s.away[f][hi]
	default:
		return s.away[f][at]
	}
}

// slotBox is a box of slots: an unopened part of the search. It differs from the
// box it was split off in the range of one feature.
type slotBox struct {
	lo, hi  []int32
	parent  *candidates // those of the box it was split off
	feature int         // −1 for a root
	oldLo   int32       // range and gap of the feature in the box it was split off
	oldHi   int32
	before  float64
	span    int64 // width of the range of orders of this box
}

// candidates are the leaves that meet a box, tree after tree.
type candidates struct {
	leaves []int32
	first  []int32   // those of tree t: first[t] ≤ i < first[t+1]
	reach  []float64 // their distances from X within the box, in ℓ2 squared
}

// Roots returns the whole domain once for each label that answers. Item is the
// index of the label. Orders are ranges: a box hands one half of its own to each
// of its two children, so that the order of answers is that of their paths.
func (s *ensembleSearch) Roots() []Node {
	if len(s.targets) == 0 {
		return nil
	}
	all := s.all()
	span := int64(1) << (62 - bits.Len(uint(len(s.targets))))
	var roots []Node
	for i := range s.targets {
		roots = append(roots, Node{
			Order: int64(i) * span, Item: int64(i),
			State: &slotBox{lo: s.lo, hi: s.hi, parent: all, feature: -1, span: span},
		})
	}
	return roots
}

// all returns the leaves that meet the domain.
func (s *ensembleSearch) all() *candidates {
	base := 0.0
	for f := range s.lo {
		base = s.join(base, s.gap(f, s.lo[f], s.hi[f]), 0)
	}
	c := &candidates{}
	first := s.e.grid.first
	for t := range s.e.trees {
		c.first = append(c.first, int32(len(c.leaves)))
		for l := first[t]; l < first[t+1]; l++ {
			if reach, ok := s.distance(l, base); ok {
				c.leaves = append(c.leaves, l)
				c.reach = append(c.reach, reach)
			}
		}
	}
	c.first = append(c.first, int32(len(c.leaves)))
	return c
}

// distance returns the scaled distance from X to the part of leaf l in the
// domain, given that of the domain; false when they do not meet.
func (s *ensembleSearch) distance(l int32, base float64) (float64, bool) {
	for _, side := range s.e.grid.leaves[l].sides {
		f := int(side.feature)
		lo, hi := max(side.lo, s.lo[f]), min(side.hi, s.hi[f])
		if lo > hi {
			return 0, false
		}
		base = s.join(base, s.gap(f, lo, hi), s.gap(f, s.lo[f], s.hi[f]))
	}
	return base, true
}

// join adds the gap of one more feature to a distance in the scale of the norm
// (squared in ℓ2), in which the feature counted as much as before.
func (s *ensembleSearch) join(base, gap, before float64) float64 {
	switch s.q.Norm {
	case polytope.L1:
		return base + (gap - before)
	case polytope.L2:
		return base + (gap-before)*(gap+before)
	}
	return max(base, gap)
}

// unscale returns the distance that join has scaled.
func (s *ensembleSearch) unscale(reach float64) float64 {
	if s.q.Norm == polytope.L2 {
		return math.Sqrt(max(0, reach))
	}
	return reach
}

func (s *ensembleSearch) NewOpener() Opener {
	return &ensembleOpener{
		ensembleSearch: s,
		best:           make([]int32, len(s.e.trees)),
		gain:           make([]float64, len(s.e.trees)),
		lo:             make([]int32, s.e.dim),
		hi:             make([]int32, s.e.dim),
		begins:         make([]int32, s.e.grid.slots),
		ends:           make([]int32, s.e.grid.slots),
	}
}

// ensembleOpener opens the boxes of one goroutine.
type ensembleOpener struct {
	*ensembleSearch
	children []Node
	steps    []step
	best     []int32   // the best leaf of each tree at the bound
	gain     []float64 // its gain
	lo, hi   []int32   // the intersection of the best leaves
	begins   []int32   // how many of their sides begin at each slot; 0 between calls
	ends     []int32   // and how many end there
}

// step is a leaf that is better than the best of its tree within the radius so far.
type step struct {
	reach, gain float64
	tree, leaf  int32
}

func (o *ensembleOpener) Open(ctx context.Context, n Node, cutoff float64) (Opened, error) {
	opened := o.open(n, cutoff)
	if n.State.(*slotBox).feature >= 0 || len(opened.Children) == 0 {
		return opened, nil
	}
	// A dive from the root finds a first answer, whose distance then keeps most
	// leaves out of the candidates. It takes the same path, and gives the same
	// answer, as the search would.
	children := slices.Clone(opened.Children)
	for len(opened.Children) > 0 && ctx.Err() == nil {
		next := opened.Children[0]
		opened = o.open(next, cutoff)
	}
	return Opened{Children: children, Answer: opened.Answer}, nil
}

// open opens one box.
func (o *ensembleOpener) open(n Node, cutoff float64) Opened {
	box := n.State.(*slotBox)
	c, ok := o.narrow(box, cutoff)
	if !ok {
		return Opened{}
	}
	radius, ok := o.tightest(c, o.contrasts[n.Item], n.Bound)
	bound := max(n.Bound, o.down(radius))
	if !ok || bound > cutoff {
		return Opened{}
	}
	o.meet(box)
	feature, cut := o.disagreement(box)
	if feature < 0 {
		feature, cut = o.farthest(box, bound)
	}
	if feature < 0 {
		if a := o.answer(n, bound); a != nil {
			return Opened{Answer: a}
		}
		if feature, cut = o.outside(box); feature < 0 {
			return Opened{}
		}
	}
	o.split(n, box, bound, feature, cut, c)
	return Opened{Children: o.children}
}

// narrow returns the candidates that meet the box within the cutoff; false when
// some tree has none. Only one feature has changed since those of the parent were
// measured.
func (o *ensembleOpener) narrow(box *slotBox, cutoff float64) (*candidates, bool) {
	p := box.parent
	limit := o.scaled(cutoff)
	c := &candidates{
		leaves: make([]int32, 0, len(p.leaves)), first: make([]int32, 0, len(p.first)),
		reach: make([]float64, 0, len(p.leaves)),
	}
	for t := range o.best {
		c.first = append(c.first, int32(len(c.leaves)))
		for i := p.first[t]; i < p.first[t+1]; i++ {
			reach, ok := p.reach[i], true
			if box.feature >= 0 {
				reach, ok = o.changed(box, p.leaves[i], reach)
			}
			if ok && reach <= limit {
				c.leaves = append(c.leaves, p.leaves[i])
				c.reach = append(c.reach, reach)
			}
		}
		if int(c.first[t]) == len(c.leaves) {
			return nil, false
		}
	}
	c.first = append(c.first, int32(len(c.leaves)))
	return c, true
}

// drift bounds the relative error of a distance that is the sum of the changes on
// a path of several hundred splits. Maxima do not drift.
const drift = 0x1p-42

// down returns a distance rounded down.
func (o *ensembleOpener) down(distance float64) float64 {
	if o.q.Norm == polytope.LInf {
		return down(distance, 0)
	}
	return distance * (1 - drift)
}

// scaled returns a distance in the scale of reach, rounded up.
func (o *ensembleOpener) scaled(distance float64) float64 {
	switch o.q.Norm {
	case polytope.L1:
		return distance * (1 + 2*drift)
	case polytope.L2:
		return distance * distance * (1 + 4*drift)
	}
	return distance * (1 + 0x1p-49)
}

// changed returns the distance of a leaf after the box's feature was narrowed;
// false when they do not meet any more.
func (o *ensembleOpener) changed(box *slotBox, l int32, reach float64) (float64, bool) {
	f := int32(box.feature)
	lo, hi, before := box.lo[f], box.hi[f], box.before
	for _, s := range o.e.grid.leaves[l].sides {
		if s.feature != f {
			continue
		}
		was := gridSide{f, max(s.lo, box.oldLo), min(s.hi, box.oldHi)}
		lo, hi = max(s.lo, lo), min(s.hi, hi)
		if lo > hi {
			return 0, false
		}
		before = o.gap(int(f), was.lo, was.hi)
		break
	}
	return o.join(reach, o.gap(int(f), lo, hi), before), true
}

// tightest returns the largest of the crossings of all contrasts, and sets best to
// the leaves that belong to it; false when one of them never crosses.
func (o *ensembleOpener) tightest(c *candidates, contrasts []contrast, bound float64) (radius float64, ok bool) {
	binding := 0
	for i := range contrasts {
		r, ok := o.crossing(c, &contrasts[i], bound)
		if !ok {
			return 0, false
		}
		if i == 0 || r > radius {
			binding, radius = i, r
		}
	}
	if binding != len(contrasts)-1 {
		return o.crossing(c, &contrasts[binding], bound)
	}
	return radius, true
}

// crossing returns the radius, at least the known bound, at which the best
// reachable leaves could reach a tie, and sets best to these; false when they never do.
func (o *ensembleOpener) crossing(c *candidates, k *contrast, bound float64) (float64, bool) {
	known := o.scaled(bound)
	sum, missing := k.base, 0
	o.steps = o.steps[:0]
	for t := range o.best {
		o.best[t], o.gain[t] = -1, math.Inf(-1)
		for i := c.first[t]; i < c.first[t+1]; i++ {
			if g := k.gains[c.leaves[i]]; c.reach[i] <= known && g > o.gain[t] {
				o.best[t], o.gain[t] = c.leaves[i], g
			}
		}
		for i := c.first[t]; i < c.first[t+1]; i++ {
			if g := k.gains[c.leaves[i]]; c.reach[i] > known && g > o.gain[t] {
				o.steps = append(o.steps, step{reach: c.reach[i], gain: g, tree: int32(t), leaf: c.leaves[i]})
			}
		}
		if o.best[t] < 0 {
			missing++
		} else {
			sum += o.gain[t]
		}
	}
	if missing == 0 && sum >= -k.slack {
		return bound, true
	}
	return o.sweep(sum, missing, k.slack)
}

// sweep lets the radius grow from step to step until the sum crosses.
func (o *ensembleOpener) sweep(sum float64, missing int, slack float64) (float64, bool) {
	for i := len(o.steps)/2 - 1; i >= 0; i-- {
		siftDown(o.steps, i)
	}
	for len(o.steps) > 0 {
		s := o.steps[0]
		last := len(o.steps) - 1
		o.steps[0] = o.steps[last]
		o.steps = o.steps[:last]
		siftDown(o.steps, 0)
		if s.gain <= o.gain[s.tree] {
			continue
		}
		if o.best[s.tree] < 0 {
			missing--
			sum += s.gain
		} else {
			sum += s.gain - o.gain[s.tree]
		}
		o.best[s.tree], o.gain[s.tree] = s.leaf, s.gain
		if missing == 0 && sum >= -slack {
			return o.unscale(s.reach), true
		}
	}
	return 0, false
}

// before reports whether a comes before b: the nearer first, then the better.
func (a *step) before(b *step) bool {
	switch {
	case a.reach != b.reach:
		return a.reach < b.reach
	case a.gain != b.gain:
		return a.gain > b.gain
	case a.tree != b.tree:
		return a.tree < b.tree
	}
	return a.leaf < b.leaf
}

// siftDown restores the heap below i, the first step on top.
func siftDown(h []step, i int) {
	for {
		c := 2*i + 1
		if c >= len(h) {
			return
		}
		if c+1 < len(h) && h[c+1].before(&h[c]) {
			c++
		}
		if !h[c].before(&h[i]) {
			return
		}
		h[i], h[c] = h[c], h[i]
		i = c
	}
}

// meet intersects the box with the best leaves.
func (o *ensembleOpener) meet(box *slotBox) {
	copy(o.lo, box.lo)
	copy(o.hi, box.hi)
	for _, l := range o.best {
		for _, s := range o.e.grid.leaves[l].sides {
			o.lo[s.feature] = max(o.lo[s.feature], s.lo)
			o.hi[s.feature] = min(o.hi[s.feature], s.hi)
		}
	}
}

// disagreement returns a feature in which the best leaves have no common slot,
// and the slot to split behind: of all borders between two of them the one that
// cuts off most best leaves on its weaker side. It returns −1 when they
// intersect.
func (o *ensembleOpener) disagreement(box *slotBox) (feature int, cut int32) {
	feature = -1
	for f := range o.lo {
		if o.lo[f] > o.hi[f] {
			feature = f
			break
		}
	}
	if feature < 0 {
		return -1, 0
	}
	o.count(1)
	most := int32(0)
	for f := feature; f < len(o.lo); f++ {
		if o.lo[f] > o.hi[f] {
			if c, weaker := o.weakest(f); weaker > most {
				feature, cut, most = f, c, weaker
			}
		}
	}
	o.count(-1)
	return feature, cut
}

// count adds one to, or takes it from, the ends of the sides of the best leaves.
func (o *ensembleOpener) count(one int32) {
	for _, l := range o.best {
		for _, s := range o.e.grid.leaves[l].sides {
			at := o.e.grid.offset[s.feature]
			o.begins[at+s.lo] += one
			o.ends[at+s.hi] += one
		}
	}
}

// weakest returns the border of feature f, between the first end and the last
// beginning of a best leaf, that has most best leaves on its weaker side, and how
// many.
func (o *ensembleOpener) weakest(f int) (cut, most int32) {
	at := o.e.grid.offset[f]
	var left, right int32
	for slot := o.hi[f] + 1; slot <= o.lo[f]; slot++ {
		right += o.begins[at+slot]
	}
	for c := o.hi[f]; c < o.lo[f]; c++ {
		left += o.ends[at+c]
		if w := min(left, right); w > most {
			cut, most = c, w
		}
		right -= o.begins[at+c+1]
	}
	return cut, most
}

// farthest returns where to split a box whose best leaves intersect farther from
// X than the bound: toward the intersection, in the feature that adds most. It
// returns −1 when the intersection attains the bound.
func (o *ensembleOpener) farthest(box *slotBox, bound float64) (feature int, cut int32) {
	feature = -1
	total, most := 0.0, 0.0
	for f := range o.lo {
		gap, before := o.gap(f, o.lo[f], o.hi[f]), o.gap(f, box.lo[f], box.hi[f])
		total = o.join(total, gap, 0)
		if gap-before > most {
			feature, most = f, gap-before
		}
	}
	if feature < 0 || total <= o.scaled(bound) {
		return -1, 0
	}
	if o.at[feature] < o.lo[feature] {
		return feature, o.lo[feature] - 1
	}
	return feature, o.hi[feature]
}

// answer returns the point of the intersection nearest to X if it really answers.
func (o *ensembleOpener) answer(n Node, bound float64) *Answer {
	z := make([]float64, o.e.dim)
	for f := range z {
		v, ok := o.side(f, o.lo[f], o.hi[f]).Inside(o.q.X[f])
		if !ok {
			return nil
		}
		z[f] = v
	}
	if !o.q.Reaches(o.e.Predict(z)) {
		return nil
	}
	return &Answer{Bound: bound, Order: n.Order, Example: z, Distance: o.q.Norm.Distance(o.q.X, z)}
}

// outside returns a border of the intersection inside the box, to split off what
// does not answer; −1 when the intersection is all of the box.
func (o *ensembleOpener) outside(box *slotBox) (feature int, cut int32) {
	for f := range o.lo {
		switch {
		case o.lo[f] > box.lo[f]:
			return f, o.lo[f] - 1
		case o.hi[f] < box.hi[f]:
			return f, o.hi[f]
		}
	}
	return -1, 0
}

// split divides the box behind slot cut of a feature; the half that holds X or
// lies nearer to it comes first.
func (o *ensembleOpener) split(n Node, box *slotBox, bound float64, feature int, cut int32, c *candidates) {
	half := slotBox{
		lo: box.lo, hi: box.hi, parent: c, feature: feature,
		oldLo: box.lo[feature], oldHi: box.hi[feature],
		before: o.gap(feature, box.lo[feature], box.hi[feature]),
		span:   box.span / 2,
	}
	left, right := half, half
	left.hi = slices.Clone(box.hi)
	left.hi[feature] = cut
	right.lo = slices.Clone(box.lo)
	right.lo[feature] = cut + 1
	near, far := &left, &right
	if o.at[feature] > cut {
		near, far = far, near
	}
	o.children = append(o.children[:0],
		Node{Bound: bound, Order: n.Order, Item: n.Item, State: near},
		Node{Bound: bound, Order: n.Order + box.span/2, Item: n.Item, State: far},
	)
}
