package rules

import (
	"errors"
	"fmt"
	"math/big"

	"github.com/seed-1a7dc1f9/facet/internal/exact"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Keeps reports whether z lies in a half-space, in exact arithmetic: a linear rule about float64
// numbers depends on no rounding.
func Keeps(h *polytope.HalfSpace, z []float64) bool {
	v, err := precise.Excess(h.A, h.B, z)
	sign := exact.Sign(v, err, func() int { return Excess(h, z).Sign() })
	return sign < 0 || sign == 0 && !h.Open
}

// Excess returns A·z − B of a half-space with a finite B, exactly.
func Excess(h *polytope.HalfSpace, z []float64) *big.Rat {
	v := exact.Float(-h.B)
	for j, a := range h.A {
		if a != 0 {
			v.Add(v, new(big.Rat).Mul(exact.Float(a), exact.Float(z[j])))
		}
	}
	return v
}

// KeepsAll is Keeps of several half-spaces.
func KeepsAll(all []polytope.HalfSpace, z []float64) bool {
	for i := range all {
		if !Keeps(&all[i], z) {
			return false
		}
	}
	return true
}

// refusedLinear returns why the linear rules cannot be followed by any classifier: they tie numbers
// together.
func (m *Moves) refusedLinear() error {
	for i, h := range m.Linear {
		for j, a := range h.A {
			if a == 0 {
				continue
			}
			move := m.Each[j]
			what := ""
			switch {
			case m.Member(j):
				what = fmt.Sprintf("a member of one-hot group %d", move.Group)
			case move.MayMiss():
				what = "missing, or may be"
			case move.Categorical && !move.stays:
				what = "a category"
			default:
				continue
			}
			return &polytope.FeatureError{
				Feature: j, What: fmt.Sprintf("is %s, and linear rule %d speaks of it", what, i),
				Err: errors.ErrUnsupported,
			}
		}
	}
	if m.Changes && len(m.Linear) > 0 {
		return fmt.Errorf("linear rules with counts of changes: %w", errors.ErrUnsupported)
	}
	return nil
}
