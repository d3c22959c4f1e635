package classifier

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/internal/cart"
	"github.com/seed-1a7dc1f9/facet/internal/cart/oc1"
	"github.com/seed-1a7dc1f9/facet/internal/cart/robust"
	"github.com/seed-1a7dc1f9/facet/internal/rows"
)

// TreeOptions are the parameters of training a decision tree. The zero value
// grows with entropy until the leaves are pure.
type TreeOptions struct {
	Gini     bool // splits reduce Gini's index 1 − Σ p², in place of the entropy −Σ p log₂ p
	MaxDepth int  // splits on a path; 0 for no limit
	MinSplit int  // rows that a node needs to be split; 0 means 2
	MinLeaf  int  // rows that each child must get; 0 means 1
	// MaxFeatures is how many of d features are tried at a node, and more while all
	// of them are constant there: a number up to d, SqrtFeatures or Log2Features. 0
	// means d for a tree, SqrtFeatures for a forest.
	MaxFeatures int
	Seed        uint32 // random_state: the order in which features are tried
	// Robust is the distance ε by which an adversary may move every feature, in its
	// units, and Reach, in place of it, how far each; 0 and nil mean plain splitting.
	Robust float64
	Reach  []Reach
	// WholeTree changes robust trees until as many rows as it can are right in every leaf that they
	// may be moved to. It needs Robust, or Reach.
	WholeTree bool
	// Chen scores robust splits by the rule of Chen et al., which the paper's tables have.
	Chen bool
}

// Reach is how far an adversary may move a feature down and up, in its units: not at all where both
// are 0.
type Reach struct{ Down, Up float64 }

// Values of MaxFeatures besides a number, of d features.
const (
	SqrtFeatures = cart.SqrtFeatures // ⌊√d⌋
	Log2Features = cart.Log2Features // ⌊log₂ d⌋, at least 1
)

// ForestOptions are the parameters of training a random forest. The zero value is
// the paper's but for the depth: 100 trees on bootstrap samples, entropy, √d
// features tried at a node.
type ForestOptions struct {
	TreeOptions
	Trees       int  // 0 means 100
	NoBootstrap bool // every tree is grown on all rows
	Workers     int  // goroutines; 0 means GOMAXPROCS
}

// TrainTree grows a decision tree by CART (Breiman et al., "Classification and
// Regression Trees", 1984), node for node as DecisionTreeClassifier of
// scikit-learn 1.2 does with the same random_state: features are rounded to
// float32, thresholds lie halfway between neighbouring values, values closer than
// 1e-7 count as equal. A class is a label from 0 to the largest in y.
//
// With TreeOptions.Robust, or Reach, splits are those of GROOT (Vos and Verwer, "Efficient training
// of robust decision trees against adversarial examples", ICML 2021): rows that the adversary can
// bring to either side of a threshold go to both children, and a split counts for Gini's index, by
// any criterion, once the adversary has moved shares of them so as to make it largest. Leaves hold
// the class frequencies of the rows that may reach them. Thresholds are the middles of intervals in
// which the same rows may cross. 0 then means 5 splits on a path, a MinSplit of 10 and a MinLeaf of
// 5, of rows that may be there. The rows between go to both sides, so that time may double with
// each level.
//
// With WholeTree such a tree is changed by the loss of the whole (Guo, Teng, Gao and Zhou, "Fast
// provably robust decision trees and boosting", ICML 2022): a row counts as right if all leaves are
// that it can be brought to. Passes over the nodes, from the root down, give each the split by
// which most rows are right, of all features, with the rest of the tree as it is, and divide leaves
// where that makes more rows right, until a pass changes no node. Leaves have one label. The tree
// that they begin with is the one above, where the paper's grows by the same loss.
//
// With Chen splits are scored as in Chen et al., "Robust decision trees against adversarial
// examples" (ICML 2019, section 4): rows whose feature lies within ε = Robust of the threshold t,
// t−ε ≤ x ≤ t+ε, may be on either side, and a split counts for the least impurity that it removes
// in four cases: none of them moves, all go left, all go right, all change sides. A split that
// removes none in one of these is not made, so that a large ε leaves a single leaf. Children get
// the rows where they are. Features, thresholds and the order in which they are tried are those of
// plain splitting, and so are time and memory.
//
// It takes O(d·n) memory, and as much time for each level of the tree. Errors
// are those that labelled rows can have, or wrap ErrOption or the context's error.
func TrainTree(ctx context.Context, x mat.Matrix, y []int, opts TreeOptions) (*Tree, error) {
	o, err := opts.cart(x)
	if err != nil {
		return nil, fmt.Errorf("classifier: tree: %w", err)
	}
	axis, err := cart.Tree(ctx, x, y, o)
	if err != nil {
		return nil, fmt.Errorf("classifier: tree: %w", err)
	}
	return &Tree{axis: axis}, nil
}

