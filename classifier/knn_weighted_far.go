package classifier

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/polytope"
)

// horizon is the state of the node for what lies beyond the first box.
type horizon struct{}

// farSide is an unbounded part beyond a side of the first box: sign·u_axis is at
// least the distance of the horizon.
type farSide struct {
	*weightedPart
	axis    int
	sign    float64
	horizon float64
}

// beyondHorizon looks for answers beyond the first box. One that it finds is as far as the
// search then goes on; where some set of neighbours can neither be ruled out nor
// shown to answer it gives up.
func (o *weightedOpener) beyondHorizon(ctx context.Context, n Node, cutoff float64) (*Answer, error) {
	var undecided error
	best := Answer{Distance: math.Inf(1)}
	for _, side := range o.farSides(n.Bound) {
		z, err := o.lookFar(ctx, side)
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
	if best.Example == nil {
		if undecided != nil {
			undecided = &Undecided{Bound: n.Bound, Err: fmt.Errorf("classifier: weighted k-NN: %w", undecided)}
		}
		return nil, undecided
	}
	answer := o.answer(&n, best.Example)
	return answer, o.examine(ctx, n.Bound, n.Order, o.firstBox(best.Distance), min(cutoff, answer.Bound))
}

// farSides lists the parts of the domain beyond the first box.
func (o *weightedOpener) farSides(size float64) (sides []farSide) {
	for j := range o.q.X {
		for _, sign := range []float64{-1, 1} {
			side := farSide{o.firstBox(math.Inf(1)), j, sign, size}
			if sign > 0 {
				side.lo[j] = max(side.lo[j], size)
			} else {
				side.hi[j] = min(side.hi[j], -size)
			}
			if side.lo[j] <= side.hi[j] {
				sides = append(sides, side)
			}
		}
	}
	return sides
}

// lookFar returns an example beyond a side; ErrFarAway when it finds none and does not
// rule out every set of neighbours.
func (o *weightedOpener) lookFar(ctx context.Context, side farSide) (example []float64, err error) {
	o.survey(side.weightedPart)
	sets, ok := o.choose(side.weightedPart, manySets)
	if !ok {
		return nil, ErrFarAway
	}
	for _, part := range sets {
		u, fail := o.farPoint(ctx, side, part, 0)
		if fail == nil && u == nil {
			continue
		}
		if fail == nil {
			u, fail = o.farPoint(ctx, side, part, side.horizon)
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
	p := o.problem(part)
	p.Margin = margin
	sol, err := o.q.Solver.Closest(ctx, p)
	o.solves++
	if err == nil && sol.Status == polytope.Stopped {
		err = errors.Join(ErrFarAway, ctx.Err())
	}
	return sol.Point, err
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

// outward returns an example at u or farther in its direction.
func (o *weightedOpener) outward(u []float64) []float64 {
	u = slices.Clone(u)
	for range farDoublings {
		if z, ok := o.at(u); u != nil && ok {
			return z
		}
		for j := range u {
			u[j] *= 2
		}
	}
	return nil
}
