package closest

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// boxedProblem is a problem with the faces of a box, −below_j ≤ u_j ≤ above_j.
type boxedProblem struct {
	problem
	faces []face
}

type face struct {
	j       int
	sign, b float64
}

// inBox draws a box for a problem: the origin inside, on its border or outside, some faces flat
// and some missing.
func inBox(r *rand.Rand, p problem) boxedProblem {
	q := boxedProblem{problem: p}
	for j := range p.d {
		above, below := float64(r.IntN(4))/2, float64(r.IntN(4))/2
		switch r.IntN(12) {
		case 0:
			above = -below // flat
		case 1:
			above, below = -0.5, 1.5 // the origin is outside
		case 2:
			above = math.Inf(1)
		}
		for _, s := range []face{{j, 1, above}, {j, -1, below}} {
			if !math.IsInf(s.b, 1) {
				q.faces = append(q.faces, s)
			}
		}
	}
	r.Shuffle(len(q.faces), func(i, j int) { q.faces[i], q.faces[j] = q.faces[j], q.faces[i] })
	return q
}

// asRows is the problem with faces that are rows like others.
func (p boxedProblem) asRows() problem {
	q := problem{p.d, append([][]float64(nil), p.a...), append([]float64(nil), p.b...)}
	for _, s := range p.faces {
		a := make([]float64, p.d)
		a[s.j] = s.sign
		q.a, q.b = append(q.a, a), append(q.b, s.b)
	}
	return q
}

// addFaces adds the faces that the current point violates, or all.
func (p boxedProblem) addFaces(q *Program, all bool) (added int) {
	for _, s := range p.faces {
		if all || q.ViolatesFace(s.j, s.sign, s.b) {
			q.AddFace(s.j, s.sign, s.b, 0)
			added++
		}
	}
	return added
}

// draw draws a problem in up to nine dimensions, in ℓ2 often in more, where it knows faces.
func draw(r *rand.Rand, k polytope.Norm, m int) boxedProblem {
	d := 1 + r.IntN(9)
	if k == polytope.L2 && r.IntN(4) > 0 {
		d += manyCoordinates
	}
	p := signs(r, d, m)
	if r.IntN(2) == 0 {
		p = smooth(r, d, m)
	}
	return inBox(r, p)
}

// TestFaces: a program that knows the faces of a box, all of them or one after the other, ends
// where one does that takes them for rows like others.
func TestFaces(t *testing.T) {
	each(t, 31, func(t *testing.T, k polytope.Norm, r *rand.Rand) {
		seen := map[Status]int{}
		for range racetest.Scale(4000) {
			p := draw(r, k, 1+r.IntN(8))
			rows := p.asRows()
			all := rows.full(k)
			want := solve(t, all, math.Inf(1))
			seen[want]++
			for _, lazily := range []bool{false, true} {
				q := p.program(k)
				if !lazily {
					p.addFaces(q, true)
				}
				got := Optimal
				for i := 0; i < len(p.a) && got == Optimal; i++ {
					q.Add(p.a[i], p.b[i], 0)
					got = solve(t, q, math.Inf(1))
					for lazily && got == Optimal && p.addFaces(q, false) > 0 {
						got = solve(t, q, math.Inf(1))
					}
				}
				if got != want ||
					got == Optimal && math.Abs(q.Value()-all.Value()) > 1e-11*max(1, all.Value()) {
					t.Fatalf("%+v: %v, value %v, lazily %v; want %v, %v",
						p, got, q.Value(), lazily, want, all.Value())
				}
				if got == Optimal {
					if err := proved(rows, k, q); err != nil {
						t.Fatalf("%+v: %v", p, err)
					}
				}
			}
		}
		if min(seen[Optimal], seen[Infeasible]) < racetest.Scale(4000)/10 {
			t.Errorf("%d optimal, %d infeasible: too few of one", seen[Optimal], seen[Infeasible])
		}
	})
}

// TestFacesProve: a bound that multipliers prove with faces, at a cutoff too, and one row ahead, is
// not beyond the optimum, and where all faces are known a row ahead often proves more than without.
func TestFacesProve(t *testing.T) {
	each(t, 32, func(t *testing.T, k polytope.Norm, r *rand.Rand) {
		raised := 0
		for range racetest.Scale(3000) {
			p := draw(r, k, 2+r.IntN(8))
			all := p.asRows().full(k)
			want := math.Inf(1)
			if solve(t, all, math.Inf(1)) == Optimal {
				want = all.Value()
			}
			q := p.program(k)
			last := len(p.a) - 1
			for i, a := range p.a[:last] {
				q.Add(a, p.b[i], 0)
			}
			p.addFaces(q, true)
			if solve(t, q, want*r.Float64()*2) != Optimal && q.Bound() > want*(1+1e-11) {
				t.Fatalf("%+v: bound %v, optimum %v", p, q.Bound(), want)
			}
			length := geometry.DualLength(k, p.a[last])
			if length == 0 || solve(t, q, math.Inf(1)) != Optimal {
				continue
			}
			unit := make([]float64, p.d)
			for j, e := range p.a[last] {
				unit[j] = e / length
			}
			ahead := q.Ahead(unit, p.b[last]/length, 2*precise.Roundoff*math.Abs(p.b[last]/length))
			if ahead > want*(1+1e-11) {
				t.Fatalf("%+v: %v ahead, optimum %v", p, ahead, want)
			}
			if ahead > q.Bound() {
				raised++
			}
		}
		if raised < racetest.Scale(3000)/20 {
			t.Errorf("a row ahead raised the bound %d times", raised)
		}
	})
}

// TestSidesRestore goes on from a basis in which coordinates have stopped.
func TestSidesRestore(t *testing.T) {
	each(t, 33, func(t *testing.T, k polytope.Norm, r *rand.Rand) {
		restored := 0
		for range racetest.Scale(2000) {
			p := draw(r, k, 2+r.IntN(6))
			last := len(p.a) - 1
			fill := func() *Program {
				q := p.program(k)
				for i, a := range p.a[:last] {
					q.Add(a, p.b[i], 0)
				}
				p.addFaces(q, true)
				return q
			}
			first := fill()
			if solve(t, first, math.Inf(1)) != Optimal {
				continue
			}
			n, basis := first.Len(), first.Basis()
			second := fill()
			second.Restore(basis)
			if d := math.Abs(second.Value() - first.Value()); d > 1e-11*first.Value() {
				t.Fatalf("%+v: Restore leads to %v, want %v", p, second.Value(), first.Value())
			}
			value := first.Value()
			first.Add(p.a[last], p.b[last], 0)
			second.Add(p.a[last], p.b[last], 0)
			want, got := solve(t, first, math.Inf(1)), solve(t, second, math.Inf(1))
			if want != got ||
				want == Optimal &&
					math.Abs(first.Value()-second.Value()) > 1e-11*max(1, first.Value()) {
				t.Fatalf("%+v: %v, %v after Restore, want %v, %v",
					p, got, second.Value(), want, first.Value())
			}
			first.Rewind(n, basis)
			if solve(t, first, math.Inf(1)); math.Abs(first.Value()-value) > 1e-11*value {
				t.Fatalf("%+v: %v after Rewind, want %v", p, first.Value(), value)
			}
			restored++
		}
		if restored < racetest.Scale(2000)/5 {
			t.Errorf("only %d programs restored", restored)
		}
	})
}
