package boxtree

import (
	"context"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/classifier/search"
	"github.com/seed-1a7dc1f9/facet/internal/boxtree/grid"
)

// Chances asks for the largest difference of two probabilities 1/(1 + Σ exp(lead)), of which each
// has sums of its own: the leads of other classes at an input. The second one is that of the same
// class at another input, or in another model.
type Chances struct {
	Region
	First int // how many sums are those of the first one; 0 for none, which counts as 0
	// Beyond is what only differences beyond matter of, −Inf if all do.
	Beyond float64
	Nodes  int // boxes to open, 0 for no limit
}

// Largest searches for the largest difference. When ctx ends or the nodes are opened, it returns
// what is proven then. Bounds are rounded up by some 1e-12.
func (s *Sums) Largest(ctx context.Context, q Chances) (End, error) {
	f, err := s.newChances(q)
	if err != nil {
		return End{}, err
	}
	bound := f.run(ctx)
	if math.IsInf(bound, -1) {
		return End{}, ErrEmpty
	}
	return End{f.best, bound, f.found, f.nodes}, nil
}

// Most bounds all differences as little work can, −Inf where there are no inputs.
func (s *Sums) Most(q Chances) (float64, error) {
	f, err := s.newChances(q)
	if err != nil || !f.spread(f.Domain) {
		return math.Inf(-1), err
	}
	return f.ceiling(f.Domain), nil
}

// chances is the search of the largest difference of probabilities. Neither is convex in the sums,
// but in a box, where the sums have ranges, a mixture of them is no less than the difference: a
// tangent of log Σ exp below, its chords above, and lines over and under what 1/(1+exp) makes of
// it. Its best leaves see that both probabilities share features.
type chances struct {
	*finder
	sums     *Sums
	first    int
	shared   []sum     // of two probabilities, by rival: its second lead less its first one
	low, top []float64 // the range of each sum in the box
	weights  []float64 // of the mixture
	mixture  [][]float64
	cell     []int32 // where the best is
}

func (s *Sums) newChances(q Chances) (*chances, error) {
	b, err := newBall(&s.model.grid, &q.Region)
	if err != nil {
		return nil, err
	}
	count := s.added.Classes
	f := &chances{
		finder: newFinder(s.model, b, nil, s.ends[0][0], nil), sums: s, first: q.First,
		low: make([]float64, count), top: make([]float64, count), weights: make([]float64, count),
	}
	f.best, f.most, f.cell = q.Beyond, q.Nodes, slices.Clone(f.At)
	f.finder.slack = safety
	for c := range count { // a probability changes by a quarter of a sum at most
		f.finder.slack += s.ends[0][c].slack / 4
	}
	for r := range q.First {
		if count == 2*q.First {
			value := func(v []float64) float64 { return v[q.First+r] - v[r] }
			f.shared = append(f.shared,
				sum{base: value(s.added.Vote.Base), gains: s.model.gainsOf(value)})
		}
	}
	return f, nil
}

// chance returns 1/(1 + Σ exp(lead)), 0 for none.
func chance(leads []float64) float64 {
	if len(leads) == 0 {
		return 0
	}
	total := 1.0
	for _, lead := range leads {
		total += math.Exp(lead)
	}
	return 1 / total
}

// value returns the difference of both probabilities.
func (f *chances) value(sums []float64) float64 {
	return chance(sums[:f.first]) - chance(sums[f.first:])
}

// highest returns the largest sum of a box, rounded up.
func (f *chances) highest(box grid.Box, of *sum) (float64, bool) {
	if !f.choose(box, of.gains) {
		return 0, false
	}
	total, size := of.base, math.Abs(of.base)
	for t, leaf := range f.chosen {
		total += of.gains[t][leaf]
		size += math.Abs(of.gains[t][leaf])
	}
	return total + size*0x1p-53*float64(f.model.Len()+2), true
}

// spread finds the range of each sum in a box; false if it has no input.
func (f *chances) spread(box grid.Box) bool {
	for c := range f.low {
		top, ok := f.highest(box, &f.sums.ends[0][c])
		if !ok {
			return false
		}
		low, _ := f.highest(box, &f.sums.ends[1][c])
		f.low[c], f.top[c] = -low, max(top, -low)
	}
	return true
}

