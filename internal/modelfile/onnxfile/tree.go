package onnxfile

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/modelfile/models"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// arrays are the attributes of an ensemble that describe its nodes, one number for each.
type arrays struct {
	tree, node, feature, whenTrue, whenFalse []int64
	missingTrue                              []int64 // may be empty
	value                                    []float32
	mode                                     []string
}

// weights are those of leaves: numbers that the leaf of a tree adds to a class or target.
type weights struct {
	tree, node, class []int64
	weight            []float32
}

// missingTrue is the attribute that may be left out.
const missingTrue = "nodes_missing_value_tracks_true"

func (n *node) arrays() (a arrays, err error) {
	get := func(name string) []int64 { return n.attributes[name].ints }
	a = arrays{
		tree: get("nodes_treeids"), node: get("nodes_nodeids"), feature: get("nodes_featureids"),
		whenTrue: get("nodes_truenodeids"), whenFalse: get("nodes_falsenodeids"),
		missingTrue: get(missingTrue),
		value:       n.attributes["nodes_values"].floats, mode: n.attributes["nodes_modes"].strings,
	}
	count := len(a.tree)
	for _, list := range []struct {
		name   string
		length int
	}{
		{"nodes_nodeids", len(a.node)}, {"nodes_featureids", len(a.feature)},
		{"nodes_truenodeids", len(a.whenTrue)}, {"nodes_falsenodeids", len(a.whenFalse)},
		{"nodes_values", len(a.value)}, {"nodes_modes", len(a.mode)},
		{missingTrue, len(a.missingTrue)},
	} {
		if list.length != count && (list.name != missingTrue || list.length > 0) {
			return a, fmt.Errorf("%d %s, and %d nodes_treeids", list.length, list.name, count)
		}
	}
	if count == 0 {
		return a, errors.New("no nodes")
	}
	return a, nil
}

// weights returns the weights, whose attributes begin with "class" or "target".
func (n *node) weights(of string) (w weights, err error) {
	get := func(name string) []int64 { return n.attributes[of+name].ints }
	w = weights{
		tree:   get("_treeids"),
		node:   get("_nodeids"),
		class:  get("_ids"),
		weight: n.attributes[of+"_weights"].floats,
	}
	if count := len(w.weight); len(w.tree) != count || len(w.node) != count ||
		len(w.class) != count {
		return w, fmt.Errorf("%d %[2]s_weights, %d %[2]s_treeids, %d %[2]s_nodeids, %d "+
			"%[2]s_ids: want as many of each", count, of, len(w.tree), len(w.node), len(w.class))
	}
	if i := slices.IndexFunc(w.weight, infinite); i >= 0 {
		return w, fmt.Errorf("%s_weights: weight %d is %v", of, i, w.weight[i])
	}
	return w, nil
}

// infinite reports whether a number is none that can be added up.
func infinite(v float32) bool { return !precise.Finite(float64(v)) }

// index finds nodes by their trees and numbers.
type index struct {
	*arrays
	order []int         // the nodes, by tree and number
	first map[int64]int // in that order: where each tree begins
}

func newIndex(a *arrays) (*index, error) {
	x := &index{arrays: a, order: make([]int, len(a.tree)), first: make(map[int64]int)}
	for i := range x.order {
		x.order[i] = i
	}
	slices.SortFunc(x.order, func(i, j int) int {
		return cmp.Or(cmp.Compare(a.tree[i], a.tree[j]), cmp.Compare(a.node[i], a.node[j]))
	})
	for at, i := range x.order {
		if at == 0 || a.tree[i] != a.tree[x.order[at-1]] {
			x.first[a.tree[i]] = at
		} else if a.node[i] == a.node[x.order[at-1]] {
			return nil, fmt.Errorf("node %d of nodes_treeids %d twice", a.node[i], a.tree[i])
		}
	}
	return x, nil
}

// find returns where a node is in the arrays.
func (x *index) find(tree, node int64) (int, bool) {
	first, ok := x.first[tree]
	if !ok {
		return 0, false
	}
	of := x.order[first:]
	is := func(at int64) bool { return x.tree[of[at]] == tree && x.node[of[at]] == node }
	if node >= 0 && node < int64(len(of)) && is(node) { // mostly they count from 0
		return of[node], true
	}
	at, ok := slices.BinarySearchFunc(of, node, func(i int, node int64) int {
		return cmp.Or(cmp.Compare(x.tree[i], tree), cmp.Compare(x.node[i], node))
	})
	if !ok {
		return 0, false
	}
	return of[at], true
}

// grower makes trees of the arrays.
type grower struct {
	arrays
	features int
	index    *index
	leaf     [][]float64 // of each node: its contribution if it is a leaf
	zeros    []float64
	compares trees.Comparison
	left     int64 // how many more values a file of this size can mean

	reached []bool // nodes of the arrays
	nodes   []trees.Node
}

// newGrower numbers the nodes and gives leaves their contributions.
func (n *node) newGrower(
	features int, w *weights, values, size int, column func(class int64) int,
) (*grower, error) {
	a, err := n.arrays()
	if err != nil {
		return nil, err
	}
	places, err := newIndex(&a)
	if err != nil {
		return nil, err
	}
	g := &grower{
		arrays: a, features: features, index: places, leaf: make([][]float64, len(a.tree)),
		zeros: make([]float64, values), left: models.MostValues * int64(size),
		reached: make([]bool, len(a.tree)),
	}
	return g, g.contribute(w, column)
}

