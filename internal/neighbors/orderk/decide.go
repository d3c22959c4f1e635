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

// decision decides about sets of supporting rows, depth first. A program takes the bisectors that
// its point violates, until no point is left within the radius. Then a few bisectors show it, a
// conflict: where its rows are neighbours, one of its rivals must be allowed. A set of rows is
// refuted once no more rivals than may be allowed take part in all conflicts of its rows.
type decision struct {
	*opener
	program   *bisectors.Warm
	radius    float64
	left      int // programs that may be solved
	rows      []int32
	open      []int32 // rows of sets that are not decided
	allowed   []int32 // rivals that may come before the rows in the program
	conflicts []conflict
	known     []bisectors.Constraint
	added     []bisectors.Constraint // to the program
	answer    []float64
	// Rivals near X and at the points of programs, their displacements from X, and their squared
	// distances from the last point:
	rivals  []int32
	to      []float64
	squared []float64
}

// newDecision returns one that solves so many programs at most, nil where a query's own Solver
// solves them.
func (o *opener) newDecision(most int) *decision {
	program, ok := o.program.(*bisectors.Warm)
	if !ok {
		return nil
	}
	d := &decision{opener: o, program: program, left: most}
	for i, n := range o.near.First {
		d.meet(n.ID, o.near.Row(i))
	}
	return d
}

// decide decides whether as many supporting rows as are required come before all rivals but those
// allowed within a radius, no greater than in the last call. If it is undecided, d.open are the
// rows that may.
func (d *decision) decide(ctx context.Context, supporting []candidate, radius float64) verdict {
	d.radius, d.open = radius, nil
	all := make([]*candidate, len(supporting))
	for i := range supporting {
		all[i] = &supporting[i]
	}
	if d.Required > fewRequired { // the hardest are refuted soon, by themselves
		slices.Reverse(all)
	}
	switch {
	case d.extend(ctx, d.near.Refuter(d.Allowed, radius*(1+neighbors.Spread)), all):
		return answered
	case len(d.open) > 0:
		return undecided
	}
	return refuted
}

// meet takes up a rival.
func (d *decision) meet(id int32, row []float64) {
	n, dim := len(d.to), len(row)
	d.rivals = append(d.rivals, id)
	d.to = slices.Grow(d.to, dim)[:n+dim]
	floats.SubTo(d.to[n:], row, d.X)
}

// extend decides about the rows with some more, as many as are required, and reports whether there
// is an answer.
func (d *decision) extend(
	ctx context.Context, refuter *neighbors.Refuter, more []*candidate,
) bool {
	for i, r := range more {
		if len(d.rows)+len(more)-i < d.Required {
			return false
		}
		if d.left <= 0 || d.ended() {
			d.leaveOpen(more[i:])
			return false
		}
		d.rows = append(d.rows, r.id)
		v := undecided
		if len(d.rows) > 1 || d.Required == 1 || d.Required > fewRequired {
			v = d.within(ctx) // else there is too little to refute
		}
		switch {
		case v == undecided && len(d.rows) == d.Required:
			d.leaveOpen(nil)
		case v == undecided:
			var mates []*candidate
			for _, m := range more[i+1:] {
				if !refuter.Refutes(r.lines, m.lines) {
					mates = append(mates, m)
				}
			}
			if d.extend(ctx, refuter, mates) {
				v = answered
			}
		}
		d.rows = d.rows[:len(d.rows)-1]
		if v == answered {
			return true
		}
	}
	return false
}

// leaveOpen notes that sets of the rows and more are not decided.
func (d *decision) leaveOpen(more []*candidate) {
	d.open = append(d.open, d.rows...)
	for _, r := range more {
		d.open = append(d.open, r.id)
	}
}

