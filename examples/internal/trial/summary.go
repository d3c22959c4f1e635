package trial

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/metrics"
)

// Summary is what the points say together.
type Summary struct {
	metrics.Robustness
	Bound                 float64 // mean of the finite ones, NaN without
	Gap                   float64 // mean of the points not proven, NaN without
	Median, Average, Most float64 // milliseconds a point
	Nodes, Programs       float64 // means
}

// Summarize sums the points up. The gap of a point is the part of its distance that is
// not proven, 1 without an example.
func Summarize(points []metrics.Point) (*Summary, error) {
	r, err := metrics.EmpiricalRobustness(points)
	if err != nil {
		return nil, err
	}
	s := &Summary{Robustness: r}
	times, bounds := make([]float64, len(points)), 0
	for i := range points {
		p := &points[i]
		times[i] = milliseconds(p.Time)
		s.Average += times[i] / float64(len(points))
		s.Nodes += float64(p.Nodes) / float64(len(points))
		s.Programs += float64(p.Solves) / float64(len(points))
		if !p.Optimal {
			s.Gap += gap(p)
		}
		if !math.IsInf(p.Bound, 1) {
			s.Bound += p.Bound
			bounds++
		}
	}
	s.Bound /= float64(bounds)
	s.Gap /= float64(r.Attacked - r.Optimal)
	slices.Sort(times)
	s.Most = times[len(times)-1]
	s.Median = (times[(len(times)-1)/2] + times[len(times)/2]) / 2
	return s, nil
}

// Without tells how many points the means of distances leave out.
func (s *Summary) Without() string {
	text := ""
	if s.None > 0 {
		text += fmt.Sprintf(", without %d points that no input changes", s.None)
	}
	if lost := s.Attacked - s.Found - s.None; lost > 0 {
		text += fmt.Sprintf(", without %d points for which no example was found", lost)
	}
	return text
}

// Mean shows a mean, or that there is none.
func Mean(v float64) string {
	if math.IsNaN(v) {
		return "-"
	}
	return fmt.Sprintf("%.6g", v)
}

// gap returns how much of the distance is not proven, 1 without an example.
func gap(p *metrics.Point) float64 {
	switch {
	case math.IsInf(p.Distance, 1):
		return 1
	case p.Distance == 0:
		return 0
	}
	return (p.Distance - p.Bound) / p.Distance
}

// status says how the attack on a point ended.
func status(p *metrics.Point) string {
	if !p.Optimal {
		return attack.StatusLimit.String()
	}
	return p.Status().String()
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// number writes a number in full, as programs that read tables expect it.
func number(v float64) string {
	if math.IsInf(v, 1) {
		return "inf"
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}
