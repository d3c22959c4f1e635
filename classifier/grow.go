package classifier

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/rows"
)

// grower grows one tree depth first, left child first, as scikit-learn's
// DepthFirstTreeBuilder and BestSplitter do: features are drawn without
// replacement by a small generator, those found constant in a node are not drawn
// again below it.
type grower struct {
	table     *rows.Table
	x         []float32 // the rows in float32, row-major
	y         []int
	classes   int
	criterion Criterion
	maxDepth  int
	minSplit  int
	minLeaf   int

	maxFeatures int // features to try at a node, constant ones not counted

	random   uint32
	samples  []int32   // rows with a weight, those of each node in one run
	weight   []float64 // of each row: how often a bootstrap drew it
	all      float64   // the sum of the weights
	features []int     // drawn ones at the end, constant ones in front
	constant []int     // the constant features in the order they were found
	values   []sample
	nodes    []TreeNode

	total, left, right []float64 // class counts
}

// sample is a row's value of the feature that is being split.
type sample struct {
	value  float32
	class  int32
	weight float64
}

// pending is a node still to be grown: the samples first ≤ i < end.
type pending struct {
	first, end    int
	depth, parent int
	isLeft        bool
	constants     int // features known to be constant
	impurity      float64
}

// split is a way to divide a node.
type split struct {
	feature     int
	threshold   float64
	position    int // samples that go left end here; the node's end when there is no split
	proxy       float64
	left, right float64 // impurities
	improvement float64
}

const (
	// equalWithin is the difference up to which feature values count as equal.
	equalWithin = float32(1e-7)
	// pure is the impurity up to which a node is a leaf.
	pure = 0x1p-52
)

func (g *grower) grow(ctx context.Context) error {
	n := len(g.samples)
	g.all = g.count(0, n)
	stack := []pending{{end: n, parent: -1, impurity: g.criterion.impurity(g.total, g.all)}}
	for len(stack) > 0 {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("training: %w", err)
		}
		p := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		s, ok := g.divide(&p)
		id := g.add(p, s, ok)
		if !ok {
			continue
		}
		right := pending{first: s.position, end: p.end, depth: p.depth + 1, parent: id, constants: p.constants, impurity: s.right}
		left := pending{first: p.first, end: s.position, depth: p.depth + 1, parent: id, isLeft: true, constants: p.constants, impurity: s.left}
		stack = append(stack, right, left)
	}
	return nil
}

// count sets total to the class counts of a node, and returns their sum.
func (g *grower) count(first, end int) float64 {
	return g.countInto(g.total, first, end)
}

func (g *grower) countInto(counts []float64, first, end int) float64 {
	clear(counts)
	sum := 0.0
	for _, i := range g.samples[first:end] {
		counts[g.y[i]] += g.weight[i]
		sum += g.weight[i]
	}
	return sum
}

// add appends the node with its class frequencies and ties it to its parent.
func (g *grower) add(p pending, s split, inner bool) int {
	id := len(g.nodes)
	n := g.count(p.first, p.end)
	node := TreeNode{Feature: -1, Left: -1, Right: -1, Value: make([]float64, g.classes)}
	for c, k := range g.total {
		node.Value[c] = k / n
	}
	if inner {
		node.Feature, node.Threshold = s.feature, s.threshold
	}
	g.nodes = append(g.nodes, node)
	switch {
	case p.parent < 0:
	case p.isLeft:
		g.nodes[p.parent].Left = id
	default:
		g.nodes[p.parent].Right = id
	}
	return id
}

// divide finds the best split of a node and sorts its samples by it, false when
// the node is a leaf.
func (g *grower) divide(p *pending) (split, bool) {
	n := p.end - p.first
	if (g.maxDepth > 0 && p.depth >= g.maxDepth) || n < g.minSplit || n < 2*g.minLeaf || p.impurity <= pure {
		return split{}, false
	}
	g.count(p.first, p.end)
	best := g.bestSplit(p)
	if best.position >= p.end {
		return split{}, false
	}
	g.partition(p, best)
	g.finish(p, &best)
	return best, best.improvement+pure >= 0
}

