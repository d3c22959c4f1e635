package trees

import (
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/search"
)

// Margin is the margin of one label over another: Base and the sum of the gains of one leaf
// of each tree.
type Margin struct {
	Label, Rival int
	Base         float64
	// Slack is how far below a tie a sum of gains may lie, by rounding in another order
	// than the vote's own, and still turn out to answer; each change of the sum adds
	// Change to it.
	Slack, Change float64
}

// Gain returns the contribution of a leaf to the margin.
func (l *Margin) Gain(value []float64) float64 { return value[l.Label] - value[l.Rival] }

// Margins returns the margins that a label needs to answer: that over the one predicted for X
// or, when no other answer will do, over every other one.
func (s *Sums) Margins(q *search.Query, label int) []Margin {
	return s.MarginsOver(label, func(rival int) bool {
		return rival == q.From || (q.Target >= 0 && rival != label)
	})
}

// MarginsOver returns the margins of a label over its rivals.
func (s *Sums) MarginsOver(label int, isRival func(label int) bool) []Margin {
	var margins []Margin
	for rival := range s.Classes {
		if isRival(rival) {
			margins = append(margins, s.margin(label, rival))
		}
	}
	return margins
}

// margin compares two labels. Hard votes are counted without rounding; half a vote decides
// a tie for the smaller label. Any other vote of T trees rounds T times in its own
// arithmetic, and so does a sum of gains in float64, whose terms are rounded themselves.
// A mean of votes is rounded once more, perhaps to a subnormal number. A sum over intervals
// besides, of a few hundred, rounds less than 2⁻⁴² of its size.
func (s *Sums) margin(label, rival int) Margin {
	base := s.Vote.Base
	l := Margin{Label: label, Rival: rival, Base: base[label] - base[rival]}
	if s.Vote.Counts() {
		if l.Base = 0.5; s.Vote.yields(label, rival) {
			l.Base = -0.5
		}
		return l
	}
	size := s.size[label] + s.size[rival]
	unit := 0x1p-50
	if s.Vote.Single {
		unit = 0x1p-24
	}
	l.Slack = (unit*size+math.SmallestNonzeroFloat64)*float64(s.Len()+2) + 0x1p-42*size +
		s.Vote.tieSlack()
	l.Change = 0x1p-51 * size
	return l
}
