package attack_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// treeInstance is an attack on a random tree.
type treeInstance struct {
	tree   *classifier.Tree
	query  []float64
	target *int
	box    polytope.Box
}

// drawTree makes trees biased to trouble: coarse thresholds, equal ones on a path, neighbouring
// float32 and float64, queries on thresholds, tied leaves, boxes with open, equal and infinite ends.
func drawTree(t *testing.T, rng *rand.Rand) treeInstance {
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
	tree := growTree(t, rng, classifier.Comparison(rng.IntN(4)), dim, classes, 1+rng.IntN(6), draw, func() float64 { return float64(rng.IntN(3)) })
	in := treeInstance{tree: tree}
	for range dim {
		in.query = append(in.query, draw())
	}
	if rng.IntN(3) == 0 {
		in.target = new(rng.IntN(classes))
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
			in.box = append(in.box, i)
		}
	}
	return in
}

// growTree draws a tree of at most this depth, its thresholds and leaf values.
func growTree(t *testing.T, rng *rand.Rand, p classifier.Comparison, dim, classes, depth int, threshold, value func() float64) *classifier.Tree {
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

// lastLeft finds, by bisection of the numbered float64, the last one that a tree
// of this comparison sends left; ok is false when it sends none.
func lastLeft(p classifier.Comparison, threshold float64) (x float64, ok bool) {
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

// radius goes through every leaf: on the float64 line its inputs fill closed intervals,
// so the nearest of them is found by clamping the query. It is +Inf when no leaf answers.
func (in treeInstance) radius(norm polytope.Norm) float64 {
	nodes := in.tree.Nodes()
	from := in.tree.Predict(in.query)
	dim := len(in.query)
	lo, hi := make([]float64, dim), make([]float64, dim)
	for j := range lo {
		lo[j], hi[j] = -math.MaxFloat64, math.MaxFloat64
		if in.box != nil {
			i := in.box[j]
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
			last, any := lastLeft(in.tree.Comparison(), n.Threshold)
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
		if label == from || (in.target != nil && label != *in.target) {
			return
		}
		var sum, most, hypot float64
		for j, v := range in.query {
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

// check compares a result with the radius, to 1e-12.
func (in treeInstance) check(norm polytope.Norm, r attack.Result) error {
	truth := in.radius(norm)
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
	case in.tree.Predict(r.Example) != r.Label || r.Label == in.tree.Predict(in.query) || (in.target != nil && r.Label != *in.target):
		return fmt.Errorf("example %v is predicted %d, result says %d", r.Example, in.tree.Predict(r.Example), r.Label)
	case !in.box.Contains(r.Example):
		return fmt.Errorf("example %v lies outside the domain", r.Example)
	case r.Distance != norm.Distance(in.query, r.Example) || math.Abs(r.Distance-truth) > 1e-12:
		return fmt.Errorf("distance %v, want %v, off by %g", r.Distance, truth, r.Distance-truth)
	case r.Bound > truth*(1+1e-15) || r.Bound < truth-1e-12:
		return fmt.Errorf("bound %v, want %v, off by %g", r.Bound, truth, r.Bound-truth)
	}
	return nil
}

func TestExactTreesAgainstLeaves(t *testing.T) {
	for _, norm := range norms {
		t.Run("norm="+norm.String(), func(t *testing.T) {
			t.Parallel()
			compared, found := 0, 0
			for number := range uint64(instances(4000, 12000)) {
				rng := rand.New(rand.NewPCG(number, 200+uint64(norm)))
				in := drawTree(t, rng)
				if in.target != nil && *in.target == in.tree.Predict(in.query) {
					continue
				}
				a := &attack.RegionBased{
					Classifier: in.tree,
					Options:    attack.Options{Norm: norm, Target: in.target, Domain: in.box, Workers: 1},
				}
				if number%4 == 0 {
					a.Classifier = listed{in.tree}
				}
				r, err := a.Perturb(t.Context(), in.query)
				if _, ok := in.box.Inside(nil, in.query); !ok {
					if !errors.Is(err, attack.ErrOption) {
						t.Fatalf("instance %d: a domain without a float64: %v, want ErrOption", number, err)
					}
					continue
				}
				if err == nil && in.box != nil && !r.Optimal {
					continue // a leaf between an open end and the next float64
				}
				if err == nil {
					err = in.check(norm, r)
				}
				if err != nil {
					t.Fatalf("instance %d: %v\nquery %v, target %v, box %v, comparison %d, nodes %+v",
						number, err, in.query, in.target, in.box, in.tree.Comparison(), in.tree.Nodes())
				}
				if compared++; r.Example != nil {
					found++
				}
			}
			if want := instances(1600, 5000); compared < want || found < compared/2 {
				t.Errorf("%d instances compared, %d with an example, want %d, half of them", compared, found, want)
			}
		})
	}
}
