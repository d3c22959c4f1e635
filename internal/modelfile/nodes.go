package modelfile

import (
	"errors"
	"fmt"
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// columns are the nodes of a tree as parallel arrays, node 0 the root.
type columns struct {
	Feature []int `json:"feature,omitempty"`
	// of an oblique tree, in place of the features
	Weights   [][]float64 `json:"weights,omitempty"`
	Threshold []float64   `json:"threshold"`
	Infinite  []int       `json:"infinite,omitempty"` // 1 or −1 where a threshold is infinite
	// of each test of a set, in place of the one; empty of others
	Thresholds  [][]float64 `json:"thresholds,omitempty"`
	Left        []int       `json:"left"`
	Right       []int       `json:"right"`
	MissingLeft []bool      `json:"missing_left,omitempty"`
	Value       [][]float64 `json:"value"`
}

// decodeTrees returns the nodes of axis-parallel or oblique trees of a kind, with so many values a
// node. It empties the columns.
func decodeTrees(all []columns, oblique bool, values int, kind string) ([]trees.Plain, error) {
	if len(all) == 0 {
		return nil, errors.New("no trees")
	}
	decoded := make([]trees.Plain, len(all))
	for i := range all {
		err := all[i].check(oblique)
		if err == nil {
			decoded[i], err = all[i].nodes(values, kind)
		}
		if err != nil {
			return nil, trees.AtTree(i, err)
		}
		all[i] = columns{} // a large file need not be there twice
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
		return fmt.Errorf("%d %s, %d thresholds, %d left and %d right children, %d values: want "+
			"as many of each",
			tests, kind, n, len(c.Left), len(c.Right), len(c.Value))
	}
	for _, optional := range []int{len(c.Infinite), len(c.MissingLeft)} {
		if optional != 0 && optional != n {
			return fmt.Errorf("%d of infinite or missing_left for %d nodes", optional, n)
		}
	}
	if sets := len(c.Thresholds); sets != 0 && (oblique || sets != n) {
		return fmt.Errorf("%d lists of thresholds for %d nodes, or in an oblique tree", sets, n)
	}
	return nil
}

func (c *columns) nodes(values int, kind string) (trees.Nodes, error) {
	nodes := make(trees.Nodes, len(c.Threshold))
	for i := range nodes {
		if len(c.Value[i]) != values {
			return nil, trees.AtNode(i, fmt.Errorf("%d %s, want %d", len(c.Value[i]), kind, values))
		}
		nodes[i] = trees.Node{
			Feature: at(c.Feature, i), Weights: at(c.Weights, i), Threshold: c.Threshold[i],
			Thresholds: at(c.Thresholds, i), Left: c.Left[i], Right: c.Right[i],
			MissingLeft: at(c.MissingLeft, i), Value: c.Value[i],
		}
		if nodes[i].Left < 0 && nodes[i].Right < 0 && len(nodes[i].Weights) > 0 {
			return nil, trees.AtNode(i, fmt.Errorf("a leaf with %d weights", len(nodes[i].Weights)))
		}
		if sign := at(c.Infinite, i); sign != 0 {
			if len(nodes[i].Thresholds) > 0 {
				return nil, trees.AtNode(i, errors.New("thresholds and infinite"))
			}
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
