package weighted

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/cellpoint"
	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// node is a box of displacements, and once that is settled a set of neighbours with the
// label that is to win.
type node struct {
	box    polytope.Box
	orders int64   // the number of orders below the node; 0 once they are used up
	groups []int32 // those with a row that can be among the k nearest in the box
	// sums are one for each rival of the label that is not beaten anyway; none may be
	// negative. They are nil as long as there are too many sets.
	sums  [][]term
	pairs []precedence // bisectors around the set that the box does not settle
	point []float64    // the closest point under the bounds of the set, nil if unknown
	known []float64    // the best example before the search of boxes, if any
}

// precedence says that one group is no farther than another. On a tie the last row of the first
// that is a neighbour has to stand before the first row of the second that is none.
type precedence struct{ nearer, farther, in, out int32 }

// wholeOrders is the number of orders below the first box.
const wholeOrders = 1 << 62

// splitFirst makes the first box, which reaches as far as the best example known. Without
// one it is as large as the horizon, beyond which answers are looked for apart.
func (o *opener) splitFirst(
	ctx context.Context, n search.Node, known *search.Answer, cutoff float64,
) error {
	if known.Example != nil {
		p := o.firstBox(o.ball(known.Distance), known.Example)
		return o.examine(ctx, n.Bound, n.Order, p, min(cutoff, o.goal(known.Distance)))
	}
	size := o.horizon()
	if len(o.farSides(size)) > 0 {
		o.children = append(o.children, o.beyond(size, wholeOrders))
	}
	return o.examine(ctx, n.Bound, n.Order, o.firstBox(o.cube(size), nil), cutoff)
}

// cube returns the displacements with no coordinate longer than size.
func (o *opener) cube(size float64) polytope.Box { return polytope.Cube(o.table.Dim, -size, size) }

// ball returns a box of the displacements that cost no more than an answer.
func (o *opener) ball(distance float64) polytope.Box {
	box := o.cube(distance)
	for j := range box {
		if p := o.q.Prices; p != nil {
			box[j].Lo, box[j].Hi = -distance/p.Down[j]*(1+0x1p-50), distance/p.Up[j]*(1+0x1p-50)
		}
	}
	return box
}

// firstBox returns the displacements of a box that lie in the domain.
func (o *opener) firstBox(box polytope.Box, known []float64) *node {
	p := &node{box: geometry.IntersectBoxes(box, o.domain), orders: wholeOrders, known: known}
	for g := range o.groups.rows {
		p.groups = append(p.groups, int32(g))
	}
	return p
}

// answerOrSplit looks for an answer near the closest point of a node, and splits its
// box. One as small as the distances that are not told apart is not split.
func (o *opener) answerOrSplit(
	ctx context.Context, n search.Node, p *node, cutoff float64,
) (*search.Answer, error) {
	axis := o.splitAxis(p)
	side := p.box[axis]
	middle := side.Lo + (side.Hi-side.Lo)/2
	if o.diameter(p) <= max(o.floor, finalShare*n.Bound) || middle <= side.Lo || middle >= side.Hi {
		return o.lastAnswer(n, p), nil
	}
	var answer *search.Answer
	if p.sums != nil && p.orders > 0 {
		z, empty, err := o.polish(ctx, p)
		if err != nil || empty {
			return nil, err
		}
		if z != nil {
			answer = o.answer(&n, z)
			cutoff = min(cutoff, answer.Bound)
		}
	}
	for half := range 2 {
		child := &node{
			box:    slices.Clone(p.box),
			orders: p.orders / 2,
			groups: p.groups,
			sums:   p.sums,
			pairs:  p.pairs,
			known:  p.known,
		}
		if half == 0 {
			child.box[axis].Hi = middle
		} else {
			child.box[axis].Lo = middle
		}
		if err := o.examine(
			ctx, n.Bound, n.Order+int64(half)*child.orders, child, cutoff,
		); err != nil {
			return nil, err
		}
	}
	return answer, nil
}

// diameter returns the length of a node's diagonal.
func (o *opener) diameter(p *node) float64 {
	for j, i := range p.box {
		o.sides[j] = o.width(j, i)
	}
	return geometry.Length(o.q.Norm, o.sides)
}

// lastAnswer ends the search at a small node that may hold answers: no more than its bound is
// proven. Where sums nearly tie, Predict sees the label only farther on, so an example is looked
// for on the way to the best one known.
func (o *opener) lastAnswer(n search.Node, p *node) *search.Answer {
	answer := &search.Answer{Bound: n.Bound, Order: n.Order, Distance: math.Inf(1)}
	if p.point != nil && p.known != nil {
		answer.Example = o.firmed(o.toward(p.known, o.input(p.point)))
		answer.Distance = o.distance(answer.Example)
		answer.Bound, answer.Settled = min(n.Bound, answer.Distance), true
	}
	return answer
}