// within decides about the rows. As long as there are conflicts without a common rival it looks for
// one more of them, as they soon are too many, then for any that the fewest rivals leave.
func (d *decision) within(ctx context.Context) verdict {
	all := d.conflictsOf(d.rows)
	for disjoint := d.Allowed > 1; d.left > 0; {
		few, v := d.fewest(all)
		if v != answered {
			return v
		}
		if d.allowed = few; disjoint {
			d.allowed = nil
			for _, c := range all {
				d.allowed = append(d.allowed, c.rivals...)
			}
		}
		v, at := d.solveAllowing(ctx)
		switch {
		case v == refuted:
			c := d.conflict()
			d.conflicts, all = append(d.conflicts, c), append(all, c)
		case disjoint && at != nil:
			disjoint = false
		case at != nil && d.answersNear(ctx, at):
			return answered
		default:
			return undecided
		}
	}
	return undecided
}

// solveAllowing solves the program of the rows where some rivals may come before them. If it is not
// refuted the point comes before which no others do, nil if there is trouble.
func (d *decision) solveAllowing(ctx context.Context) (v verdict, at *point) {
	d.begin()
	for {
		d.left--
		d.solves++
		sol, err := d.program.Solve(ctx, d.radius)
		switch {
		case err != nil:
			return undecided, nil
		case sol.Bound > d.radius:
			if _, proven := d.program.Needed(d.radius); proven {
				return refuted, nil
			}
			return undecided, nil
		case sol.Status != closest.Optimal:
			return undecided, nil
		}
		at, before := d.moveTo(sol), len(d.added)
		if d.addFaces(&d.added, at); len(d.added) > before {
			continue
		}
		last := slices.MaxFunc(d.rows, d.byDistance(at))
		deepest := d.ahead(at, last)
		if deepest < 0 {
			return undecided, at
		}
		c := d.bisector(last, deepest)
		if holds(d.added, c) || !d.add(&d.added, c) || len(d.added) == before {
			return undecided, nil
		}
		d.known = append(d.known, d.added[len(d.added)-1])
	}
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

// ahead returns, of the rivals not allowed that come before a row at a point, the one beyond whose
// bisector the point lies farthest, −1 if there is none.
func (d *decision) ahead(at *point, last int32) (deepest int32) {
	p := d.table.Row(last)
	limit := at.squared(p)
	limit -= at.tolerance(limit)
	if deepest = d.aheadOf(at, p, limit); deepest >= 0 {
		return deepest
	}
	d.nearest.Reset(len(d.allowed)+1, at.widened(limit))
	d.query.rivals.Nearest(at.z, &d.nearest)
	met := len(d.rivals)
	for _, n := range d.nearest.All() {
		if !slices.Contains(d.rivals[:met], n.ID) {
			d.meet(n.ID, d.table.Row(n.ID))
		}
	}
	if len(d.rivals) == met {
		return -1
	}
	return d.aheadOf(at, p, limit)
}

// aheadOf is ahead of row p for the rivals that it has met, within a squared distance.
func (d *decision) aheadOf(at *point, p []float64, limit float64) (deepest int32) {
	d.squared = slices.Grow(d.squared[:0], len(d.rivals))[:len(d.rivals)]
	nnindex.SquaredRows(at.u, d.to, d.squared)
	deepest = -1
	most := 0.0
	for i, s := range d.squared {
		if s >= limit {
			continue
		}
		id := d.rivals[i]
		length := neighbors.DualDistance(d.Cost, d.table.Row(id), p)
		if depth := (limit - s) / length; depth > most && !slices.Contains(d.allowed, id) {
			deepest, most = id, depth
		}
	}
	return deepest
}

// answersNear looks for an answer near a point before which there are no more rivals than allowed.
func (d *decision) answersNear(ctx context.Context, at *point) bool {
	d.answer = d.solveWithMargin(ctx, at, d.added, func(z []float64) bool {
		return d.Cost.Distance(d.X, z) <= d.radius &&
			d.table.SurelyAnswers(&d.Query, d.k, z)
	})
	return d.answer != nil
}
