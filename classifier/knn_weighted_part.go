package classifier

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/classifier/search"
	"github.com/seed-1a7dc1f9/facet/internal/cellpoint"
	"github.com/seed-1a7dc1f9/facet/internal/neighbors"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// weightedPart is a box of displacements, and a set of neighbours once that is
// settled.
type weightedPart struct {
	lo, hi []float64
	span   int64   // of the orders of the part; 0 once they are used up
	groups []int32 // those with a row that can be among the k nearest in the box
	set    *neighborSet
	pairs  []precedence   // bisectors that the box does not settle
	point  []float64      // the closest point under the bounds of the set, nil if unknown
	inside []float64      // an input that answers, if the part is small
	unsure bool           // the solver failed
	known  *search.Answer // the best example of the prologue, if any
}

// neighborSet is a settled set of neighbours with the label that is to win: none of
// the sums may be negative, one for each rival that is not beaten anyway.
type neighborSet struct {
	sums [][]term
}

// term is a share of the label's sum minus a rival's: net/‖u−P‖.
type term struct{ group, net int32 }

// precedence says that one group is no farther than another.
type precedence struct{ nearer, farther int32 }

// refine looks for an answer near the closest point of a part, and splits its box.
func (o *weightedOpener) refine(ctx context.Context, n search.Node, part *weightedPart, cutoff float64) (*search.Answer, error) {
	if part.inside != nil {
		return o.conclude(ctx, n, part)
	}
	var answer *search.Answer
	if part.set != nil && part.span > 0 {
		z, lost, err := o.polish(ctx, part)
		switch {
		case err != nil:
			return nil, err
		case lost && o.flat(part):
			return nil, nil
		case z != nil:
			answer = o.answer(&n, z)
			cutoff = min(cutoff, answer.Bound)
		}
	}
	axis := o.widest(part)
	middle := part.lo[axis] + (part.hi[axis]-part.lo[axis])/2
	if o.thin(part, axis, middle) {
		if part.set == nil {
			return &search.Answer{Bound: n.Bound, Order: n.Order, Distance: math.Inf(1)}, nil
		}
		return answer, o.tooThin(n, part)
	}
	for half := range 2 {
		child := &weightedPart{
			lo: part.lo, hi: part.hi, span: part.span / 2,
			groups: part.groups, set: part.set, pairs: part.pairs, known: part.known,
		}
		if half == 0 {
			child.hi = replaced(part.hi, axis, middle)
		} else {
			child.lo = replaced(part.lo, axis, middle)
		}
		order := n.Order + int64(half)*child.span
		if err := o.examine(ctx, n.Bound, order, child, cutoff); err != nil {
			return nil, err
		}
	}
	return answer, nil
}

// replaced returns v with another value at j.
func replaced(v []float64, j int, value float64) []float64 {
	v = slices.Clone(v)
	v[j] = value
	return v
}

// thinnest is the width of the boxes that are not split any more, in units of the
// largest distance that matters.
const thinnest = 0x1p-48

func (o *weightedOpener) thin(part *weightedPart, axis int, middle float64) bool {
	width := part.hi[axis] - part.lo[axis]
	size := max(math.Abs(part.lo[axis]), math.Abs(part.hi[axis]), o.extent)
	if part.set != nil {
		size = max(math.Abs(part.lo[axis]), math.Abs(part.hi[axis]), o.floor)
	}
	return width <= thinnest*size || middle <= part.lo[axis] || middle >= part.hi[axis]
}

// tooThin decides on a box that is not split any more. With a settled set, whose close
// look left it unclear, the sums only touch, as far as their derivatives tell: what
// answers it may hold are too thin to count.
func (o *weightedOpener) tooThin(n search.Node, part *weightedPart) error {
	if part.point != nil && !part.unsure {
		return nil
	}
	return &search.Undecided{Bound: n.Bound, Err: fmt.Errorf("classifier: weighted k-NN: no program was solved around %v: %w", part.lo, polytope.ErrNumerical)}
}

// widest returns the side to split: the widest, or for a settled set the one that
// the bound of the sums errs most in, if it errs at all.
func (o *weightedOpener) widest(part *weightedPart) int {
	if part.set != nil {
		axis, most := widestBy(part, func(j int) float64 { return o.influence(part, j) })
		if most > 0 && most <= math.MaxFloat64 {
			return axis
		}
	}
	axis, _ := widestBy(part, func(int) float64 { return 1 })
	return axis
}

// widestBy returns the side of the largest width times weight, and that.
func widestBy(part *weightedPart, weight func(j int) float64) (axis int, most float64) {
	most = -1
	for j, lo := range part.lo {
		if width := (part.hi[j] - lo) * weight(j); width > most {
			axis, most = j, width
		}
	}
	return axis, most
}