// examine bounds a node and pushes it, or the sets of neighbours it falls into.
func (o *opener) examine(
	ctx context.Context, bound float64, order int64, p *node, cutoff float64,
) error {
	nearest, farthest := o.boxDistances(p)
	bound = max(bound, nearest)
	if bound > cutoff || farthest < bound {
		return nil // all of the box is beyond the cutoff, or nearer than any answer
	}
	if p.sums != nil {
		return o.examineSet(ctx, bound, order, p, cutoff)
	}
	spans := o.survey(p)
	s := o.assign(p, spans)
	if !o.winnable(s, spans) {
		return nil
	}
	sets, ok := o.choose(p, s, spans, fewSets)
	if !ok {
		o.push(bound, order, p, cutoff)
		return nil
	}
	for i, child := range sets {
		child.orders = p.orders / int64(len(sets))
		if err := o.examineSet(ctx, bound, order+int64(i)*child.orders, child, cutoff); err != nil {
			return err
		}
	}
	return nil
}

// boxDistances returns the distances of the nearest and the farthest input of a box, rounded
// down and up.
func (o *opener) boxDistances(p *node) (nearest, farthest float64) {
	eps := precise.Noise(len(p.box))
	for j, i := range p.box {
		o.sides[j] = geometry.Nearest(i, 0)
	}
	nearest = o.q.Cost.Length(o.sides) * (1 - eps)
	for j, i := range p.box {
		o.sides[j] = max(o.q.Cost.Coordinate(j, i.Lo),
			o.q.Cost.Coordinate(j, i.Hi))
	}
	return nearest, geometry.Length(o.q.Norm, o.sides) * (1 + eps)
}

// examineSet bounds a node with a settled set of neighbours by its program.
func (o *opener) examineSet(
	ctx context.Context, bound float64, order int64, p *node, cutoff float64,
) error {
	spans := o.surveySet(p)
	if !decidePairs(p, spans) || o.loses(p.sums, spans) {
		return nil
	}
	f := o.pairRows(p)
	for _, terms := range p.sums {
		if pair, ok := duel(terms); ok {
			o.addPair(f, pair)
		} else {
			o.addCut(f, p, terms, spans)
		}
	}
	sol, err := o.closest(ctx, p.box, f, 0, cellpoint.Beyond(cutoff))
	switch {
	case errors.Is(err, polytope.ErrNumerical): // the halves may be easier
	case err != nil:
		return err
	case sol.Point == nil:
		return nil
	}
	p.point = sol.Point
	o.push(max(bound, sol.Bound), order, p, cutoff)
	return nil
}

// decidePairs drops the pairs that hold all over the box; false when one holds nowhere.
func decidePairs(p *node, spans []span) bool {
	sure := func(c precedence) bool { return spans[c.nearer].far < spans[c.farther].near }
	if slices.ContainsFunc(
		p.pairs, func(c precedence) bool { return spans[c.nearer].near > spans[c.farther].far },
	) {
		return false
	}
	if slices.ContainsFunc(p.pairs, sure) {
		p.pairs = slices.DeleteFunc(slices.Clone(p.pairs), sure)
	}
	return true
}

// splitAxis returns the side to split: the widest, or for a settled set the one that
// the bound of the sums errs most in, if it errs at all.
func (o *opener) splitAxis(p *node) int {
	influence := o.influence(p)
	widest, most, axis, mostError := 0, -1.0, 0, 0.0
	for j, i := range p.box {
		width := i.Hi - i.Lo
		if cost := o.width(j, i); cost > most {
			widest, most = j, cost
		}
		if e := width * influence[j]; e > mostError {
			axis, mostError = j, e
		}
	}
	if mostError > 0 && precise.Finite(mostError) {
		return axis
	}
	return widest
}

// influence measures how much each coordinate moves the distances in the sums of a settled
// set. It is computed in units of the search, since third powers of others may be out
// of range.
func (o *opener) influence(p *node) []float64 {
	clear(o.moves)
	for _, terms := range p.sums {
		for _, t := range terms {
			squared := 0.0
			e := o.point(t.group)
			for j, i := range p.box {
				away := ((i.Lo+i.Hi)/2 - e[j]) * o.unit
				w := (i.Hi - i.Lo) / 2 * o.unit
				squared += float64(away*away) + float64(w*w)
			}
			cube := squared * math.Sqrt(squared)
			for j, i := range p.box {
				away := math.Abs((i.Lo+i.Hi)/2-e[j])*o.unit + (i.Hi-i.Lo)/2*o.unit
				o.moves[j] += math.Abs(float64(t.net)) * away / cube
			}
		}
	}
	return o.moves
}
