package classifier

import (
	"context"
	"fmt"
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/numpyrand"
)

// grower grows trees depth first, left child first, as scikit-learn's
// DepthFirstTreeBuilder and BestSplitter do: features are drawn without
// replacement by a small generator, those found constant in a node are not drawn
// again below it. It grows one tree after another in the same memory.
type grower struct {
	data    *trainingSet
	options TreeOptions
	scores  *scores
	robust  *robust // nil for plain splitting

	drawn    []drawn  // of each row
	random   uint32   // the state of the tree's own generator
	features []uint32 // drawn ones at the end, constant ones in front
	constant []uint32 // the constant features in the order they were found

	samples   []uint32 // rows that were drawn, those of each node in one run
	elsewhere []uint32 // scratch space for these
	keys      []uint64 // rank and row of a node's samples
	spare     []uint64

	stack  []pending
	nodes  []TreeNode
	values []float64 // their class frequencies

	all, weight int   // rows of the tree and of the node, as often as drawn
	total       []int // class counts of the node
	left        []int // of what goes left where a feature is scanned
	best        split
	bestLeft    []int // of what goes left by the best split
	counts      []float64
	work        int // rows and classes looked at since the context was
}

// drawn is the class of a row, and how often the row was drawn.
type drawn struct{ class, times int32 }

// pending is a node still to be grown: the samples first ≤ i < end.
type pending struct {
	first, end    int
	depth, parent int
	isLeft        bool
	constants     int // features known to be constant
	impurity      float64
}

func (p *pending) len() int { return p.end - p.first }

// split is a way to divide a node.
type split struct {
	feature uint32
	below   uint32 // the largest rank that goes left
	above   uint32 // the smallest that goes right
	samples int    // that go left
	weight  int    // of those
	score   float64
}

const (
	// equalWithin is the difference up to which feature values count as equal.
	equalWithin = float32(1e-7)
	// pure is the impurity up to which a node is a leaf.
	pure = 0x1p-52
	// patience is how many rows and classes are looked at between two looks at the context.
	patience = 1 << 16
	// randMax is the largest number of scikit-learn's generator inside a tree.
	randMax = 1<<31 - 1
)

// newGrower makes a grower of trees on all rows. The options' MaxFeatures is the
// number itself.
func newGrower(data *trainingSet, options TreeOptions, scores *scores) *grower {
	n, dim, classes := data.len(), data.dim(), data.classes
	g := &grower{
		data: data, options: options, scores: scores,
		drawn: make([]drawn, n), features: make([]uint32, dim), constant: make([]uint32, dim),
		samples: make([]uint32, 0, n), elsewhere: make([]uint32, n), keys: make([]uint64, n), spare: make([]uint64, n),
		total: make([]int, classes), left: make([]int, classes), bestLeft: make([]int, classes), counts: make([]float64, classes),
	}
	if options.Robust > 0 {
		g.robust = newRobust(options.Robust, classes)
	}
	for i, label := range data.y {
		g.drawn[i] = drawn{class: int32(label), times: 1}
	}
	return g
}

// bootstrap draws as many rows as there are, with replacement.
func (g *grower) bootstrap(seed uint32) {
	for i := range g.drawn {
		g.drawn[i].times = 0
	}
	rng := numpyrand.New(seed)
	for n := len(g.drawn); n > 0; n-- {
		g.drawn[rng.Randint(0, int64(len(g.drawn)))].times++
	}
}

// grow grows a tree on the rows that were drawn.
func (g *grower) grow(ctx context.Context, seed uint32) (*Tree, error) {
	g.start(seed)
	for len(g.stack) > 0 {
		p := g.stack[len(g.stack)-1]
		g.stack = g.stack[:len(g.stack)-1]
		g.count(p)
		id := g.add(p)
		found, err := g.divide(ctx, &p)
		if err != nil {
			return nil, err
		}
		if found {
			g.split(p, id)
		}
	}
	// The values move while they grow, so the nodes get theirs at the end.
	for i := range g.nodes {
		g.nodes[i].Value = g.values[i*g.data.classes : (i+1)*g.data.classes]
	}
	return NewTree(g.data.dim(), AtMostFloat32, g.nodes)
}

