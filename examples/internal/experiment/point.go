package experiment

import (
	"math"
	"time"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/metrics"
)

// point is a metrics.Point in a file: JSON has no infinities.
type point struct {
	Row       int           `json:"row"`
	Label     int           `json:"label"`
	Predicted int           `json:"predicted"`
	Distance  *float64      `json:"distance"` // null stands for +Inf
	Bound     *float64      `json:"bound"`    // likewise
	Optimal   bool          `json:"optimal"`
	Reached   int           `json:"adversarial_label"`
	Example   []float64     `json:"adversarial"`
	Nodes     int           `json:"nodes"`
	Solves    int           `json:"solves"`
	Time      time.Duration `json:"nanoseconds"`
}

func newPoint(p *metrics.Point) point {
	return point{
		Row: p.Row, Label: p.Label, Predicted: p.Predicted,
		Distance: finite(p.Distance), Bound: finite(p.Bound), Optimal: p.Optimal,
		Reached: p.Result.Label, Example: p.Example,
		Nodes: p.Nodes, Solves: p.Solves, Time: p.Time,
	}
}

func (p *point) restore() metrics.Point {
	return metrics.Point{
		Row: p.Row, Label: p.Label, Predicted: p.Predicted, Attacked: true,
		Result: attack.Result{
			Example: p.Example, Label: p.Reached,
			Distance: infinite(p.Distance), Bound: infinite(p.Bound), Optimal: p.Optimal,
			Nodes: p.Nodes, Solves: p.Solves,
		},
		Time: p.Time,
	}
}

func finite(v float64) *float64 {
	if math.IsInf(v, 1) {
		return nil
	}
	return &v
}

func infinite(v *float64) float64 {
	if v == nil {
		return math.Inf(1)
	}
	return *v
}
