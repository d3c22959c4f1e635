package classifier

import (
	"context"
	"iter"
	"slices"
	"sync"

	"github.com/seed-1a7dc1f9/facet/internal/boxtree"
	"github.com/seed-1a7dc1f9/facet/internal/boxtree/axistree"
	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Tree is an axis-parallel decision tree for any number of classes: an inner node
// sends x left when x[Feature] ≤ Threshold, as its Comparison has it, and right
// otherwise; a leaf predicts its most frequent class, the smaller label of a tie.
type Tree struct {
	labels
	axis *trees.Axis
	once sync.Once
	vote *boxtree.Model // of this tree alone, made once moves have rules or tests are of sets
	err  error          // of making it
}

// TreeNode is a node of a Tree. Node 0 is the root. Children come after their
// parents; a leaf has Left = Right = −1 and Feature = −1.
type TreeNode struct {
	Feature   int
	Threshold float64
	// Thresholds, two or more that ascend, make it the test of a set in place of Threshold: x goes
	// left if it would go right at an even number of them, each a test by itself. So values between
	// the first two go right, and those before and behind them left.
	Thresholds  []float64
	Left, Right int
	// MissingLeft sends a NaN left. Predict and attacks follow it.
	MissingLeft bool
	// Value holds the class frequencies of the training rows that reach the node,
	// one number per class.
	Value []float64
}

// Comparison says which inputs a node of a tree sends left, and in which arithmetic
// it compares them with its threshold t.
type Comparison int

const (
	AtMostFloat32 Comparison = iota // float32(x) ≤ t, as scikit-learn
	AtMostFloat64                   // x ≤ t, as LightGBM
	BelowFloat32                    // float32(x) < t, as XGBoost
	BelowFloat64                    // x < t
)

var (
	_ Decomposable = (*Tree)(nil)
	_ locator      = (*Tree)(nil)
	_ engine       = (*Tree)(nil)
)

// NewTree makes a tree over dim features from its nodes. It returns an error that wraps ErrModel
// and names the first node that is malformed: a feature outside 0..dim−1, a threshold that is
// NaN, or −Inf where float64 are compared, thresholds of a set that do not ascend (two may round to
// one float32) or are infinite, values that are not finite or not of one
// length, a child that does not come after its parent or has two. A threshold of +Inf is
// one that only a NaN does not pass: libraries write it for splits by missing values.
func NewTree(dim int, c Comparison, nodes []TreeNode) (*Tree, error) {
	plain := make(trees.Nodes, len(nodes))
	for i, n := range nodes {
		plain[i] = trees.Node{
			Feature: n.Feature, Threshold: n.Threshold, Thresholds: slices.Clone(n.Thresholds),
			Left: n.Left, Right: n.Right, MissingLeft: n.MissingLeft, Value: n.Value,
		}
	}
	axis, err := trees.NewAxis(dim, trees.Comparison(c), plain)
	if err != nil {
		return nil, modelError(err)
	}
	return &Tree{axis: axis}, nil
}

// Dim returns the number of features.
func (t *Tree) Dim() int { return t.axis.Dim }

// Classes returns the number of classes.
func (t *Tree) Classes() int { return t.axis.Classes }

// Categories returns those of a tree that was read from a file, as Ensemble.Categories does.
func (t *Tree) Categories() []int { return slices.Clone(t.categories) }

// Comparison returns how features are compared with thresholds.
func (t *Tree) Comparison() Comparison { return Comparison(t.axis.Comparison) }

// Nodes returns a copy of the nodes.
func (t *Tree) Nodes() []TreeNode {
	nodes := make([]TreeNode, t.axis.Len())
	for i := range nodes {
		n := t.axis.Node(i)
		nodes[i] = TreeNode{
			Feature: n.Feature, Threshold: n.Threshold, Thresholds: slices.Clone(n.Thresholds),
			Left: n.Left, Right: n.Right, MissingLeft: n.MissingLeft, Value: slices.Clone(n.Value),
		}
	}
	return nodes
}

// Predict returns the label of x.
func (t *Tree) Predict(x []float64) int { return int(t.axis.Labels[t.axis.Leaf(x)]) }

// Cells lists the leaves that some input reaches, from left to right, as boxes: several of a leaf
// below the test of a set, one for each run of values that it sends there. The borders lie where
// the comparison changes: with AtMostFloat32 halfway between a threshold and the next float32.
func (t *Tree) Cells() iter.Seq[Cell] {
	return func(yield func(Cell) bool) {
		all := polytope.NewBox(t.Dim())
		for leaf := range t.axis.Leaves() {
			for box := range t.axis.Parts(all, leaf) {
				if !yield(t.cell(leaf, slices.Clone(box))) {
					return
				}
			}
		}
	}
}

func (t *Tree) cell(leaf int, box polytope.Box) Cell {
	return Cell{Label: int(t.axis.Labels[leaf]), Region: polytope.Polyhedron{Box: box}}
}

// CellAt returns the leaf that x reaches, below the test of a set the box of it that x lies in.
func (t *Tree) CellAt(x []float64) (Cell, error) {
	if err := geometry.CheckPoint(x, t.Dim()); err != nil {
		return Cell{}, err
	}
	leaf, box := t.axis.Leaf(x), polytope.NewBox(t.Dim())
	t.axis.RestrictTo(box, leaf, x)
	return t.cell(leaf, box), nil
}

// search implements engine: a node of the search is a node of the tree, bounded
// by the distance to the inputs that reach it. Distances are in closed form, rounded
// down, and no program is solved.
func (t *Tree) search(ctx context.Context, q search.Query) (search.Search, error) {
	if t.listed(&q) {
		return axistree.New(t.axis, q), nil
	}
	vote, err := together(ctx, t, &q)
	if err != nil {
		return nil, err
	}
	return boxtree.New(vote, q)
}

// listed reports whether the boxes of the leaves answer a query one by one: no rules of moves, sets
// of values or other classifiers divide them.
func (t *Tree) listed(q *search.Query) bool {
	return q.Moves == nil && !t.axis.HasSets() && len(q.Also) == 0
}

// alone returns the vote of this tree alone.
func (t *Tree) alone() (*boxtree.Model, error) {
	t.once.Do(func() {
		vote, err := trees.NewEnsemble([]*trees.Axis{t.axis}, trees.Vote{Rule: trees.Hard})
		if err != nil {
			t.err = modelError(err)
			return
		}
		t.vote = boxtree.NewModel(vote)
	})
	return t.vote, t.err
}
