package weighted

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// instance is one query with the data as seen from X. It does not change once made.
type instance struct {
	*Model
	q          search.Query
	votes      search.Search // for the nearest input where the uniform vote leaves From
	goals      []goal
	points     []float64    // P of each group, its displacement from X, flat
	pads       []float64    // bounds of the rounding error in the coordinates of each P
	domain     polytope.Box // of displacements, rounded outwards; nil for all
	extent     float64      // the largest ‖P‖
	radius     float64      // the largest Euclidean length of a P
	floor      float64      // distances that differ by less are not told apart
	resolution float64      // how far inputs next to X lie apart in float64, several times over
	unit       float64      // a power of two that brings extent near 1; see addCut
	zero       []float64
}

// finalShare is how far an answer may lie beyond the bound with which it is final: a
// share of its distance, or of the extent of the data or of 1 where that is more.
// It leaves room for rounding errors within 1e-9.
const finalShare = 0x1p-30

// Search starts the search of a query. votes is the search of the uniform k-NN, of
// the same rows and k, for any other label than From.
func (m *Model) Search(q search.Query, votes search.Search) search.Search {
	s := &instance{Model: m, q: q, votes: votes, zero: make([]float64, m.table.Dim)}
	s.goals = s.listGoals()
	s.displaceRows()
	s.displaceDomain()
	return s
}

// displaceRows computes where the groups lie, seen from X.
func (s *instance) displaceRows() {
	d := s.table.Dim
	s.points = make([]float64, len(s.groups.rows)*d)
	s.pads = make([]float64, len(s.groups.rows))
	for g, rows := range s.groups.rows {
		row := s.table.Row(rows[0])
		for j, x := range s.q.X {
			p, err := precise.TwoSum(row[j], -x)
			s.points[g*d+j] = p
			s.pads[g] = max(s.pads[g], math.Abs(err))
		}
		s.extent = max(s.extent, geometry.Length(s.q.Norm, s.point(int32(g))))
		s.radius = max(s.radius, geometry.Length(polytope.L2, s.point(int32(g))))
	}
	_, exponent := math.Frexp(s.extent)
	s.unit = math.Ldexp(1, -max(exponent, -mostExponent))
	s.floor = finalShare * min(1, s.extent)
	for j, x := range s.q.X {
		if unit := s.q.Cost.Unit(j); !math.IsInf(unit, 1) {
			s.zero[j] = x * unit
		}
	}
	s.resolution = 0x1p-48 * geometry.Length(s.q.Norm, s.zero)
	clear(s.zero)
}

// mostExponent limits the unit to where it is finite.
const mostExponent = 1000

// displaceDomain computes where the domain lies, seen from X.
func (s *instance) displaceDomain() {
	s.domain = slices.Clone(s.q.Domain)
	for j, i := range s.domain {
		s.domain[j] = polytope.Interval{
			Lo: precise.SubDown(i.Lo, s.q.X[j]),
			Hi: -precise.SubDown(s.q.X[j], i.Hi),
		}
	}
}

// goal returns the bound that proves an example at a distance.
func (s *instance) goal(distance float64) float64 {
	return min(distance*(1-finalShare), distance-s.floor)
}

// width returns the cost of crossing a box of displacements along a coordinate.
func (s *instance) width(j int, i polytope.Interval) float64 {
	g := s.q.Cost
	lo, hi := g.Coordinate(j, i.Lo), g.Coordinate(j, i.Hi)
	switch {
	case i.Lo >= 0:
		return hi - lo
	case i.Hi <= 0:
		return lo - hi
	}
	return lo + hi
}

// point returns the displacement of a group.
func (s *instance) point(g int32) []float64 {
	d := s.table.Dim
	return s.points[int(g)*d : (int(g)+1)*d : (int(g)+1)*d]
}

// input returns X + u.
func (s *instance) input(u []float64) []float64 {
	return floats.AddTo(make([]float64, len(u)), s.q.X, u)
}

// at returns X + u, moved into the domain, and whether it answers the query.
func (s *instance) at(u []float64) ([]float64, bool) {
	z := s.input(u)
	_, ok := geometry.InsideBox(z, s.q.Domain, z)
	return z, ok && s.q.Reaches(s.Predict(z))
}

// distance returns how far z lies from X.
func (s *instance) distance(z []float64) float64 {
	return s.q.Cost.Distance(s.q.X, z)
}

// answer returns the answer z, found below a node. Where sums nearly tie, Predict may see the label
// before the bound of their exact lead: z is an input, and no bound exceeds its distance.
func (s *instance) answer(n *search.Node, z []float64) *search.Answer {
	distance := s.distance(z)
	bound := min(distance, max(n.Bound, s.goal(distance)))
	z = s.firmed(z) // a heuristic: the bound is that of the example found before
	return &search.Answer{Bound: bound, Order: n.Order, Example: z, Distance: s.distance(z)}
}