// contribute gives leaves their contributions, which are NaN until then.
func (g *grower) contribute(w *weights, column func(class int64) int) error {
	nans := slices.Repeat([]float64{math.NaN()}, len(g.zeros))
	for i, v := range w.weight {
		at, ok := g.index.find(w.tree[i], w.node[i])
		if !ok || g.mode[at] != "LEAF" {
			return fmt.Errorf(
				"weight %d is that of node %d of nodes_treeids %d, which is no leaf",
				i, w.node[i], w.tree[i],
			)
		}
		c := column(w.class[i])
		if g.leaf[at] == nil {
			g.leaf[at] = slices.Clone(nans)
		}
		if g.leaf[at][c] == g.leaf[at][c] {
			return fmt.Errorf("weight %d is another one of the same leaf and class", i)
		}
		g.leaf[at][c] = float64(v)
	}
	for _, value := range g.leaf {
		for c, v := range value {
			if v != v {
				value[c] = 0
			}
		}
	}
	return nil
}

// trees returns the trees. The nodes of each stand together, the root first.
func (g *grower) trees() ([]trees.Plain, error) {
	var all []trees.Plain
	for from := 0; from < len(g.tree); {
		g.nodes = nil
		err := g.below(from, 0)
		for from++; from < len(g.tree) && g.tree[from] == g.tree[from-1]; from++ {
			if err == nil && !g.reached[from] {
				err = fmt.Errorf("node %d is not below the first one", g.node[from])
			}
		}
		var nodes []trees.Node
		if err == nil {
			nodes, err = g.grown()
		}
		if err != nil {
			return nil, trees.AtTree(len(all), err)
		}
		all = append(all, trees.Nodes(nodes))
	}
	return all, nil
}

// grown returns the tree that was grown.
func (g *grower) grown() ([]trees.Node, error) {
	nodes := models.Reached(g.nodes)
	if g.left -= int64(len(nodes) * len(g.zeros)); g.left < 0 {
		return nil, models.Unsupported("more classes than a file of this size can mean")
	}
	return nodes, nil
}

// mostDepth keeps the recursion within the memory of a stack.
const mostDepth = 1 << 14

// below appends a node and its subtrees.
func (g *grower) below(i, depth int) error {
	if g.reached[i] {
		return fmt.Errorf("node %d is the first one of a tree, or has another parent", g.node[i])
	}
	if depth > mostDepth {
		return models.Unsupported(fmt.Sprintf("a tree of more than %d levels", mostDepth))
	}
	g.reached[i] = true
	if g.mode[i] == "LEAF" {
		value := g.leaf[i]
		if value == nil {
			value = g.zeros
		}
		g.nodes = append(g.nodes,
			trees.Node{Left: -1, Right: -1, Value: value})
		return nil
	}
	n, swapped, err := g.test(i)
	if err != nil {
		return fmt.Errorf("node %d: %w", g.node[i], err)
	}
	at := len(g.nodes)
	g.nodes = append(g.nodes, n)
	first, second := g.whenTrue[i], g.whenFalse[i]
	if swapped {
		first, second = second, first
	}
	g.nodes[at].Left = len(g.nodes)
	if err := g.child(i, first, depth); err != nil {
		return err
	}
	g.nodes[at].Right = len(g.nodes)
	return g.child(i, second, depth)
}

func (g *grower) child(i int, node int64, depth int) error {
	at, ok := g.index.find(g.tree[i], node)
	if !ok {
		return fmt.Errorf("node %d has the child %d, which is not there", g.node[i], node)
	}
	return g.below(at, depth+1)
}

// test returns the test of a node: the inputs that go left are those for which it holds,
// or, swapped, the others.
func (g *grower) test(i int) (n trees.Node, swapped bool, err error) {
	t, f := g.value[i], g.feature[i]
	switch {
	case f < 0 || f >= int64(g.features):
		return n, false, fmt.Errorf("nodes_featureids is %d, want 0 to %d", f, g.features-1)
	case t != t || math.IsInf(float64(t), -1):
		return n, false, fmt.Errorf("nodes_values is %v", t)
	}
	missingTrue := len(g.missingTrue) > 0 && g.missingTrue[i] == 1
	n = trees.Node{Feature: int(f), Threshold: float64(t), MissingLeft: missingTrue, Value: g.zeros}
	switch mode := g.mode[i]; mode {
	case "BRANCH_LEQ":
	case "BRANCH_LT":
		n.Threshold = g.before(t)
	case "BRANCH_GT", "BRANCH_GTE":
		if swapped = true; mode == "BRANCH_GTE" {
			n.Threshold = g.before(t)
		}
		n.MissingLeft = !missingTrue
	case "BRANCH_EQ", "BRANCH_NEQ":
		models.TestEnds(&n, g.compares, []float64{g.before(t), float64(t)}, true)
		n.MissingLeft = true // no NaN is equal to anything
		if swapped = mode == "BRANCH_EQ"; swapped {
			n.MissingLeft = !missingTrue
		}
	default:
		err = models.Unsupported(fmt.Sprintf("nodes_modes is %.40q, and only BRANCH_LEQ, "+
			"BRANCH_LT, BRANCH_GT, BRANCH_GTE, BRANCH_EQ and BRANCH_NEQ are read", mode))
	}
	return n, swapped, err
}

// before returns the number before t, of those that inputs are.
func (g *grower) before(t float32) float64 {
	if g.compares == trees.AtMostFloat64 {
		return math.Nextafter(float64(t), math.Inf(-1))
	}
	return float64(math.Nextafter32(t, float32(math.Inf(-1))))
}
