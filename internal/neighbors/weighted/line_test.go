package weighted_test

import (
	"cmp"
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// lineVote is distance-weighted k-NN on the line in rational arithmetic. The query is 0.
type lineVote struct {
	x       []*big.Rat
	y       []int
	k       int
	classes int
}

func (in problem) lineVote() *lineVote {
	v := &lineVote{y: in.Y, k: in.k, classes: slices.Max(in.Y) + 1}
	for _, p := range in.X {
		v.x = append(v.x, displaced(p[0], in.Query[0]))
	}
	return v
}

func displaced(v, x float64) *big.Rat {
	u := new(big.Rat).SetFloat64(v)
	return u.Sub(u, new(big.Rat).SetFloat64(x))
}

// neighbors returns the k nearest rows of z, nearest first.
func (v *lineVote) neighbors(z *big.Rat) []int {
	rows := make([]int, len(v.x))
	distance := make([]*big.Rat, len(v.x))
	for i, p := range v.x {
		rows[i] = i
		distance[i] = new(big.Rat).Sub(z, p)
		distance[i].Abs(distance[i])
	}
	slices.SortStableFunc(rows, func(i, j int) int { return distance[i].Cmp(distance[j]) })
	return rows[:v.k]
}

// predict returns the label of z.
func (v *lineVote) predict(z *big.Rat) int {
	sums := make([]*big.Rat, v.classes)
	for c := range sums {
		sums[c] = new(big.Rat)
	}
	rows := v.neighbors(z)
	onRow := v.x[rows[0]].Cmp(z) == 0
	for _, i := range rows {
		d := new(big.Rat).Sub(z, v.x[i])
		switch {
		case !onRow:
			sums[v.y[i]].Add(sums[v.y[i]], d.Abs(d.Inv(d)))
		case d.Sign() == 0:
			sums[v.y[i]].Add(sums[v.y[i]], big.NewRat(1, 1))
		}
	}
	best := 0
	for c, s := range sums {
		if s.Cmp(sums[best]) > 0 {
			best = c
		}
	}
	return best
}

// nearest returns the distance from x, to within 2^-60 of its size, of the nearest
// interval of inputs whose label is a goal: between two ends, which are the rows, the
// points halfway between two of them, and the ends of the domain, the neighbors are
// constant, and the vote between the roots of the differences of two labels' sums.
func (v *lineVote) nearest(x float64, domain polytope.Box, goal func(int) bool) float64 {
	center := new(big.Rat)
	ends := []*big.Rat{center}
	for _, p := range v.x {
		for _, q := range v.x {
			m := new(big.Rat).Add(p, q)
			ends = append(ends, m.Quo(m, big.NewRat(2, 1)))
		}
	}
	slices.SortFunc(ends, (*big.Rat).Cmp)
	far := new(big.Rat).Sub(ends[len(ends)-1], ends[0])
	far.Add(far, big.NewRat(1, 1)).Mul(far, big.NewRat(1<<20, 1))
	lo, hi := new(big.Rat).Sub(ends[0], far), new(big.Rat).Add(ends[len(ends)-1], far)
	if domain != nil && !math.IsInf(domain[0].Lo, -1) {
		lo = displaced(domain[0].Lo, x)
	}
	if domain != nil && !math.IsInf(domain[0].Hi, 1) {
		hi = displaced(domain[0].Hi, x)
	}
	if lo.Cmp(hi) == 0 {
		if goal(v.predict(lo)) {
			return distanceOf(center, lo)
		}
		return math.Inf(1)
	}
	inner := []*big.Rat{lo, hi}
	for _, e := range ends {
		if e.Cmp(lo) > 0 && e.Cmp(hi) < 0 {
			inner = append(inner, e)
		}
	}
	slices.SortFunc(inner, (*big.Rat).Cmp)
	inner = slices.CompactFunc(inner, func(a, b *big.Rat) bool { return a.Cmp(b) == 0 })
	best := math.Inf(1)
	above, _ := slices.BinarySearchFunc(inner, center, (*big.Rat).Cmp)
	for i := above; i+1 < len(inner) && math.IsInf(best, 1); i++ {
		best = v.between(center, inner[i], inner[i+1], goal, best)
	}
	for i := min(above, len(inner)-1); i > 0 && distanceOf(center, inner[i]) < best; i-- {
		best = min(best, v.between(center, inner[i-1], inner[i], goal, best))
	}
	return best
}

func distanceOf(a, b *big.Rat) float64 {
	d := new(big.Rat).Sub(a, b)
	f, _ := d.Abs(d).Float64()
	return f
}

// between is nearest between two ends, unless that is farther than best.
func (v *lineVote) between(x, lo, hi *big.Rat, goal func(int) bool, best float64) float64 {
	side := func(l, h *big.Rat) float64 { // the distance of (l, h)
		if x.Cmp(l) <= 0 {
			return distanceOf(x, l)
		}
		return distanceOf(x, h)
	}
	if side(lo, hi) >= best {
		return best
	}
	cuts := [][2]*big.Rat{{lo, lo}, {hi, hi}}
	members := v.neighbors(middleOf(lo, hi))
	for a := range v.classes {
		for b := range a {
			cuts = append(cuts, v.difference(members, middleOf(lo, hi), a, b).roots(lo, hi)...)
		}
	}
	slices.SortFunc(cuts,
		func(p, q [2]*big.Rat) int { return cmp.Or(p[1].Cmp(q[1]), p[0].Cmp(q[0])) })
	for i := range len(cuts) - 1 {
		l, h := cuts[i][1], cuts[i+1][0]
		if l.Cmp(h) < 0 && goal(v.predict(middleOf(l, h))) {
			best = min(best, side(l, h))
		}
	}
	return best
}

func middleOf(a, b *big.Rat) *big.Rat {
	m := new(big.Rat).Add(a, b)
	return m.Quo(m, big.NewRat(2, 1))
}

// difference returns a polynomial whose roots between two ends are those of the sum
// of label a minus that of b. m lies between them.
func (v *lineVote) difference(members []int, m *big.Rat, a, b int) poly {
	sum := poly{}
	for _, i := range members {
		if v.y[i] != a && v.y[i] != b {
			continue
		}
		product := poly{big.NewRat(1, 1)}
		if v.y[i] == b {
			product[0].Neg(product[0])
		}
		for _, j := range members {
			if (v.y[j] == a || v.y[j] == b) && j != i {
				product = product.times(poly{new(big.Rat).Neg(v.x[j]), big.NewRat(1, 1)})
			}
		}
		if v.x[i].Cmp(m) > 0 { // 1/|z−p| is 1/(p−z)
			product = product.times(poly{big.NewRat(-1, 1)})
		}
		sum = sum.plus(product, big.NewRat(1, 1))
	}
	return sum.trimmed()
}

// drawLine draws an instance on the line: rows on a grid or not, next to each other or far
// from 0, with every kind of domain.
func drawLine(rng *rand.Rand) problem {
	n, classes, kind := 2+rng.IntN(6), 2+rng.IntN(2), rng.IntN(5)
	offset := 0.0
	if kind == 3 {
		offset = math.Ldexp(float64(1+rng.IntN(7)), 10+rng.IntN(30))
	}
	draw := func() float64 {
		switch kind {
		case 0:
			return math.Ldexp(math.Round(256*rng.NormFloat64()), -8)
		case 1:
			return float64(rng.IntN(5)-2) + 0x1p-30*float64(rng.IntN(3)-1)
		}
		return offset + float64(rng.IntN(7)-3)
	}
	in := problem{Neighbors: instance.Neighbors{Query: []float64{draw()}}}
	for range n {
		in.X, in.Y = append(in.X, []float64{draw()}), append(in.Y, rng.IntN(classes))
	}
	if rng.IntN(4) == 0 {
		in.Target = new(rng.IntN(classes))
	}
	lo, hi := min(draw(), draw()), max(draw(), draw())
	switch rng.IntN(10) {
	case 0:
		in.Box = polytope.Box{{Lo: min(lo, hi), Hi: max(lo, hi)}}
	case 1:
		in.Box = polytope.Box{{Lo: math.Inf(-1), Hi: hi}}
	case 2:
		in.Box = polytope.Box{{Lo: lo, Hi: math.Inf(1)}}
	case 3:
		in.Box = polytope.Box{{Lo: lo, Hi: lo}}
	}
	in.k = 1 + rng.IntN(n)
	return in
}

// TestOnLine compares with the truth in rational arithmetic.
func TestOnLine(t *testing.T) {
	t.Parallel()
	compared, open, want := 0, 0, instance.Count(100, 600)
	for number := uint64(0); compared < want; number++ {
		rng := rand.New(rand.NewPCG(number, 48))
		in := drawLine(rng)
		o := attack.Options{Norm: instance.Norms()[rng.IntN(3)], MaxNodes: 20000}
		c := in.model(t)
		r, ok := in.attack(t, c, o)
		if !ok {
			continue
		}
		compared++
		goal, _ := in.Goal(c)
		truth := in.lineVote().nearest(in.Query[0], in.Box, goal)
		if !r.Optimal() && r.Nodes < o.MaxNodes && r.Bound <= truth && r.Distance >= truth-1e-9 {
			open++ // where sums of votes only touch
			continue
		}
		if err := in.checkLine(r, o, truth); err != nil {
			t.Errorf("instance %d, ℓ%v: %v: %+v, truth %v\n%+v", number, o.Norm, err, r, truth, in)
		}
	}
	if open > 1+want/15 {
		t.Errorf("%d of %d are not proven", open, want)
	}
}

// checkLine compares the result of an attack with the truth.
func (in problem) checkLine(r attack.Result, o attack.Options, truth float64) error {
	tol := 1e-9 * max(1, truth)
	switch {
	case r.Distance < truth && r.Bound >= r.Distance-tol:
		return nil // a single point, or one where rounding hides a lead from Predict
	case !r.Optimal() && (r.Nodes == o.MaxNodes || r.Distance-r.Bound <= tol):
		return errors.New("not proven")
	case r.Bound > truth*(1+1e-13):
		return errors.New("bound too high")
	case math.IsInf(truth, 1) != (r.Example == nil):
		return errors.New("not the example")
	case r.Example != nil && r.Bound < truth-1.01*tol:
		return errors.New("bound too low")
	case r.Example != nil && r.Distance > truth+hidden*max(1, truth)+0x1p-51*math.Abs(in.Query[0]):
		return errors.New("example too far")
	}
	return nil
}
