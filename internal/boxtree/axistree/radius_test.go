package axistree_test

import (
	"fmt"
	"math"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// leafRadius goes through every leaf: on the float64 line its inputs fill closed intervals,
// so the nearest of them is found by clamping the query. It is +Inf when no leaf answers.
func leafRadius(in instance.Tree, norm polytope.Norm) float64 {
	nodes := in.Tree.Nodes()
	from := in.Tree.Predict(in.Query)
	dim := len(in.Query)
	lo, hi := make([]float64, dim), make([]float64, dim)
	for j := range lo {
		lo[j], hi[j] = -math.MaxFloat64, math.MaxFloat64
		if in.Box != nil {
			i := in.Box[j]
			lo[j], hi[j] = max(lo[j], i.Lo), min(hi[j], i.Hi)
			if i.LoOpen {
				lo[j] = math.Nextafter(i.Lo, math.Inf(1))
			}
			if i.HiOpen {
				hi[j] = math.Nextafter(i.Hi, math.Inf(-1))
			}
		}
	}
	least := math.Inf(1)
	var visit func(id int)
	visit = func(id int) {
		n := nodes[id]
		if n.Left >= 0 {
			f := n.Feature
			oldLo, oldHi := lo[f], hi[f]
			last, any := instance.LastLeft(in.Tree.Comparison(), n.Threshold)
			if any {
				hi[f] = min(oldHi, last)
				visit(n.Left)
				hi[f] = oldHi
				lo[f] = max(oldLo, math.Nextafter(last, math.Inf(1)))
			}
			visit(n.Right)
			lo[f] = oldLo
			return
		}
		label := 0
		for c, v := range n.Value {
			if v > n.Value[label] {
				label = c
			}
		}
		if label == from || (in.Target != nil && label != *in.Target) {
			return
		}
		var sum, most, hypot float64
		for j, v := range in.Query {
			if lo[j] > hi[j] {
				return
			}
			gap := max(lo[j]-v, v-hi[j], 0)
			sum, most, hypot = sum+gap, max(most, gap), math.Hypot(hypot, gap)
		}
		least = min(least,
			map[polytope.Norm]float64{
				polytope.LInf: most,
				polytope.L1:   sum,
				polytope.L2:   hypot,
			}[norm])
	}
	visit(0)
	return least
}

// checkTree compares a result with the radius, to 1e-12.
func checkTree(in instance.Tree, norm polytope.Norm, r attack.Result) error {
	truth := leafRadius(in, norm)
	switch {
	case !r.Optimal():
		return fmt.Errorf("not optimal: %+v, want %v", r, truth)
	case math.IsInf(truth, 1):
		if r.Example != nil || !math.IsInf(r.Bound, 1) || !math.IsInf(r.Distance, 1) ||
			r.Label != -1 {
			return fmt.Errorf("%+v where nothing is adversarial", r)
		}
		return nil
	case r.Example == nil:
		return fmt.Errorf("no example, want one at %v", truth)
	case in.Tree.Predict(r.Example) != r.Label || r.Label == in.Tree.Predict(in.Query) ||
		(in.Target != nil && r.Label != *in.Target):
		return fmt.Errorf("example %v is predicted %d, result says %d",
			r.Example, in.Tree.Predict(r.Example), r.Label)
	case !in.Box.Contains(r.Example):
		return fmt.Errorf("example %v lies outside the domain", r.Example)
	case r.Distance != norm.Distance(in.Query, r.Example) || math.Abs(r.Distance-truth) > 1e-12:
		return fmt.Errorf("distance %v, want %v, off by %g", r.Distance, truth, r.Distance-truth)
	case r.Bound > truth*(1+1e-15) || r.Bound < truth-1e-12:
		return fmt.Errorf("bound %v, want %v, off by %g", r.Bound, truth, r.Bound-truth)
	}
	return nil
}
