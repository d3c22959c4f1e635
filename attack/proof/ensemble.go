package proof

import (
	"cmp"
	"math"
	"math/big"
	"slices"
	"sort"
)

// ensemble is trees that vote. Leaves are numbered over all trees, from left to right.
type ensemble struct {
	votes
	dim     int
	stored  int // bytes of the file
	oblique bool
	trees   [][]node
	borders [][]border // of each feature, ascending; of trees that test one
	listed  []bool     // by feature: some test of it is one of a set
	ranges  [][]slots  // of each leaf, by feature that its path tests
	held    int        // how many ranges there are, and words of sets
	// Of a property: by leaf those of the models of x and x′, −1 for none; nil for these.
	own    [][2]int32
	models [2]*ensemble
	bases  [2][]float64
}

// of returns the values of a leaf, of x and x′.
func (e *ensemble) of(l int32) (values [2][]float64) {
	if e.own == nil {
		return [...][]float64{e.values[l], nil}
	}
	for side, own := range e.own[l] {
		if own >= 0 {
			values[side] = e.models[side].values[own]
		}
	}
	return values
}

// node is a node of a tree, a leaf if it has no children. The leaves below it are first ≤ l < end.
type node struct {
	left, right *node
	first, end  int32
	feature     int
	borders     []border // ascending: numbers beyond none, two, four, … go left
	sides       *[2]half // of the test of an oblique tree; infinite if all inputs go one way
}

// isTest reports whether inputs go either way.
func (n *node) isTest() bool { return n.left != nil && finite(n.sides[0].t) }

// mostFeatures is how many features a model may have, and classes.
const mostFeatures = 1 << 17

// grow adds a tree of nodes with these children; functions give the tests and the values of leaves.
// So many nodes are deleted ones, which the root does not reach.
func (e *ensemble) grow(
	left, right []int, deleted int, test func(i int, n *node), value func(i int) []float64,
) {
	nodes, seen, reached := make([]node, len(left)), make([]bool, len(left)), 0
	var visit func(i, depth int) *node
	visit = func(i, depth int) *node {
		demand(i >= 0 && i < len(nodes) && !seen[i] &&
			depth <= deepest,
			"tree %d: child %d is none of %d nodes, the root, another's child, or too deep",
			e.count, i, len(nodes))
		n := &nodes[i]
		seen[i], n.first, reached = true, int32(len(e.values)), reached+1
		if left[i] < 0 && right[i] < 0 {
			e.addLeaf(value(i))
			demand(len(e.values)*e.classes <= 1<<22+e.stored,
				"more than 2^22 values of leaves, and one for each byte of the file")
		} else {
			test(i, n)
			n.left, n.right = visit(left[i], depth+1), visit(right[i], depth+1)
		}
		n.end = int32(len(e.values))
		return n
	}
	visit(0, 0)
	demand(reached+deleted == len(nodes), "tree %d: the root reaches %d of %d nodes",
		e.count, reached, len(nodes))
	e.trees, e.count = append(e.trees, nodes), e.count+1
}

// setTest sets a test of one feature, of a set if it has several thresholds.
func (e *ensemble) setTest(n *node, feature int, c comparison, thresholds ...float64) {
	demand(feature >= 0 && feature < e.dim, "feature %d of %d", feature, e.dim)
	n.feature, n.borders = feature, make([]border, len(thresholds))
	for i, t := range thresholds {
		n.borders[i] = c.border(t)
		demand(i == 0 || compareBorders(n.borders[i-1], n.borders[i]) < 0,
			"thresholds of a set do not ascend: %v after %v", t, thresholds[max(i-1, 0)])
	}
}

// setOblique sets an oblique test.
func (e *ensemble) setOblique(n *node, weights []float64, threshold float64) {
	demand(len(weights) == e.dim, "%d weights, want %d", len(weights), e.dim)
	isWeight := func(w float64) bool { return w != 0 }
	left, right := make([]float64, e.dim), make([]float64, e.dim)
	switch f := slices.IndexFunc(weights, isWeight); {
	case f < 0:
		threshold = math.Copysign(math.Inf(1), threshold+0) // −0 is none
	case slices.ContainsFunc(weights[f+1:], isWeight):
		if finite(threshold) {
			copy(left, weights)
		}
	default:
		if !finite(threshold) {
			break
		}
		left[f] = weights[f]
		size := math.Abs(weights[f])
		if v := product(size, threshold); finite(v) && compareProduct(size, v, threshold) >= 0 {
			left[f], threshold = math.Copysign(1, weights[f]), v
		}
	}
	for j, w := range left {
		right[j] = -w
	}
	n.sides = &[2]half{{q: left, t: threshold}, {q: right, t: -threshold, open: true}}
}

// passes reports whether z goes left, in the arithmetic of predictions.
func (n *node) passes(z []float64) bool {
	if n.sides == nil {
		v, beyond := z[n.feature], 0
		for beyond < len(n.borders) && !n.borders[beyond].low(v) {
			beyond++
		}
		return beyond%2 == 0
	}
	sum := 0.0
	for j, w := range n.sides[0].q {
		sum += float64(w * z[j])
	}
	return sum <= n.sides[0].t
}

// surely reports whether z has a label, in any arithmetic.
func (m *Model) surely(z []float64, label int) bool {
	if m.table != nil {
		return m.table.vote(z) == label
	}
	var leaves []int32
	for _, nodes := range m.trees.trees {
		n := &nodes[0]
		for n.left != nil {
			if n.passes(z) {
				n = n.left
			} else {
				n = n.right
			}
		}
		leaves = append(leaves, n.first)
	}
	wins, _ := m.trees.decide(leaves, label)
	return wins
}