// safety is what bounds are rounded up by.
const safety = 1e-12

// ceiling bounds the differences in a box by the ranges of the sums, and by what the leads at both
// inputs differ by: none of a probability changes it by more than a quarter.
func (f *chances) ceiling(box grid.Box) float64 {
	bound := chance(f.low[:f.first]) - chance(f.top[f.first:]) + safety
	most := 0.0
	for r := range f.shared {
		v, ok := f.highest(box, &f.shared[r])
		if !ok {
			return math.Inf(-1)
		}
		most = max(most, v)
	}
	if f.shared != nil {
		bound = min(bound, most/4*(1+safety))
	}
	return bound
}

// run searches.
func (f *chances) run(ctx context.Context) float64 {
	f.ascend(ctx)
	f.put(&sumNode{box: slices.Clone(f.Domain), bound: math.Inf(1)})
	for len(f.queue) > 0 {
		n := f.queue.Pop().State.(*sumNode)
		if n.bound <= f.best+safety {
			return max(n.bound, f.best, f.floor)
		}
		if ctx.Err() != nil || (f.finder.most > 0 && f.nodes >= f.finder.most) {
			return max(n.bound, f.best, f.floor)
		}
		f.nodes++
		for _, half := range n.halves() {
			child := &sumNode{box: slices.Clone(n.box), bound: n.bound}
			child.box[n.split.Feature] = half
			f.put(child)
		}
	}
	return max(f.best, f.floor)
}

// halves returns those of the box of a node that it is split into.
func (n *sumNode) halves() (halves []grid.Span) {
	s, after := n.box[n.split.Feature], n.split.After
	for _, half := range [...]grid.Span{
		{Lo: s.Lo, Hi: min(after, s.Hi)}, {Lo: max(after+1, s.Lo), Hi: s.Hi},
	} {
		if half.Lo <= half.Hi {
			halves = append(halves, half)
		}
	}
	return halves
}

// put puts a node in the queue, unless it is solved or has nothing to offer.
func (f *chances) put(n *sumNode) {
	if !f.near(n.box) || !f.spread(n.box) {
		return
	}
	n.bound = min(n.bound, f.ceiling(n.box))
	if n.bound <= f.best || !f.mix(n) || n.bound <= f.best {
		return
	}
	b, apart := f.meet(n.box)
	var open bool
	if n.split, open = b.Disjoint(); !open && apart >= 0 {
		n.split, open = grid.Cut{Feature: apart, After: n.box[apart].Middle()}, true
	}
	if !open {
		open = f.solved(n, b)
	}
	if open {
		f.queue.Push(search.Node{Bound: -n.bound, Order: -int64(f.nodes), State: n})
	}
}

// mix bounds a node by a mixture of the sums, whose best leaves it leaves chosen; false if the box
// has no input.
func (f *chances) mix(n *sumNode) bool {
	constant := f.over() + f.under()
	mixed := func(value []float64) float64 { return mixed(f.weights, value) }
	f.mixture = f.model.gainsOf(mixed)
	total, ok := f.highest(n.box, &sum{base: mixed(f.sums.added.Vote.Base), gains: f.mixture})
	size := 0.0
	for c, w := range f.weights {
		size += math.Abs(w) * max(math.Abs(f.low[c]), math.Abs(f.top[c]))
	}
	if bound := constant + total + safety*(1+size); bound < n.bound {
		n.bound = bound
	}
	return ok
}

// logistic returns 1/(1+exp(l)).
func logistic(l float64) float64 { return 1 / (1 + math.Exp(l)) }

// line returns a slope, and the least constants with which sign·(1/(1+exp(l))) is nowhere in a
// range more than constant − sign·slope·l.
func line(low, top, sign float64) (slope, constant float64) {
	ends := []float64{low, top}
	if slope = (logistic(low) - logistic(top)) / (top - low); !(slope >= 0 && slope <= 0.25) {
		h := logistic(low)
		slope = h * (1 - h)
	}
	root := math.Sqrt(max(0, 1-4*slope))
	for _, h := range [...]float64{(1 + root) / 2, (1 - root) / 2} {
		// where the slope of the function is that of the line
		if l := math.Log(1/h - 1); l > low && l < top {
			ends = append(ends, l)
		}
	}
	constant = math.Inf(-1)
	for _, l := range ends {
		constant = max(constant, sign*(logistic(l)+slope*l))
	}
	return slope, constant
}

