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

// isolates reports whether a graph is that of an isolation forest, as skl2onnx writes it: a
// regressor for each tree, whose output is the number of a leaf, and encoders that make a number of
// rows and a depth of it.
func (g *graph) isolates() bool {
	is := func(op string) bool {
		return slices.ContainsFunc(g.nodes, func(n node) bool { return n.op == op })
	}
	return is("LabelEncoder") && is("TreeEnsembleRegressor") && is("Pow")
}

// isolation computes the graph of an isolation forest. The part before the sum of all depths is a
// function of one leaf, and is computed for each; the part behind it is a function of the sum,
// which never falls.
type isolation struct {
	*graph
	size    int   // of the file
	room    int64 // how many more numbers a file of this size can mean
	dim     int
	columns map[string][]int64 // of the input, or of an operator that gathers some of its columns
	values  map[string]*quantity
	trees   []trees.Nodes
	tail    []*node // the operators after the sum, in this order
	total   string
}

// quantity is a number that is always the same, or one for each leaf of a tree.
type quantity struct {
	tree   int // −1 if it is always the same
	leaves []float64
}

// behind are the operators behind the sum. Each keeps the order of numbers, or turns it, and so
// does its rounding.
var behind = []string{"Div", "Neg", "Pow", "Neg", "Add", "Less", "Cast", "Mul", "Add"}

// isolation reads an isolation forest: labels −1 and 1.
func (m *model) isolation(size int) (*models.Model, error) {
	g := &isolation{
		graph: &m.graph, size: size, room: models.MostValues * int64(size),
		columns: make(map[string][]int64), values: make(map[string]*quantity),
	}
	if len(g.inputs) != 1 || g.inputs[0].element != elementFloat || g.inputs[0].size < 1 ||
		g.inputs[0].size > models.MostFeatures {
		return nil, models.Unsupported("an ONNX graph of an isolation forest whose input is not " +
			"one tensor of float32 with a number of features: convert with an input of " +
			"FloatTensorType")
	}
	g.dim = int(g.inputs[0].size)
	for j := range g.inputs[0].size {
		g.columns[g.inputs[0].name] = append(g.columns[g.inputs[0].name], j)
	}
	for name, c := range g.constants {
		if len(c.floats) == 1 {
			g.values[name] = &quantity{-1, []float64{float64(c.floats[0])}}
		} else if len(c.floats) == 0 && len(c.ints) == 1 {
			g.values[name] = &quantity{-1, []float64{float64(c.ints[0])}}
		}
	}
	for i := range g.nodes {
		if err := g.step(&g.nodes[i]); err != nil {
			return nil, fmt.Errorf("an isolation forest: %w", err)
		}
	}
	return g.model()
}

// step computes the result of a node.
func (g *isolation) step(n *node) error {
	if len(n.outputs) != 1 || len(n.inputs) == 0 {
		return fmt.Errorf("the operator %.40s has %d inputs and %d outputs", n.op, len(n.inputs),
			len(n.outputs))
	}
	switch {
	case n.op == "Gather" && len(n.inputs) == 2:
		return g.gather(n)
	case n.op == "TreeEnsembleRegressor":
		return g.grow(n)
	case n.op == "Sum" && g.total == "":
		return g.add(n)
	case g.total != "":
		g.tail = append(g.tail, n)
		return nil
	}
	return g.each(n)
}

// gather notes which columns of the input a tree reads.
func (g *isolation) gather(n *node) error {
	of, chosen := g.columns[n.inputs[0]], g.constants[n.inputs[1]].ints
	if n.attributes["axis"].number != 1 || len(chosen) == 0 {
		return models.Unsupported("a Gather of anything but columns")
	}
	for _, j := range chosen {
		if j < 0 || j >= int64(len(of)) {
			return fmt.Errorf("a Gather of column %d of %d", j, len(of))
		}
		g.columns[n.outputs[0]] = append(g.columns[n.outputs[0]], of[j])
	}
	return nil
}

