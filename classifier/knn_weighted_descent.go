package classifier

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/classifier/search"
	"github.com/seed-1a7dc1f9/facet/internal/cellpoint"
	"github.com/seed-1a7dc1f9/facet/internal/neighbors"
	"github.com/seed-1a7dc1f9/facet/internal/nnindex"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// What the local search tries.
const (
	aims         = 12 // rows nearest to X of wanted labels
	strides      = 16 // on the way to each
	walkHalvings = 40 // of the stride in which the label changes
	descents     = 3  // of the nearest examples are improved
	descentTurn  = 24 // programs solved for each
)

// firstExample looks for a first example: it walks from X toward rows of wanted
// labels until the label changes, and improves the nearest examples.
func (o *weightedOpener) firstExample(ctx context.Context, p *prologue) error {
	found := o.rowExample(nil)
	for _, row := range o.aims() {
		if z := o.walk(row); z != nil {
			found = append(found, o.example(z))
		}
	}
	slices.SortStableFunc(found, func(a, b search.Answer) int { return cmp.Compare(a.Distance, b.Distance) })
	for _, e := range found[:min(len(found), descents)] {
		if err := o.improve(ctx, p, e.Example); err != nil {
			return err
		}
	}
	return nil
}

func (o *weightedOpener) example(z []float64) search.Answer {
	return search.Answer{Example: z, Distance: o.q.Norm.Distance(o.q.X, z)}
}

// rowExample appends the nearest training row that answers itself.
func (o *weightedOpener) rowExample(found []search.Answer) []search.Answer {
	type ranked struct {
		length float64
		group  int32
	}
	var groups []ranked
	for g := range int32(len(o.groups)) {
		if o.wanted(g) {
			groups = append(groups, ranked{o.q.Norm.Length(o.point(g)), g})
		}
	}
	slices.SortFunc(groups, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(a.length, b.length), cmp.Compare(a.group, b.group))
	})
	for _, g := range groups {
		p := o.c.rows.table.Row(o.groups[g.group][0])
		if o.q.Domain.Contains(p) && o.q.Reaches(o.c.Predict(p)) {
			return append(found, o.example(slices.Clone(p)))
		}
	}
	return found
}

// aims returns the rows of wanted labels nearest to X.
func (o *weightedOpener) aims() []int32 {
	var nearest nnindex.Nearest
	nearest.Reset(aims, math.Inf(1))
	for _, t := range o.contests {
		o.c.rows.table.Trees[t.label].Nearest(o.q.X, &nearest)
	}
	found := nearest.All()
	slices.SortFunc(found, nnindex.Neighbor.Compare)
	rows := make([]int32, len(found))
	for i, n := range found {
		rows[i] = n.ID
	}
	return rows
}

// walk returns the first example that it meets on the way from X to a row, kept in
// the domain; nil if there is none.
func (o *weightedOpener) walk(row int32) []float64 {
	p := o.point(o.groupOf[row])
	u := make([]float64, len(p))
	at := func(t float64) ([]float64, bool) {
		for j, e := range p {
			u[j] = t * e
		}
		return o.at(u)
	}
	for stride := 1; stride <= strides; stride++ {
		high := float64(stride) / strides
		z, ok := at(high)
		if !ok {
			continue
		}
		low := high - 1.0/strides
		for range walkHalvings {
			middle := (low + high) / 2
			if y, ok := at(middle); ok {
				z, high = y, middle
			} else {
				low = middle
			}
		}
		return z
	}
	return nil
}

// descend improves an example: it solves for the closest point of the cell of its
// neighbours under the tangents of the sums, and goes as far towards it as the
// label holds. Where that leads to the border of the cell it goes on beyond it.
func (o *weightedOpener) descend(ctx context.Context, z []float64) ([]float64, error) {
	around := z
	for range descentTurn {
		y, err := o.tangentStep(ctx, z, around)
		if err != nil || y == nil {
			return z, err
		}
		better := o.toward(z, y)
		gain := o.q.Norm.Distance(o.q.X, z) - o.q.Norm.Distance(o.q.X, better)
		if gain > leastGain*o.q.Norm.Distance(o.q.X, z) {
			z, around = better, better
			continue
		}
		if &around[0] != &z[0] {
			return z, nil
		}
		around = make([]float64, len(z))
		for j, x := range o.q.X {
			around[j] = y[j] + beyondBorder*(x-y[j])
		}
	}
	return z, nil
}

// leastGain is the share of its distance that a step of a descent brings an example
// nearer.
const leastGain = 1e-8

// beyondBorder is how far beyond the border of a cell the next one is looked up, as
// a share of the distance.
const beyondBorder = 1e-6

// tangentStep returns the closest point of the cell around a point under the
// tangents of the sums that make z an example; nil if there is none.
func (o *weightedOpener) tangentStep(ctx context.Context, z, around []float64) ([]float64, error) {
	cell, err := o.c.rows.CellAt(around)
	if err != nil {
		return nil, nil // out of the range of float64
	}
	cell.Region.Box = o.q.Domain
	label := int32(o.c.Predict(z))
	var t contest
	for _, t = range o.contests {
		if t.label == label {
			break
		}
	}
	u := make([]float64, len(z))
	for j, x := range o.q.X {
		u[j] = z[j] - x
	}
	o.family.reset(len(z))
	for _, rival := range t.rivals {
		if terms, ok := o.cellTerms(cell, t.label, rival); ok {
			o.addTangent(u, terms)
		} else {
			return nil, nil
		}
	}
	for i, b := range o.family.b {
		a := slices.Clone(o.family.row(i))
		for j, x := range o.q.X {
			b += a[j] * x
		}
		cell.Region.HalfSpaces = append(cell.Region.HalfSpaces, polytope.HalfSpace{A: a, B: b})
	}
	sol, err := o.q.Solver.Closest(ctx, polytope.Problem{Norm: o.q.Norm, X: o.q.X, Region: cell.Region})
	o.solves++
	if err == nil && sol.Status == polytope.StatusStopped {
		return nil, cellpoint.Stopped(ctx)
	}
	if err != nil || sol.Status != polytope.StatusOptimal {
		return nil, nil // this is only a try
	}
	return sol.Point, nil
}

// cellTerms returns the sum of a label minus that of a rival in an order-k cell;
// false when it is never positive.
func (o *weightedOpener) cellTerms(cell Cell, label, rival int32) (terms []term, ok bool) {
	ok = label < rival
	for _, row := range cell.Region.Rest.(*neighbors.Cell).Members {
		var net int32
		switch o.c.rows.table.Labels[row] {
		case label:
			net = 1
		case rival:
			net = -1
		}
		if net != 0 {
			terms = append(terms, term{o.groupOf[row], net})
		}
		ok = ok || net > 0
	}
	return terms, ok
}

// toward returns the point nearest to y on the way from the example z to it that
// walkHalvings find to be an example.
func (o *weightedOpener) toward(z, y []float64) []float64 {
	u := make([]float64, len(z))
	at := func(t float64) ([]float64, bool) {
		for j, e := range z {
			u[j] = (y[j] - o.q.X[j]) + t*(e-y[j])
		}
		return o.at(u)
	}
	if best, ok := at(0); ok {
		return best
	}
	best, low, high := z, 0.0, 1.0
	for range walkHalvings {
		middle := (low + high) / 2
		if middle == low || middle == high {
			break
		}
		if p, ok := at(middle); ok {
			best, high = p, middle
		} else {
			low = middle
		}
	}
	return best
}