// logSum returns log Σ exp, and what each term has of the sum.
func logSum(leads []float64) (l float64, parts []float64) {
	most, total := slices.Max(leads), 0.0
	for _, lead := range leads {
		parts = append(parts, math.Exp(lead-most))
		total += parts[len(parts)-1]
	}
	for i := range parts {
		parts[i] /= total
	}
	return most + math.Log(total), parts
}

// over sets the weights of the sums of the first probability, and returns the constant with which
// the mixture is no less: log Σ exp is not below its tangent in the middle of the ranges.
func (f *chances) over() float64 {
	low, top := f.low[:f.first], f.top[:f.first]
	if len(low) == 0 {
		return 0
	}
	least, _ := logSum(low)
	most, _ := logSum(top)
	middle := make([]float64, len(low))
	for r := range middle {
		middle[r] = low[r]/2 + top[r]/2
	}
	slope, constant := line(least, most, 1)
	at, parts := logSum(middle)
	constant -= slope * at
	for r, part := range parts {
		f.weights[r] = -slope * part
		constant += slope * part * middle[r]
	}
	return constant
}

// under does the same for the second one, which is taken away: log Σ exp is not above the tangent
// of the logarithm at what the chords of exp add up to.
func (f *chances) under() float64 {
	low, top := f.low[f.first:], f.top[f.first:]
	if len(low) == 0 {
		return 0
	}
	least, _ := logSum(low)
	most, _ := logSum(top)
	slope, constant := line(least, most, -1)
	weights := f.weights[f.first:]
	if len(low) == 1 { // it is the lead itself
		weights[0] = slope
		return constant
	}
	shift, chords := slices.Max(top), 0.0
	var steps, starts []float64
	for r := range low {
		start, step := math.Exp(low[r]-shift), 0.0
		if width := top[r] - low[r]; width > 0 {
			step = (math.Exp(top[r]-shift) - start) / width
		}
		starts, steps = append(starts, start), append(steps, step)
		chords += start + step*(top[r]-low[r])/2
	}
	constant += slope * (shift + math.Log(chords) - 1)
	for r := range low {
		weights[r] = slope * steps[r] / chords
		constant += slope * (starts[r] - steps[r]*low[r]) / chords
	}
	return constant
}

// solved takes up a box in which all best leaves of the mixture meet. It returns true if there is
// more in the box of the node.
func (f *chances) solved(n *sumNode, b grid.Box) (rest bool) {
	if !f.near(b) {
		n.split, _ = f.Toward(&f.metric, b, n.box)
		return true
	}
	v, ok := f.see(b)
	switch n.split, rest = n.box.Outside(b); {
	case rest:
	case ok:
		f.floor = max(f.floor, min(n.bound, v+f.slack))
	case f.inhabited(b):
		f.floor = max(f.floor, n.bound)
	}
	return rest
}

// see takes up the difference at an input of a box; false if it has none.
func (f *chances) see(b grid.Box) (v float64, ok bool) {
	z, ok := f.inside(b)
	if !ok {
		return 0, false
	}
	total := make([]float64, len(f.low))
	f.sums.added.Score(z, total)
	if v = f.value(total); v > f.best {
		f.best, f.found = v, z
		for j, s := range b {
			f.cell[j] = s.Lo
		}
	}
	return v, true
}

// ascend moves one feature after the other to where the difference is largest.
func (f *chances) ascend(ctx context.Context) {
	box := make(grid.Box, len(f.At))
	move := func(j int, at int32) {
		box[j] = grid.Span{Lo: at, Hi: at}
	}
	for j, at := range f.At {
		move(j, at)
	}
	f.see(box)
	for better := true; better && ctx.Err() == nil; {
		better = false
		for j, s := range f.Domain {
			before := f.best
			for at := s.Lo; at <= s.Hi && ctx.Err() == nil; at++ {
				if move(j, at); f.near(box) {
					f.see(box)
				}
			}
			move(j, f.cell[j])
			better = better || f.best > before
		}
	}
}
