package proof

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"
)

// rawNode is a node as a file has it, a leaf if it has no children.
type rawNode struct {
	feature     int
	weights     []float64 // of an oblique test
	threshold   float64
	left, right int
	value       []float64
}

func (n *rawNode) isLeaf() bool { return n.left < 0 && n.right < 0 }

// ensemble is trees that vote.
type ensemble struct {
	votes
	dim     int
	oblique bool
	trees   [][]node
	leafAt  []place    // by leaf: leaves are numbered over all trees, from left to right
	borders [][]border // of each feature, ascending; of axis-parallel trees
	ranges  [][]slots  // of each leaf, by feature that its path tests; of axis-parallel trees
}

// place is a node of a tree.
type place struct{ tree, node int32 }

// node is a node of a tree. The leaves below it are first ≤ l < end.
type node struct {
	left, right, parent int32 // −1 for none
	first, end          int32
	feature             int32
	rank                int32  // of an axis-parallel test: the last slot on the left, −1 for none
	border              border // of it
	test                test   // of an oblique one
}

// slots are those between two borders of a feature, both included.
type slots struct{ feature, low, high int32 }

// test is w·z ≤ t. Without weights w is sign·e of a feature; one that all inputs pass, or
// none, is settled.
type test struct {
	weights       []float64
	sign          float64
	t             float64
	settled, left bool
	feature       int32
}

// raw is an ensemble as a file describes it.
type raw struct {
	votes
	dim        int
	oblique    bool
	comparison comparison
	trees      [][]rawNode
	unreached  bool // nodes that the root does not reach are ignored
}

// build checks a description and makes an ensemble of it.
func (r *raw) build() (*Model, error) {
	e := &ensemble{votes: r.votes, dim: r.dim, oblique: r.oblique}
	if len(r.trees) == 0 {
		return nil, errors.New("no trees")
	}
	if r.dim < 1 || r.dim > 1<<20 {
		return nil, fmt.Errorf("%d features", r.dim)
	}
	for t, nodes := range r.trees {
		made, err := r.tree(e, t, nodes)
		if err != nil {
			return nil, fmt.Errorf("tree %d: %w", t, err)
		}
		e.trees = append(e.trees, made)
	}
	if err := e.votes.prepare(len(r.trees), e.leafAt); err != nil {
		return nil, err
	}
	if !r.oblique {
		if err := e.cut(); err != nil {
			return nil, err
		}
	}
	return &Model{dim: r.dim, classes: e.classes, trees: e}, nil
}

// tree makes one tree: nodes keep their numbers, and leaves are numbered from left to right.
func (r *raw) tree(e *ensemble, t int, nodes []rawNode) ([]node, error) {
	if len(nodes) == 0 {
		return nil, errors.New("no nodes")
	}
	made := make([]node, len(nodes))
	for i := range made {
		made[i] = node{left: -1, right: -1, parent: -2, first: -1}
	}
	made[0].parent = -1
	var order []int // parents before children, left before right
	for open := []int{0}; len(open) > 0; {
		i := open[len(open)-1]
		open, order = open[:len(open)-1], append(order, i)
		raw, n := &nodes[i], &made[i]
		n.first = int32(len(e.leafAt))
		if raw.isLeaf() {
			if err := e.addLeaf(raw.value); err != nil {
				return nil, fmt.Errorf("node %d: %w", i, err)
			}
			e.leafAt = append(e.leafAt, place{int32(t), int32(i)})
			continue
		}
		for _, child := range []int{raw.right, raw.left} {
			if child < 0 || child >= len(nodes) || made[child].parent != -2 {
				return nil, fmt.Errorf("node %d: child %d is none of %d nodes, the root, or another's child", i, child, len(nodes))
			}
			made[child].parent = int32(i)
			open = append(open, child)
		}
		n.left, n.right = int32(raw.left), int32(raw.right)
		if err := r.test(n, raw); err != nil {
			return nil, fmt.Errorf("node %d: %w", i, err)
		}
	}
	if len(order) < len(nodes) && !r.unreached {
		return nil, fmt.Errorf("the root reaches %d of %d nodes", len(order), len(nodes))
	}
	for _, i := range slices.Backward(order) {
		made[i].end = made[i].first + 1
		if made[i].left >= 0 {
			made[i].end = made[made[i].right].end
		}
	}
	return made, nil
}