// start prepares for another tree and its root.
func (g *grower) start(seed uint32) {
	g.random = uint32(numpyrand.New(seed).Randint(0, randMax))
	g.samples, g.nodes, g.values = g.samples[:0], g.nodes[:0], g.values[:0]
	for i, d := range g.drawn {
		if d.times > 0 {
			g.samples = append(g.samples, uint32(i))
		}
	}
	for j := range g.features {
		g.features[j] = uint32(j)
	}
	root := pending{end: len(g.samples), parent: -1}
	g.count(root)
	g.all = g.weight
	root.impurity = g.impurity(g.total, g.weight)
	g.stack = append(g.stack[:0], root)
}

// count sets total and weight to the class counts of a node and their sum.
func (g *grower) count(p pending) {
	clear(g.total)
	g.weight = 0
	for _, i := range g.samples[p.first:p.end] {
		d := g.drawn[i]
		g.total[d.class] += int(d.times)
		g.weight += int(d.times)
	}
}

// impurity returns the impurity of so many rows with these class counts.
func (g *grower) impurity(counts []int, n int) float64 {
	for c, k := range counts {
		g.counts[c] = float64(k)
	}
	return g.options.Criterion.impurity(g.counts, float64(n))
}

// impurities returns the impurities of the children when n rows with these class
// counts go left.
func (g *grower) impurities(counts []int, n int) (left, right float64) {
	left = g.impurity(counts, n)
	for c, k := range g.total {
		g.counts[c] = float64(k - counts[c])
	}
	return left, g.options.Criterion.impurity(g.counts, float64(g.weight-n))
}

// add appends a leaf with the node's class frequencies and ties it to its parent.
func (g *grower) add(p pending) (id int) {
	id = len(g.nodes)
	g.nodes = append(g.nodes, TreeNode{Feature: -1, Left: -1, Right: -1})
	for _, k := range g.total {
		g.values = append(g.values, float64(k)/float64(g.weight))
	}
	switch {
	case p.parent < 0:
	case p.isLeft:
		g.nodes[p.parent].Left = id
	default:
		g.nodes[p.parent].Right = id
	}
	return id
}

// divide looks for the best split of a node, and reports whether there is one.
func (g *grower) divide(ctx context.Context, p *pending) (bool, error) {
	o := &g.options
	if (o.MaxDepth > 0 && p.depth >= o.MaxDepth) || p.len() < max(o.MinSplit, 2) || p.len()/2 < o.MinLeaf || p.impurity <= pure {
		return false, nil
	}
	g.best = split{score: math.Inf(-1)}
	err := g.tryFeatures(ctx, p)
	return g.best.samples > 0, err
}

// split turns a leaf into an inner node with the best split, unless that adds
// impurity, and puts its children on the stack.
func (g *grower) split(p pending, id int) {
	s := &g.best
	leftImpurity, rightImpurity := g.impurities(g.bestLeft, s.weight)
	n, leftN, rightN := float64(g.weight), float64(s.weight), float64(g.weight-s.weight)
	improvement := n / float64(g.all) * (p.impurity - float64(rightN/n*rightImpurity) - float64(leftN/n*leftImpurity))
	if improvement+pure < 0 {
		return
	}
	g.partition(p)
	values := g.data.columns[s.feature].values
	g.nodes[id].Feature, g.nodes[id].Threshold = int(s.feature), halfway(values[s.below], values[s.above])
	middle := p.first + s.samples
	g.stack = append(g.stack,
		pending{first: middle, end: p.end, depth: p.depth + 1, parent: id, constants: p.constants, impurity: rightImpurity},
		pending{first: p.first, end: middle, depth: p.depth + 1, parent: id, isLeft: true, constants: p.constants, impurity: leftImpurity})
}

// tryFeatures tries the features in random order until none is left that may vary.
func (g *grower) tryFeatures(ctx context.Context, p *pending) error {
	rest := len(g.features)
	var visited, drawnConstants, foundConstants int
	known := p.constants
	allConstants := known
	for rest > allConstants && (visited < g.options.MaxFeatures || visited <= foundConstants+drawnConstants) {
		visited++
		j := drawnConstants + int(g.draw()%uint32(rest-foundConstants-drawnConstants))
		if j < known {
			g.features[drawnConstants], g.features[j] = g.features[j], g.features[drawnConstants]
			drawnConstants++
			continue
		}
		if err := g.interrupted(ctx, p.len()+len(g.total)); err != nil {
			return err
		}
		j += foundConstants
		feature := g.features[j]
		varies, err := g.try(ctx, p, feature)
		if err != nil {
			return err
		}
		if !varies {
			g.features[j], g.features[allConstants] = g.features[allConstants], g.features[j]
			foundConstants++
			allConstants++
			continue
		}
		rest--
		g.features[rest], g.features[j] = g.features[j], g.features[rest]
	}
	copy(g.features[:known], g.constant[:known])
	copy(g.constant[known:known+foundConstants], g.features[known:known+foundConstants])
	p.constants = allConstants
	return nil
}

