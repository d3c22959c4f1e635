package cart

import (
	"context"

	"github.com/seed-1a7dc1f9/facet/internal/numpyrand"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// grower grows trees depth first, left child first, as scikit-learn's
// DepthFirstTreeBuilder does, one after another in the same memory.
type grower struct {
	data    *data
	options Options
	scores  *scores
	chen    *chen // nil for plain splitting

	drawn    []drawn // of each row
	features features

	samples   []uint32 // rows that were drawn, those of each node in one run
	elsewhere []uint32 // scratch space for these
	keys      []uint64 // rank and row of a node's samples
	unused    []uint64

	stack  []pending
	nodes  []trees.Node
	values []float64 // their class frequencies

	total, left, bestLeft []int // memory of node.total, of scan and of best.left
	counts                []float64
	work                  int // rows and classes looked at since the context was
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

// node is a node being grown.
type node struct {
	pending
	total  []int // class counts of its rows, as often as drawn
	weight int   // their sum
}

// newGrower makes a grower of trees on all rows. The options are complete.
func newGrower(d *data, options Options, scores *scores) *grower {
	n, dim, classes := len(d.y), len(d.columns), d.classes
	g := &grower{
		data: d, options: options, scores: scores,
		drawn: make([]drawn, n), features: newFeatures(dim),
		samples: make([]uint32, 0, n), elsewhere: make([]uint32, n), keys: make([]uint64, n),
		unused: make([]uint64, n),
		total:  make([]int, classes), left: make([]int, classes), bestLeft: make([]int, classes),
		counts: make([]float64, classes),
	}
	if options.Chen > 0 {
		g.chen = newChen(options.Chen, classes)
	}
	for i, label := range d.y {
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

// grow grows a tree on the rows that were drawn, parents before children.
func (g *grower) grow(ctx context.Context, seed uint32) (*trees.Axis, error) {
	all := g.start(seed)
	for len(g.stack) > 0 {
		n := g.count(g.stack[len(g.stack)-1])
		g.stack = g.stack[:len(g.stack)-1]
		id := g.add(&n)
		if !g.divisible(&n) {
			continue
		}
		best, err := g.bestSplit(ctx, &n)
		if err != nil {
			return nil, err
		}
		if best.samples > 0 {
			g.split(&n, id, &best, all)
		}
	}
	for i := range g.nodes { // whose values moved while they grew
		g.nodes[i].Value = g.values[i*g.data.classes : (i+1)*g.data.classes]
	}
	return trees.NewAxis(len(g.data.columns), trees.AtMostFloat32, trees.Nodes(g.nodes))
}

// start prepares for another tree and puts its root on the stack. It returns how
// many rows were drawn.
func (g *grower) start(seed uint32) int {
	g.features.start(uint32(numpyrand.New(seed).Randint(0, randMax)))
	g.samples, g.nodes, g.values = g.samples[:0], g.nodes[:0], g.values[:0]
	for i, d := range g.drawn {
		if d.times > 0 {
			g.samples = append(g.samples, uint32(i))
		}
	}
	root := g.count(pending{end: len(g.samples), parent: -1})
	root.impurity = g.impurity(root.total, root.weight)
	g.stack = append(g.stack[:0], root.pending)
	return root.weight
}

// count counts the classes of a node, in the memory of the node before.
func (g *grower) count(p pending) node {
	n := node{pending: p, total: g.total}
	clear(n.total)
	for _, i := range g.samples[p.first:p.end] {
		d := g.drawn[i]
		n.total[d.class] += int(d.times)
		n.weight += int(d.times)
	}
	return n
}

// impurity returns the impurity of so many rows with these class counts.
func (g *grower) impurity(counts []int, n int) float64 {
	for c, k := range counts {
		g.counts[c] = float64(k)
	}
	return g.options.Criterion.Impurity(g.counts, float64(n))
}

// impurities returns the impurities of the children of a node when so many of its
// rows, with these class counts, go left.
func (g *grower) impurities(n *node, counts []int, weight int) (left, right float64) {
	left = g.impurity(counts, weight)
	for c, k := range n.total {
		g.counts[c] = float64(k - counts[c])
	}
	return left, g.options.Criterion.Impurity(g.counts, float64(n.weight-weight))
}

// add appends a leaf with the node's class frequencies and ties it to its parent.
func (g *grower) add(n *node) (id int) {
	id = len(g.nodes)
	g.nodes = append(g.nodes, trees.Node{Feature: -1, Left: -1, Right: -1})
	for _, k := range n.total {
		g.values = append(g.values, float64(k)/float64(n.weight))
	}
	switch {
	case n.parent < 0:
	case n.isLeft:
		g.nodes[n.parent].Left = id
	default:
		g.nodes[n.parent].Right = id
	}
	return id
}

// divisible reports whether a node may be split.
func (g *grower) divisible(n *node) bool {
	o := &g.options
	return (o.MaxDepth == 0 || n.depth < o.MaxDepth) && n.len() >= o.MinSplit &&
		n.len()/2 >= o.MinLeaf && n.impurity > Pure
}

// split turns a leaf into an inner node, unless that adds impurity, and puts its
// children on the stack. The root has so many rows in all.
func (g *grower) split(n *node, id int, s *best, all int) {
	leftImpurity, rightImpurity := g.impurities(n, s.left, s.weight)
	weight, left, right := float64(n.weight), float64(s.weight), float64(n.weight-s.weight)
	improvement := weight / float64(all) *
		(n.impurity - float64(right/weight*rightImpurity) - float64(left/weight*leftImpurity))
	if improvement+Pure < 0 {
		return
	}
	g.partition(&n.pending, &s.split)
	values := g.data.columns[s.feature].values
	g.nodes[id].Feature, g.nodes[id].Threshold = int(s.feature), halfway(values[s.below],
		values[s.above])
	middle := n.first + s.samples
	g.stack = append(g.stack,
		pending{
			first:     middle,
			end:       n.end,
			depth:     n.depth + 1,
			parent:    id,
			constants: n.constants,
			impurity:  rightImpurity,
		},
		pending{
			first:     n.first,
			end:       middle,
			depth:     n.depth + 1,
			parent:    id,
			isLeft:    true,
			constants: n.constants,
			impurity:  leftImpurity,
		})
}

// partition moves the samples that go left in front of the others, both in
// ascending order.
func (g *grower) partition(p *pending, s *split) {
	rank := g.data.columns[s.feature].rank
	samples := g.samples[p.first:p.end]
	left, right := 0, 0
	for _, i := range samples {
		samples[left], g.elsewhere[right] = i, i
		if rank[i] <= s.below {
			left++
		} else {
			right++
		}
	}
	copy(samples[left:], g.elsewhere[:right])
}
