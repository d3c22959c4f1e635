package solvertest

import (
	"math"
	"testing"

	"github.com/seed-1a7dc1f9/facet/polytope"
)

// family is a Separator made of a list: the deepest violated half-space first
// and, when that one is refused, all others, for the sake of margins.
type family struct {
	norm polytope.Norm
	list []polytope.HalfSpace
}

// Separate implements polytope.Separator.
func (f family) Separate(x, u []float64, add func([]float64, float64) bool) {
	deepest, most := -1, math.Inf(-1)
	for i, h := range f.list {
		v := dot(h.A, x) - h.B + dot(h.A, u)
		length := f.norm.Dual().Length(h.A)
		if length > 0 {
			v /= length
		}
		if v > most {
			deepest, most = i, v
		}
	}
	if deepest < 0 || f.name(deepest, x, add) {
		return
	}
	for i := range f.list {
		f.name(i, x, add)
	}
}

func (f family) name(i int, x []float64, add func([]float64, float64) bool) bool {
	h := f.list[i]
	return add(h.A, h.B-dot(h.A, x))
}

// hidden returns p with the half-spaces from the i-th on in Rest.
func hidden(p polytope.Problem, i int) polytope.Problem {
	p.Region.Rest = family{p.Norm, p.Region.HalfSpaces[i:]}
	p.Region.HalfSpaces = p.Region.HalfSpaces[:i]
	return p
}

// separator gives the same region as a list, as a Separator, and as both.
func (c suite) separator(t *testing.T, norm polytope.Norm) {
	r := source(3, norm)
	for range c.Instances / 4 {
		p := small(r, norm)
		p.Margin = float64(r.IntN(3)/2) / 4
		want, feasible := truth(p)
		for _, split := range []int{0, r.IntN(len(p.Region.HalfSpaces) + 1)} {
			got, ok := solve(t, c.solver, hidden(p, split))
			if !ok {
				t.Fatalf("%s with all from half-space %d on in Rest", describe(p), split)
			}
			if err := agrees(p, got, want, feasible, c.Tolerance); err != nil {
				t.Fatalf("%s with all from half-space %d on in Rest: %v", describe(p), split, err)
			}
		}
	}
}