// interrupted looks at the context once in a while, before the work on so many
// rows and classes.
func (g *grower) interrupted(ctx context.Context, work int) error {
	if g.work += work; g.work < patience {
		return nil
	}
	g.work = 0
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("training: %w", err)
	}
	return nil
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

// try looks for a better split by a feature, and reports whether the feature
// varies within the node.
func (g *grower) try(ctx context.Context, p *pending, feature uint32) (varies bool, err error) {
	c := &g.data.columns[feature]
	keys := g.keys[:p.len()]
	rank := c.rank
	low, high := uint32(math.MaxUint32), uint32(0)
	for k, i := range g.samples[p.first:p.end] {
		r := rank[i]
		keys[k] = uint64(r)<<32 | uint64(i)
		low, high = min(low, r), max(high, r)
	}
	if c.values[high] <= c.values[low]+equalWithin {
		return false, nil
	}
	keys = sortKeys(keys, g.spare[:p.len()], low, high)
	if g.robust != nil {
		return true, g.scanRobust(ctx, feature, c.values, keys)
	}
	return true, g.scan(ctx, feature, c.values, keys)
}

// scan scores every threshold of a feature, given the node's samples in ascending
// order.
func (g *grower) scan(ctx context.Context, feature uint32, values []float32, keys []uint64) error {
	clear(g.left)
	left, total, rows, potential := g.left, g.total, g.drawn, g.scores.potential
	total = total[:len(left)]
	var leftSum, rightSum int64
	for _, k := range total {
		rightSum += potential[k]
	}
	weight := 0
	enough := g.best.score - g.scores.slack
	minLeaf := max(g.options.MinLeaf, 1)
	last := uint32(keys[0] >> 32)
	for i, key := range keys {
		rank := uint32(key >> 32)
		if rank != last && i >= minLeaf && len(keys)-i >= minLeaf && values[rank] > values[last]+equalWithin {
			if score := g.scores.of(weight, g.weight-weight, leftSum, rightSum); score >= enough {
				if err := g.interrupted(ctx, len(left)); err != nil {
					return err
				}
				g.consider(split{feature: feature, below: last, above: rank, samples: i, weight: weight, score: score})
				enough = g.best.score - g.scores.slack
			}
		}
		last = rank
		d := rows[uint32(key)]
		times := int(d.times)
		l := left[d.class]
		r := total[d.class] - l
		leftSum += potential[l+times] - potential[l]
		rightSum += potential[r-times] - potential[r]
		left[d.class] = l + times
		weight += times
	}
	return nil
}

// consider takes a split for the best one if it is better. Where the scores do not
// tell, scikit-learn's arithmetic does: the first of equal splits is the best.
func (g *grower) consider(s split) {
	if s.score <= g.best.score+g.scores.slack && g.proxy(g.left, s.weight) <= g.proxy(g.bestLeft, g.best.weight) {
		return
	}
	g.best = s
	copy(g.bestLeft, g.left)
}

// proxy orders the splits of a node as the impurity they remove does. n rows with
// these class counts go left.
func (g *grower) proxy(counts []int, n int) float64 {
	left, right := g.impurities(counts, n)
	return -float64(float64(g.weight-n)*right) - float64(float64(n)*left)
}

// halfway returns the middle of two float32, as scikit-learn rounds it.
func halfway(a, b float32) float64 { return float64(a)/2 + float64(b)/2 }

// partition moves the samples that go left in front of the others, both in
// ascending order.
func (g *grower) partition(p pending) {
	rank := g.data.columns[g.best.feature].rank
	samples := g.samples[p.first:p.end]
	left, right := 0, 0
	for _, i := range samples {
		samples[left], g.elsewhere[right] = i, i
		if rank[i] <= g.best.below {
			left++
		} else {
			right++
		}
	}
	copy(samples[left:], g.elsewhere[:right])
}
