package metrics

import "fmt"

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
// Errors wrap ErrEmpty without points, and ErrNumber for an r, a distance or a
// bound that is NaN or negative.
func Astuteness(points []Point, r float64) (Share, error) {
	if !(r >= 0) {
		return Share{}, fmt.Errorf("metrics: astuteness at radius %v: %w", r, ErrNumber)
	}
	if len(points) == 0 {
		return Share{}, fmt.Errorf("metrics: astuteness: %w", ErrEmpty)
	}
	certified, possible := 0, 0
	for i := range points {
		p := &points[i]
		if !p.Correct() {
			continue
		}
		if p.Attacked {
			if err := p.check(); err != nil {
				return Share{}, fmt.Errorf("metrics: %w", err)
			}
		}
		if p.Attacked && p.Bound >= r {
			certified++
		}
		if !p.Attacked || p.Distance >= r {
			possible++
		}
	}
	n := float64(len(points))
	return Share{Certified: float64(certified) / n, Possible: float64(possible) / n}, nil
}
