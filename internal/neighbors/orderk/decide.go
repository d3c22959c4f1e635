package orderk

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/seed-1a7dc1f9/facet/internal/closest"
	"github.com/seed-1a7dc1f9/facet/internal/neighbors"
	"github.com/seed-1a7dc1f9/facet/internal/neighbors/orderk/bisectors"
	"github.com/seed-1a7dc1f9/facet/internal/nnindex"
)

// verdict says whether supporting rows answer within a radius.
type verdict int8

const (
	undecided verdict = iota
	refuted           // nowhere do they all come before all rivals but those allowed
	answered          // there is an answer
)

// mostDecided is how many programs are solved before a search, which has bounds of more kinds.
const mostDecided = 256

// decision decides about supporting rows together, depth first. A program takes the bisectors that
// its point violates, until no point is left within the radius or one answers. Where none is left,
// a few bisectors show it; one of the rivals of those must be allowed besides, each in its turn.
type decision struct {
	*opener
	program *bisectors.Warm
	radius  float64
	left    int // programs that may be solved
	rows    []int32
	allowed []int32 // rivals that may come before them
	known   []bisectors.Constraint
	added   []bisectors.Constraint // to the program
	answer  []float64
	// Rivals near X and at the points of programs, their displacements from X, and their squared
	// distances from the last point:
	rivals  []int32
	to      []float64
	squared []float64
}

// decide decides whether as many supporting rows as are required come before all rivals but those
// allowed within a radius, and returns an answer if it comes to hand.
func (o *opener) decide(
	ctx context.Context, supporting []candidate, radius float64,
) (verdict, []float64) {
	program, ok := o.program.(*bisectors.Warm)
	if !ok {
		return undecided, nil
	}
	d := &decision{opener: o, program: program, radius: radius, left: mostDecided}
	for i, n := range o.near.First {
		d.meet(n.ID, o.near.Row(i))
	}
	all := make([]*candidate, len(supporting))
	for i := range supporting {
		all[i] = &supporting[i]
	}
	v := d.extend(ctx, o.near.Refuter(o.Allowed, radius*(1+neighbors.Spread)), all)
	return v, d.answer
}

// meet takes up a rival.
func (d *decision) meet(id int32, row []float64) {
	n, dim := len(d.to), len(row)
	d.rivals = append(d.rivals, id)
	d.to = slices.Grow(d.to, dim)[:n+dim]
	floats.SubTo(d.to[n:], row, d.X)
}

// extend decides about the rows with some more, as many as are required.
func (d *decision) extend(
	ctx context.Context, refuter *neighbors.Refuter, more []*candidate,
) verdict {
	for i, r := range more {
		d.rows = append(d.rows, r.id)
		v := undecided
		if len(d.rows) > 1 || d.Required == 1 { // else there is too little to refute
			v = d.within(ctx)
		}
		if v == undecided && len(d.rows) < d.Required {
			var mates []*candidate
			for _, m := range more[i+1:] {
				if !refuter.Refutes(r.lines, m.lines) {
					mates = append(mates, m)
				}
			}
			v = d.extend(ctx, refuter, mates)
		}
		d.rows = d.rows[:len(d.rows)-1]
		if v != refuted {
			return v
		}
	}
	return refuted
}

// within decides about the rows.
func (d *decision) within(ctx context.Context) verdict {
	d.begin()
	for ; d.left > 0; d.left-- {
		d.solves++
		sol, err := d.program.Solve(ctx, d.radius)
		switch {
		case err != nil:
			return undecided
		case sol.Bound > d.radius:
			return d.allow(ctx)
		case sol.Status != closest.Optimal:
			return undecided
		}
		at, before := d.moveTo(sol), len(d.added)
		if d.addSides(&d.added, at); len(d.added) > before {
			continue
		}
		last := slices.MaxFunc(d.rows, d.byDistance(at))
		ahead, deepest := d.ahead(at, last)
		if ahead <= d.Allowed && d.answersNear(ctx, at) {
			return answered
		}
		if deepest < 0 || !d.add(&d.added, d.bisector(last, deepest)) || len(d.added) == before {
			return undecided
		}
		d.known = append(d.known, d.added[len(d.added)-1])
	}
	return undecided
}

// begin begins a program with the bisectors that are known.
func (d *decision) begin() {
	d.program.Start(nil, closest.Basis{})
	d.added = d.added[:0]
	for _, c := range d.known {
		if slices.Contains(d.rows, c.Before) && !slices.Contains(d.allowed, c.After) {
			d.program.Add(c)
			d.added = append(d.added, c)
		}
	}
}

// allow goes on where the program leaves no point: with one rival more allowed, if there may be.
func (d *decision) allow(ctx context.Context) verdict {
	needed, proven := d.program.Needed(d.radius)
	switch {
	case !proven:
		return undecided
	case len(d.allowed) == d.Allowed:
		return refuted
	}
	var rivals []int32
	for _, i := range needed {
		if c := &d.added[i]; c.Before >= 0 && !slices.Contains(rivals, c.After) {
			rivals = append(rivals, c.After)
		}
	}
	for _, rival := range rivals {
		d.allowed = append(d.allowed, rival)
		v := d.within(ctx)
		d.allowed = d.allowed[:len(d.allowed)-1]
		if v != refuted {
			return v
		}
	}
	return refuted
}

// ahead counts the rivals that come before a row at a point, no more than it takes to know that
// they are too many, and returns the one of those not allowed beyond whose bisector the point lies
// farthest, −1 if there is none.
func (d *decision) ahead(at *point, last int32) (count int, deepest int32) {
	p := d.table.Row(last)
	limit := at.squared(p)
	limit -= at.tolerance(limit)
	if count, deepest = d.aheadOf(at, p, limit); count > d.Allowed {
		return count, deepest
	}
	d.nearest.Reset(d.Allowed+1, at.widened(limit))
	d.query.rivals.Nearest(at.z, &d.nearest)
	met := len(d.rivals)
	for _, n := range d.nearest.All() {
		if !slices.Contains(d.rivals[:met], n.ID) {
			d.meet(n.ID, d.table.Row(n.ID))
		}
	}
	if len(d.rivals) == met {
		return count, deepest
	}
	return d.aheadOf(at, p, limit)
}

// aheadOf is ahead of row p for the rivals that it has met, within a squared distance.
func (d *decision) aheadOf(at *point, p []float64, limit float64) (count int, deepest int32) {
	d.squared = slices.Grow(d.squared[:0], len(d.rivals))[:len(d.rivals)]
	nnindex.SquaredRows(at.u, d.to, d.squared)
	deepest = -1
	most := 0.0
	for i, s := range d.squared {
		if s >= limit {
			continue
		}
		count++
		id := d.rivals[i]
		length := neighbors.DualDistance(d.Cost, d.table.Row(id), p)
		if depth := (limit - s) / length; depth > most && !slices.Contains(d.allowed, id) {
			deepest, most = id, depth
		}
	}
	return count, deepest
}

// answersNear looks for an answer near a point before which there are no more rivals than allowed.
func (d *decision) answersNear(ctx context.Context, at *point) bool {
	d.answer = d.solveWithMargin(ctx, at, d.added, func(z []float64) bool {
		return d.Cost.Distance(d.X, z) <= d.radius &&
			d.table.SurelyAnswers(&d.Query, d.k, z)
	})
	return d.answer != nil
}
