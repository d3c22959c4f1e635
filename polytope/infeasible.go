package polytope

import (
	"fmt"
	"math"
	"math/big"

	"github.com/seed-1a7dc1f9/facet/internal/exact"
)

// origin is where a row of a program comes from: the list (its place plus one),
// Rest (where its coefficients end in lazy.rest; b is known up to err), or else the
// box.
type origin struct {
	listed, rest int
	b, err       float64
}

// infeasible answers a problem whose rows look as if they contradicted each other.
// Whether they do is decided in exact arithmetic: half-spaces that are all but
// parallel may meet far away. Those that Rest names are not known exactly, so that
// it can be for the caller to decide.
func (w *lazy) infeasible() (Solution, error) {
	s := w.unfinished(StatusInfeasible)
	if w.p.Margin > 0 || math.IsInf(s.Bound, 1) || w.refuted() {
		s.Bound = math.Inf(1)
		return s, nil
	}
	if w.p.Region.Rest != nil {
		return s, nil
	}
	s.Status = StatusStopped
	return s, fmt.Errorf("polytope: %w: %d half-spaces all but contradict each other", ErrNumerical, w.program.Len())
}

// refuted reports whether the rows to which the program has given multipliers, and
// the box, have no point in common.
func (w *lazy) refuted() bool {
	var rows []exact.Inequality
	w.program.Multipliers(func(i int, weight float64) {
		switch o := w.origins[i]; {
		case o.listed > 0:
			h := w.p.Region.HalfSpaces[o.listed-1]
			rows = append(rows, exact.Inequality{A: h.A, B: exact.Float(h.B), Weight: weight / w.listed[o.listed-1].length})
		case o.rest > 0:
			a := w.rest[o.rest-len(w.p.X) : o.rest]
			rows = append(rows, exact.Inequality{A: a, B: w.absolute(a, o), Weight: weight / w.p.Norm.Dual().Length(a)})
		}
	})
	lo, hi := make([]float64, len(w.p.X)), make([]float64, len(w.p.X))
	for j := range lo {
		lo[j], hi[j] = math.Inf(-1), math.Inf(1)
		if w.p.Region.Box != nil {
			lo[j], hi[j] = w.p.Region.Box[j].Lo, w.p.Region.Box[j].Hi
		}
	}
	return exact.Refuted(rows, lo, hi)
}

// absolute returns the right-hand side of a·z ≤ b + a·x for a row a·u ≤ b, moved
// outwards by what rounding may have done to b.
func (w *lazy) absolute(a []float64, o origin) *big.Rat {
	sum := new(big.Rat).Add(exact.Float(o.b), exact.Float(o.err))
	for j, a := range a {
		sum.Add(sum, new(big.Rat).Mul(exact.Float(a), exact.Float(w.p.X[j])))
	}
	return sum
}
