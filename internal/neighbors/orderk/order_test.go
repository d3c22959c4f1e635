package orderk

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/internal/exact"
	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/neighbors"
	"github.com/seed-1a7dc1f9/facet/internal/neighbors/orderk/bisectors"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/polytope"
	"github.com/seed-1a7dc1f9/facet/polytope/native"
)

// TestCandidatesHoldNoMore: a set whose rivals are all that there are makes every count slow, and
// no other test would notice.
func TestCandidatesHoldNoMore(t *testing.T) {
	for number := range uint64(racetest.Scale(200)) {
		rng := rand.New(rand.NewPCG(number, 701))
		norm := polytope.Norm(number % 3)
		o := drawOpener(t, rng, norm)
		if o == nil || o.near.Len() <= o.Allowed {
			continue
		}
		radius := rng.Float64()
		farthest := make([]float64, o.near.Len())
		for i, n := range o.near.First {
			farthest[i] = n.Squared + 2*radius*geometry.Dual(norm).Distance(o.X, o.near.Row(i))
		}
		slices.Sort(farthest)
		want := farthest[o.Allowed]
		if got := o.near.Farthest(o.Allowed, radius); got < want ||
			got > want*(1+2*neighbors.Spread) {
			t.Fatalf("instance %d: Farthest(%v) = %v, want %v, rounded up",
				number, radius, got, want)
		}
		s := o.gather(radius)
		for _, r := range s.rivals {
			if ahead := r.square - 2*s.radius*r.length; ahead > want*(1+1e-6)+1e-6 {
				t.Fatalf("instance %d: rival %d is a candidate, at least %v ahead, want %v at most",
					number, r.id, ahead, want)
			}
		}
		laid := len(s.rivals)
		if s = s.shrink(o.Allowed, radius/4); s.radius > radius/3 || len(s.rivals) > laid {
			t.Fatalf("instance %d: narrowed to %v: radius %v, %d rivals of %d",
				number, radius/4, s.radius, len(s.rivals), laid)
		}
	}
}

// TestBlur: the difference of squared distances that the bisector has to decide is more
// than rounding makes of them, and not so much more that it decides ordinary rows.
func TestBlur(t *testing.T) {
	for number := range uint64(racetest.Scale(40)) {
		rng := rand.New(rand.NewPCG(number, 702))
		o := drawOpener(t, rng, polytope.Norm(number%3))
		if o == nil {
			continue
		}
		offset := math.Ldexp(rng.Float64(), rng.IntN(30))
		x := slices.Clone(o.X)
		for j := range x {
			x[j] += offset
		}
		o.X = x
		u := make([]float64, len(x))
		for j := range u {
			u[j] = rng.NormFloat64()
		}
		at := pointAt(o, u)
		for id := range int32(o.table.Len()) {
			squared := at.squared(o.table.Row(id))
			off := math.Abs(squared - exactSquared(at, o.table.Row(id)))
			tolerance := at.tolerance(squared)
			if off > tolerance/4 || tolerance > 1e-8*(squared+at.length*at.length) {
				t.Fatalf("instance %d: squared distance %v is off by %g, tolerance %g",
					number, squared, off, tolerance)
			}
		}
	}
}

// pointAt moves an opener by u.
func pointAt(o *opener, u []float64) *point {
	o.point.x = o.X
	return o.moveTo(bisectors.Solution{U: u, Value: geometry.Length(o.Norm, u)})
}

// exactSquared returns the squared distance of a row from a point, rounded once.
func exactSquared(at *point, p []float64) float64 {
	sum := new(big.Rat)
	for j, x := range at.x {
		d := exact.Difference(p[j], x)
		d.Sub(d, exact.Float(at.u[j]))
		sum.Add(sum, d.Mul(d, d))
	}
	squared, _ := sum.Float64()
	return squared
}