// TrainForest grows a random forest (Breiman, "Random forests", Machine Learning
// 45, 2001), node for node as RandomForestClassifier of scikit-learn 1.2 does
// with the same random_state. The forest does not depend on the number of
// workers. Errors are those of TrainTree.
func TrainForest(
	ctx context.Context, x mat.Matrix, y []int, opts ForestOptions,
) (*Ensemble, error) {
	o, err := opts.cart(x)
	if err != nil {
		return nil, fmt.Errorf("classifier: forest: %w", err)
	}
	o.Trees, o.NoBootstrap, o.Workers = opts.Trees, opts.NoBootstrap, opts.Workers
	axes, err := cart.Forest(ctx, x, y, o)
	if err != nil {
		return nil, fmt.Errorf("classifier: forest: %w", err)
	}
	members := make([]*Tree, len(axes))
	for i, axis := range axes {
		members[i] = &Tree{axis: axis}
	}
	return NewEnsemble(members, EnsembleOptions{})
}

func criterion(gini bool) cart.Criterion {
	if gini {
		return cart.Gini
	}
	return cart.Entropy
}

func (o TreeOptions) cart(x mat.Matrix) (cart.Options, error) {
	c := cart.Options{
		Criterion: criterion(o.Gini), MaxDepth: o.MaxDepth, MinSplit: o.MinSplit,
		MinLeaf:     o.MinLeaf,
		MaxFeatures: o.MaxFeatures, Seed: o.Seed, Whole: o.WholeTree,
	}
	if o.Chen {
		c.Chen = o.Robust
		switch {
		case o.Reach != nil:
			return c, fmt.Errorf("%w: Chen's splits know one distance for all features, in Robust",
				ErrOption)
		case o.WholeTree:
			return c, fmt.Errorf("%w: trees of Chen's splits are not changed as a whole: take one "+
				"of Chen and WholeTree", ErrOption)
		}
		return c, nil
	}
	var err error
	c.Reach, err = reaches(x, o.Robust, o.Reach)
	return c, err
}

// reaches returns how far an adversary may move each feature of x, nil if none.
func reaches(x mat.Matrix, every float64, each []Reach) ([]robust.Reach, error) {
	switch {
	case !(every >= 0) || math.IsInf(every, 1):
		return nil, fmt.Errorf("%w: robust against moves of %v, want a distance from 0 on",
			ErrOption, every)
	case every > 0 && each != nil:
		return nil, fmt.Errorf("%w: both Robust and Reach say how far features may be moved",
			ErrOption)
	case every == 0 && each == nil || rows.IsNil(x):
		return nil, nil
	}
	_, dim := x.Dims()
	reach := make([]robust.Reach, dim)
	for j := range reach {
		reach[j] = robust.Reach{Down: every, Up: every}
	}
	if each != nil {
		reach = reach[:0]
	}
	for _, r := range each {
		reach = append(reach, robust.Reach(r))
	}
	return reach, nil
}

// ObliqueOptions are the parameters of training linear decision trees. The zero
// value grows one tree with entropy until the leaves are pure.
type ObliqueOptions struct {
	Gini     bool // as in TreeOptions
	Trees    int  // 0 means 1; more are grown on bootstrap samples
	MaxDepth int  // splits on a path; 0 for no limit
	MinSplit int  // rows that a node needs to be split; 0 means 2
	MinLeaf  int  // rows that each child must get; 0 means 1
	Restarts int  // random hyperplanes that climbs start from; 0 means 5
	Jumps    int  // random directions tried in a local optimum; 0 means 5
	Seed     uint32
	Workers  int // goroutines; 0 means GOMAXPROCS
}

// TrainOblique grows linear decision trees by hill climbing, as OC1 does (Murthy,
// Kasif and Salzberg, "A system for induction of oblique decision trees", JAIR 2,
// 1994, doi:10.1613/jair.63), and with several trees bags them (Breiman, "Bagging
// predictors", Machine Learning 24, 1996): each is grown on a bootstrap sample,
// and they vote softly.
//
// A node starts climbs from its best test of a single feature and from random hyperplanes. A climb
// changes one weight at a time, or the threshold, to the value that leaves least impurity, and in a
// local optimum moves along random directions; the best hyperplane wins, its threshold halfway
// between the rows it parts. Unlike OC1 a climb does not move where the impurity stays the same,
// and stops after a fixed number of rounds.
//
// Trees depend on the seed alone, not on the number of workers. With d features
// and n rows one round of a climb takes O(d·n log n) time for each level of a
// tree. Errors are those of TrainTree.
func TrainOblique(
	ctx context.Context, x mat.Matrix, y []int, opts ObliqueOptions,
) (*ObliqueEnsemble, error) {
	o := oc1.Options{
		Criterion: criterion(opts.Gini), Trees: opts.Trees, MaxDepth: opts.MaxDepth,
		MinSplit: opts.MinSplit, MinLeaf: opts.MinLeaf,
		Restarts: opts.Restarts, Jumps: opts.Jumps, Seed: opts.Seed, Workers: opts.Workers,
	}
	grown, err := oc1.Train(ctx, x, y, o)
	if err != nil {
		return nil, fmt.Errorf("classifier: oblique trees: %w", err)
	}
	return newOblique(grown, EnsembleOptions{})
}