// grow reads a tree, whose output is the number of the leaf.
func (g *isolation) grow(n *node) error {
	columns := g.columns[n.inputs[0]]
	m := &models.Model{Dim: len(columns), Comparison: trees.AtMostFloat32}
	if m.Vote.Single = true; m.Dim == 0 {
		return models.Unsupported("a tree that reads no columns of the input")
	}
	if err := n.regressor(m, g.size); err != nil {
		return fmt.Errorf("%s: %w", n.op, err)
	}
	nodes, ok := m.Trees[0].(trees.Nodes)
	if !ok || len(m.Trees) != 1 {
		return models.Unsupported("a TreeEnsembleRegressor of several trees, or with base values")
	}
	q := &quantity{tree: len(g.trees)}
	for i := range nodes {
		q.leaves = append(q.leaves, nodes[i].Value[0])
		if nodes[i].Left >= 0 {
			nodes[i].Feature = int(columns[nodes[i].Feature])
		}
	}
	g.trees, g.values[n.outputs[0]] = append(g.trees, nodes), q
	return nil
}

// add takes the depths of all trees for their leaves, in the order of the sum.
func (g *isolation) add(n *node) error {
	g.total = n.outputs[0]
	inOrder, seen := make([]trees.Nodes, 0, len(g.trees)), make([]bool, len(g.trees))
	for _, name := range n.inputs {
		q := g.values[name]
		if q == nil || q.tree < 0 || seen[q.tree] {
			return models.Unsupported("a sum of anything but one number for each tree")
		}
		nodes := g.trees[q.tree]
		for i := range nodes {
			if nodes[i].Value = []float64{0, 0}; nodes[i].Left < 0 {
				nodes[i].Value[1] = q.leaves[i]
			}
		}
		inOrder, seen[q.tree] = append(inOrder, nodes), true
	}
	if len(inOrder) != len(g.trees) {
		return models.Unsupported("a sum of some of the trees")
	}
	g.trees = inOrder
	return nil
}

// each computes the results of a node for the leaves of a tree.
func (g *isolation) each(n *node) error {
	made := &quantity{tree: -1, leaves: make([]float64, 1)}
	inputs := n.inputs
	if n.op == "Reshape" {
		inputs = inputs[:1]
	}
	for _, name := range inputs {
		q := g.values[name]
		switch {
		case q == nil:
			return fmt.Errorf("the operator %.40s reads %.40q, which nothing makes", n.op, name)
		case q.tree >= 0 && made.tree >= 0 && q.tree != made.tree:
			return models.Unsupported(fmt.Sprintf("a %.40s of two trees", n.op))
		case q.tree >= 0:
			made.tree, made.leaves = q.tree, make([]float64, len(q.leaves))
		}
	}
	if g.room -= int64(len(made.leaves)); g.room < 0 {
		return models.Unsupported("more numbers than a file of this size can mean")
	}
	if n.op == "LabelEncoder" && len(inputs) == 1 {
		n.encode(made.leaves, g.values[inputs[0]].leaves)
		g.values[n.outputs[0]] = made
		return nil
	}
	for i := range made.leaves {
		args := make([]float64, len(inputs))
		for k, name := range inputs {
			q := g.values[name]
			args[k] = q.leaves[min(i, len(q.leaves)-1)]
		}
		v, err := n.compute(args)
		if err != nil {
			return err
		}
		made.leaves[i] = v
	}
	g.values[n.outputs[0]] = made
	return nil
}

// compute returns the result of an operator for numbers, rounded to float32. Whole numbers and
// truths are numbers, too.
func (n *node) compute(args []float64) (float64, error) {
	truth := func(is bool) float64 {
		if is {
			return 1
		}
		return 0
	}
	rounded := func(v float64) (float64, error) { return float64(float32(v)), nil }
	a := args[0]
	if len(args) == 1 {
		switch n.op {
		case "Reshape", "Identity":
			return a, nil
		case "Cast":
			return math.Trunc(a), n.castable(a)
		case "Log":
			return rounded(math.Log(a))
		case "Neg":
			return -a, nil
		}
	}
	if len(args) == 2 {
		b := args[1]
		switch n.op {
		case "Add":
			return rounded(a + b)
		case "Mul":
			return rounded(a * b)
		case "Div":
			return rounded(a / b)
		case "Max":
			return max(a, b), nil
		case "Equal":
			return truth(a == b), nil
		case "Greater":
			return truth(a > b), nil
		case "Less":
			return truth(a < b), nil
		case "Pow":
			return rounded(math.Pow(a, b))
		}
	}
	return 0, models.Unsupported(fmt.Sprintf("the operator %.40q of %d numbers", n.op, len(args)))
}

