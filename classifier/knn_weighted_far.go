package classifier

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/classifier/search"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// horizon is the state of the node for what lies beyond the first box.
type horizon struct{}

// farSide says that sign·u_axis is at least the horizon, and no other coordinate longer.
type farSide struct {
	axis          int
	sign, horizon float64
}

// While it is undecided what lies beyond a box it is made farther times as large, until it is
// farthest times as large as the first.
const (
	farther  = 1 << 8
	farthest = 1 << 24
)

// beyondHorizon looks for answers beyond a box. One that it finds is as far as the search
// then goes on. Where some set of neighbours can neither be ruled out nor shown to
// answer the box grows.
func (o *weightedOpener) beyondHorizon(ctx context.Context, n search.Node, cutoff float64) (*search.Answer, error) {
	var undecided error
	best := search.Answer{Distance: math.Inf(1)}
	for _, side := range o.farSides(n.Bound) {
		z, err := o.lookFar(ctx, side, o.beyond(side))
		if err != nil && ctx.Err() != nil {
			return nil, err
		}
		undecided = cmp.Or(undecided, err)
		if z == nil {
			continue
		}
		if e := o.example(z); e.Distance < best.Distance {
			best = e
		}
	}
	switch {
	case best.Example != nil:
		answer := o.answer(&n, best.Example)
		part := o.firstBox(best.Distance)
		part.known = answer
		return answer, o.examine(ctx, n.Bound, n.Order, part, min(cutoff, answer.Bound))
	case undecided == nil:
		return nil, nil
	case !errors.Is(undecided, ErrFarAway) || n.Bound >= farthest*o.horizon():
		return nil, &search.Undecided{Bound: n.Bound, Err: fmt.Errorf("classifier: weighted k-NN: %w", undecided)}
	}
	size := farther * n.Bound
	o.children = append(o.children, search.Node{Bound: size, Order: n.Order, State: horizon{}})
	return nil, o.examine(ctx, n.Bound, n.Order, o.firstBox(size), cutoff)
}

// farSides lists the sides of a box beyond which the domain goes on.
func (o *weightedOpener) farSides(size float64) (sides []farSide) {
	for j := range o.q.X {
		if o.domain == nil || o.domain[j].Lo <= -size {
			sides = append(sides, farSide{j, -1, size})
		}
		if o.domain == nil || o.domain[j].Hi >= size {
			sides = append(sides, farSide{j, 1, size})
		}
	}
	return sides
}

// beyond returns the part of the domain beyond a side.
func (o *weightedOpener) beyond(side farSide) *weightedPart {
	part := o.firstBox(math.Inf(1))
	if side.sign > 0 {
		part.lo[side.axis] = max(part.lo[side.axis], side.horizon)
	} else {
		part.hi[side.axis] = min(part.hi[side.axis], -side.horizon)
	}
	return part
}

// lookFar returns an example in the part beyond a side; ErrFarAway when it finds none and
// does not rule out every set of neighbours.
func (o *weightedOpener) lookFar(ctx context.Context, side farSide, part *weightedPart) (example []float64, err error) {
	o.survey(part)
	sets, ok := o.choose(part, manySets)
	if !ok {
		return nil, ErrFarAway
	}
	for _, set := range sets {
		u, fail := o.farPoint(ctx, side, set, 0)
		if fail == nil && u == nil {
			continue
		}
		if fail == nil {
			u, fail = o.farPoint(ctx, side, set, side.horizon)
		}
		if z := o.outward(u); z != nil {
			return z, nil
		}
		err = cmp.Or(err, fail, ErrFarAway)
	}
	return nil, err
}

// farPoint returns the closest point, with a margin, of the inputs beyond a side that may
// have a set of neighbours and its label, nil if there is none.
func (o *weightedOpener) farPoint(ctx context.Context, side farSide, part *weightedPart, margin float64) ([]float64, error) {
	o.family.reset(len(part.lo))
	for _, p := range part.pairs {
		o.addPair(p)
	}
	for _, terms := range part.set.sums {
		o.addFarCut(side, terms)
	}
	o.addCone(side)
	p := o.problem(part)
	p.Margin = margin
	sol, err := o.q.Solver.Closest(ctx, p)
	o.solves++
	if err == nil && sol.Status == polytope.StatusStopped {
		err = errors.Join(ErrFarAway, ctx.Err())
	}
	return sol.Point, err
}

// farFrom returns the horizon beyond which a part lies on one side, if any.
func (o *weightedOpener) farFrom(part *weightedPart) (side farSide, ok bool) {
	horizon := farAway * o.radius
	for j, lo := range part.lo {
		switch {
		case lo >= horizon:
			return farSide{j, 1, lo}, true
		case -part.hi[j] >= horizon:
			return farSide{j, -1, -part.hi[j]}, true
		}
	}
	return side, false
}

// addCone adds that no coordinate is longer than that of a side.
func (o *weightedOpener) addCone(side farSide) {
	for j := range o.q.X {
		for _, sign := range []float64{-1, 1} {
			if j != side.axis {
				a := o.family.next()
				a[j], a[side.axis] = sign, -side.sign
				o.family.add(0)
			}
		}
	}
}

// addFarCut adds a half-space that holds wherever beyond a side the sum Σ net/‖u−P‖ is
// not negative; none where the nets are positive together.
//
// With T = ‖u‖² and e = (‖P‖² − 2u·P)/T, of which |e| ≤ 1/7 beyond the horizon R,
// 1/‖u−P‖ = T^(−½)/√(1+e), and 1 − e/2 ≤ 1/√(1+e) ≤ 1 − e/2 + 0.56 e². So T^(3/2) times
// the sum is at most S·T + G·u + C, S = Σ net, G = Σ net·P, and C = 3 Σ|net|·E² for
// rows within E of X. For S ≤ 0 there is T ≥ R·|u_axis|.
func (o *weightedOpener) addFarCut(side farSide, terms []term) {
	total, weight := 0.0, 0.0
	a := o.family.next()
	for _, t := range terms {
		total += float64(t.net)
		weight += math.Abs(float64(t.net))
		for j, p := range o.point(t.group) {
			a[j] -= float64(t.net) * p
		}
	}
	if total > 0 {
		o.family.drop()
		return
	}
	a[side.axis] -= side.sign * total * side.horizon
	o.family.add(3 * weight * o.radius * o.radius)
}

// farDoublings is how often outward goes on.
const farDoublings = 24

// outward returns an example at u or farther in its direction, nil if it meets none.
func (o *weightedOpener) outward(u []float64) []float64 {
	if u == nil {
		return nil
	}
	u = slices.Clone(u)
	for range farDoublings {
		if z, ok := o.at(u); ok {
			return z
		}
		for j := range u {
			u[j] *= 2
		}
	}
	return nil
}