// TestBisectorOfPrices: where there are prices a bisector is that of two rows, times a power of
// two. A program takes it for exact, and the point that it finds may lie far beyond them.
func TestBisectorOfPrices(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 704))
	compared := 0
	for range 100 {
		o := drawOpener(t, rng, polytope.LInf)
		if o == nil {
			continue
		}
		prices := polytope.Prices{Up: make([]float64, len(o.X)), Down: make([]float64, len(o.X))}
		for j := range o.X {
			prices.Up[j], prices.Down[j] = 1+rng.Float64(), 1+rng.Float64()
		}
		o.Prices = &prices
		for range 10 {
			p, q := int32(rng.IntN(o.table.Len())), int32(rng.IntN(o.table.Len()))
			c := o.bisector(p, q)
			for j, a := range c.A {
				compared++
				if want := o.table.Row(q)[j] - o.table.Row(p)[j]; a*c.Length != want {
					t.Fatalf("rows %d and %d, coordinate %d: %v times %v, want %v",
						p, q, j, a, c.Length, want)
				}
			}
		}
	}
	if compared < 1000 {
		t.Errorf("%d coefficients compared", compared)
	}
}

// TestComesBefore: on a tie neither row comes before the other, for all rounding errors of their
// distances.
func TestComesBefore(t *testing.T) {
	for number := range uint64(racetest.Scale(300)) {
		rng := rand.New(rand.NewPCG(number, 703))
		o := drawOpener(t, rng, polytope.Norm(number%3))
		if o == nil {
			continue
		}
		p, q := int32(rng.IntN(o.table.Len())), int32(rng.IntN(o.table.Len()))
		xp := o.table.Row(p)
		xq := o.table.Row(q)
		u := make([]float64, len(xp))
		for j, x := range o.X {
			u[j] = (xp[j]-x)/2 + (xq[j]-x)/2
		}
		if c := o.bisector(q, p); c.A == nil {
			continue // equal rows
		}
		at := pointAt(o, u)
		tolerance := at.tolerance(at.squared(xp))
		for _, lead := range []float64{0, tolerance / 2, -tolerance / 2} {
			if o.comesBefore(at, p, q, lead, tolerance) {
				t.Fatalf("instance %d: row %d comes before row %d halfway between them",
					number, p, q)
			}
		}
		if !o.comesBefore(at, p, q, 2*tolerance, tolerance) ||
			o.comesBefore(at, p, q, -2*tolerance, tolerance) {
			t.Fatalf("instance %d: a margin beyond tolerance does not decide", number)
		}
	}
}

// TestVisitAtAnOffset: the trees are asked about x+u as float64 rounds it, and all rows are found
// that lie within a distance of x+u itself; a field passes over most of those that do not.
func TestVisitAtAnOffset(t *testing.T) {
	missed := 0
	for number := range uint64(racetest.Scale(100)) {
		rng := rand.New(rand.NewPCG(number, 704))
		n, d := 20, 1+rng.IntN(3)
		x, y := mat.NewDense(n, d, nil), make([]int, n)
		q := make([]float64, d)
		for j := range d {
			q[j] = math.Ldexp(1, 40) + float64(rng.IntN(8))
			for i := range n {
				x.Set(i, j, math.Ldexp(1, 40)+float64(rng.IntN(8)))
				y[i] = i % 2
			}
		}
		c, err := neighbors.New(t.Context(), x, y)
		if err != nil {
			t.Fatal(err)
		}
		o := newQuery(c, 3,
			search.Query{
				X:      q,
				From:   c.Vote(q, 3),
				Target: -1,
				Solver: native.Solver{},
			}).NewOpener().(*opener)
		u := make([]float64, d)
		for j := range u {
			u[j] = rng.NormFloat64() * 1e-3
		}
		at := pointAt(o, u)
		for i := range int32(n) {
			limit, found := at.squared(c.Row(i)), map[int32]bool{}
			at.within(o.table.Trees, limit,
				func(id int32, _ float64) bool { found[id] = true; return true })
			near := at.nearby(limit)
			for id := range int32(n) {
				p := c.Row(id)
				r := o.candidate(p, id)
				if inside := at.squared(p) <= limit; found[id] != inside ||
					(inside && near.misses(&r)) {
					t.Fatalf("instance %d: row %d at squared distance %v of %v: visited %v, "+
						"missed %v",
						number, id, at.squared(p), limit, found[id], near.misses(&r))
				} else if near.misses(&r) {
					missed++
				}
			}
		}
	}
	if missed < racetest.Scale(100)*20*5 {
		t.Errorf("%d rows were passed over without a look, want a quarter", missed)
	}
}
