package tied

import (
	"cmp"
	"context"
	"math"
	"math/big"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/cellpoint"
	"github.com/seed-1a7dc1f9/facet/internal/exact"
	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/internal/rules"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// settle returns float64 values near the point of a node that are allowed and keep all rules, nil
// if it finds none: those next to it, then such on the border of a rule, then such a little inside
// all of them.
func (r *Rules) settle(n *node) []float64 {
	if n.point == nil {
		return nil
	}
	z, ok := r.round(n.box, n.point)
	if !ok {
		return nil
	}
	if rules.KeepsAll(r.halves, z) {
		return z
	}
	if at := r.repair(n.box, z); at != nil {
		return at
	}
	inner := slices.Clone(n.box)
	for i := range inner {
		if r.steps(i) {
			inner[i] = polytope.Interval{Lo: z[i], Hi: z[i]}
		}
	}
	keeps := func(z []float64) bool { return rules.KeepsAll(r.halves, z) && inner.Contains(z) }
	z, _, err := cellpoint.Margin(
		context.Background(), &r.solver, r.program(inner), nil, z, 0, keeps,
	)
	if err != nil || z == nil || !keeps(z) {
		return nil
	}
	return z
}

// round returns the allowed float64 values of a box next to a point; false if there are none.
func (r *Rules) round(box polytope.Box, point []float64) ([]float64, bool) {
	z := slices.Clone(point)
	for i, m := range r.moves {
		var ok bool
		if r.steps(i) {
			z[i], ok = m.OnGrid(box[i], point[i])
		} else {
			z[i], ok = geometry.Inside(box[i], point[i])
		}
		if !ok {
			return nil, false
		}
	}
	return z, true
}

// repair moves z, which breaks rules by rounding, onto their borders, nil if that does not go: as
// it is, or from numbers of fewer digits, whose sums are float64 more often.
func (r *Rules) repair(box polytope.Box, z []float64) []float64 {
	for _, coarse := range [...]float64{0, 0x1p-50, 0x1p-46} {
		at := slices.Clone(z)
		if size := geometry.Length(polytope.LInf, z); coarse > 0 && size > 0 {
			_, exponent := math.Frexp(size)
			unit := math.Ldexp(coarse, exponent)
			for i := range at {
				if v := math.Round(at[i]/unit) * unit; !r.steps(i) && precise.Finite(v) &&
					box[i].Contains(v) {
					at[i] = v
				}
			}
		}
		if r.mendAll(box, at) {
			return at
		}
	}
	return nil
}

// mendAll moves values of z so that all rules hold, a few times.
func (r *Rules) mendAll(box polytope.Box, z []float64) bool {
	for range 2*len(r.halves) + 1 {
		broken := slices.IndexFunc(r.halves,
			func(h polytope.HalfSpace) bool { return !rules.Keeps(&h, z) })
		if broken < 0 {
			return true
		}
		if !r.mend(box, z, &r.halves[broken]) {
			return false
		}
	}
	return false
}

// mend moves one value of z so that a rule holds: one with a coefficient that is a power of two, if
// that will do, by which quotients are exact, else with a large one.
func (r *Rules) mend(box polytope.Box, z []float64, h *polytope.HalfSpace) bool {
	if h.Open {
		return false
	}
	excess, order := rules.Excess(h, z), make([]int, 0, len(z))
	for i, a := range h.A {
		if a != 0 && !r.steps(i) && box[i].Lo < box[i].Hi {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int {
		return cmp.Or(cmp.Compare(digits(h.A[i]), digits(h.A[j])),
			cmp.Compare(math.Abs(h.A[j]), math.Abs(h.A[i])))
	})
	for _, i := range order {
		was := z[i]
		to := new(big.Rat).Quo(excess, exact.Float(h.A[i]))
		z[i], _ = to.Sub(exact.Float(was), to).Float64()
		if precise.Finite(z[i]) && !rules.Keeps(h, z) {
			z[i] = math.Nextafter(z[i], math.Copysign(math.Inf(1), -h.A[i]))
		}
		if precise.Finite(z[i]) && box[i].Contains(z[i]) && rules.Keeps(h, z) {
			return true
		}
		z[i] = was
	}
	return false
}

// digits returns 0 for a power of two, and 1 for other numbers.
func digits(a float64) int {
	if fraction, _ := math.Frexp(math.Abs(a)); fraction == 0.5 {
		return 0
	}
	return 1
}
