package orderk_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// drawIntegerRows makes an instance of integers, every fifth within a domain.
func drawIntegerRows(rng *rand.Rand, number uint64) instance.Neighbors {
	dim, n, side, classes := 1+rng.IntN(3), 6+rng.IntN(4), 4+rng.IntN(60), 2+int(number%2)
	point := func() []float64 {
		p := make([]float64, dim)
		for j := range p {
			p[j] = float64(rng.IntN(side))
		}
		return p
	}
	in := instance.Neighbors{Query: point()}
	for range n {
		in.X, in.Y = append(in.X, point()), append(in.Y, rng.IntN(classes))
	}
	if number%5 == 0 {
		in.Box = polytope.Cube(dim, 0, float64(side))
	}
	return in
}

// reordered returns the instance with its features in another order.
func reordered(in instance.Neighbors, order []int) instance.Neighbors {
	reorder := func(p []float64) []float64 {
		q := make([]float64, len(p))
		for i, j := range order {
			q[i] = p[j]
		}
		return q
	}
	out := in
	out.X, out.Query = nil, reorder(in.Query)
	for _, p := range in.X {
		out.X = append(out.X, reorder(p))
	}
	return out
}

// hasEqualRows reports whether the order of some rows matters wherever it is looked from.
func hasEqualRows(in instance.Neighbors) bool {
	for i, p := range in.X {
		if slices.ContainsFunc(in.X[:i], func(q []float64) bool { return slices.Equal(p, q) }) {
			return true
		}
	}
	return false
}

// TestNeighborsMovedExactly: where integers are moved by a power of two, or scaled by one, no
// number is rounded, and bounds and verdicts are the same to the last bit; examples are as near as
// the float64 there allow. The order of features, and of rows none of which are equal, changes no
// more than the last digits.
func TestNeighborsMovedExactly(t *testing.T) {
	for number := range uint64(racetest.Scale(40)) {
		rng := rand.New(rand.NewPCG(number, 970))
		in := drawIntegerRows(rng, number)
		m := metamorphic{t: t, in: in, k: 1 + int(number/3%5), norm: instance.Norms()[number%3]}
		m.want = m.perturb(in)
		for _, e := range []int{10, 20, 30, 40, 45} {
			moved := in.Moved(1, math.Ldexp(1, e))
			what := fmt.Sprintf("moved by 2^%d", e)
			r := m.same(what, moved, 1)
			if e <= 20 {
				m.near(what, r, 1)
			}
			m.radii(what, moved, 1)
		}
		for _, e := range []int{-3, 1, 20, 40, 300} {
			scale := math.Ldexp(1, e)
			what := fmt.Sprintf("scaled by 2^%d", e)
			r := m.same(what, in.Moved(scale, 0), scale)
			if m.want.Bound >= 1 {
				m.near(what, r, scale)
			}
			m.radii(what, in.Moved(scale, 0), scale)
		}
		m.near("features in another order", m.perturb(reordered(in, rng.Perm(len(in.Query)))), 1)
		rows := permuted(in, rng.Perm(len(in.X)))
		if !hasEqualRows(in) &&
			rows.KNN(t, m.k).Predict(in.Query) == in.KNN(t, m.k).Predict(in.Query) {
			m.near("rows in another order", m.perturb(rows), 1)
		}
	}
}

// metamorphic compares variants of an instance with it.
type metamorphic struct {
	t    *testing.T
	in   instance.Neighbors
	k    int
	norm polytope.Norm
	want attack.Result
}

func (m *metamorphic) attack(in instance.Neighbors) *attack.RegionBased {
	return &attack.RegionBased{
		Classifier: in.KNN(m.t, m.k),
		Options:    attack.Options{Norm: m.norm, Domain: in.Box, Workers: 1},
	}
}

func (m *metamorphic) perturb(in instance.Neighbors) attack.Result {
	m.t.Helper()
	r, err := m.attack(in).Perturb(m.t.Context(), in.Query)
	if err != nil {
		m.t.Fatal(err)
	}
	return r
}

func (m *metamorphic) fail(what string, r any) {
	m.t.Helper()
	m.t.Fatalf("norm %v, k = %d, %s: %+v, want %+v\n%+v", m.norm, m.k, what, r, m.want, m.in)
}

