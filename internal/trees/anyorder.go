package trees

import (
	"math"
	"slices"
)

// MayWin reports whether a label wins with sums that were added in the order of the trees, or
// could win with those that another order makes of the same leaves, in a vote of AnyOrder. It may
// use sum as scratch space.
func (s *Sums) MayWin(label int, sum []float64) bool {
	if !s.Vote.AnyOrder {
		return s.Decide(sum) == label
	}
	if s.Vote.Rule == Share {
		return s.mayReach(label, sum)
	}
	for r, v := range sum {
		// The sums of both orders lie within the slack of the exact one.
		if r != label && v-sum[label] > 2*s.margin(label, r).Slack {
			return false
		}
	}
	return true
}

// mayReach is MayWin of a Share.
func (s *Sums) mayReach(label int, sum []float64) bool {
	above, below := s.room()
	of, total := s.Vote.Of, 0.0
	for r, v := range sum {
		if r == of {
			continue
		}
		off := 2 * s.margin(of, r).Slack
		if label == 1 {
			off = -off
		}
		total += math.Exp(v - sum[of] + off)
	}
	if label == 1 {
		return total <= above
	}
	return total >= below
}

// Certain reports whether x has its label in every order in which the trees may be added.
func (e *Ensemble[T]) Certain(x []float64) bool {
	return !e.Vote.AnyOrder || !e.someOther(x, e.MayWin)
}

// someOther reports whether something holds of a label that x does not have, and its sums.
func (e *Ensemble[T]) someOther(x []float64, holds func(label int, sum []float64) bool) bool {
	sum := make([]float64, e.Classes)
	e.Score(x, sum)
	label := e.Decide(slices.Clone(sum))
	for r := range e.Labels() {
		if r != label && holds(r, slices.Clone(sum)) {
			return true
		}
	}
	return false
}
