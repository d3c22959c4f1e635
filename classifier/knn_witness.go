package classifier

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/classifier/search"
	"github.com/seed-1a7dc1f9/facet/internal/cellpoint"
	"github.com/seed-1a7dc1f9/facet/internal/nnindex"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// thin reports whether an error says that no example was found in a cell.
func thin(err error) bool {
	return errors.Is(err, cellpoint.ErrThin) || errors.Is(err, cellpoint.ErrNone)
}

// beaten reports whether an equal rival row comes first, which keeps the
// candidate from ever being the nearest.
func (s *nearestSearch) beaten(p []float64, id int) bool {
	for _, t := range s.rivals {
		clear := t.Within(p, 0, func(i int, squared float64) bool {
			return int(t.IDs[i]) > id || !equal(t.Point(i), p)
		})
		if !clear {
			return true
		}
	}
	return false
}

// reach returns the distance of a row from X, the size of the data for a witness;
// where they coincide nothing is known, and it is that of ordinary data.
func reach(q *search.Query, p []float64) float64 {
	if d := q.Norm.Distance(q.X, p); d > 0 {
		return d
	}
	return math.Inf(1)
}

// equal reports whether p and q are the same point; their squared distance may
// underflow to 0 when they are not.
func equal(p, q []float64) bool {
	for j, e := range p {
		if e != q[j] {
			return false
		}
	}
	return true
}

// witness moves z inside. The candidate itself is an interior point, and the way
// to it needs no further program unless it leaves the domain.
func (o *nearestOpener) witness(ctx context.Context, p polytope.Problem, z []float64, id int) ([]float64, int, error) {
	box := p.Region.Box
	if box != nil && !box.Contains(o.point) {
		flips := func(z []float64) bool { return o.s.q.Reaches(o.s.c.Predict(z)) }
		return cellpoint.MarginOf(ctx, o.s.q.Solver, p, z, reach(&o.s.q, o.point), flips)
	}
	start := slices.Clone(z)
	for _, margin := range []float64{sure * noise(o.s.c.dim), 0} {
		copy(z, start)
		wins := func(z []float64) bool {
			_, ok := box.Inside(z, z)
			// Without a lead Predict may take a point for one inside that is not.
			return ok && o.wins(z, id, margin) && (margin > 0 || p.Region.StrictlyContains(z))
		}
		if !cellpoint.Toward(z, o.point, wins) {
			continue
		}
		if margin == 0 {
			cellpoint.Closer(p.Norm, p.X, z, start, wins)
		}
		near := o.s.q.Norm.Distance(o.s.q.X, start)
		if margin == 0 || o.s.q.Norm.Distance(o.s.q.X, z)-near <= 1e-10*max(1, near) {
			return z, 0, nil
		}
	}
	return nil, 0, cellpoint.ErrThin
}

// sure is the lead over the rivals, in units of the rounding error of a squared
// distance, with which an example is the candidate's in anybody's arithmetic.
const sure = 4

// wins reports whether the candidate, row id, comes before every rival at z, by
// more than a share margin of its squared distance if that is positive.
func (o *nearestOpener) wins(z []float64, id int, margin float64) bool {
	own := nnindex.Neighbor{Squared: nnindex.Squared(z, o.point), ID: int32(id)}
	s := o.s.c.scratch()
	defer o.s.c.pool.Put(s)
	s.nearest.Reset(1, own.Squared*(1+margin))
	for _, t := range o.s.rivals {
		t.Nearest(z, &s.nearest)
	}
	rivals := s.nearest.All()
	return len(rivals) == 0 || (margin == 0 && own.Compare(rivals[0]) < 0)
}