// castable returns an error for a number that a Cast changes, or to a type that is none of the
// known.
func (n *node) castable(a float64) error {
	to := n.attributes["to"].number
	if to != elementFloat && to != elementInt64 || a != math.Trunc(a) || !precise.Finite(a) {
		return models.Unsupported(fmt.Sprintf("a Cast of %v to the element type %d", a, to))
	}
	return nil
}

// encode sets the codes that a LabelEncoder gives whole numbers, NaN for those that it does not
// know.
func (n *node) encode(made, of []float64) {
	values, known := n.attributes["values_floats"].floats, make(map[float64]float64)
	for i, key := range n.attributes["keys_int64s"].ints {
		if i < len(values) {
			known[float64(key)] = float64(values[i])
		}
	}
	for i, key := range of {
		v, ok := known[key]
		if made[i] = v; !ok {
			made[i] = math.NaN()
		}
	}
}

// label returns the label that the graph computes from a sum.
func (g *isolation) label(sum float64) (float64, error) {
	made := map[string]float64{g.total: sum}
	for _, n := range g.tail {
		args := make([]float64, len(n.inputs))
		for i, name := range n.inputs {
			v, ok := made[name]
			if q := g.values[name]; !ok && q != nil && q.tree < 0 {
				v, ok = q.leaves[0], true
			}
			if !ok {
				return 0, fmt.Errorf("the operator %.40s reads %.40q, which nothing makes", n.op,
					name)
			}
			args[i] = v
		}
		v, err := n.compute(args)
		if err != nil {
			return 0, err
		}
		made[n.outputs[0]] = v
	}
	return made[g.outputs[0]], nil
}

// check returns an error unless the part behind the sum is a chain that makes one label of small
// sums and the other of large ones.
func (g *isolation) check() error {
	last := g.total
	for i, n := range g.tail {
		at := 0
		if n.op == "Pow" {
			at = 1
		}
		if i >= len(behind) || n.op != behind[i] || at >= len(n.inputs) || n.inputs[at] != last {
			return models.Unsupported(fmt.Sprintf("the operator %.40q behind the sum of the "+
				"depths, which is none that skl2onnx writes there", n.op))
		}
		last = n.outputs[0]
	}
	if len(g.tail) != len(behind) || len(g.outputs) == 0 || g.outputs[0] != last {
		return models.Unsupported("a first output that is no label")
	}
	for i := range g.trees {
		for _, n := range g.trees[i] {
			if n.Left < 0 && !precise.Finite(n.Value[1]) {
				return errors.New("a leaf whose depth is no number")
			}
		}
	}
	return nil
}

// model returns the forest: two labels, the second where the sum of depths is above a threshold,
// the last sum that the graph gives the first.
func (g *isolation) model() (*models.Model, error) {
	if g.total == "" || len(g.trees) == 0 {
		return nil, models.Unsupported("an isolation forest without a sum of depths")
	}
	if err := g.check(); err != nil {
		return nil, err
	}
	m := &models.Model{
		Kind: models.Ensemble, Dim: g.dim, ClassValues: []float64{-1, 1},
		ClassNames: []string{"-1", "1"}, Comparison: trees.AtMostFloat32,
		Vote: trees.Vote{
			Rule: trees.Sum, Single: true, AnyOrder: len(g.trees) > 2, Chances: trees.NoChances,
		},
	}
	most := float32(1)
	for _, nodes := range g.trees {
		deepest := 0.0
		for i := range nodes {
			deepest = max(deepest, math.Abs(nodes[i].Value[1]))
		}
		most += float32(deepest)
		m.Trees = append(m.Trees, nodes)
	}
	last, err := g.last(2 * most)
	m.Vote.Base = []float64{float64(last), 0}
	return m, err
}

// last returns the last sum from −most to most whose label is −1; an end if all have one label.
func (g *isolation) last(most float32) (float32, error) {
	var failed error
	sum := func(v float64) float32 { return min(max(float32(v), -most), most) }
	v, any := precise.Last(func(v float64) bool {
		label, err := g.label(float64(sum(v)))
		if err == nil && label != -1 && label != 1 {
			err = models.Unsupported(fmt.Sprintf("the label %v, want -1 or 1", label))
		}
		failed = cmp.Or(failed, err)
		return label == -1
	})
	if !any {
		return -most, failed
	}
	return sum(v), failed
}
