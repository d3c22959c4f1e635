package modelfile

import (
	"errors"
	"fmt"
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// columns are the nodes of a tree as parallel arrays, node 0 the root.
type columns struct {
	Feature     []int       `json:"feature,omitempty"`
	Weights     [][]float64 `json:"weights,omitempty"` // of an oblique tree, in place of the features
	Threshold   []float64   `json:"threshold"`
	Infinite    []int       `json:"infinite,omitempty"` // 1 or −1 where a threshold is infinite
	Left        []int       `json:"left"`
	Right       []int       `json:"right"`
	MissingLeft []bool      `json:"missing_left,omitempty"`
	Value       [][]float64 `json:"value"`
}

// decodeTrees returns the nodes of axis-parallel or oblique trees with so many values a
// node, of what kind.
func decodeTrees(all []columns, oblique bool, values int, kind string) ([][]trees.Node, error) {
	if len(all) == 0 {
		return nil, errors.New("no trees")
	}
	decoded := make([][]trees.Node, len(all))
	for i := range all {
		err := all[i].check(oblique)
		if err == nil {
			decoded[i], err = all[i].nodes(values, kind)
		}
		if err != nil {
			return nil, trees.AtTree(i, err)
		}
	}
	return decoded, nil
}

// check checks that the columns are those of a tree of one kind, and of one length.
func (c *columns) check(oblique bool) error {
	n, tests, other, kind := len(c.Threshold), len(c.Feature), len(c.Weights), "features"
	if oblique {
		tests, other, kind = other, tests, "weight vectors"
	}
	if tests != n || other > 0 || len(c.Left) != n || len(c.Right) != n || len(c.Value) != n {
		return fmt.Errorf("%d %s, %d thresholds, %d left and %d right children, %d values: want as many of each",
			tests, kind, n, len(c.Left), len(c.Right), len(c.Value))
	}
	for _, optional := range []int{len(c.Infinite), len(c.MissingLeft)} {
		if optional != 0 && optional != n {
			return fmt.Errorf("%d of infinite or missing_left for %d nodes", optional, n)
		}
	}
	return nil
}

func (c *columns) nodes(values int, kind string) ([]trees.Node, error) {
	nodes := make([]trees.Node, len(c.Threshold))
	for i := range nodes {
		if len(c.Value[i]) != values {
			return nil, trees.AtNode(i, fmt.Errorf("%d %s, want %d", len(c.Value[i]), kind, values))
		}
		nodes[i] = trees.Node{
			Feature: at(c.Feature, i), Weights: at(c.Weights, i), Threshold: c.Threshold[i],
			Left: c.Left[i], Right: c.Right[i], MissingLeft: at(c.MissingLeft, i), Value: c.Value[i],
		}
		if nodes[i].Left < 0 && nodes[i].Right < 0 && len(nodes[i].Weights) > 0 {
			return nil, trees.AtNode(i, fmt.Errorf("a leaf with %d weights", len(nodes[i].Weights)))
		}
		if sign := at(c.Infinite, i); sign != 0 {
			nodes[i].Threshold = math.Inf(sign)
		}
	}
	return nodes, nil
}

// at returns element i of an array that may be absent.
func at[T any](array []T, i int) (v T) {
	if i < len(array) {
		v = array[i]
	}
	return v
}

// mostValues is how many values a byte of a file may ask for. A boosted tree holds a
// number for each leaf, a tree here one for each node and class: without a limit a small
// file with a large number of classes asks for any amount of memory. LightGBM's files,
// the most compact, need 20 values a byte for a thousand classes.
const mostValues = 32

// spread gives the nodes of boosted trees, which have one number or none, a value for each
// class: their number times the rate for the class that their tree adds to, and zeros.
// The file has so many bytes.
func (m *Model) spread(size int, rate float64, class func(tree int) int) error {
	classes, left := len(m.ClassValues), mostValues*int64(size)
	for i, nodes := range m.Trees {
		if left -= int64(len(nodes)) * int64(classes); left < 0 {
			return trees.AtTree(i, fmt.Errorf("%d nodes of %d classes: more than a file of this size can mean", len(nodes), classes))
		}
		all := make([]float64, len(nodes)*classes)
		for k := range nodes {
			value := all[k*classes : (k+1)*classes : (k+1)*classes]
			if n := &nodes[k]; len(n.Value) > 0 {
				value[class(i)] = rate * n.Value[0]
			}
			nodes[k].Value = value
		}
	}
	return nil
}

// ordered numbers nodes with children after their parents and the root, which is the
// first, before all. Nodes that the root does not reach are left out.
func ordered(nodes []trees.Node) ([]trees.Node, error) {
	if len(nodes) == 0 {
		return nil, errors.New("no nodes")
	}
	reached := make([]bool, len(nodes))
	reached[0] = true
	order, sorted := []int{0}, make([]trees.Node, 0, len(nodes))
	for i := 0; i < len(order); i++ {
		n := nodes[order[i]]
		if n.Left >= 0 || n.Right >= 0 {
			for _, child := range []*int{&n.Left, &n.Right} {
				if *child < 0 || *child >= len(nodes) {
					return nil, trees.AtNode(order[i], fmt.Errorf("child %d of %d nodes", *child, len(nodes)))
				}
				if reached[*child] {
					return nil, trees.AtNode(order[i], fmt.Errorf("child %d is the root or has another parent", *child))
				}
				reached[*child] = true
				order = append(order, *child)
				*child = len(order) - 1
			}
		}
		sorted = append(sorted, n)
	}
	return sorted, nil
}

// labels returns the class values of a library whose labels count from 0.
func labels(classes int) []float64 {
	values := make([]float64, classes)
	for c := range values {
		values[c] = float64(c)
	}
	return values
}
