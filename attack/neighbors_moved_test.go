package attack_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// drawIntegerRows makes an instance of integers, every fifth within a domain.
func drawIntegerRows(rng *rand.Rand, number uint64) neighborInstance {
	dim, n, side, classes := 1+rng.IntN(3), 6+rng.IntN(4), 4+rng.IntN(60), 2+int(number%2)
	point := func() []float64 {
		p := make([]float64, dim)
		for j := range p {
			p[j] = float64(rng.IntN(side))
		}
		return p
	}
	in := neighborInstance{query: point()}
	for range n {
		in.x, in.y = append(in.x, point()), append(in.y, rng.IntN(classes))
	}
	if number%5 == 0 {
		in.box = polytope.Cube(dim, 0, float64(side))
	}
	return in
}

// reordered returns the instance with its features in another order.
func (in neighborInstance) reordered(order []int) neighborInstance {
	reorder := func(p []float64) []float64 {
		q := make([]float64, len(p))
		for i, j := range order {
			q[i] = p[j]
		}
		return q
	}
	out := in
	out.x, out.query = nil, reorder(in.query)
	for _, p := range in.x {
		out.x = append(out.x, reorder(p))
	}
	return out
}

// hasEqualRows reports whether the order of some rows matters wherever it is looked from.
func (in neighborInstance) hasEqualRows() bool {
	for i, p := range in.x {
		if slices.ContainsFunc(in.x[:i], func(q []float64) bool { return slices.Equal(p, q) }) {
			return true
		}
	}
	return false
}

// TestNeighborsMovedExactly: where integers are moved by a power of two, or scaled by one,
// nothing is rounded, and bounds and what is robust are the same to the last bit; examples
// are as near as the float64 there allow. The order of features, and of rows none of which
// are equal, changes no more than the last digits.
func TestNeighborsMovedExactly(t *testing.T) {
	for number := range uint64(racetest.Scale(40)) {
		rng := rand.New(rand.NewPCG(number, 970))
		in := drawIntegerRows(rng, number)
		m := metamorphic{t: t, in: in, k: 1 + int(number/3%5), norm: norms[number%3]}
		m.want = m.perturb(in)
		for _, e := range []int{10, 20, 30, 40, 45} {
			moved := in.moved(1, math.Ldexp(1, e))
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
			r := m.same(what, in.moved(scale, 0), scale)
			if m.want.Bound >= 1 {
				m.near(what, r, scale)
			}
			m.radii(what, in.moved(scale, 0), scale)
		}
		m.near("features in another order", m.perturb(in.reordered(rng.Perm(len(in.query)))), 1)
		rows := in.permuted(rng.Perm(len(in.x)))
		if !in.hasEqualRows() && rows.knn(t, m.k).Predict(in.query) == in.knn(t, m.k).Predict(in.query) {
			m.near("rows in another order", m.perturb(rows), 1)
		}
	}
}

// metamorphic compares variants of an instance with it.
type metamorphic struct {
	t    *testing.T
	in   neighborInstance
	k    int
	norm polytope.Norm
	want attack.Result
}

func (m *metamorphic) attack(in neighborInstance) *attack.RegionBased {
	return &attack.RegionBased{Classifier: in.knn(m.t, m.k), Options: attack.Options{Norm: m.norm, Domain: in.box, Workers: 1}}
}

func (m *metamorphic) perturb(in neighborInstance) attack.Result {
	m.t.Helper()
	r, err := m.attack(in).Perturb(m.t.Context(), in.query)
	if err != nil {
		m.t.Fatal(err)
	}
	return r
}

func (m *metamorphic) fail(what string, r any) {
	m.t.Helper()
	m.t.Fatalf("norm %v, k = %d, %s: %+v, want %+v\n%+v", m.norm, m.k, what, r, m.want, m.in)
}

// same checks what does not depend on where float64 are.
func (m *metamorphic) same(what string, in neighborInstance, scale float64) attack.Result {
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
	if r.Optimal != m.want.Optimal || !close(r.Bound, m.want.Bound) || !close(r.Distance, m.want.Distance) {
		m.fail(what, r)
	}
}

// radii checks that what is robust is the same, around the bound too.
func (m *metamorphic) radii(what string, in neighborInstance, scale float64) {
	m.t.Helper()
	if math.IsInf(m.want.Bound, 1) {
		return
	}
	for _, share := range []float64{0.5, 1 - 0x1p-40, 1 + 0x1p-40, 1.5} {
		radius := share * m.want.Bound
		want, err := m.attack(m.in).RobustAt(m.t.Context(), m.in.query, radius)
		if err != nil {
			continue
		}
		if got, _ := m.attack(in).RobustAt(m.t.Context(), in.query, scale*radius); got != want {
			m.fail(fmt.Sprintf("%s, robust at %v times the bound", what, share), got)
		}
	}
}
