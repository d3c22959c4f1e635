package main

import (
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/seed-1a7dc1f9/facet/metrics"
)

// summary is what the points say together.
type summary struct {
	metrics.Robustness
	bound                 float64 // mean of the finite ones, NaN without
	gap                   float64 // mean of the points not proven, NaN without
	median, mean, slowest float64 // milliseconds a point
	nodes                 float64 // mean
}

func summarize(points []metrics.Point) (*summary, error) {
	r, err := metrics.EmpiricalRobustness(points)
	if err != nil {
		return nil, err
	}
	s := &summary{Robustness: r}
	times, bounds := make([]float64, len(points)), 0
	for i := range points {
		p := &points[i]
		times[i] = milliseconds(p.Time)
		s.mean += times[i] / float64(len(points))
		s.nodes += float64(p.Nodes) / float64(len(points))
		if !p.Optimal {
			s.gap += gap(p)
		}
		if !math.IsInf(p.Bound, 1) {
			s.bound += p.Bound
			bounds++
		}
	}
	s.bound /= float64(bounds)
	s.gap /= float64(r.Attacked - r.Optimal)
	slices.Sort(times)
	s.slowest = times[len(times)-1]
	s.median = (times[(len(times)-1)/2] + times[len(times)/2]) / 2
	return s, nil
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
	switch {
	case !p.Optimal:
		return "limit"
	case p.Example == nil:
		return "none"
	}
	return "optimal"
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// number writes a number in full, as programs that read tables expect it.
func number(v float64) string {
	if math.IsInf(v, 1) {
		return "inf"
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}
