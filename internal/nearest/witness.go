package nearest

import (
	"context"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/cellpoint"
	"github.com/seed-1a7dc1f9/facet/internal/neighbors"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// enough is how much farther than the closest point of its cell's closure a witness
// with a lead may lie, relative to max(1, distance).
const enough = 1e-10

// witness moves z, the closest point of the cell's closure, inside. The candidate
// itself is an interior point, and the way to it needs no further program unless it
// leaves the domain.
func (o *opener) witness(ctx context.Context, p polytope.Problem, z []float64) ([]float64, int, error) {
	c, box := &o.cell, p.Region.Box
	if box != nil && !box.Contains(c.point) {
		flips := func(z []float64) bool { return o.Reaches(o.table.Vote(z, 1)) }
		return cellpoint.MarginOf(ctx, o.Solver, p, z, o.Norm.Distance(o.X, c.point), flips)
	}
	start := slices.Clone(z)
	for _, lead := range []float64{neighbors.SureLead * precise.Noise(o.table.Dim), 0} {
		copy(z, start)
		wins := func(z []float64) bool {
			_, ok := box.Inside(z, z)
			// Without a lead Vote may take a point for one inside that is not.
			return ok && c.wins(z, lead) && (lead > 0 || p.Region.StrictlyContains(z))
		}
		if !cellpoint.Toward(z, c.point, wins) {
			continue
		}
		if lead == 0 {
			cellpoint.Closer(p.Norm, p.X, z, start, wins)
		}
		near := o.Norm.Distance(o.X, start)
		if lead == 0 || o.Norm.Distance(o.X, z)-near <= enough*max(1, near) {
			return z, 0, nil
		}
	}
	return nil, 0, cellpoint.ErrThin
}
