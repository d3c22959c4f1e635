package attack_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/internal/testing/oracle"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// moved returns the instance with every coordinate v replaced by scale·v + shift.
func (in neighborInstance) moved(scale, shift float64) neighborInstance {
	out := in
	out.x = nil
	for _, p := range in.x {
		out.x = append(out.x, affine(p, scale, shift))
	}
	out.query = affine(in.query, scale, shift)
	out.box = nil
	for _, i := range in.box {
		i.Lo, i.Hi = scale*i.Lo+shift, scale*i.Hi+shift
		out.box = append(out.box, i)
	}
	return out
}

func affine(p []float64, scale, shift float64) []float64 {
	q := make([]float64, len(p))
	for j, v := range p {
		q[j] = scale*v + shift
	}
	return q
}

// permuted returns the instance with its rows in another order.
func (in neighborInstance) permuted(order []int) neighborInstance {
	out := in
	out.x, out.y = nil, nil
	for _, i := range order {
		out.x, out.y = append(out.x, in.x[i]), append(out.y, in.y[i])
	}
	return out
}

// TestNeighborsMovedAndScaled: scaling by a power of two scales distances, moving
// data by one leaves them, and so does another order of the rows where nothing ties.
// Coordinates are multiples of 2⁻¹⁰, so that none of this rounds.
func TestNeighborsMovedAndScaled(t *testing.T) {
	t.Parallel()
	for number := range uint64(instance.Count(200, 600)) {
		rng := rand.New(rand.NewPCG(number, 700))
		in := drawFew(rng)
		for _, p := range append(in.x, in.query) {
			for j, v := range p {
				p[j] = math.Round(v*1024) / 1024
			}
		}
		norm, k := norms[number%3], min(1+int(number/3%3), len(in.x))
		in.target = nil
		perturb := func(in neighborInstance) attack.Result {
			t.Helper()
			r, err := (&attack.RegionBased{
				Classifier: in.knn(t, k), Options: attack.Options{Norm: norm, Domain: in.box, Workers: 1},
			}).Perturb(t.Context(), in.query)
			if err != nil {
				t.Fatalf("instance %d: %v\n%+v", number, err, in)
			}
			return r
		}
		want := perturb(in)
		// The bound is a property of the cells alone. The example lies inside by an amount
		// that grows with the coordinates.
		check := func(what string, r attack.Result, scale, shift float64) {
			t.Helper()
			tol := 1e-9 * max(1, want.Distance) * scale
			near := math.Abs(r.Bound-scale*want.Bound) <= tol
			if math.Abs(shift) <= 1 {
				near = near && math.Abs(r.Distance-scale*want.Distance) <= tol+1e-12*scale
			}
			if want.Example == nil {
				near = math.IsInf(r.Bound, 1)
			}
			if !r.Optimal || (r.Example == nil) != (want.Example == nil) || !near {
				t.Fatalf("instance %d, norm %v, k = %d, %s: %+v, want %v times %+v\n%+v", number, norm, k, what, r, scale, want, in)
			}
		}
		for _, scale := range []float64{0x1p20, 0x1p-20, 2} {
			check(fmt.Sprintf("scaled by %v", scale), perturb(in.moved(scale, 0)), scale, 0)
		}
		for _, shift := range []float64{1, -1024, 0x1p20} {
			check(fmt.Sprintf("moved by %v", shift), perturb(in.moved(1, shift)), 1, shift)
		}
		if number%2 == 0 { // a general position: nothing ties
			for _, p := range append(in.x, in.query) {
				for j := range p {
					p[j] += rng.NormFloat64()
				}
			}
			want = perturb(in)
			check("rows in another order", perturb(in.permuted(rng.Perm(len(in.x)))), 1, 0)
		}
	}
}

// TestManyRivals compares the search of 1-NN on sets of a few hundred rows, more than it
// looks at first, with the projection on every cell; some of them with the oracle, too.
func TestManyRivals(t *testing.T) {
	t.Parallel()
	for _, norm := range norms {
		t.Run("norm="+norm.String(), func(t *testing.T) {
			t.Parallel()
			for number := range uint64(instance.Count(12, 150)) { // each kind of instance, below
				rng := rand.New(rand.NewPCG(number, 900+uint64(norm)))
				dim, n := 1+rng.IntN(4), 120+rng.IntN(300)
				in := neighborInstance{query: make([]float64, dim)}
				side := math.Ceil(math.Pow(float64(n), 1/float64(dim)))
				draw := func() float64 {
					if number%2 == 0 { // a grid, with ties
						return math.Floor(rng.Float64() * side)
					}
					return rng.NormFloat64()
				}
				// The other class is rare and far away, or everywhere.
				rare := number%3 == 0
				for range n {
					p := make([]float64, dim)
					for j := range p {
						p[j] = draw()
					}
					label := rng.IntN(2)
					if rare {
						label = 0
						if p[0] > 0.8*side || p[0] > 2 {
							label = 1
						}
					}
					in.x, in.y = append(in.x, p), append(in.y, label)
				}
				in.y[0] = 1
				for j := range in.query {
					in.query[j] = draw()
				}
				if number%4 >= 2 { // a domain that holds few of the rows
					for _, v := range in.query {
						in.box = append(in.box, polytope.Interval{Lo: v - 0.3, Hi: v + 1.3, LoOpen: number%8 > 5, HiOpen: number%8 > 5})
					}
				}
				c := in.knn(t, 1)
				o := attack.Options{Norm: norm, Domain: in.box, Workers: 1}
				r, err := (&attack.RegionBased{Classifier: c, Options: o}).Perturb(t.Context(), in.query)
				if err != nil {
					t.Fatalf("instance %d: %v", number, err)
				}
				truth, err := (&attack.RegionBased{Classifier: listed{c}, Options: o}).Perturb(t.Context(), in.query)
				if err != nil {
					t.Fatalf("instance %d, through Cells: %v", number, err)
				}
				if err := checkExact(t, c, norm, in.query, r, truth.Distance); err != nil {
					t.Fatalf("instance %d, n = %d, dim = %d, box %v: %v", number, n, dim, in.box, err)
				}
				if number%5 == 1 && dim < 3 {
					goal, _ := in.goal(c)
					want, _ := oracle.CellsKNN(oracle.Norm(norm), in.x, in.y, 1, in.query, goal, in.oracleBox())
					if err := checkExact(t, c, norm, in.query, r, want); err != nil {
						t.Fatalf("instance %d, n = %d, dim = %d: %v", number, n, dim, err)
					}
				}
			}
		})
	}
}
