package weighted

import (
	"cmp"
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/seed-1a7dc1f9/facet/internal/cellpoint"
	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/neighbors"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// How much is tried to find the first examples.
const (
	aims         = 12 // rows nearest to X of wanted labels
	strides      = 16 // on the way to each
	wayHalvings  = 40 // of the stride in which the label changes
	descents     = 3  // of the nearest examples
	descentSteps = 24 // programs solved for each
)

// firstExamples returns the nearest of the examples on the way from X to rows of wanted
// labels, and of those rows.
func (o *opener) firstExamples() [][]float64 {
	var found [][]float64
	if z := o.nearestRow(); z != nil {
		found = append(found, z)
	}
	wanted, _ := o.table.SupportAndRivals(o.q)
	for _, n := range wanted.First(o.q.X, aims) {
		if z := o.firstOnWay(o.point(o.groups.of[n.ID])); z != nil {
			found = append(found, z)
		}
	}
	slices.SortStableFunc(found,
		func(y, z []float64) int { return cmp.Compare(o.distance(y), o.distance(z)) })
	return found[:min(len(found), descents)]
}

// nearestRow returns the nearest training row that answers itself, nil if none does.
func (o *opener) nearestRow() (nearest []float64) {
	least := math.Inf(1)
	for g := range int32(len(o.groups.rows)) {
		length := o.q.Cost.Length(o.point(g))
		if length >= least || !o.wanted(g) {
			continue
		}
		if p := o.table.Row(o.groups.rows[g][0]); o.q.Domain.Contains(p) &&
			o.q.Reaches(o.Predict(p)) {
			nearest, least = p, length
		}
	}
	return slices.Clone(nearest)
}

// way is a straight one from start + step to start; its points are made in u.
type way struct{ start, step, u []float64 }

// onWay returns start + t·step as an input, and whether it answers the query.
func (o *opener) onWay(w *way, t float64) ([]float64, bool) {
	for j, e := range w.step {
		w.u[j] = w.start[j] + t*e
	}
	return o.at(w.u)
}

// border halves the way between low and high, where there is the example z, and returns
// the one nearest to low that it meets.
func (o *opener) border(w *way, z []float64, low, high float64) []float64 {
	for range wayHalvings {
		middle := (low + high) / 2
		if middle == low || middle == high {
			break
		}
		if y, ok := o.onWay(w, middle); ok {
			z, high = y, middle
		} else {
			low = middle
		}
	}
	return z
}

// firstOnWay returns the first example that it meets on the way from X to a row, kept in
// the domain; nil if there is none.
func (o *opener) firstOnWay(p []float64) []float64 {
	w := &way{start: o.zero, step: p, u: o.way.u}
	for stride := 1; stride <= strides; stride++ {
		high := float64(stride) / strides
		if z, ok := o.onWay(w, high); ok {
			return o.border(w, z, high-1.0/strides, high)
		}
	}
	return nil
}

// toward returns the point nearest to y on the way from the example z to it that
// halving finds to be an example.
func (o *opener) toward(z, y []float64) []float64 {
	w := &o.way
	for j, e := range z {
		w.start[j], w.step[j] = y[j]-o.q.X[j], e-y[j]
	}
	if best, ok := o.onWay(w, 0); ok {
		return best
	}
	return o.border(w, z, 0, 1)
}

// leastGain is the share of its distance that a step of a descent brings an example
// nearer.
const leastGain = 1e-8

// beyondBorder is how far beyond the border of a cell the next one is looked up, as
// a share of the distance.
const beyondBorder = 1e-6

// descend improves an example: it solves for the closest point of the cell of its
// neighbours under the tangents of the sums, and goes as far towards it as the
// label holds. Where that leads to the border of the cell it goes on beyond it.
func (o *opener) descend(ctx context.Context, z []float64) ([]float64, error) {
	around, beyond := z, false
	for range descentSteps {
		y, err := o.tangentStep(ctx, z, around)
		if err != nil || y == nil {
			return z, err
		}
		better := o.toward(z, y)
		gain := o.distance(z) - o.distance(better)
		if gain > leastGain*o.distance(z) {
			z, around, beyond = better, better, false
			continue
		}
		if beyond {
			return z, nil
		}
		beyond = true
		around = make([]float64, len(z))
		for j, x := range o.q.X {
			around[j] = y[j] + beyondBorder*(x-y[j])
		}
	}
	return z, nil
}

// tangentStep returns the closest point of the cell around a point under the
// tangents of the sums that make z an example; nil if there is none.
func (o *opener) tangentStep(ctx context.Context, z, around []float64) ([]float64, error) {
	if geometry.CheckPoint(around, o.table.Dim) != nil {
		return nil, nil // out of the range of float64
	}
	cell := o.table.CellAt(around, o.k)
	label := int32(o.Predict(z))
	won := slices.IndexFunc(o.goals, func(t goal) bool { return t.label == label })
	if won < 0 {
		return nil, nil // by a rounding error
	}
	u := floats.SubTo(make([]float64, len(z)), z, o.q.X)
	f := o.rows()
	for _, rival := range o.goals[won].rivals {
		terms, ok := o.cellTerms(cell, label, rival)
		if !ok {
			return nil, nil
		}
		if len(terms) > 0 {
			o.addTangent(f, u, terms)
		}
	}
	region := polytope.Polyhedron{Box: o.q.Domain, Rest: cell}
	for i, b := range f.b {
		a := slices.Clone(f.row(i))
		for j, x := range o.q.X {
			b += a[j] * x
		}
		region.HalfSpaces = append(region.HalfSpaces, polytope.HalfSpace{A: a, B: b})
	}
	o.solves++
	sol, err := cellpoint.Ask(ctx, o.q.Solver, o.q.Cost.Problem(o.q.X, region))
	if err != nil {
		return nil, ctx.Err() // otherwise this is only a try
	}
	return sol.Point, nil
}

// cellTerms returns the sum of a label minus that of a rival in an order-k cell;
// false when it is never positive.
func (o *opener) cellTerms(cell *neighbors.Cell, label, rival int32) (terms []term, ok bool) {
	ok = label < rival
	for i, row := range cell.Members {
		terms = o.appendTerm(terms, o.groups.of[row], cell.Members[i:i+1], label, rival)
		ok = ok || o.table.Labels[row] == label
	}
	return terms, ok
}