// bestSplit tries the features in random order until none is left that may vary.
func (g *grower) bestSplit(p *pending) split {
	best := split{position: p.end}
	found := false
	rest := len(g.features)
	var visited, drawnConstants, foundConstants int
	known := p.constants
	allConstants := known
	for rest > allConstants && (visited < g.maxFeatures || visited <= foundConstants+drawnConstants) {
		visited++
		j := drawnConstants + int(g.draw()%uint32(rest-foundConstants-drawnConstants))
		if j < known {
			g.features[drawnConstants], g.features[j] = g.features[j], g.features[drawnConstants]
			drawnConstants++
			continue
		}
		j += foundConstants
		feature := g.features[j]
		if g.sort(p, feature) {
			g.features[j], g.features[allConstants] = g.features[allConstants], g.features[j]
			foundConstants++
			allConstants++
			continue
		}
		rest--
		g.features[rest], g.features[j] = g.features[j], g.features[rest]
		found = g.scan(p, feature, &best, found) || found
	}
	copy(g.features[:known], g.constant[:known])
	copy(g.constant[known:known+foundConstants], g.features[known:known+foundConstants])
	p.constants = allConstants
	return best
}

// draw returns the next number of the tree's own generator, a 32-bit xorshift
// (Marsaglia, "Xorshift RNGs", 2003).
func (g *grower) draw() uint32 {
	if g.random == 0 {
		g.random = 1
	}
	g.random ^= g.random << 13
	g.random ^= g.random >> 17
	g.random ^= g.random << 5
	return g.random % (randMax + 1)
}

// sort loads a node's values of a feature in ascending order, and reports whether
// they are all equal.
func (g *grower) sort(p *pending, feature int) (constant bool) {
	v := g.values[p.first:p.end]
	for k, i := range g.samples[p.first:p.end] {
		v[k] = sample{g.x[int(i)*g.table.Dim+feature], int32(g.y[i]), g.weight[i]}
	}
	slices.SortFunc(v, func(a, b sample) int { return cmp.Compare(a.value, b.value) })
	return v[len(v)-1].value <= v[0].value+equalWithin
}

// scan tries every threshold of the sorted values, and reports whether one of
// them became the best split.
func (g *grower) scan(p *pending, feature int, best *split, found bool) bool {
	improved := false
	v := g.values[p.first:p.end]
	clear(g.left)
	copy(g.right, g.total)
	moved := 0
	var left, right float64
	for _, k := range g.total {
		right += k
	}
	for i := 0; i < len(v); {
		for i+1 < len(v) && v[i+1].value <= v[i].value+equalWithin {
			i++
		}
		i++
		if i >= len(v) {
			break
		}
		if i < g.minLeaf || len(v)-i < g.minLeaf {
			continue
		}
		for ; moved < i; moved++ {
			w := v[moved].weight
			g.left[v[moved].class] += w
			g.right[v[moved].class] -= w
			left += w
			right -= w
		}
		if proxy := g.proxy(left, right); !found || proxy > best.proxy {
			*best = split{feature: feature, threshold: halfway(v[i-1].value, v[i].value), position: p.first + i, proxy: proxy}
			found, improved = true, true
		}
	}
	return improved
}

// proxy orders the splits of a node as the impurity they remove does.
func (g *grower) proxy(left, right float64) float64 {
	return -float64(right*g.criterion.impurity(g.right, right)) - float64(left*g.criterion.impurity(g.left, left))
}

// halfway returns the middle of two float32, as scikit-learn rounds it.
func halfway(a, b float32) float64 { return float64(a)/2 + float64(b)/2 }

// partition moves the samples that go left in front of the others.
func (g *grower) partition(p *pending, s split) {
	i, end := p.first, p.end
	for i < end {
		if float64(g.x[int(g.samples[i])*g.table.Dim+s.feature]) <= s.threshold {
			i++
			continue
		}
		end--
		g.samples[i], g.samples[end] = g.samples[end], g.samples[i]
	}
}

// finish computes what the children start from.
func (g *grower) finish(p *pending, s *split) {
	left := g.countInto(g.left, p.first, s.position)
	right := g.countInto(g.right, s.position, p.end)
	n := left + right
	s.left = g.criterion.impurity(g.left, left)
	s.right = g.criterion.impurity(g.right, right)
	s.improvement = n / g.all * (p.impurity - float64(right/n*s.right) - float64(left/n*s.left))
}