// same checks the results that do not depend on where float64 are.
func (m *metamorphic) same(what string, in instance.Neighbors, scale float64) attack.Result {
	m.t.Helper()
	r := m.perturb(in)
	if r.Bound != scale*m.want.Bound || (r.Example == nil) != (m.want.Example == nil) {
		m.fail(what, r)
	}
	return r
}

// near checks that a result is the wanted one but for the last digits.
func (m *metamorphic) near(what string, r attack.Result, scale float64) {
	m.t.Helper()
	tol := 1e-9 * max(1, m.want.Distance)
	close := func(a, b float64) bool { return a == b || math.Abs(a/scale-b) <= tol }
	if r.Optimal() != m.want.Optimal() || !close(r.Bound, m.want.Bound) ||
		!close(r.Distance, m.want.Distance) {
		m.fail(what, r)
	}
}

// radii checks that the same radii are robust, around the bound too.
func (m *metamorphic) radii(what string, in instance.Neighbors, scale float64) {
	m.t.Helper()
	if math.IsInf(m.want.Bound, 1) {
		return
	}
	for _, share := range []float64{0.5, 1 - 0x1p-40, 1 + 0x1p-40, 1.5} {
		radius := share * m.want.Bound
		known, err := m.attack(m.in).RobustAt(m.t.Context(), m.in.Query, radius)
		want := known.Verdict(radius)
		if err != nil || want == attack.Undecided {
			continue
		}
		// Where float64 are too coarse for an example, it is not known that there is one.
		moved, _ := m.attack(in).RobustAt(m.t.Context(), in.Query, scale*radius)
		got := moved.Verdict(scale * radius)
		if (got == attack.Holds) != (want == attack.Holds) {
			m.fail(fmt.Sprintf("%s, robust at %v times the bound", what, share), got)
		}
	}
}

// TestNeighborsMovedAndScaled: scaling by a power of two scales distances, moving data by one
// leaves them, and so does another order of the rows where no rows tie. Coordinates are multiples
// of 2⁻¹⁰, so that none of this rounds.
func TestNeighborsMovedAndScaled(t *testing.T) {
	t.Parallel()
	for number := range uint64(instance.Count(200, 600)) {
		rng := rand.New(rand.NewPCG(number, 700))
		in := instance.DrawFew(rng)
		for _, p := range append(in.X, in.Query) {
			for j, v := range p {
				p[j] = math.Round(v*1024) / 1024
			}
		}
		norm, k := instance.Norms()[number%3], min(1+int(number/3%3), len(in.X))
		in.Target = nil
		perturb := func(in instance.Neighbors) attack.Result {
			t.Helper()
			r, err := (&attack.RegionBased{
				Classifier: in.KNN(t, k), Options: attack.Options{
					Norm:    norm,
					Domain:  in.Box,
					Workers: 1,
				},
			}).Perturb(t.Context(), in.Query)
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
			if !r.Optimal() || (r.Example == nil) != (want.Example == nil) || !near {
				t.Fatalf("instance %d, norm %v, k = %d, %s: %+v, want %v times %+v\n%+v",
					number, norm, k, what, r, scale, want, in)
			}
		}
		for _, scale := range []float64{0x1p20, 0x1p-20, 2} {
			check(fmt.Sprintf("scaled by %v", scale), perturb(in.Moved(scale, 0)), scale, 0)
		}
		for _, shift := range []float64{1, -1024, 0x1p20} {
			check(fmt.Sprintf("moved by %v", shift), perturb(in.Moved(1, shift)), 1, shift)
		}
		if number%2 == 0 { // a general position: no rows tie
			for _, p := range append(in.X, in.Query) {
				for j := range p {
					p[j] += rng.NormFloat64()
				}
			}
			want = perturb(in)
			check("rows in another order", perturb(permuted(in, rng.Perm(len(in.X)))), 1, 0)
		}
	}
}

// permuted returns the instance with its rows in another order.
func permuted(in instance.Neighbors, order []int) instance.Neighbors {
	out := in
	out.X, out.Y = nil, nil
	for _, i := range order {
		out.X, out.Y = append(out.X, in.X[i]), append(out.Y, in.Y[i])
	}
	return out
}
