package orderk

import (
	"context"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/closest"
	"github.com/seed-1a7dc1f9/facet/internal/neighbors"
	"github.com/seed-1a7dc1f9/facet/internal/nnindex"
)

// solve finds the point nearest to X that satisfies the decisions, nil if there is none
// within the cutoff. Constraints that the decisions imply without having needed them
// so far are added when they are violated.
func (o *opener) solve(ctx context.Context, d *decisions, cutoff float64) (solution, *point, error) {
	p := d.part()
	possible := true
	o.program.start(d.path[1:])
	switch p.kind {
	case rivalPart:
		possible = o.add(&d.added, o.bisector(p.pivot.id, p.list[p.at]))
	case partnerPart:
		possible = o.add(&d.added, o.bisector(p.list[p.at], p.pivot.id))
	case outsiderPart:
		possible = o.add(&d.added, o.bisector(p.list[p.at], p.rival))
	}
	for possible {
		o.solves++
		sol, err := o.program.solve(ctx, cutoff)
		if err == nil && sol.status == closest.Infeasible && !o.contradictory(d) {
			err = neighbors.ErrContradiction
		}
		if err != nil || sol.status != closest.Optimal {
			return sol, nil, err
		}
		at, before := o.moveTo(sol), len(d.added)
		o.addSides(&d.added, at)
		if possible = o.addOrder(d, at); possible && len(d.added) == before {
			return sol, at, nil
		}
	}
	return solution{}, nil, nil
}

// addOrder adds the constraint between the farthest of the rows that are neighbours by
// decision and the nearest of those that are not, if the point violates it. It
// returns false if it holds nowhere.
func (o *opener) addOrder(d *decisions, at *point) bool {
	if len(d.in) == 0 || len(d.out) == 0 {
		return true
	}
	farthest, nearest := slices.MaxFunc(d.in, o.byDistance(at)), slices.MinFunc(d.out, o.byDistance(at))
	if at.squared(o.table.Row(nearest)) > at.squared(o.table.Row(farthest)) {
		return true
	}
	return o.addViolated(&d.added, at, o.bisector(farthest, nearest))
}

// byDistance orders rows by (distance from a point, row).
func (s *query) byDistance(at *point) func(p, q int32) int {
	from := func(id int32) nnindex.Neighbor {
		return nnindex.Neighbor{Squared: at.squared(s.table.Row(id)), ID: id}
	}
	return func(p, q int32) int { return from(p).Compare(from(q)) }
}
