package metrics

import (
	"fmt"
	"math"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/jsonvalue"
)

// Robustness sums up the attacked points among many.
type Robustness struct {
	// Mean is the empirical robustness: the mean distance of the points for which an
	// example was found. MeanBound is the mean of their bounds: the mean
	// radius of these points lies between the two. Both are NaN when Found is 0.
	Mean, MeanBound float64
	Attacked        int
	Found           int // have an example
	Optimal         int // were searched to the end, those in None included
	None            int // are proven to have no example at all
}

// MarshalJSON writes the fields by their names, and means that are NaN as words.
func (r Robustness) MarshalJSON() ([]byte, error) { return jsonvalue.Fields(r) }

// EmpiricalRobustness sums up the attacked ones of points. Errors wrap classifier.ErrEmpty when
// there are none, and classifier.ErrOption for a distance or bound that is NaN or negative.
func EmpiricalRobustness(points []Point) (Robustness, error) {
	var r Robustness
	var distances, bounds float64
	for i := range points {
		p := &points[i]
		if !p.Attacked {
			continue
		}
		if err := p.check(); err != nil {
			return Robustness{}, fmt.Errorf("metrics: %w", err)
		}
		r.Attacked++
		if p.Optimal() {
			r.Optimal++
		}
		switch {
		case !math.IsInf(p.Distance, 1):
			r.Found++
			distances += p.Distance
			bounds += p.Bound
		case p.Optimal():
			r.None++
		}
	}
	if r.Attacked == 0 {
		return Robustness{}, fmt.Errorf("metrics: %w: no point was attacked", classifier.ErrEmpty)
	}
	r.Mean = distances / float64(r.Found)
	r.MeanBound = bounds / float64(r.Found)
	return r, nil
}

// Defscore returns the factor by which a defence raises the empirical robustness:
// defended over undefended, each measured on its own points. Above 1 the defence
// helps. Errors wrap classifier.ErrOption for numbers that are NaN, infinite or negative, or
// an undefended robustness of 0.
func Defscore(defended, undefended float64) (float64, error) {
	if !(defended >= 0 && undefended >= 0) || math.IsInf(defended, 1) || math.IsInf(undefended, 1) {
		return 0, fmt.Errorf("metrics: defscore of %v over %v: %w and finite",
			defended, undefended, errNumber)
	}
	if undefended == 0 {
		return 0, fmt.Errorf("metrics: defscore of %v over 0: %w to divide by", defended, errNumber)
	}
	return defended / undefended, nil
}

// Share is a share of the points that is known to lie in an interval.
type Share struct {
	Certified float64 // proven
	Possible  float64 // not refuted
}

// Astuteness returns the share of the points that are classified correctly with a robustness
// radius of at least r (Definition 1 of the paper): certified where
// Bound ≥ r, possible where no example nearer than r was found. Misclassified
// points count as not astute, so leave them among the points. Of results
// that are all optimal the two differ only when r lies within rounding
// errors of a radius.
//
// Errors wrap classifier.ErrEmpty without points, and classifier.ErrOption for an r, a distance or
// a bound that is NaN or negative.
func Astuteness(points []Point, r float64) (Share, error) {
	return share("astuteness", points, r, func(p *Point) (certified, possible bool) {
		return p.Bound >= r, p.Distance >= r
	})
}

// RobustAccuracy returns the share of the points that are classified correctly and robust at r, as
// Result.Verdict tells: no other label within r. It is the Astuteness, but for points whose
// distance equals r, within rounding errors: they are astute and not robust. Errors are those of
// Astuteness.
func RobustAccuracy(points []Point, r float64) (Share, error) {
	return share("robust accuracy", points, r, func(p *Point) (certified, possible bool) {
		v := p.Verdict(r)
		return v == attack.Holds, v != attack.Refuted
	})
}

// share counts the points that are classified correctly and have a property, by the verdicts of
// attacks about it.
func share(
	name string, points []Point, r float64, has func(p *Point) (certified, possible bool),
) (Share, error) {
	if !(r >= 0) {
		return Share{}, fmt.Errorf("metrics: %s at radius %v: %w", name, r, errNumber)
	}
	if len(points) == 0 {
		return Share{}, fmt.Errorf("metrics: %s: %w", name, classifier.ErrEmpty)
	}
	var s Share
	for i := range points {
		p := &points[i]
		if p.Predicted != p.TrueLabel {
			continue
		}
		certified, possible := false, true
		if p.Attacked {
			if err := p.check(); err != nil {
				return Share{}, fmt.Errorf("metrics: %w", err)
			}
			certified, possible = has(p)
		}
		if certified {
			s.Certified++
		}
		if possible {
			s.Possible++
		}
	}
	n := float64(len(points))
	return Share{s.Certified / n, s.Possible / n}, nil
}
