package weighted

import (
	"cmp"
	"math"
	"math/big"

	"github.com/seed-1a7dc1f9/facet/classifier/search"
	"github.com/seed-1a7dc1f9/facet/internal/exact"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// instance is one query with the data as seen from X. It does not change once made.
type instance struct {
	*Model
	q        search.Query
	votes    search.Search // for the nearest input where the uniform vote leaves From
	contests []contest
	groups   grouping
	points   []float64    // P of each group, its displacement from X, flat
	pads     []float64    // bounds of the rounding error in the coordinates of each P
	domain   polytope.Box // of displacements, rounded outwards; nil for all
	extent   float64      // the largest ‖P‖
	radius   float64      // the largest Euclidean length of a P
	floor    float64      // distances that differ by less are not told apart
	blur     float64      // how far inputs next to X lie apart in float64, several times over
	unit     float64      // a power of two that brings extent near 1; see addCut
	zero     []float64
}

// finalShare is how far an answer may lie beyond the bound with which it is final: a
// share of its distance, or of the extent of the data or of 1 where that is more.
// It leaves room for rounding errors within 1e-9.
const finalShare = 0x1p-30

// Search starts the search of a query. votes is the search of the uniform k-NN, of
// the same rows and k, for any other label than From.
func (m *Model) Search(q search.Query, votes search.Search) search.Search {
	s := &instance{Model: m, q: q, votes: votes, zero: make([]float64, m.table.Dim)}
	s.groups = s.equallyFar()
	s.contests = s.winnable()
	s.displaceRows()
	s.displaceDomain()
	return s
}

// equallyFar returns the groups of rows at one place. A domain that fixes coordinates
// may have more rows that are equally far from all its inputs, such as mirror images:
// there the order of the rows decides, as it does between equal rows.
func (s *instance) equallyFar() grouping {
	free := s.free()
	if len(free) == len(s.q.X) {
		return s.places
	}
	away := make([]*big.Rat, s.table.Len()) // squared distance in the fixed coordinates
	for row := range away {
		away[row] = new(big.Rat)
		for j, i := range s.q.Domain {
			if i.Lo == i.Hi {
				d := exact.Difference(s.table.Row(int32(row))[j], i.Lo)
				away[row].Add(away[row], d.Mul(d, d))
			}
		}
	}
	return group(s.table.Len(), func(i, j int32) int {
		for _, f := range free {
			if order := cmp.Compare(s.table.Row(i)[f], s.table.Row(j)[f]); order != 0 {
				return order
			}
		}
		return away[i].Cmp(away[j])
	})
}

// free lists the coordinates that the domain does not fix.
func (s *instance) free() (free []int) {
	for j := range s.q.X {
		if s.q.Domain == nil || s.q.Domain[j].Lo < s.q.Domain[j].Hi {
			free = append(free, j)
		}
	}
	return free
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
		s.extent = max(s.extent, s.q.Norm.Length(s.point(int32(g))))
		s.radius = max(s.radius, polytope.L2.Length(s.point(int32(g))))
	}
	_, exponent := math.Frexp(s.extent)
	s.unit = math.Ldexp(1, -max(exponent, -mostExponent))
	s.floor = finalShare * min(1, s.extent)
	s.blur = 0x1p-48 * s.q.Norm.Length(s.q.X)
}

// mostExponent limits the unit to where it is finite.
const mostExponent = 1000

// displaceDomain computes where the domain lies, seen from X.
func (s *instance) displaceDomain() {
	if s.q.Domain == nil {
		return
	}
	s.domain = make(polytope.Box, len(s.q.Domain))
	for j, i := range s.q.Domain {
		s.domain[j] = polytope.Interval{Lo: -displacedUp(-i.Lo, -s.q.X[j]), Hi: displacedUp(i.Hi, s.q.X[j])}
	}
}

// displacedUp returns v − x, rounded up.
func displacedUp(v, x float64) float64 {
	u, err := precise.TwoSum(v, -x)
	if err > 0 {
		u = math.Nextafter(u, math.Inf(1))
	}
	return u
}

// goal returns the bound that proves an example at a distance.
func (s *instance) goal(distance float64) float64 {
	return min(distance*(1-finalShare), distance-s.floor)
}

// point returns the displacement of a group.
func (s *instance) point(g int32) []float64 {
	d := s.table.Dim
	return s.points[int(g)*d : (int(g)+1)*d : (int(g)+1)*d]
}

// input returns X + u.
func (s *instance) input(u []float64) []float64 {
	z := make([]float64, len(u))
	for j, x := range s.q.X {
		z[j] = x + u[j]
	}
	return z
}

// at returns X + u, moved into the domain, and whether it answers the query.
func (s *instance) at(u []float64) ([]float64, bool) {
	z := s.input(u)
	if s.q.Domain != nil {
		if _, ok := s.q.Domain.Inside(z, z); !ok {
			return nil, false
		}
	}
	return z, s.q.Reaches(s.Predict(z))
}

// distance returns how far z lies from X.
func (s *instance) distance(z []float64) float64 { return s.q.Norm.Distance(s.q.X, z) }

// answer returns the answer z, found below a node.
func (s *instance) answer(n *search.Node, z []float64) *search.Answer {
	distance := s.distance(z)
	return &search.Answer{
		Bound: max(n.Bound, s.goal(distance)), Order: n.Order,
		Example: z, Distance: distance,
	}
}
