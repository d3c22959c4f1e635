package soundness

import (
	"cmp"
	"math"
	"math/big"
	"slices"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// What rules of moves mean, written down once more from the comments of attack.Feature, in exact
// arithmetic.

// blur is the part of a step by which a value may miss it.
const blur = 1e-9

// rule returns the rules of a feature with its prices filled in.
func (q *Query) rule(j int) attack.Feature {
	var f attack.Feature
	if q.Rules != nil {
		f = q.Rules[j]
	}
	if q.Codes != nil && q.Codes[j] > 0 && f.Step == 0 && f.Group == 0 {
		f.Categorical = true
	}
	f.Up, f.Down = cmp.Or(f.Up, 1), cmp.Or(f.Down, 1)
	if f.Categorical {
		f.Down = f.Up
	}
	return f
}

// codes is how many codes a category may be changed to.
func (q *Query) codes(j int) float64 {
	switch f := q.rule(j); {
	case f.Codes > 0:
		return float64(f.Codes)
	case q.Codes != nil && q.Codes[j] > 0:
		return float64(q.Codes[j])
	}
	return 1<<53 + 1
}

// isCode tells whether a category may be changed to a value.
func (q *Query) isCode(j int, v float64) bool {
	return v == math.Trunc(v) && v >= 0 && v < q.codes(j)
}

// stays tells whether a feature does not move at all.
func (q *Query) stays(j int) bool {
	f := q.rule(j)
	return f.Frozen || (math.IsNaN(q.X[j]) && f.Missing == attack.KeepMissing)
}

// box returns where features may go as numbers: the domain, without the numbers that the rules
// forbid.
func (q *Query) box() polytope.Box {
	if q.plain() {
		return q.Domain
	}
	box := polytope.NewBox(len(q.X))
	for j, x := range q.X {
		if q.Domain != nil {
			box[j] = q.Domain[j]
		}
		f := q.rule(j)
		switch {
		case q.stays(j):
			box[j] = polytope.Interval{Lo: x, Hi: x}
			continue
		case f.Group > 0 || f.Categorical || math.IsNaN(x):
			continue
		}
		box[j] = geometry.Intersect(box[j], polytope.Interval{
			Lo: -farthest(-x, f.Down, f.MaxDown, f.MaxDownPart, blur*f.Step),
			Hi: farthest(x, f.Up, f.MaxUp, f.MaxUpPart, blur*f.Step),
		})
	}
	return box
}

// farthest returns the largest float64 that a feature may rise to.
func farthest(x, price, most, part, blurred float64) float64 {
	far := math.Inf(1)
	if math.IsInf(price, 1) {
		far = 0
	}
	if most > 0 {
		far = min(far, most)
	}
	if part > 0 {
		far = min(far, part*math.Abs(x))
	}
	if math.IsInf(far, 1) {
		return far
	}
	end := new(big.Rat).Add(rat(x), rat(far))
	v, exact := end.Float64()
	if !exact && rat(v).Cmp(end) > 0 {
		v = math.Nextafter(v, math.Inf(-1))
	}
	return v + blurred
}

// moved returns the cost of a move of a feature that is no member of a group; exactly, and nil if
// there is no such move.
func (q *Query) moved(j int, z *big.Rat) *big.Rat {
	f, x := q.rule(j), q.X[j]
	price, way := f.Up, new(big.Rat)
	switch {
	case math.IsNaN(x):
		return finite1(f.Up)
	case z.Cmp(rat(x)) == 0:
		return way
	case z.Cmp(rat(x)) > 0:
		way.Sub(z, rat(x))
	default:
		price = f.Down
		way.Sub(rat(x), z)
	}
	cost := finite1(price)
	if cost == nil || q.Norm == instance.Changes || f.Categorical {
		return cost
	}
	return way.Mul(way, cost)
}

// finite1 is a price as a number, nil for one that nobody can pay.
func finite1(price float64) *big.Rat {
	if math.IsInf(price, 1) {
		return nil
	}
	return rat(price)
}

// costs returns the cost of the changes from X to z, and false if z breaks a rule.
func (q *Query) costs(z []float64) (costs []*big.Rat, ok bool) {
	box := q.box()
	for j, v := range z {
		f := q.rule(j)
		if f.Group > 0 {
			continue
		}
		x, same := q.X[j], v == q.X[j] || math.IsNaN(v) && math.IsNaN(q.X[j])
		var cost *big.Rat
		switch {
		case f.Categorical:
			cost = q.costOfCode(j, v)
		case q.stays(j) || math.IsNaN(v) && math.IsNaN(x):
			if cost = new(big.Rat); !same {
				cost = nil
			}
		case math.IsNaN(v):
			if f.Missing == attack.MayMiss {
				cost = finite1(f.Up)
			}
		case box != nil && !box[j].Contains(v) || f.Step > 0 && !q.onGrid(j, v):
		default:
			cost = q.moved(j, rat(v))
		}
		if cost == nil {
			return nil, false
		}
		costs = append(costs, cost)
	}
	for _, g := range q.groups() {
		cost := q.chosen(g, hot(g, z))
		if q.still(g) {
			cost = new(big.Rat)
			if slices.ContainsFunc(g, func(j int) bool { return z[j] != q.X[j] }) {
				cost = nil
			}
		}
		if cost == nil {
			return nil, false
		}
		costs = append(costs, cost)
	}
	return costs, q.kept(z)
}

// kept tells whether z keeps all rules between features.
func (q *Query) kept(z []float64) bool {
	for _, h := range q.Linear {
		sum := rat(-h.B)
		for j, a := range h.A {
			sum.Add(sum, new(big.Rat).Mul(rat(a), rat(z[j])))
		}
		if sum.Sign() > 0 || sum.Sign() == 0 && h.Open {
			return false
		}
	}
	return true
}

// costOfCode returns the cost of giving a category a value, nil if that is not allowed. The one
// that it has is free, of any kind, unless the domain takes it away.
func (q *Query) costOfCode(j int, v float64) *big.Rat {
	f, x := q.rule(j), q.X[j]
	same := v == x || math.IsNaN(v) && math.IsNaN(x)
	inside := math.IsNaN(v) || q.Domain == nil || q.Domain[j].Contains(v)
	switch {
	case same && (q.stays(j) || inside):
		return new(big.Rat)
	case q.stays(j), !inside, math.IsNaN(v) && f.Missing != attack.MayMiss:
		return nil
	case !math.IsNaN(v) && !q.isCode(j, v):
		return nil
	}
	return finite1(f.Up)
}

// onGrid tells whether a number is one that a feature with steps may have.
func (q *Query) onGrid(j int, v float64) bool {
	f := q.rule(j)
	k := math.Round((v - f.Origin) / f.Step)
	return slices.ContainsFunc([]float64{k - 1, k, k + 1},
		func(k float64) bool { return math.Abs(k) <= 1<<53 && q.gridValue(j, k) == v })
}

// gridValue returns the value with a number. One that misses X or the end of where the feature may
// go by a billionth of a step is that.
func (q *Query) gridValue(j int, k float64) float64 {
	f, side := q.rule(j), polytope.Line()
	if box := q.box(); box != nil {
		side = box[j]
	}
	v := f.Origin + float64(k*f.Step)
	switch room := blur * f.Step; {
	case math.Abs(v-q.X[j]) <= room:
		return q.X[j]
	case v > side.Hi && v-side.Hi <= room:
		return side.Hi
	case v < side.Lo && side.Lo-v <= room:
		return side.Lo
	}
	return v
}

// groups returns the members of each one-hot group.
func (q *Query) groups() (groups [][]int) {
	at := map[int]int{}
	for j, f := range q.Rules {
		if f.Group == 0 {
			continue
		}
		if _, known := at[f.Group]; !known {
			at[f.Group] = len(groups)
			groups = append(groups, nil)
		}
		groups[at[f.Group]] = append(groups[at[f.Group]], j)
	}
	return groups
}

// still tells whether all members are frozen.
func (q *Query) still(group []int) bool {
	return !slices.ContainsFunc(group, func(j int) bool { return !q.Rules[j].Frozen })
}

// hot returns the member that is 1, −1 unless the others are 0.
func hot(group []int, z []float64) int {
	at := -1
	for _, j := range group {
		switch {
		case z[j] == 1 && at < 0:
			at = j
		case z[j] != 0:
			return -1
		}
	}
	return at
}

// chosen returns the cost of making a member of a group that is not still the 1, nil if that is not
// allowed.
func (q *Query) chosen(group []int, member int) *big.Rat {
	if member < 0 {
		return nil
	}
	for _, j := range group {
		v := 0.0
		if j == member {
			v = 1
		}
		if q.Rules[j].Frozen && q.X[j] != v ||
			!q.Rules[j].Frozen && q.Domain != nil && !q.Domain[j].Contains(v) {
			return nil
		}
	}
	if hot(group, q.X) == member {
		return new(big.Rat)
	}
	return finite1(q.rule(member).Up)
}

// distance returns the exact cost of a move, in ℓ2 its square, and false if it is not allowed.
func (q *Query) distance(z []float64) (*big.Rat, bool) {
	if q.plain() {
		return costBetween(q.Norm, q.X, z), q.Domain == nil || q.Domain.Contains(z)
	}
	costs, ok := q.costs(z)
	return costOf(q.Norm, costs), ok
}

// dearest is the largest price, 1 without any, by which a rounding error of a coordinate grows.
func (q *Query) dearest() float64 {
	most := 1.0
	for _, f := range q.Rules {
		for _, price := range []float64{f.Up, f.Down} {
			if !math.IsInf(price, 1) {
				most = max(most, price)
			}
		}
	}
	return most
}
