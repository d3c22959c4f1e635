package instance

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Tree is an attack on a random tree.
type Tree struct {
	Tree   *classifier.Tree
	Query  []float64
	Target *int
	Box    polytope.Box
}

// DrawTree makes trees biased to trouble: coarse thresholds, equal ones on a path, neighbouring
// float32 and float64, queries on thresholds, tied leaves, boxes with open, equal and infinite ends.
func DrawTree(t testing.TB, rng *rand.Rand) Tree {
	t.Helper()
	dim, classes := 1+rng.IntN(4), 2+rng.IntN(3)
	kind := rng.IntN(4)
	draw := func() float64 {
		switch v := float64(rng.IntN(9) - 4); kind {
		case 0:
			return v / 4
		case 1: // no float32
			return v / 10
		case 2: // beside one
			v /= 10
			return math.Nextafter(v, v+float64(rng.IntN(3)-1))
		}
		return rng.NormFloat64()
	}
	tree := GrowTree(t, rng, classifier.Comparison(rng.IntN(4)), dim, classes, 1+rng.IntN(6), draw, func() float64 { return float64(rng.IntN(3)) })
	in := Tree{Tree: tree}
	for range dim {
		in.Query = append(in.Query, draw())
	}
	if rng.IntN(3) == 0 {
		in.Target = new(rng.IntN(classes))
	}
	if rng.IntN(3) == 0 {
		for range dim {
			a, b := draw(), draw()
			i := polytope.Interval{Lo: min(a, b), Hi: max(a, b)}
			switch rng.IntN(6) {
			case 0:
				i.Lo = math.Inf(-1)
			case 1:
				i.Hi = math.Inf(1)
			case 2:
				i.LoOpen, i.HiOpen = i.Lo < i.Hi, i.Lo < i.Hi && rng.IntN(2) == 0
			}
			in.Box = append(in.Box, i)
		}
	}
	return in
}

// GrowTree draws a tree of at most this depth, its thresholds and leaf values.
func GrowTree(t testing.TB, rng *rand.Rand, p classifier.Comparison, dim, classes, depth int, threshold, value func() float64) *classifier.Tree {
	t.Helper()
	var nodes []classifier.TreeNode
	var grow func(depth int) int
	grow = func(depth int) int {
		id := len(nodes)
		n := classifier.TreeNode{Feature: -1, Left: -1, Right: -1, Value: make([]float64, classes)}
		for c := range n.Value {
			n.Value[c] = value()
		}
		nodes = append(nodes, n)
		if depth > 0 && rng.IntN(6) > 0 {
			n := classifier.TreeNode{Feature: rng.IntN(dim), Threshold: threshold(), Value: n.Value}
			n.Left = grow(depth - 1)
			n.Right = grow(depth - 1)
			nodes[id] = n
		}
		return id
	}
	grow(depth)
	tree, err := classifier.NewTree(dim, p, nodes)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// LastLeft finds, by bisection of the numbered float64, the last one that a tree
// of this comparison sends left; ok is false when it sends none.
func LastLeft(p classifier.Comparison, threshold float64) (x float64, ok bool) {
	left := func(v float64) bool {
		switch p {
		case classifier.AtMostFloat32:
			return float64(float32(v)) <= threshold
		case classifier.BelowFloat32:
			return float64(float32(v)) < threshold
		case classifier.BelowFloat64:
			return v < threshold
		}
		return v <= threshold
	}
	hi := int64(math.Float64bits(math.MaxFloat64))
	lo := -hi
	if !left(nth(lo)) {
		return 0, false
	}
	for lo < hi {
		if middle := (lo >> 1) + (hi >> 1) + 1; left(nth(middle)) {
			lo = middle
		} else {
			hi = middle - 1
		}
	}
	return nth(lo), true
}

// nth returns the i-th float64 above 0, or the −i-th below.
func nth(i int64) float64 {
	if i < 0 {
		return -math.Float64frombits(uint64(-i))
	}
	return math.Float64frombits(uint64(i))
}

// Radius goes through every leaf: on the float64 line its inputs fill closed intervals,
// so the nearest of them is found by clamping the query. It is +Inf when no leaf answers.
func (in Tree) Radius(norm polytope.Norm) float64 {
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
			last, any := LastLeft(in.Tree.Comparison(), n.Threshold)
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
		least = min(least, map[polytope.Norm]float64{polytope.LInf: most, polytope.L1: sum, polytope.L2: hypot}[norm])
	}
	visit(0)
	return least
}

// Check compares a result with the radius, to 1e-12.
func (in Tree) Check(norm polytope.Norm, r attack.Result) error {
	truth := in.Radius(norm)
	switch {
	case !r.Optimal:
		return fmt.Errorf("not optimal: %+v, want %v", r, truth)
	case math.IsInf(truth, 1):
		if r.Example != nil || !math.IsInf(r.Bound, 1) || !math.IsInf(r.Distance, 1) || r.Label != -1 {
			return fmt.Errorf("%+v where nothing is adversarial", r)
		}
		return nil
	case r.Example == nil:
		return fmt.Errorf("no example, want one at %v", truth)
	case in.Tree.Predict(r.Example) != r.Label || r.Label == in.Tree.Predict(in.Query) || (in.Target != nil && r.Label != *in.Target):
		return fmt.Errorf("example %v is predicted %d, result says %d", r.Example, in.Tree.Predict(r.Example), r.Label)
	case !in.Box.Contains(r.Example):
		return fmt.Errorf("example %v lies outside the domain", r.Example)
	case r.Distance != norm.Distance(in.Query, r.Example) || math.Abs(r.Distance-truth) > 1e-12:
		return fmt.Errorf("distance %v, want %v, off by %g", r.Distance, truth, r.Distance-truth)
	case r.Bound > truth*(1+1e-15) || r.Bound < truth-1e-12:
		return fmt.Errorf("bound %v, want %v, off by %g", r.Bound, truth, r.Bound-truth)
	}
	return nil
}