// influence measures how much coordinate j moves the distances in the sums. It is
// computed in units of the search, since third powers of others may be out of range.
func (o *weightedOpener) influence(part *weightedPart, j int) float64 {
	sum := 0.0
	middle, half := (part.lo[j]+part.hi[j])/2, (part.hi[j]-part.lo[j])/2*o.unit
	for _, terms := range part.set.sums {
		for _, t := range terms {
			squared := 0.0
			p := o.point(t.group)
			for i, lo := range part.lo {
				e := ((lo+part.hi[i])/2 - p[i]) * o.unit
				w := (part.hi[i] - lo) / 2 * o.unit
				squared += float64(e*e) + float64(w*w)
			}
			sum += math.Abs(float64(t.net)) * (math.Abs(middle-p[j])*o.unit + half) / (squared * math.Sqrt(squared))
		}
	}
	return sum
}

// examine bounds a part and pushes it, or the sets of neighbours it falls into.
func (o *weightedOpener) examine(ctx context.Context, bound float64, order int64, part *weightedPart, cutoff float64) error {
	bound = max(bound, o.boxBound(part))
	if bound > cutoff || o.within(part, bound) {
		return nil
	}
	if part.set != nil {
		return o.examineSet(ctx, bound, order, part, cutoff)
	}
	o.survey(part)
	if !o.contested(part) {
		return nil
	}
	limit := fewSets
	if o.narrow(part) {
		limit = manySets
	}
	sets, ok := o.choose(part, limit)
	if !ok {
		o.push(bound, order, part, cutoff)
		return nil
	}
	for i, child := range sets {
		child.span = part.span / int64(len(sets))
		if err := o.examineSet(ctx, bound, order+int64(i)*child.span, child, cutoff); err != nil {
			return err
		}
	}
	return nil
}

// boxBound returns the distance of the box, rounded down.
func (o *weightedOpener) boxBound(part *weightedPart) float64 {
	var u []float64
	for j, lo := range part.lo {
		u = append(u, min(max(0, lo), part.hi[j]))
	}
	return o.q.Norm.Length(u) * (1 - precise.Noise(len(u)))
}

// within reports whether all of the box is nearer than the bound, so that nothing
// in it answers.
func (o *weightedOpener) within(part *weightedPart, bound float64) bool {
	var u []float64
	for j, lo := range part.lo {
		u = append(u, max(-lo, part.hi[j]))
	}
	return o.q.Norm.Length(u)*(1+precise.Noise(len(u))) < bound
}

// examineSet bounds a part with a settled set of neighbours by its program.
func (o *weightedOpener) examineSet(ctx context.Context, bound float64, order int64, part *weightedPart, cutoff float64) error {
	o.measureSet(part)
	if !o.settle(part) || o.loses(part.set) {
		return nil
	}
	if part.inside, part.unsure = nil, false; o.isNarrow(part) {
		if ok, err := o.settleClosely(ctx, part, bound); err != nil || !ok {
			return err
		}
	}
	o.family.reset(len(part.lo))
	for _, p := range part.pairs {
		o.addPair(p)
	}
	for _, terms := range part.set.sums {
		if p, ok := duel(terms); ok {
			o.addPair(p)
		} else {
			o.addCut(part, terms)
		}
		if side, ok := o.farFrom(part); ok {
			o.addFarCut(side, terms)
		}
	}
	p := o.problem(part)
	p.Cutoff = beyond(cutoff)
	sol, err := o.q.Solver.Closest(ctx, p)
	o.solves++
	bound = max(bound, sol.Bound)
	switch {
	case errors.Is(err, polytope.ErrNumerical):
		part.point = nil // the halves may be easier
	case err != nil:
		return &search.Undecided{Bound: bound, Err: fmt.Errorf("classifier: weighted k-NN: %w", err)}
	case sol.Status == polytope.StatusStopped:
		return &search.Undecided{Bound: bound, Err: cellpoint.Stopped(ctx)}
	case sol.Status != polytope.StatusOptimal:
		return nil
	default:
		part.point = sol.Point
	}
	o.push(bound, order, part, cutoff)
	return nil
}

// problem asks for the closest point of a part under the rows of o.family.
func (o *weightedOpener) problem(part *weightedPart) polytope.Problem {
	box := make(polytope.Box, len(part.lo))
	for j, lo := range part.lo {
		box[j] = polytope.Interval{Lo: lo, Hi: part.hi[j]}
	}
	region := polytope.Polyhedron{Box: box}
	if len(o.family.b) > 0 {
		region.Rest = &o.family
	}
	return polytope.Problem{Norm: o.q.Norm, X: o.zero, Region: region}
}

// addPair adds the bisector of a pair.
func (o *weightedOpener) addPair(p precedence) {
	a := o.family.next()
	nearer := o.c.rows.table.Row(o.groups[p.nearer][0])
	farther := o.c.rows.table.Row(o.groups[p.farther][0])
	o.family.add(neighbors.Bisector(a, o.q.X, nearer, farther))
}
