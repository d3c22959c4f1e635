package orderk

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/classifier/search"
	"github.com/seed-1a7dc1f9/facet/internal/exact"
	"github.com/seed-1a7dc1f9/facet/internal/neighbors"
	"github.com/seed-1a7dc1f9/facet/internal/nnindex"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// TestFieldHoldsNoMore: a field whose rivals are all that there are makes every look slow,
// and nothing else would tell.
func TestFieldHoldsNoMore(t *testing.T) {
	for number := range uint64(racetest.Scale(200)) {
		rng := rand.New(rand.NewPCG(number, 701))
		norm := polytope.Norm(number % 3)
		o := drawOrderOpener(t, rng, norm)
		if o == nil || len(o.square) <= o.quota.Spare {
			continue
		}
		radius := rng.Float64()
		farthest := make([]float64, len(o.square))
		for i, square := range o.square {
			farthest[i] = square + 2*radius*norm.Dual().Distance(o.q.X, o.rival(i))
		}
		slices.Sort(farthest)
		want := farthest[o.quota.Spare]
		if got := o.mostRival(radius); got < want || got > want*(1+2*neighbors.Spread) {
			t.Fatalf("instance %d: mostRival(%v) = %v, want %v, rounded up", number, radius, got, want)
		}
		o.lay(radius)
		f := o.field
		for _, r := range f.rivals {
			if ahead := r.square - 2*f.radius*r.length; ahead > want*(1+1e-6)+1e-6 {
				t.Fatalf("instance %d: rival %d is in the field, at least %v ahead, want %v at most", number, r.id, ahead, want)
			}
		}
		laid := len(f.rivals)
		o.narrow(radius / 4)
		if f = o.field; f.radius > radius/3 || len(f.rivals) > laid {
			t.Fatalf("instance %d: narrowed to %v: radius %v, %d rivals of %d", number, radius/4, f.radius, len(f.rivals), laid)
		}
	}
}

// TestBlur: the difference of squared distances that the bisector has to decide is more
// than rounding makes of them, and not so much more that it decides ordinary rows.
func TestBlur(t *testing.T) {
	for number := range uint64(racetest.Scale(40)) {
		rng := rand.New(rand.NewPCG(number, 702))
		o := drawOrderOpener(t, rng, polytope.Norm(number%3))
		if o == nil {
			continue
		}
		offset := math.Ldexp(rng.Float64(), rng.IntN(30))
		x := slices.Clone(o.q.X)
		for j := range x {
			x[j] += offset
		}
		o.q.X = x
		o.u = make([]float64, len(x))
		for j := range o.u {
			o.u[j] = rng.NormFloat64()
		}
		o.length = polytope.L2.Length(o.u)
		for id := range int32(o.table.Len()) {
			squared := o.squared(id)
			off := math.Abs(squared - exactSquared(o, id))
			if blur := o.blur(squared); off > blur/4 || blur > 1e-8*(squared+o.length*o.length) {
				t.Fatalf("instance %d: squared distance %v is off by %g, blur %g", number, squared, off, blur)
			}
		}
	}
}

// exactSquared returns the squared distance of a row from X+u, rounded once.
func exactSquared(o *orderOpener, id int32) float64 {
	sum := new(big.Rat)
	p := o.table.Row(id)
	for j, x := range o.q.X {
		d := exact.Float(p[j])
		d.Sub(d, exact.Float(x)).Sub(d, exact.Float(o.u[j]))
		sum.Add(sum, d.Mul(d, d))
	}
	squared, _ := sum.Float64()
	return squared
}

// TestComesBefore: on a tie neither row comes before the other, whatever rounding says of
// their distances.
func TestComesBefore(t *testing.T) {
	for number := range uint64(racetest.Scale(300)) {
		rng := rand.New(rand.NewPCG(number, 703))
		o := drawOrderOpener(t, rng, polytope.Norm(number%3))
		if o == nil {
			continue
		}
		p, q := int32(rng.IntN(o.table.Len())), int32(rng.IntN(o.table.Len()))
		o.program.start(nil)
		xp := o.table.Row(p)
		xq := o.table.Row(q)
		o.u = make([]float64, len(xp))
		for j, x := range o.q.X {
			o.u[j] = (xp[j]-x)/2 + (xq[j]-x)/2
		}
		if r := o.bisector(q, p); r.a == nil {
			continue // equal rows
		}
		o.length = polytope.L2.Length(o.u)
		blur := o.blur(o.squared(p))
		for _, lead := range []float64{0, blur / 2, -blur / 2} {
			if o.comesBefore(p, q, lead, blur) {
				t.Fatalf("instance %d: row %d comes before row %d halfway between them", number, p, q)
			}
		}
		if !o.comesBefore(p, q, 2*blur, blur) || o.comesBefore(p, q, -2*blur, blur) {
			t.Fatalf("instance %d: a lead beyond blur does not decide", number)
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
		o := newSearch(c, 3, search.Query{X: q, From: c.Vote(q, 3), Target: -1, Solver: new(polytope.Native)}).NewOpener().(*orderOpener)
		o.u = make([]float64, d)
		for j := range o.u {
			o.u[j] = rng.NormFloat64() * 1e-3
		}
		o.drift = 0
		for j, e := range q {
			var low float64
			o.z[j], low = precise.TwoSum(e, o.u[j])
			o.drift += math.Abs(low)
		}
		o.length = polytope.L2.Length(o.u)
		for i := range int32(n) {
			limit, found := o.squared(i), map[int32]bool{}
			o.visit(o.all(), limit, func(id int32, _ float64) { found[id] = true })
			near := near(limit, polytope.LInf.Length(o.u), o.length)
			for id := range int32(n) {
				p := c.Row(id)
				r := fieldRow{p, nnindex.Squared(q, p), neighbors.DualDistance(polytope.LInf, q, p), id}
				if inside := o.squared(id) <= limit; found[id] != inside || (inside && near.misses(&r)) {
					t.Fatalf("instance %d: row %d at squared distance %v of %v: visited %v, missed %v",
						number, id, o.squared(id), limit, found[id], near.misses(&r))
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
