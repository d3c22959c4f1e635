package prooftext

import (
	"math"
	"math/big"
	"strconv"

	"github.com/seed-1a7dc1f9/facet/internal/closest"
	"github.com/seed-1a7dc1f9/facet/internal/exact"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Refuter finds combinations of half-spaces that nothing nearer than a bound satisfies.
type Refuter struct {
	Combiner
	dim     int
	program *closest.Program
	sides   []HalfSpace // of the domain, those that are finite
}

// NewRefuter returns one for displacements from x within a domain, which may be nil.
func NewRefuter(norm polytope.Norm, x []float64, domain polytope.Box, bound float64) *Refuter {
	r := &Refuter{
		Combiner: Combiner{Norm: norm, Bound: bound, Domain: domain},
		dim:      len(x),
		program:  closest.New(closest.Norm(norm)),
	}
	for f, i := range domain {
		unit, opposite := make([]float64, len(x)), make([]float64, len(x))
		unit[f], opposite[f] = 1, -1
		if !math.IsInf(i.Hi, 0) {
			r.sides = append(r.sides, Plane(unit, i.Hi, x, "+"+strconv.Itoa(f)))
		}
		if !math.IsInf(i.Lo, 0) {
			r.sides = append(r.sides, Plane(opposite, -i.Lo, x, "-"+strconv.Itoa(f)))
		}
	}
	return r
}

// Plane returns w·z ≤ t, for finite numbers, as a half-space of displacements from x.
func Plane(w []float64, t float64, x []float64, name string) HalfSpace {
	excess, err := polytope.HalfSpace{A: w, B: t}.Excess(x)
	return HalfSpace{A: w, B: -excess, Err: err, Name: name, Exact: func() ([]*big.Rat, *big.Rat) {
		a, b := exact.Floats(w), exact.Float(t)
		for j, e := range a {
			if e.Sign() != 0 {
				b.Sub(b, new(big.Rat).Mul(e, exact.Float(x[j])))
			}
		}
		return a, b
	}}
}

// Refute returns a combination, as Write takes it, of half-spaces and sides of the domain that
// proves the bound; false when it finds none.
func (r *Refuter) Refute(terms []HalfSpace) (used []HalfSpace, multipliers []*big.Int, ok bool) {
	return r.refute(terms, 0)
}

// RefuteThin is Refute for half-spaces that may have points in common, but no interior.
func (r *Refuter) RefuteThin(
	terms []HalfSpace,
) (used []HalfSpace, multipliers []*big.Int, ok bool) {
	size := 0.0
	for _, t := range terms {
		if length := r.Norm.Dual().Length(t.A); length > 0 {
			size = max(size, math.Abs(t.B)/length)
		}
	}
	return r.refute(terms, max(size, 1)*thin)
}

// thin is by how much half-spaces are moved inwards to see whether they have an interior, in
// terms of their own size.
const thin = 0x1p-30

// refute does so of half-spaces moved inwards by a margin.
func (r *Refuter) refute(
	terms []HalfSpace, margin float64,
) (used []HalfSpace, multipliers []*big.Int, ok bool) {
	r.program.Reset(r.dim)
	used = append(used, terms...)
	dual := r.Norm.Dual()
	add := func(h HalfSpace) { r.program.Add(h.A, h.B-margin*dual.Length(h.A), h.Err) }
	for _, t := range terms {
		add(t)
	}
	named := make([]bool, len(r.sides))
	for {
		_, err := r.program.Solve(max(r.Bound*beyond, math.SmallestNonzeroFloat64))
		before := len(used)
		for i, s := range r.sides {
			if err == nil && !named[i] && r.program.Violated(s.A, s.B-margin) {
				add(s)
				used, named[i] = append(used, s), true
			}
		}
		if len(used) == before {
			break
		}
	}
	weights := make([]float64, len(used))
	r.program.Multipliers(func(row int, lambda float64) {
		if length := dual.Length(used[row].A); length > 0 {
			lambda /= length
		}
		weights[row] = lambda
	})
	if multipliers, ok = r.Combine(used, weights); !ok && (math.IsInf(r.Bound, 1) || margin > 0) {
		multipliers, ok = r.solved(used, weights, vanishing)
	}
	return used, multipliers, ok
}

// beyond is how far a program goes beyond the bound, in its terms: farther takes more pivots,
// but multipliers of fewer bits.
const beyond = 1.02
