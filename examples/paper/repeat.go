package main

import (
	"context"
	"math"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/seed-1a7dc1f9/facet/examples/internal/experiment"
)

// repeated is what a quantity becomes over repetitions of everything with the seeds
// 0, 1, …: other splits, other draws of generated sets, other trees.
type repeated struct {
	quantity
	times int
	of    func(values []float64) float64
}

func (q repeated) sets(set string) []string {
	sets := make([]string, q.times)
	for i := range sets {
		sets[i] = experiment.Seeded(set, uint32(i))
	}
	return sets
}

func (q repeated) runs(set string) []experiment.Run {
	var runs []experiment.Run
	for _, s := range q.sets(set) {
		runs = append(runs, q.quantity.runs(s)...)
	}
	return runs
}

func (q repeated) value(ctx context.Context, lab *experiment.Lab, set string) (float64, error) {
	var values []float64
	for _, s := range q.sets(set) {
		v, err := q.quantity.value(ctx, lab, s)
		if err != nil {
			return 0, err
		}
		if !math.IsNaN(v) {
			values = append(values, v)
		}
	}
	if len(values) < 2 {
		return math.NaN(), nil
	}
	return q.of(values), nil
}

func mean(values []float64) float64 { return stat.Mean(values, nil) }

// halfInterval is half the width of the 95 % confidence interval of the mean, by
// Student's distribution.
func halfInterval(values []float64) float64 {
	n := float64(len(values))
	t := distuv.StudentsT{Sigma: 1, Nu: n - 1}.Quantile(0.975)
	return t * stat.StdDev(values, nil) / math.Sqrt(n)
}