// test reads the test of an inner node.
func (r *raw) test(n *node, from *rawNode) (err error) {
	if r.oblique {
		if len(from.weights) != r.dim || math.IsNaN(from.threshold) {
			return fmt.Errorf("%d weights, want %d, and a threshold", len(from.weights), r.dim)
		}
		n.test = newTest(from.weights, from.threshold)
		return nil
	}
	if from.feature < 0 || from.feature >= r.dim {
		return fmt.Errorf("feature %d of %d", from.feature, r.dim)
	}
	n.feature = int32(from.feature)
	n.border, err = r.comparison.border(from.threshold)
	return err
}

// newTest returns the half-space of an oblique test.
func newTest(weights []float64, threshold float64) test {
	isWeight := func(w float64) bool { return w != 0 }
	f := slices.IndexFunc(weights, isWeight)
	switch {
	case f < 0:
		return test{settled: true, left: 0 <= threshold}
	case slices.ContainsFunc(weights[f+1:], isWeight):
		if math.IsInf(threshold, 0) {
			return test{settled: true, left: threshold > 0}
		}
		return test{weights: weights, t: threshold}
	}
	v, some := product(math.Abs(weights[f]), threshold)
	if !some || v == math.MaxFloat64 {
		return test{settled: true, left: some}
	}
	return test{sign: math.Copysign(1, weights[f]), feature: int32(f), t: v}
}

// passes reports whether z goes left, in the arithmetic of predictions.
func (t *test) passes(z []float64) bool {
	switch {
	case t.settled:
		return t.left
	case t.weights == nil:
		return t.sign*z[t.feature] <= t.t
	}
	sum := 0.0
	for j, w := range t.weights {
		sum += float64(w * z[j])
	}
	return sum <= t.t
}

// cut cuts each feature's line into slots and finds those of each leaf.
func (e *ensemble) cut() error {
	e.borders, e.ranges = make([][]border, e.dim), make([][]slots, len(e.leafAt))
	for _, nodes := range e.trees {
		for i := range nodes {
			if n := &nodes[i]; n.left >= 0 && finite(n.border.end) {
				e.borders[n.feature] = append(e.borders[n.feature], n.border)
			}
		}
	}
	for f, all := range e.borders {
		slices.SortFunc(all, compareBorders)
		e.borders[f] = slices.Compact(all)
	}
	for _, nodes := range e.trees {
		for i := range nodes {
			nodes[i].rank = e.rank(&nodes[i])
		}
	}
	return e.reach()
}

// rank returns the last slot on the left of a test.
func (e *ensemble) rank(n *node) int32 {
	switch {
	case math.IsInf(n.border.end, -1):
		return -1
	case math.IsInf(n.border.end, 1):
		return int32(len(e.borders[n.feature]))
	}
	at, _ := slices.BinarySearchFunc(e.borders[n.feature], n.border, compareBorders)
	return int32(at)
}

// reach finds the slots of each leaf. A tree that is as deep as it is large is refused before
// that takes time and memory.
func (e *ensemble) reach() error {
	left := 1<<22 + 256*len(e.leafAt)
	held := make([]int32, e.dim) // by feature: where it is among the ranges of the leaf, and one more
	for l, at := range e.leafAt {
		nodes := e.trees[at.tree]
		var all []slots
		for i := at.node; nodes[i].parent >= 0; i = nodes[i].parent {
			n := &nodes[nodes[i].parent]
			f := n.feature
			if held[f] == 0 {
				all = append(all, slots{f, 0, int32(len(e.borders[f]))})
				held[f] = int32(len(all))
			}
			if r := &all[held[f]-1]; i == n.left {
				r.high = min(r.high, n.rank)
			} else {
				r.low = max(r.low, n.rank+1)
			}
			left--
		}
		for _, r := range all {
			held[r.feature] = 0
		}
		if e.ranges[l] = all; left < 0 {
			return errors.New("trees so deep are not checked: their leaves have more than 256 tests above them")
		}
	}
	return nil
}

// slot returns the slot that holds v.
func (e *ensemble) slot(f int, v float64) int {
	return sort.Search(len(e.borders[f]), func(i int) bool { return e.borders[f][i].low(v) })
}

// leaf returns the leaf of a tree that z reaches, by its number over all trees.
func (e *ensemble) leaf(t int, z []float64) int32 {
	nodes := e.trees[t]
	i := int32(0)
	for nodes[i].left >= 0 {
		n := &nodes[i]
		left := e.oblique && n.test.passes(z) || !e.oblique && n.border.low(z[n.feature])
		if i = n.right; left {
			i = n.left
		}
	}
	return nodes[i].first
}
