package classifier

import (
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/nnindex"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Separate implements polytope.Separator for the candidate that is being solved.
// The near rivals come first. Only when they are all satisfied, and a rival
// beyond them could be nearer to x+u than the candidate is, the nearest rival is
// looked up. When no bisector is violated but by rounding, every rival that could
// be is tried.
func (o *nearestOpener) Separate(x, u []float64, add func([]float64, float64) bool) {
	if &x[0] != &o.s.q.X[0] { // Contains asks about any point
		o.separateAt(bisector, x, u, nnindex.Moved(x, u, o.point)*(1+noise(o.s.c.dim)), add)
		return
	}
	reach := nnindex.Squared(u, o.to)
	if i := o.deepest(u, reach); i >= 0 && o.name(bisector, x, o.s.nearID[i], o.s.rival(i), add) {
		return
	}
	limit := reach * (1 + noise(o.s.c.dim))
	if math.Sqrt(limit)+polytope.L2.Length(u) < o.s.known {
		o.tryNear(u, limit, add)
		return
	}
	o.separateAt(bisector, x, u, limit, add)
}

// StrictlyContains reports whether z is nearer to the candidate than to every rival.
func (o *nearestOpener) StrictlyContains(z []float64) bool {
	inside, here := true, make([]float64, len(z))
	limit := nnindex.Squared(z, o.point) * (1 + noise(o.s.c.dim))
	o.separateAt(bisectorSide, z, here, limit, func(a []float64, b float64) bool {
		inside = inside && (b > 0 || isZero(a))
		return !inside
	})
	return inside
}

// separateAt names the nearest rival, then all of them, within a squared distance
// of x+u.
func (o *nearestOpener) separateAt(half bisects, x, u []float64, limit float64, add func([]float64, float64) bool) {
	z, drift := rounded(o.z, x, u)
	reach := math.Sqrt(limit) + drift
	limit = reach * reach * (1 + spread)
	if id := o.nearestRival(z, limit); id >= 0 {
		if p, _ := o.s.c.Row(int(id)); o.name(half, x, id, p, add) {
			return
		}
	}
	for _, t := range o.s.rivals {
		t.Within(z, limit, func(i int, _ float64) bool {
			o.name(half, x, t.IDs[i], t.Point(i), add)
			return true
		})
	}
}

// name names the bisector with a rival.
func (o *nearestOpener) name(half bisects, x []float64, id int32, rival []float64, add func([]float64, float64) bool) bool {
	taken := add(o.a, half(o.a, x, o.point, rival))
	if taken {
		o.named = append(o.named, id)
	}
	return taken
}

// tryNear names the bisectors of the near rivals within a squared distance of X+u.
func (o *nearestOpener) tryNear(u []float64, limit float64, add func([]float64, float64) bool) {
	for i := range o.lengths {
		if nnindex.Squared(u, o.s.toRival(i)) <= limit {
			o.name(bisector, o.s.q.X, o.s.nearID[i], o.s.rival(i), add)
		}
	}
}

// deepest returns the near rival whose bisector X+u violates most, −1 if none.
func (o *nearestOpener) deepest(u []float64, reach float64) int {
	deepest, most := -1, 0.0
	for i, length := range o.lengths {
		if v := reach - nnindex.Squared(u, o.s.toRival(i)); v > most*length && length > 0 {
			deepest, most = i, v/length
		}
	}
	return deepest
}

// nearestRival returns the rival nearest to z, −1 if none lies within the squared limit.
func (o *nearestOpener) nearestRival(z []float64, limit float64) int32 {
	s := o.s.c.scratch()
	defer o.s.c.pool.Put(s)
	s.nearest.Reset(1, limit)
	for _, t := range o.s.rivals {
		t.Nearest(z, &s.nearest)
	}
	if all := s.nearest.All(); len(all) > 0 {
		return all[0].ID
	}
	return -1
}

// room returns the set in which the candidate comes before the rivals that were
// named, within the domain.
func (o *nearestOpener) room() *room {
	r := o.s.c.room(o.s.q.X, o.s.q.Domain)
	for _, id := range o.named {
		r.before(o.id, id)
	}
	r.sides()
	return r
}

// HasInterior implements witness.Decider.
func (o *nearestOpener) HasInterior(box polytope.Box, x, near []float64) bool {
	u := appendDifference(nil, near, x)
	r := o.s.c.room(x, box)
	r.sidesAt(u, polytope.L2.Length(u))
	reach := nnindex.Moved(x, u, o.point)
	r.against(o.id, o.s.rivals, u, reach)
	return r.exists()
}
