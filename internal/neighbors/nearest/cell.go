package nearest

import (
	"context"
	"iter"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/seed-1a7dc1f9/facet/internal/cellpoint"
	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/neighbors"
	"github.com/seed-1a7dc1f9/facet/internal/nnindex"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/internal/rules"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// cell is the set in which a candidate comes before every rival: the family of its
// bisectors with them, as a polytope.Separator.
type cell struct {
	*query
	*surroundings
	id      int32
	point   []float64 // the candidate
	to      []float64 // the displacement from X to it
	lengths []float64 // of its bisectors with the near rivals
	squared []float64 // memory of deepest
	named   []int32   // rivals whose bisectors a solver has taken up

	vicinity vicinity

	a, z, start, from []float64 // scratch space
	nearest           nnindex.Nearest
}

// reset makes c the cell of a row.
func (c *cell) reset(id int32) {
	c.id, c.point, c.named = id, c.table.Row(id), c.named[:0]
	floats.SubTo(c.to, c.point, c.X)
	c.near.Lengths(c.point, c.lengths)
}

// Separate names the near rivals first. Only when they are all satisfied, and a rival
// beyond them could be nearer to x+u than the candidate is, the nearest rival is
// looked up. When no bisector is violated but by rounding, every rival that could
// be is tried.
func (c *cell) Separate(x, u []float64, add func([]float64, float64) bool) {
	grown := 1 + precise.Noise(c.table.Dim)
	if &x[0] != &c.X[0] { // Contains asks about any point
		c.separateAt(c.table.Border, x, u, nnindex.Moved(x, u, c.point)*grown, add)
		return
	}
	squared := nnindex.Squared(u, c.to)
	i, near := c.deepest(u, squared)
	if i >= 0 && c.name(c.table.Border, x, c.near.First[i].ID, add) {
		return
	}
	limit := squared * grown
	if math.Sqrt(limit)+geometry.Length(polytope.L2, u) >= c.known {
		c.separateAt(c.table.Border, x, u, limit, add)
		return
	}
	for i, s := range near {
		if s <= limit {
			c.name(c.table.Border, x, c.near.First[i].ID, add)
		}
	}
}

var _ polytope.Separator = (*cell)(nil)

// Contains reports whether the candidate is the nearest row to z, or comes first of those.
func (c *cell) Contains(z []float64) bool { return c.wins(z, 0) }

// Holds implements cellpoint.Decider.
func (c *cell) Holds(z []float64) bool {
	limit := nnindex.Squared(z, c.point) * (1 + precise.Noise(c.table.Dim))
	return !c.separateAt(c.table.Side, z, make([]float64, len(z)), limit, neighbors.Excludes)
}

// separateAt names the nearest rival, then all of them, within a squared distance
// of x+u, and reports whether one was taken.
func (c *cell) separateAt(
	half neighbors.BisectorFunc, x, u []float64, limit float64, add func([]float64, float64) bool,
) (taken bool) {
	limit = neighbors.Widened(c.z, x, u, limit)
	if first, ok := c.first(c.z, limit); ok && c.name(half, x, first.ID, add) {
		return true
	}
	each := func(id int32) { taken = c.name(half, x, id, add) || taken }
	if c.vicinity.list(c.rivals, c.z, limit) {
		c.vicinity.visit(c.z, limit, func(id int32, _ float64) { each(id) })
		return taken
	}
	c.rivals.Within(c.z, limit, func(id int32, _ []float64) bool { each(id); return true })
	return taken
}

// name names the bisector with a rival.
func (c *cell) name(
	half neighbors.BisectorFunc, x []float64, id int32, add func([]float64, float64) bool,
) bool {
	taken := add(c.a, half(c.a, x, c.id, id))
	if taken {
		c.named = append(c.named, id)
	}
	return taken
}

// deepest returns the near rival whose bisector X+u violates most, −1 if none, and the squared
// distances of all of them; squared is that of the candidate.
func (c *cell) deepest(u []float64, squared float64) (deepest int, near []float64) {
	deepest, most := -1, 0.0
	nnindex.SquaredRows(u, c.toNear, c.squared)
	for i, length := range c.lengths {
		if v := squared - c.squared[i]; v > most*length && length > 0 {
			deepest, most = i, v/length
		}
	}
	return deepest, c.squared
}

// first returns the rival nearest to z within a squared distance, none if there is none.
func (c *cell) first(z []float64, limit float64) (first nnindex.Neighbor, found bool) {
	if c.vicinity.covers(z, limit) {
		return c.vicinity.first(z, limit)
	}
	c.nearest.Reset(1, limit)
	c.rivals.Nearest(z, &c.nearest)
	if all := c.nearest.All(); len(all) > 0 {
		return all[0], true
	}
	return first, false
}

// wins reports whether the candidate comes before every rival at z, by more than a
// share margin of its squared distance if that is positive.
func (c *cell) wins(z []float64, margin float64) bool {
	own := nnindex.Neighbor{Squared: nnindex.Squared(z, c.point), ID: c.id}
	for _, id := range c.named { // at the border of the cell one of these comes first
		rival := nnindex.Neighbor{Squared: nnindex.Squared(z, c.table.Row(id)), ID: id}
		if rival.Squared <= own.Squared*(1+margin) && (margin > 0 || rival.Compare(own) < 0) {
			return false
		}
	}
	rival, found := c.first(z, own.Squared*(1+margin))
	return !found || (margin == 0 && own.Compare(rival) < 0)
}

// mayExist reports whether the cell, which a solver that has proven a bound calls
// empty, may hold an input. The solver takes the bisectors, which are rounded,
// as it is told; where there are too many to do better that must do.
func (c *cell) mayExist(bound float64) bool {
	r := c.table.ExactSystem(c.X, c.Domain)
	for _, id := range c.named {
		r.Before(c.id, id)
	}
	r.Faces()
	r.Linear(c.Linear)
	if math.IsInf(bound, 1) && !r.Decidable() {
		return false
	}
	return r.Exists()
}

// Inputs implements cellpoint.Decider.
func (c *cell) Inputs(
	box polytope.Box, x, near []float64,
) (inputs iter.Seq[[]float64], exists bool) {
	r := c.table.ExactSystem(x, box)
	u := floats.SubTo(make([]float64, len(x)), near, x)
	size := geometry.Length(polytope.L2, u)
	r.FacesAt(u, size)
	r.Against(c.id, c.rivals, u)
	r.Linear(c.Linear)
	return r.Inputs(u, size), r.Exists()
}

// enough is how much farther than the closest point of its cell's closure a witness
// with a margin may lie, relative to max(1, distance).
const enough = 1e-10

// witness moves z, the closest point of the cell's closure, inside. The candidate
// itself lies in it, and the way to it needs no further program unless it
// leaves the domain.
func (o *opener) witness(
	ctx context.Context, p polytope.Problem, z []float64,
) ([]float64, int, error) {
	c, box := &o.cell, p.Region.Box
	if p.Region.HalfSpaces = nil; !box.Contains(c.point) || !rules.KeepsAll(o.Linear, c.point) {
		flips := func(z []float64) bool { return o.Reaches(o.table.Vote(z, 1)) }
		size := o.Norm.Distance(o.X, c.point)
		return cellpoint.Margin(ctx, o.Solver, p, o.Linear, z, size, flips)
	}
	start := c.start
	copy(start, z)
	for _, margin := range []float64{neighbors.SureMargin * precise.Noise(o.table.Dim), 0} {
		copy(z, start)
		wins := func(z []float64) bool {
			_, ok := geometry.InsideBox(z, box, z)
			// Without a margin Vote may take a point for one inside that is not.
			return ok && c.wins(z, margin) && rules.KeepsAll(o.Linear, z) &&
				(margin > 0 || c.Holds(z))
		}
		if !cellpoint.Toward(z, c.point, c.from, wins) {
			continue
		}
		if margin == 0 {
			cellpoint.Closer(o.Cost, p.X, z, start, wins)
		}
		g := o.Cost
		near := g.Distance(o.X, start)
		if margin == 0 || g.Distance(o.X, z)-near <= enough*max(1, near) {
			return z, 0, nil
		}
	}
	return nil, 0, cellpoint.ErrThin
}
