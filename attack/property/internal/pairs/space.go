package pairs

import (
	"fmt"
	"math"
	"math/big"

	"github.com/seed-1a7dc1f9/facet/internal/boxtree"
	"github.com/seed-1a7dc1f9/facet/internal/boxtree/grid"
	"github.com/seed-1a7dc1f9/facet/internal/exact"
	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/rows"
	"github.com/seed-1a7dc1f9/facet/internal/rules"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// ErrEmpty is the error for a feature that has no allowed value.
var ErrEmpty = rows.Named("has no value that the domain and the rules allow", boxtree.ErrEmpty)

// Space is the inputs that are asked about, as codes of features that are free.
type Space struct {
	borders  []trees.Borders
	features []feature
	home     []int32 // the feature that holds the code: of a member of a group its first one
	moves    *rules.Moves
	radii    []float64
	ball     *ball // nil if radii are all that limits how far inputs are
}

// feature is the codes of one: numbers first, in their order, then the missing value.
type feature struct {
	codes []code
	group *rules.Group // whose members are the codes
}

// code is the set of values that a code stands for.
type code struct {
	side     polytope.Interval // of numbers
	interval int32             // that they lie in
	missing  bool
	hot      int // the member that is 1
}

// NewSpace codes the values that rules allow at a price of at most a radius, one a feature; that of
// a group is the one of its first member. In ℓ1 and ℓ2 prices of features with a radius also add up
// to no more than that, which is then the same of all. borders are those of all trees that will be
// asked.
func NewSpace(borders []trees.Borders, moves *rules.Moves, radii []float64) (*Space, error) {
	s := &Space{
		borders: borders, moves: moves, radii: radii,
		features: make([]feature, len(borders)), home: make([]int32, len(borders)),
	}
	for j := range s.features {
		s.home[j] = int32(j)
		if !moves.Member(j) {
			s.features[j].codes = s.numbers(j)
		}
	}
	for i := range moves.Groups {
		s.join(&moves.Groups[i])
	}
	for j := range s.features {
		if s.home[j] == int32(j) && len(s.features[j].codes) == 0 {
			return nil, fmt.Errorf("%w: %w", ErrEmpty, &polytope.FeatureError{
				Feature: j, What: "has none",
			})
		}
	}
	if !s.limit() {
		return nil, fmt.Errorf("what is near %w", ErrEmpty)
	}
	return s, nil
}

// numbers returns the codes of a feature that is no member of a group.
func (s *Space) numbers(j int) (codes []code) {
	m, borders := s.moves.Each[j], s.borders[j]
	for interval := range int32(len(borders) + 1) {
		if side := borders.Values(interval, interval); s.reaches(j, side) {
			codes = append(codes, code{side: side, interval: interval})
		}
	}
	if price, ok := m.MissingPrice(); ok && price <= s.radii[j] {
		codes = append(codes, code{missing: true})
	}
	return codes
}

// reaches reports whether an interval holds a real number within the radius of a feature.
func (s *Space) reaches(j int, side polytope.Interval) bool {
	m, radius := s.moves.Each[j], s.radii[j]
	price, ok := m.Price(side)
	if !ok || math.IsInf(radius, 1) || math.Abs(price-radius) > 0x1p-50*radius+0x1p-1070 {
		return ok && price < radius
	}
	// The price may have been rounded, and be that of an end which is not of the interval.
	v, ok := m.Value(side)
	if (ok && s.affords(j, v)) || m.Fixed() || m.Step > 0 {
		return ok && s.affords(j, v)
	}
	if s.moves.Domain != nil {
		side = geometry.Intersect(side, s.moves.Domain[j])
	}
	end := geometry.Nearest(side, s.moves.X[j])
	c := s.cost(j, end).Cmp(exact.Float(radius))
	return c < 0 || (c == 0 && side.Contains(end))
}

// affords reports whether a value of a feature lies within its radius.
func (s *Space) affords(j int, z float64) bool {
	m, x, radius := s.moves.Each[j], s.moves.X[j], s.radii[j]
	switch {
	case z == x, math.IsInf(radius, 1):
		return true
	case m.Categorical, math.IsNaN(x), math.IsNaN(z):
		return m.Cost(z) <= radius
	}
	return s.cost(j, z).Cmp(exact.Float(radius)) <= 0
}

// cost returns the cost of a move to a number at a price a unit, exactly.
func (s *Space) cost(j int, z float64) *big.Rat {
	m, off := s.moves.Each[j], exact.Difference(z, s.moves.X[j])
	unit := m.Up
	switch off.Sign() {
	case 0: // where an interval ends: no price is paid, not even one without end
		return off
	case -1:
		unit = m.Down
	}
	return off.Mul(off.Abs(off), exact.Float(unit))
}

// join makes the members of a group one feature: the first of them.
func (s *Space) join(g *rules.Group) {
	first := g.Members[0]
	f := &s.features[first]
	f.group = g
	for _, j := range g.Members {
		s.home[j] = int32(first)
		if price, ok := g.Price(j); ok && price <= s.radii[first] {
			f.codes = append(f.codes, code{hot: j})
		}
	}
}

// Within reports whether an input lies within the radii.
func (s *Space) Within(x []float64) bool {
	for j, cost := range s.moves.Costs(x) {
		within := cost <= s.radii[s.home[j]]
		if !s.moves.Member(j) {
			within = s.affords(j, x[j])
		}
		if !within {
			return false
		}
	}
	return s.inBall(x)
}

// Dim returns the number of features.
func (s *Space) Dim() int { return len(s.features) }

// Numbers returns how many codes of a feature are numbers.
func (s *Space) Numbers(j int) int {
	n := len(s.features[j].codes)
	if n > 0 && s.features[j].codes[n-1].missing {
		n--
	}
	return n
}

// box returns all codes of all features, and of the copies of some. A member of a group that is
// coded by another one has the code 0.
func (s *Space) box(copied []int) grid.Box {
	b := make(grid.Box, 0, len(s.features)+len(copied))
	for j := range s.features {
		b = append(b, grid.Span{Hi: max(0, int32(len(s.features[j].codes))-1)})
	}
	for _, j := range copied {
		b = append(b, b[j])
	}
	return b
}

// Point returns an input with the codes of a cell, the cheapest one; false if they hold no
// float64.
func (s *Space) Point(cell []int32) ([]float64, bool) {
	x := make([]float64, len(s.features))
	for j := range s.features {
		if !s.set(x, j, cell[j]) {
			return nil, false
		}
	}
	return x, true
}

// set sets a feature of x, or a group, to a code.
func (s *Space) set(x []float64, j int, at int32) bool {
	f := &s.features[j]
	switch {
	case f.group != nil:
		for _, member := range f.group.Members {
			x[member] = 0
		}
		x[f.codes[at].hot] = 1
	case s.home[j] != int32(j):
	case f.codes[at].missing:
		x[j] = math.NaN()
	default:
		v, ok := s.moves.Each[j].Value(f.codes[at].side)
		x[j] = v
		return ok
	}
	return true
}
