package trees

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// Of a vote Share there are two labels, and a sum of each class. Label 1 wins where the softmax of
// class Of comes to Least, which is where the sum of exp(d) over the other classes is at most
// (1−Least)/Least: d is by how much the sum of such a class exceeds that of Of.

// Labels returns the number of labels that the vote tells apart.
func (s *Sums) Labels() int {
	if s.Vote.Rule == Share {
		return 2
	}
	return s.Classes
}

// Softmax returns the share of class Of. It uses sum as scratch space.
func (s *Sums) Softmax(sum []float64) float64 {
	s.Vote.softmax(sum)
	return sum[s.Vote.Of]
}

// WithShare returns the question of the same sums whether the softmax of a class comes to least.
func (e *Ensemble[T]) WithShare(class int, least float64) (*Ensemble[T], error) {
	c := *e
	c.Vote.Rule, c.Vote.Of, c.Vote.Least = Share, class, least
	if err := c.Vote.check(c.Classes, c.Len()); err != nil {
		return nil, FaultOf(err)
	}
	return &c, nil
}

// room returns an upper bound of the sum of exp(d) where label 1 wins, and a lower bound where
// label 0 does, however exponentials are rounded. No input has label 0 if the second is +Inf, and
// none label 1 if the first is 0.
func (s *Sums) room() (above, below float64) {
	// Each of the exponentials is off by a unit and by the rounding error of the difference of two
	// sums, at most 746 where it is none of zero; so is their sum, and the quotient.
	least, unit := s.Vote.Least, float64(s.Classes+1000)*0x1p-52
	if s.Vote.Single {
		unit = float64(s.Classes+8) * 0x1p-22
	}
	const tiny = 0x1p-100 // exponentials are 0 below
	from, to := least*(1-unit)-tiny, least*(1+unit)+tiny
	switch {
	case least <= 0:
		return math.Inf(1), math.Inf(1)
	case least > 1:
		return 0, 0
	}
	above = math.Inf(1)
	if from > 0 {
		above = (1 - from) / from
	}
	// Terms that do not come to a quarter of a unit together are lost beside 1.
	below = max((1-to)/to, unit/float64(8*(s.Classes+1000)))
	return above, below
}

// raised is a margin that may fall short by so much. Where all margins may anyway, together too, it
// is by no more than that takes.
func (s *Sums) raised(label, rival int, by float64) Margin {
	l := s.margin(label, rival)
	by = min(by, 2*floats.Sum(s.size)+math.Log(float64(s.Classes))+1)
	l.Base += by
	l.Slack += math.Abs(by) * (0x1p-50*float64(s.Len()+2) + 0x1p-42)
	l.Change += math.Abs(by) * 0x1p-51
	return l
}

// Shares returns the margins that each way to a label of a vote Share needs: of label 1 that the
// sum of Of leads all others, of label 0 a way for each other class, whose sum is the largest of
// these and comes near that of Of.
func (s *Sums) Shares(label int) (ways [][]Margin) {
	above, below := s.room()
	of := s.Vote.Of
	if label == 1 {
		if above == 0 {
			return nil
		}
		var margins []Margin
		for r := range s.Classes {
			if r != of {
				margins = append(margins, s.raised(of, r, math.Log(above)))
			}
		}
		return [][]Margin{margins}
	}
	if math.IsInf(below, 1) {
		return nil
	}
	for r := range s.Classes {
		if r == of {
			continue
		}
		margins := []Margin{s.raised(r, of, math.Log(float64(s.Classes-1))-math.Log(below))}
		for other := range s.Classes {
			if other != of && other != r {
				margins = append(margins, s.margin(r, other))
			}
		}
		ways = append(ways, margins)
	}
	return ways
}
