package polytope

import (
	"fmt"
	"math"
	"math/big"

	"github.com/seed-1a7dc1f9/facet/internal/exact"
)

// infeasible answers a problem whose rows look as if they contradicted each other.
// Whether they do is decided in exact arithmetic: half-spaces that are all but
// parallel may meet far away. Those that Rest names are not known exactly, so that
// it can be for the caller to decide.
func (w *native) infeasible(p Problem) (Solution, error) {
	s := w.unfinished(StatusInfeasible)
	if p.Margin > 0 || math.IsInf(s.Bound, 1) || w.refuted(p) {
		s.Bound = math.Inf(1)
		return s, nil
	}
	if p.Region.Rest != nil {
		return s, nil
	}
	s.Status = StatusStopped
	return s, fmt.Errorf("polytope: %w: %d half-spaces all but contradict each other", ErrNumerical, w.program.Len())
}

// refuted reports whether the rows to which the program has given multipliers, and
// the box, have no point in common.
func (w *native) refuted(p Problem) bool {
	var rows []exact.Inequality
	w.program.Multipliers(func(i int, weight float64) {
		listed, a, b, err := w.lazy.Source(i)
		var right *big.Rat
		switch {
		case listed >= 0:
			h := p.Region.HalfSpaces[listed]
			a, right = h.A, exact.Float(h.B)
		case a != nil:
			right = absolute(p.X, a, b, err)
		default:
			return // a side of the box
		}
		rows = append(rows, exact.Inequality{A: a, B: right, Weight: weight / p.Norm.Dual().Length(a)})
	})
	lo, hi := make([]float64, len(p.X)), make([]float64, len(p.X))
	for j := range lo {
		lo[j], hi[j] = math.Inf(-1), math.Inf(1)
		if p.Region.Box != nil {
			lo[j], hi[j] = p.Region.Box[j].Lo, p.Region.Box[j].Hi
		}
	}
	return exact.Refuted(rows, lo, hi)
}

// absolute returns the right-hand side of a·z ≤ b + a·x for a row a·u ≤ b, moved
// outwards by what rounding may have done to b.
func absolute(x, a []float64, b, err float64) *big.Rat {
	sum := new(big.Rat).Add(exact.Float(b), exact.Float(err))
	for j, a := range a {
		sum.Add(sum, new(big.Rat).Mul(exact.Float(a), exact.Float(x[j])))
	}
	return sum
}
