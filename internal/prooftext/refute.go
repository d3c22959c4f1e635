package prooftext

import (
	"math"
	"math/big"
	"strconv"

	"github.com/seed-1a7dc1f9/facet/internal/closest"
	"github.com/seed-1a7dc1f9/facet/internal/exact"
	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/internal/search"
)

// Refuter finds combinations of half-spaces that no input nearer than a bound satisfies.
type Refuter struct {
	Combiner
	q       *search.Query
	dim     int
	program *closest.Program
	faces   []HalfSpace // of the domain, those that are finite
}

// NewRefuter returns one for the inputs of a query without prices.
func NewRefuter(q *search.Query, bound float64) *Refuter {
	r := &Refuter{
		Combiner: Combiner{Norm: q.Norm, Bound: bound},
		q:        q,
		dim:      len(q.X),
		program:  closest.New(q.Norm),
	}
	for f, i := range q.Domain {
		if !math.IsInf(i.Hi, 0) {
			r.faces = append(r.faces, r.face(f, true))
		}
		if !math.IsInf(i.Lo, 0) {
			r.faces = append(r.faces, r.face(f, false))
		}
	}
	return r
}

// face returns the upper or the lower face of the domain in a feature.
func (r *Refuter) face(f int, upper bool) HalfSpace {
	unit := make([]float64, r.dim)
	if upper {
		unit[f] = 1
		return Plane(unit, r.q.Domain[f].Hi, r.q.X, "+"+strconv.Itoa(f))
	}
	unit[f] = -1
	return Plane(unit, -r.q.Domain[f].Lo, r.q.X, "-"+strconv.Itoa(f))
}

// Plane returns w·z ≤ t, for finite numbers, as a half-space of displacements from x.
func Plane(w []float64, t float64, x []float64, name string) HalfSpace {
	excess, err := precise.Excess(w, t, x)
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

// Refute returns a combination, as Write takes it, of half-spaces and faces of the domain that
// proves the bound; false when it finds none.
func (r *Refuter) Refute(terms []HalfSpace) (used []HalfSpace, multipliers []*big.Int, ok bool) {
	used, status, _ := r.solve(terms)
	weights := r.weights(used)
	if multipliers, ok = r.Combine(used, weights); ok || status != closest.Infeasible {
		return used, multipliers, ok
	}
	most, _ := largest(weights)
	var support []HalfSpace
	for i, w := range weights {
		if w > most*negligible {
			support = append(support, used[i])
		}
	}
	return r.Contradict(support)
}

// RefuteEmpty is Refute for half-spaces that meet nearer than the bound, but in points alone that
// open ones leave out.
func (r *Refuter) RefuteEmpty(
	terms []HalfSpace,
) (used []HalfSpace, multipliers []*big.Int, ok bool) {
	if _, status, _ := r.solve(terms); status != closest.Optimal {
		return nil, nil, false
	}
	size := 1.0
	for _, t := range terms {
		if length := geometry.DualLength(r.Norm, t.A); length > 0 {
			size = max(size, math.Abs(t.B)/length)
		}
	}
	// Where the sum of half-spaces says 0 ≤ 0, each of them holds with equality.
	for _, t := range append(terms[:len(terms):len(terms)], r.faces...) {
		if r.program.Violated(t.A, t.B-touching*size*geometry.DualLength(r.Norm, t.A)) {
			used = append(used, t)
		}
	}
	return r.Contradict(used)
}

// touching is how near a point a half-space ends that counts as one through it, in terms of the
// size of all.
const touching = 0x1p-30

// solve finds the closest point of half-spaces and of the domain, whose faces it adds to them where
// they matter.
func (r *Refuter) solve(
	terms []HalfSpace,
) (used []HalfSpace, status closest.Status, err error) {
	r.program.Reset(r.dim)
	used = append(used, terms...)
	for _, t := range terms {
		r.program.Add(t.A, t.B, t.Err)
	}
	named := make([]bool, len(r.faces))
	for {
		status, err = r.program.Solve(max(r.Bound*overshoot, math.SmallestNonzeroFloat64))
		before := len(used)
		for i, s := range r.faces {
			if err == nil && !named[i] && r.program.Violated(s.A, s.B) {
				r.program.Add(s.A, s.B, s.Err)
				used, named[i] = append(used, s), true
			}
		}
		if len(used) == before {
			return used, status, err
		}
	}
}

// weights returns the multipliers of the half-spaces that prove the bound of the program.
func (r *Refuter) weights(used []HalfSpace) []float64 {
	weights := make([]float64, len(used))
	r.program.Multipliers(func(row int, lambda float64) {
		if length := geometry.DualLength(r.Norm, used[row].A); length > 0 {
			lambda /= length
		}
		weights[row] = lambda
	})
	return weights
}

// overshoot is how far a program goes beyond the bound, in its terms: farther takes more pivots,
// but multipliers of fewer bits.
const overshoot = 1.02
