package classifier

import (
	"context"
	"math"
	"math/bits"

	"github.com/seed-1a7dc1f9/facet/classifier/search"
)

// Search implements Searcher: branch and bound over boxes of slots.
//
// For a radius r every tree can reach the leaves that meet both the box and the
// ball around X; the sum of the best of these over the trees, a step function of
// r, reaches the decision threshold at a radius below which the box holds no
// answer. If the best leaves at that radius have a common point at that distance,
// the box is solved; otherwise it is split where two of them disagree or, in ℓ1
// and ℓ2, where their intersection lies farthest from X. With more than two
// classes there is one such search for each label that answers.
//
// A local search finds a first answer, in ℓ∞ mostly the nearest or almost. Only
// leaves that the ball up to it meets are gathered; a node is a path of splits.
//
// The method is best-first search over the leaves that a box leaves to each tree,
// as in Devos, Meert and Davis, "Versatile verification of tree ensembles" (ICML
// 2021), with distances for priorities. It is exponential in the worst case: what
// it decides is NP-hard (Kantchelian, Tygar and Joseph, ICML 2016).
func (e *Ensemble) Search(_ context.Context, q search.Query) (search.Search, error) {
	s := &ensembleSearch{slots: slots{grid: e.grid, q: q}, e: e}
	if ok := s.place(); !ok {
		return s, nil
	}
	for label := range e.classes {
		if q.Reaches(label) {
			s.addTarget(label)
		}
	}
	return s, nil
}

// ensembleSearch is the search of one query. It does not change once made.
type ensembleSearch struct {
	slots
	e         *Ensemble
	targets   []target
	contrasts []contrast
}

// target is a label that answers, and its contrasts with the labels that it must beat.
type target struct{ first, last int }

// addTarget adds a label that must beat the one predicted for X or, when no other
// answer will do, every other one.
func (s *ensembleSearch) addTarget(label int) {
	t := target{first: len(s.contrasts)}
	for rival := range s.e.classes {
		if rival == s.q.From || (s.q.Target >= 0 && rival != label) {
			s.contrasts = append(s.contrasts, s.e.contrast(label, rival))
		}
	}
	t.last = len(s.contrasts)
	s.targets = append(s.targets, t)
}

// contrast is the lead of one label over another.
type contrast struct {
	target, rival int
	base          float64 // the lead without any tree
	// slack is how far below a tie a sum of gains may lie, by rounding in
	// another order than the vote's own, and still turn out to answer; each change
	// of the sum adds change to it.
	slack, change float64
}

// contrast compares two labels. A vote of T trees rounds T times in its own
// arithmetic, and so does a sum of gains in float64, whose terms are rounded
// themselves. A mean of votes is rounded once more, perhaps to a subnormal number.
// The profiles of the climb are sums over slots besides, a few hundred.
func (e *Ensemble) contrast(target, rival int) contrast {
	base := e.base
	size := math.Abs(base[target]) + math.Abs(base[rival]) + e.grid.size[target] + e.grid.size[rival]
	unit := 0x1p-50
	if e.opts.Single {
		unit = 0x1p-24
	}
	return contrast{
		target: target, rival: rival, base: base[target] - base[rival],
		slack:  (unit*size+math.SmallestNonzeroFloat64)*float64(len(e.trees)+2) + 0x1p-42*size + e.opts.blur(),
		change: 0x1p-51 * size,
	}
}

// gain returns what a leaf adds to the lead.
func (c *contrast) gain(value []float64) float64 { return value[c.target] - value[c.rival] }

// Roots returns one node, which opens into one for each label that answers.
func (s *ensembleSearch) Roots() []search.Node {
	if len(s.targets) == 0 {
		return nil
	}
	return []search.Node{{State: (*part)(nil)}}
}

// part is an unopened part of the search: the ball around X within which choices
// were gathered, cut by the splits on the path to the root. Orders are ranges: a
// part hands one half of its own to each of its two children, so that the order of
// answers is that of their paths.
type part struct {
	parent  *part
	choices *choices
	feature int32 // what sets it apart from its parent: the slots up to cut, or
	cut     int32 // those beyond
	beyond  bool
	split   fork  // where it will be split
	thin    bool  // it answers, but no float64 lies in it
	span    int64 // width of its range of orders
}

// fork is the border behind slot cut of a feature.
type fork struct{ feature, cut int32 }

// span returns the width of the range of orders of each target.
func (s *ensembleSearch) span() int64 {
	return int64(1) << (61 - bits.Len(uint(len(s.targets))))
}