// model makes a model of the trees that grew.
func (e *ensemble) model() *Model {
	demand(e.count > 0 && e.dim > 0 && e.dim <= mostFeatures && e.classes <= mostFeatures,
		"%d trees, %d features, %d classes", e.count, e.dim, e.classes)
	e.prepare()
	e.bases = [...][]float64{e.base, nil}
	if !e.oblique {
		e.cut()
		for _, nodes := range e.trees {
			e.reach(&nodes[0], nil, nil, func(_ int32, path []slots) bool {
				e.keep(path, 1<<20+e.stored/2)
				return true
			})
		}
	}
	return &Model{dim: e.dim, classes: e.classes, trees: e}
}

// cut cuts each feature's line into slots.
func (e *ensemble) cut() {
	e.borders, e.listed = make([][]border, e.dim), make([]bool, e.dim)
	for _, nodes := range e.trees {
		for _, n := range nodes {
			for _, b := range n.borders {
				if finite(b.end) {
					e.borders[n.feature] = append(e.borders[n.feature], b)
				}
			}
			if len(n.borders) > 1 {
				e.listed[n.feature] = true
			}
		}
	}
	for f, all := range e.borders {
		slices.SortFunc(all, compareBorders)
		e.borders[f] = slices.Compact(all)
	}
}

// keep notes the slots of a leaf. Trees that are as deep as they are large are refused before that
// takes much memory.
func (e *ensemble) keep(path []slots, most int) {
	e.ranges = append(e.ranges, path)
	for _, r := range path {
		e.held += 1 + len(r.set)
	}
	demand(e.held <= most, "trees so deep are not checked: leaf by leaf, there are more than %d "+
		"features above them, or words of sets", most)
}

// reach visits the leaves below a node, which has these slots, as long as that returns true. With
// homes, the features whose place the node's take, it leaves out leaves that have no slots.
func (e *ensemble) reach(
	n *node, path []slots, homes []int32, visit func(leaf int32, path []slots) bool,
) bool {
	if n.left == nil {
		return visit(n.first, path)
	}
	f := int32(n.feature)
	if homes != nil {
		f = homes[f]
	}
	at := slices.IndexFunc(path, func(r slots) bool { return r.feature == f })
	if at < 0 {
		at, path = len(path), append(slices.Clone(path), e.all(f))
	}
	left, right := slices.Clone(path), slices.Clone(path)
	left[at], right[at] = e.send(n, path[at])
	some := func(r slots) bool { return homes == nil || r.low <= r.high }
	return (!some(left[at]) || e.reach(n.left, left, homes, visit)) &&
		(!some(right[at]) || e.reach(n.right, right, homes, visit))
}

// slot returns the slot that holds v.
func (e *ensemble) slot(f int, v float64) int32 {
	return int32(sort.Search(len(e.borders[f]), func(i int) bool { return e.borders[f][i].low(v) }))
}

// comparison says which numbers a test sends left.
type comparison string

const (
	atMost32 comparison = "float32(x) <= t"
	atMost64 comparison = "x <= t"
	below32  comparison = "float32(x) < t"
	below64  comparison = "x < t"
)

// border is where the numbers that go left end.
type border struct {
	end    float64
	closed int // 1 if the end goes left itself
}

func (b border) low(v float64) bool { return v < b.end || (b.closed == 1 && v == b.end) }

func compareBorders(a, b border) int {
	return cmp.Or(cmp.Compare(a.end, b.end), cmp.Compare(a.closed, b.closed))
}

// border returns the border of a threshold.
func (c comparison) border(t float64) border {
	demand(!math.IsNaN(t) &&
		(!math.IsInf(t, -1) || c == atMost32 || c == below32), "the threshold is %v", t)
	switch {
	case c == atMost64, math.IsInf(t, 1) && c == atMost32:
		return border{t, 1}
	case c == below64, math.IsInf(t, -1) && c == below32:
		return border{t, 0}
	}
	p := float32(t)
	if float64(p) > t || (float64(p) == t && c == below32) {
		p = math.Nextafter32(p, float32(math.Inf(-1)))
	}
	// The border is between p, the last float32 that goes left, and the next. A number beyond the
	// largest float32 counts as the next power of two.
	q := math.Nextafter32(p, float32(math.Inf(1)))
	end := max(float64(p), -0x1p128)/2 + min(float64(q), 0x1p128)/2
	if float32(end) == p {
		return border{end, 1}
	}
	return border{end, 0}
}

// product returns the largest finite v for which weight·v, rounded, is at most t, for a weight > 0:
// −∞ if there is none.
func product(weight, t float64) float64 {
	// Float64 of one sign ascend with their bits.
	const most = 0x7fefffffffffffff
	value := func(i int) float64 { return math.Float64frombits(uint64(i)) }
	if t < 0 {
		return -value(sort.Search(most+1, func(i int) bool { return weight*-value(i) <= t }))
	}
	return value(sort.Search(most, func(i int) bool { return !(weight*value(i+1) <= t) }))
}

// compareProduct compares a·b with c, exactly.
func compareProduct(a, b, c float64) int {
	product := new(big.Rat).SetFloat64(a)
	product.Mul(product, new(big.Rat).SetFloat64(b))
	return product.Cmp(new(big.Rat).SetFloat64(c))
}
