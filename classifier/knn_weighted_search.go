package classifier

import (
	"context"
	"math"

	"github.com/seed-1a7dc1f9/facet/classifier/search"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Search implements Searcher. A local search finds a first example, and two searches
// that need no boxes bound the distance: that of the uniform vote for answers where
// it changes too, and cutting planes for those where fewer rows outweigh more. What
// these leave open is a branch and bound over boxes of displacements u from X.
//
// A part of it is a box, with the places whose rows can be among the k nearest
// somewhere in it. It is dropped where interval bounds of the distances show that
// the wanted labels lose, and split in two until few sets of neighbours are
// possible. Then each set becomes a part of its own, in which the sum of the wanted
// label minus that of a rival is a fixed sum of ±1/‖u−P‖: a linear function bounds it
// over the box, with an error quadratic in the sides, and the closest point under it
// and the bisectors around the set bounds the part.
//
// Every bound is certified, and an answer is final when the bound comes within 1e-9
// of its distance, relatively, or of 1 or the extent of the data where that is
// more. That takes few boxes in one to three dimensions and exponentially many in
// more, where a search should have a limit: with k = 3 the bounds without boxes are
// mostly the last word, with larger k often not.
//
// Narrow boxes are looked at in exact arithmetic. One as small as the distances that
// are not told apart needs no halves if inputs in it are proven to answer; the
// search ends there, with the nearest example known, which may lie farther: next to equal
// rows of two labels rounding hides the lead of a third from Predict.
//
// Sets of answers without interior do not count, nor those thinner than rounding: a training
// row with an equal row of another label, equally far rows, sums that touch. When
// there is no answer within 16 times the extent of the data, what lies beyond is ruled out by
// the sums' growth, or searched up to 2²⁴ times as far; if that is not enough
// the search ends in ErrFarAway.
func (c *WeightedKNN) Search(_ context.Context, q search.Query) (search.Search, error) {
	s := &weightedSearch{c: c, q: q, zero: make([]float64, c.Dim())}
	s.group()
	s.enter()
	s.displace()
	s.bounded()
	return s, nil
}

// finalShare is how far an answer may lie beyond the bound with which it is final: a
// share of its distance, or of the extent of the data or of 1 where that is more.
// It leaves room for rounding errors within 1e-9.
const finalShare = 0x1p-30

// farAway is the size of the first box, when there is no answer to limit it, in
// units of the largest distance of a row from X.
const farAway = 16

// weightedSearch is the search of one query. It does not change once made.
type weightedSearch struct {
	c        *WeightedKNN
	q        search.Query
	contests []contest
	groups   []coincident // of rows that are equally far from every input of the domain
	groupOf  []int32      // of each training row
	points   []float64    // P of each group, its displacement from X, flat
	pads     []float64    // bounds of the rounding error in the coordinates of each P
	domain   polytope.Box // of displacements, rounded outwards; nil for all
	extent   float64      // the largest ‖P‖
	radius   float64      // the largest Euclidean length of a P
	scale    float64      // the distance within which k+1 rows lie, without those at X
	floor    float64      // distances that differ by less are not told apart
	blur     float64      // how far inputs next to X lie apart in float64, several times over
	unit     float64      // a power of two that brings extent near 1; see addCut
	zero     []float64
}

// contest is a label that answers the query where its sum beats that of every
// rival.
type contest struct {
	label  int32
	rivals []int32
}

// enter lists the contests that can be won somewhere.
func (s *weightedSearch) enter() {
	for label := range s.c.Classes() {
		if !s.q.Reaches(label) || s.c.rows.table.Count(label) == 0 {
			continue
		}
		t := contest{label: int32(label)}
		possible := true
		for rival := range s.c.Classes() {
			if rival == label || (s.q.Target < 0 && rival != s.q.From) {
				continue
			}
			t.rivals = append(t.rivals, int32(rival))
			possible = possible && s.canBeat(t.label, int32(rival))
		}
		if possible {
			s.contests = append(s.contests, t)
		}
	}
}

// canBeat reports whether the rows of some place, or the first few of them, hold
// the label more often than the rival, or as often if a tie is enough. Otherwise
// no sum of weights does.
func (s *weightedSearch) canBeat(label, rival int32) bool {
	for _, g := range s.groups {
		net, held := 0, false
		for _, row := range g {
			switch s.c.rows.table.Labels[row] {
			case label:
				net++
				held = true
			case rival:
				net--
			}
			if net > 0 || (net == 0 && held && label < rival) {
				return true
			}
		}
	}
	return false
}

// net returns how many more of the first count rows of a group hold the label than
// the rival.
func (s *weightedSearch) net(group, count, label, rival int32) (net int32) {
	for _, row := range s.groups[group][:count] {
		switch s.c.rows.table.Labels[row] {
		case label:
			net++
		case rival:
			net--
		}
	}
	return net
}

// displace computes where the groups lie, seen from X.
func (s *weightedSearch) displace() {
	d := s.c.Dim()
	s.points = make([]float64, len(s.groups)*d)
	s.pads = make([]float64, len(s.groups))
	for g, rows := range s.groups {
		row := s.c.rows.table.Row(rows[0])
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
	s.scale = s.localScale()
	s.floor = finalShare * min(1, s.extent)
	s.blur = 0x1p-48 * s.q.Norm.Length(s.q.X)
}

// localScale returns the distance within which k+1 rows lie that are not at X, the
// extent if there are not as many.
func (s *weightedSearch) localScale() float64 {
	var nearest topSum
	nearest.reset(s.c.K() + 1)
	for g := range int32(len(s.groups)) {
		if length := s.q.Norm.Length(s.point(g)); length > 0 {
			for range min(s.size(g), s.c.K()+1) {
				nearest.offer(-length)
			}
		}
	}
	return min(-nearest.least(), s.extent)
}

// goal returns the bound that proves an example at a distance.
func (s *weightedSearch) goal(distance float64) float64 {
	return min(distance*(1-finalShare), distance-s.floor)
}

// mostExponent limits the unit to where it is finite.
const mostExponent = 1000

// point returns the displacement of a group.
func (s *weightedSearch) point(g int32) []float64 {
	d := s.c.Dim()
	return s.points[int(g)*d : (int(g)+1)*d : (int(g)+1)*d]
}

// size returns the number of rows of a group.
func (s *weightedSearch) size(g int32) int { return len(s.groups[g]) }

// bounded displaces the domain.
func (s *weightedSearch) bounded() {
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

// at returns X + u, moved into the domain, and whether it answers the query.
func (s *weightedSearch) at(u []float64) ([]float64, bool) {
	z := make([]float64, len(u))
	for j, x := range s.q.X {
		z[j] = x + u[j]
	}
	if s.q.Domain != nil {
		if _, ok := s.q.Domain.Inside(z, z); !ok {
			return nil, false
		}
	}
	return z, s.q.Reaches(s.c.Predict(z))
}

// answer returns the answer z, found below a node.
func (s *weightedSearch) answer(n *search.Node, z []float64) *search.Answer {
	distance := s.q.Norm.Distance(s.q.X, z)
	return &search.Answer{
		Bound: max(n.Bound, s.goal(distance)), Order: n.Order,
		Example: z, Distance: distance,
	}
}

// Roots returns one node, unless no label can answer.
func (s *weightedSearch) Roots() []search.Node {
	if len(s.contests) == 0 {
		return nil
	}
	return []search.Node{{}}
}

func (s *weightedSearch) NewOpener() search.Opener {
	n := len(s.groups)
	return &weightedOpener{weightedSearch: s, near: make([]float64, n), far: make([]float64, n), sides: make([]float64, s.c.Dim())}
}

// weightedOpener opens the nodes of one goroutine.
type weightedOpener struct {
	*weightedSearch
	children  []search.Node
	near, far []float64 // squared distances of the groups from a box
	sides     []float64 // scratch space of diameter
	solves    int
	family    rowFamily
	most      topSum

	// of the last sortOut:
	sorted, certain, open []int32
	before                []float64
}

// Open goes on with the prologue, or splits the box of a part.
func (o *weightedOpener) Open(ctx context.Context, n search.Node, cutoff float64) (search.Opened, error) {
	o.children, o.solves = o.children[:0], 0
	var answer *search.Answer
	var err error
	switch state := n.State.(type) {
	case nil:
		answer, err = o.begin(ctx, n, cutoff)
	case *prologue:
		answer, err = o.resume(ctx, n, state, cutoff)
	case *weightedPart:
		answer, err = o.refine(ctx, n, state, cutoff)
	default:
		answer, err = o.beyondHorizon(ctx, n, cutoff)
	}
	if err != nil {
		return search.Opened{}, err
	}
	return search.Opened{Children: o.children, Answer: answer, Solves: o.solves}, nil
}

// push keeps a part that may hold an answer within the cutoff.
func (o *weightedOpener) push(bound float64, order int64, part *weightedPart, cutoff float64) {
	if bound <= cutoff {
		o.children = append(o.children, search.Node{Bound: bound, Order: order, State: part})
	}
}
