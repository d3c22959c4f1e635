package robust

import (
	"context"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/numpyrand"
)

// Options are the parameters of growing a tree.
type Options struct {
	Depth       int // splits on a path
	MinSplit    int // rows that may reach a node that is split
	MinLeaf     int // rows that may reach each child
	MaxFeatures int // features tried at a node
	Workers     int // goroutines
	// Whole changes a tree that has been grown so that more rows are right in all leaves which they
	// may reach.
	Whole bool
}

// criterion judges splits by the weights of the classes.
type criterion interface {
	// leaf returns the loss of a leaf of rows of these weights.
	leaf(rows []float64) float64
	// split returns the loss of rows of which some must go left and some right, when the adversary
	// chooses for those between.
	split(left, between, right []float64) float64
}

// grower grows trees, one after another in the same memory.
type grower struct {
	*Data
	options   Options
	criterion criterion
	weight    []float64       // of each row
	random    *numpyrand.Rand // draws the features that are tried, if not all are
	order     []int           // of features
	scanners  []scanner
	nodes     []node
	// of the node being split: its rows' weights, and where they are added in a histogram
	weights []float64
	classes []int32
}

// node is a node of a tree. Children come after their parents.
type node struct {
	feature     int // −1 of a leaf
	threshold   float32
	left, right int
	rows        []uint32 // that may reach a leaf
	total       []float64
}

func newGrower(d *Data, o Options, c criterion) *grower {
	n := len(d.y)
	g := &grower{
		Data: d, options: o, criterion: c, weight: make([]float64, n),
		order: make([]int, len(d.columns)), scanners: make([]scanner, max(o.Workers, 1)),
		weights: make([]float64, 0, n), classes: make([]int32, 0, n),
	}
	for j := range g.order {
		g.order[j] = j
	}
	return g
}

// grow grows a tree on rows.
func (g *grower) grow(ctx context.Context, rows []uint32) error {
	g.nodes = g.nodes[:0]
	_, err := g.add(ctx, rows, 0)
	return err
}

// add adds the node that rows may reach, and its subtrees.
func (g *grower) add(ctx context.Context, rows []uint32, depth int) (id int, err error) {
	id = len(g.nodes)
	total := make([]float64, g.Data.classes)
	for _, i := range rows {
		total[g.y[i]] += g.weight[i]
	}
	g.nodes = append(g.nodes, node{feature: -1, left: -1, right: -1, rows: rows, total: total})
	if depth == g.options.Depth || len(rows) < g.options.MinSplit {
		return id, nil
	}
	s, err := g.best(ctx, rows, total)
	if err != nil || s.feature < 0 {
		return id, err
	}
	c := &g.columns[s.feature]
	threshold := c.middle(s.first, s.last)
	left, right := c.divide(rows, threshold)
	n := node{feature: s.feature, threshold: c.thresholds[threshold]}
	if n.left, err = g.add(ctx, left, depth+1); err != nil {
		return id, err
	}
	n.right, err = g.add(ctx, right, depth+1)
	n.total = total
	g.nodes[id] = n
	return id, err
}

// middle returns the first threshold past the middle of a range of them.
func (c *column) middle(first, last int) int {
	middle := c.thresholds[first]/2 + c.thresholds[last]/2
	past, _ := slices.BinarySearch(c.thresholds[first:last], middle)
	return first + past
}

// divide returns which rows may go left and right at a threshold.
func (c *column) divide(rows []uint32, threshold int) (left, right []uint32) {
	may, must := c.may[threshold], c.must[threshold]
	onLeft, onRight := 0, 0
	for _, i := range rows {
		if c.rank[i] < may {
			onLeft++
		}
		if c.rank[i] >= must {
			onRight++
		}
	}
	left, right = make([]uint32, 0, onLeft), make([]uint32, 0, onRight)
	for _, i := range rows {
		if c.rank[i] < may {
			left = append(left, i)
		}
		if c.rank[i] >= must {
			right = append(right, i)
		}
	}
	return left, right
}

// tried returns the features to try at a node.
func (g *grower) tried() []int {
	if g.options.MaxFeatures >= len(g.order) {
		return g.order
	}
	for k := range g.options.MaxFeatures {
		j := k + int(g.random.Randint(0, int64(len(g.order)-k)))
		g.order[k], g.order[j] = g.order[j], g.order[k]
	}
	return g.order[:g.options.MaxFeatures]
}
