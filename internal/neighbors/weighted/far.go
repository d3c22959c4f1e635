package weighted

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// ErrFarAway is the error of a search that finds no answer near the rows and cannot rule
// one out far away.
var ErrFarAway = errors.New("no answer near the training rows, and none ruled out far away")

// farAway is the size of the first box, when there is no answer to limit it, in
// units of the largest distance of a row from X.
const farAway = 16

// While it is undecided whether answers lie beyond a box it is made farther times as large, until
// it is farthest times as large as the first.
const (
	farther  = 1 << 8
	farthest = 1 << 24
)

// horizon is the state of the node for the inputs beyond the first box, and its size.
type horizon struct{ size float64 }

// beyond returns that node. Who moves a coordinate as far as the size pays no less for it than the
// lowest price.
func (o *opener) beyond(size float64, order int64) search.Node {
	bound := size
	if p := o.q.Prices; p != nil {
		bound = precise.MulDown(size, min(slices.Min(p.Up), slices.Min(p.Down)))
	}
	return search.Node{Bound: bound, Order: order, State: horizon{size}}
}

// farSide says that sign·u_axis is at least the horizon, and no other coordinate longer.
type farSide struct {
	axis          int
	sign, horizon float64
}

// horizon returns the size of the first box when there is no example.
func (o *opener) horizon() float64 {
	size := max(o.extent, o.radius)
	return farAway * (size + o.q.Norm.Distance(o.zero, geometry.NearestIn(nil, o.domain, o.zero)))
}

// beyondHorizon rules out answers beyond a box, or makes the box larger.
func (o *opener) beyondHorizon(
	ctx context.Context, n search.Node, h horizon, cutoff float64,
) error {
	var undecided error
	for _, side := range o.farSides(h.size) {
		if undecided = o.ruleOut(ctx, side); undecided != nil {
			break
		}
	}
	if !errors.Is(undecided, ErrFarAway) || h.size >= farthest*o.horizon() {
		return undecided
	}
	size := farther * h.size
	o.children = append(o.children, o.beyond(size, n.Order))
	return o.examine(ctx, n.Bound, n.Order, o.firstBox(o.cube(size), nil), cutoff)
}

// farSides lists the sides of a box beyond which the domain goes on.
func (o *opener) farSides(size float64) (sides []farSide) {
	for j, i := range geometry.IntersectBoxes(polytope.NewBox(o.table.Dim), o.domain) {
		if i.Lo <= -size {
			sides = append(sides, farSide{j, -1, size})
		}
		if i.Hi >= size {
			sides = append(sides, farSide{j, 1, size})
		}
	}
	return sides
}

// ruleOut returns ErrFarAway when some set of neighbours may answer beyond a side.
func (o *opener) ruleOut(ctx context.Context, side farSide) error {
	p := o.firstBox(o.cube(math.Inf(1)), nil)
	if i := &p.box[side.axis]; side.sign > 0 {
		i.Lo = max(i.Lo, side.horizon)
	} else {
		i.Hi = min(i.Hi, -side.horizon)
	}
	spans := o.survey(p)
	sets, ok := o.choose(p, o.assign(p, spans), spans, manySets)
	if !ok {
		return ErrFarAway
	}
	for _, set := range sets {
		f := o.pairRows(set)
		for _, terms := range set.sums {
			o.addFarCut(f, side, terms)
		}
		o.addCone(f, side)
		sol, err := o.closest(ctx, set.box, f, 0, 0)
		if err != nil || sol.Point != nil {
			return cmp.Or(err, ErrFarAway)
		}
	}
	return nil
}

// addCone adds that no coordinate is longer than that of a side.
func (o *opener) addCone(f *rowFamily, side farSide) {
	for j := range o.q.X {
		for sign := -1.0; sign <= 1 && j != side.axis; sign += 2 {
			a := f.next()
			a[j], a[side.axis] = sign, -side.sign
			f.add(0)
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
func (o *opener) addFarCut(f *rowFamily, side farSide, terms []term) {
	total, weight := 0.0, 0.0
	a := f.next()
	for _, t := range terms {
		total += float64(t.net)
		weight += math.Abs(float64(t.net))
		for j, p := range o.point(t.group) {
			a[j] -= float64(t.net) * p
		}
	}
	if total > 0 {
		f.drop()
		return
	}
	a[side.axis] -= side.sign * total * side.horizon
	f.add(3 * weight * o.radius * o.radius)
}
