package tied

import (
	"context"
	"errors"
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/rules"
	"github.com/seed-1a7dc1f9/facet/polytope"
	"github.com/seed-1a7dc1f9/facet/polytope/native"
)

// Rules are linear rules over the features that they tie together, as seen from X.
type Rules struct {
	Features []int // ascending
	moves    []*rules.Move
	norm     polytope.Norm
	halves   []polytope.HalfSpace // over those features
	x        []float64
	up, down []float64
	solver   native.Solver
}

// New returns the linear rules of moves, nil if there are none.
func New(m *rules.Moves) *Rules {
	if len(m.Linear) == 0 {
		return nil
	}
	r := &Rules{norm: m.Adds()}
	for j := range m.Each {
		for _, h := range m.Linear {
			if h.A[j] != 0 {
				r.Features = append(r.Features, j)
				r.moves = append(r.moves, m.Each[j])
				r.x = append(r.x, m.X[j])
				r.up, r.down = append(r.up, m.Each[j].Up), append(r.down, m.Each[j].Down)
				break
			}
		}
	}
	for _, h := range m.Linear {
		own := polytope.HalfSpace{B: h.B, Open: h.Open}
		for _, j := range r.Features {
			own.A = append(own.A, h.A[j])
		}
		r.halves = append(r.halves, own)
	}
	return r
}

// Relax returns a lower bound on the cost of values in the sides that keep the rules, +Inf if there
// are none, and the point that a program over the real numbers has found; nil if it has none.
func (r *Rules) Relax(sides []polytope.Interval) (bound float64, z []float64) {
	box, ok := r.hull(sides)
	if !ok {
		return math.Inf(1), nil
	}
	return r.relax(box)
}

// Near returns the values in the sides that keep the rules and lie nearest to others, without
// prices of moves; nil if none are found.
func (r *Rules) Near(sides []polytope.Interval, to []float64) []float64 {
	box, ok := r.hull(sides)
	if !ok {
		return nil
	}
	sol, err := r.solver.Closest(context.Background(), polytope.Problem{
		Norm: polytope.L1, X: to, Region: polytope.Polyhedron{Box: box, HalfSpaces: r.halves},
	})
	if err != nil {
		return nil
	}
	return sol.Point
}

// hull returns the smallest box of the values that the features may have within sides; false if
// they may have none.
func (r *Rules) hull(sides []polytope.Interval) (box polytope.Box, ok bool) {
	for i, m := range r.moves {
		side := m.Hull(sides[i])
		switch {
		case m.Fixed():
			side = geometry.Intersect(sides[i], polytope.Interval{Lo: r.x[i], Hi: r.x[i]})
		case r.steps(i):
			side = r.whole(i, sides[i])
		}
		if geometry.Empty(side) {
			return nil, false
		}
		box = append(box, side)
	}
	return box, true
}

// relax solves the program of a box.
func (r *Rules) relax(box polytope.Box) (bound float64, z []float64) {
	p := r.program(box)
	own := polytope.Polyhedron{Box: box}
	bound = geometry.Of(&p).Bound(own, p.X)
	if z = geometry.NearestIn(nil, box, r.x); rules.KeepsAll(r.halves, z) {
		return bound, z
	}
	sol, err := r.solver.Closest(context.Background(), p)
	if sol.Bound > bound {
		bound = sol.Bound
	}
	if err != nil || sol.Status != polytope.StatusOptimal {
		if errors.Is(err, polytope.ErrNumerical) || !math.IsInf(bound, 1) {
			return min(bound, math.MaxFloat64), nil
		}
		return math.Inf(1), nil
	}
	return bound, sol.Point
}

// program asks for the closest point of a box that keeps the rules. In ℓ2, which has one price for
// both directions, that is the lower one where both are open.
func (r *Rules) program(box polytope.Box) polytope.Problem {
	prices := &polytope.Prices{Up: r.up, Down: r.down}
	if r.norm == polytope.L2 {
		one := make([]float64, len(box))
		for i, side := range box {
			one[i] = r.price(i, side)
		}
		prices = &polytope.Prices{Up: one, Down: one}
	}
	return geometry.Cost{Norm: r.norm, Prices: rules.Priced(prices)}.Problem(
		r.x, polytope.Polyhedron{Box: box, HalfSpaces: r.halves})
}

// price returns the lower price of the directions in which a side lies.
func (r *Rules) price(i int, side polytope.Interval) float64 {
	switch {
	case side.Lo == side.Hi && side.Lo == r.x[i]:
		return 1
	case side.Lo >= r.x[i]:
		return r.up[i]
	case side.Hi <= r.x[i]:
		return r.down[i]
	}
	return min(r.up[i], r.down[i])
}

// steps reports whether a feature takes whole steps.
func (r *Rules) steps(i int) bool { return r.moves[i].Step > 0 && !r.moves[i].Fixed() }

// whole returns the interval from the first whole step of a side to the last one.
func (r *Rules) whole(i int, side polytope.Interval) polytope.Interval {
	if _, ok := r.moves[i].OnGrid(side, r.x[i]); !ok {
		return polytope.Interval{Lo: 1, Hi: 0}
	}
	return r.moves[i].Hull(side)
}
