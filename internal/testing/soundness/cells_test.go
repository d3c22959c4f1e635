package soundness

import (
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/testing/oracle"
)

// ruled is the question to package oracle, about cells so far from whose sides to stay.
func (q *Query) ruled(margin float64) oracle.Ruled {
	r := oracle.Unpriced(oracle.Norm(q.Norm), q.X, oracle.Box{})
	r.Inset = margin
	for j, side := range q.box() {
		r.Lo[j], r.Hi[j] = side.Lo, side.Hi
		end := func(v, sign float64, open bool) {
			if open && !math.IsInf(v, 0) {
				unit := make([]float64, len(q.X))
				unit[j] = sign
				r.Linear = append(r.Linear, oracle.HalfOf(unit, sign*v, false))
			}
		}
		end(side.Lo, -1, side.LoOpen)
		end(side.Hi, 1, side.HiOpen)
		if f := q.rule(j); q.Rules != nil {
			r.Up[j], r.Down[j] = f.Up, f.Down
		}
	}
	for _, h := range q.Linear {
		r.Linear = append(r.Linear, oracle.HalfOf(h.A, h.B, !h.Open))
	}
	return r
}

// infimum returns the distance to the nearest cell whose label answers.
func (in *KNN) infimum(from int) Infimum { return in.within(from, 0) }

func (in *KNN) within(from int, margin float64) Infimum {
	goal := func(label int) bool { return in.Query.reaches(from, label) }
	cost := in.Query.ruled(margin).KNN(in.Rows, in.Labels, in.K, goal)
	return Infimum{None: cost == nil, Norm: in.Query.Norm, Cost: cost}
}
