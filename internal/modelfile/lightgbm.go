package modelfile

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/seed-1a7dc1f9/facet/internal/models"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// lightgbmMagic is the first line of a file.
const lightgbmMagic = "tree"

func isLightGBM(h *head) bool {
	first, _, _ := bytes.Cut(h.text, []byte("\n"))
	return string(bytes.TrimSpace(first)) == lightgbmMagic
}

func readLightGBM(text []byte) (*Model, error) {
	f, err := parseLightGBM(string(text))
	if err != nil {
		return nil, err
	}
	features, groups, err := f.check()
	if err != nil {
		return nil, err
	}
	m := &Model{
		Kind: Ensemble, Dim: features, Comparison: trees.AtMostFloat64,
		ClassValues: models.Labels(max(groups, 2)), Trees: make([][]trees.Node, len(f.trees)),
	}
	if link, regresses := f.header.regression(groups); regresses {
		m.Kind, m.Vote.Rule, m.Link, m.ClassValues = Regressor, f.header.adding(), link, nil
	} else if m.Vote, err = f.header.vote(groups); err != nil {
		return nil, err
	}
	for i, s := range f.trees {
		if m.Trees[i], err = s.nodes(features); err != nil {
			return nil, trees.AtTree(i, err)
		}
	}
	return m, m.Spread(len(text), 1, func(tree int) int {
		switch {
		case m.Kind == Regressor:
			return 0
		case groups == 1:
			return 1 // a margin in favour of label 1
		}
		return tree % groups
	})
}

// check returns the numbers of features and of trees that grow together: one, or one
// for each class.
func (f *lightgbmFile) check() (features, groups int, err error) {
	h := f.header
	if v := h.lines["version"].value; v != "v3" && v != "v4" {
		return 0, 0, h.errorf("version", "%.20q, want v3 or v4: %w", v, errors.ErrUnsupported)
	}
	if _, regresses := h.regression(1); h.adding() == trees.Soft && !regresses {
		return 0, 0, h.errorf("average_output", "a random forest: %w", errors.ErrUnsupported)
	}
	last, classes := h.integer("max_feature_idx"), h.integer("num_class")
	groups = h.optional("num_tree_per_iteration", classes)
	sizes, sized := h.lines["tree_sizes"]
	switch {
	case h.err != nil:
		err = h.err
	case last < 0 || last >= models.MostFeatures:
		err = h.errorf("max_feature_idx", "%d, want 0 to %d", last, models.MostFeatures-1)
	case groups != classes:
		err = h.errorf("num_tree_per_iteration", "%d for %d classes", groups, classes)
	case len(f.trees) == 0:
		err = errors.New("no trees")
	case groups < 1 || len(f.trees)%groups != 0:
		err = h.errorf("num_tree_per_iteration", "%d, and there are %d trees", groups, len(f.trees))
	case sized && len(strings.Fields(sizes.value)) != len(f.trees):
		err = h.errorf("tree_sizes", "%d numbers for %d trees", len(strings.Fields(sizes.value)), len(f.trees))
	}
	return last + 1, groups, err
}

// vote returns how the trees vote.
func (s *section) vote(groups int) (trees.Vote, error) {
	objective := s.lines["objective"].value
	name, parameter, _ := strings.Cut(strings.TrimSpace(objective), " ")
	switch {
	case name == "binary" && groups == 1:
		text, ok := strings.CutPrefix(parameter, "sigmoid:")
		sigmoid, err := finite(text)
		if !ok || err != nil || sigmoid <= 0 {
			return trees.Vote{}, s.errorf("objective", "%.40q, want binary sigmoid: and a positive number", objective)
		}
		return logistic(sigmoid), nil
	case name == "multiclass" && groups > 1:
		if parameter != fmt.Sprintf("num_class:%d", groups) {
			return trees.Vote{}, s.errorf("objective", "%.40q of %d classes", objective, groups)
		}
		return trees.Vote{Rule: trees.Softmax}, nil
	}
	return trees.Vote{}, s.errorf("objective", "%.40q with num_class %d is neither binary nor multiclass: %w", objective, groups, errors.ErrUnsupported)
}

// logistic returns the vote for label 1 when 1/(1+exp(−sigmoid·sum)) exceeds 1/2.
func logistic(sigmoid float64) trees.Vote {
	if sigmoid == 1 {
		return trees.Vote{Rule: trees.Logistic}
	}
	// In float64 that is so when sigmoid·sum > 1.5·2⁻⁵³: below, exp rounds to 1 or
	// the number before, and the denominator to 2. tie becomes the largest sum
	// that is not enough.
	const most = 0x1.8p-53
	tie := most / sigmoid
	for tie*sigmoid > most {
		tie = math.Nextafter(tie, 0)
	}
	for math.Nextafter(tie, math.MaxFloat64)*sigmoid <= most {
		tie = math.Nextafter(tie, math.MaxFloat64)
	}
	return trees.Vote{Rule: trees.Sum, Base: []float64{tie, 0}}
}

// nodes returns the nodes of a tree, the leaves with their number.
func (s *section) nodes(features int) ([]trees.Node, error) {
	leaves, categorical, linear := s.integer("num_leaves"), s.integer("num_cat"), s.optional("is_linear", 0)
	switch {
	case s.err != nil:
		return nil, s.err
	case leaves < 1:
		return nil, s.errorf("num_leaves", "%d", leaves)
	case categorical != 0:
		return nil, s.errorf("num_cat", "%d categorical splits: %w", categorical, errors.ErrUnsupported)
	case linear != 0:
		return nil, s.errorf("is_linear", "%d: linear models in the leaves: %w", linear, errors.ErrUnsupported)
	}
	nodes, err := s.splits(leaves, features)
	if err != nil {
		return nil, err
	}
	values := list(s, "leaf_value", leaves, finite)
	for i := range values {
		nodes = append(nodes, trees.Node{Left: -1, Right: -1, Value: values[i : i+1]})
	}
	if s.err != nil {
		return nil, s.err
	}
	sorted, err := models.Ordered(nodes)
	if err == nil && len(sorted) < len(nodes) {
		err = fmt.Errorf("%d of %d nodes are not below node 0", len(nodes)-len(sorted), len(nodes))
	}
	if err != nil {
		return nil, s.errorf("left_child", "%w", err)
	}
	return sorted, nil
}

// splits returns the inner nodes of a tree.
func (s *section) splits(leaves, features int) ([]trees.Node, error) {
	n := leaves - 1
	feature := list(s, "split_feature", n, strconv.Atoi)
	threshold := list(s, "threshold", n, finite)
	decision := list(s, "decision_type", n, strconv.Atoi)
	left := list(s, "left_child", n, strconv.Atoi)
	right := list(s, "right_child", n, strconv.Atoi)
	if s.err != nil {
		return nil, s.err
	}
	nodes := make([]trees.Node, n)
	for i := range nodes {
		if feature[i] < 0 || feature[i] >= features {
			return nil, s.errorf("split_feature", "%d of split %d, want 0 to %d", feature[i], i, features-1)
		}
		missingLeft, err := missing(decision[i], threshold[i])
		if err != nil {
			return nil, s.errorf("decision_type", "%d of split %d: %w", decision[i], i, err)
		}
		nodes[i] = trees.Node{
			Feature: feature[i], Threshold: flushed(threshold[i]), MissingLeft: missingLeft,
			Left: s.child("left_child", i, leaves, left[i]), Right: s.child("right_child", i, leaves, right[i]),
		}
	}
	return nodes, s.err
}

// child returns the number of a child of split i. Leaves, which the file has as −1, −2,
// …, count on after the splits.
func (s *section) child(key string, i, leaves, child int) int {
	if child < -leaves || child >= leaves-1 {
		s.note(s.errorf(key, "%d of split %d, want %d to %d", child, i, -leaves, leaves-2))
	}
	if child < 0 {
		return leaves - 2 - child
	}
	return child
}

// missing returns whether a split sends NaN left. Bit 0 of its decision type says
// that it is categorical, bit 1 that missing values go left, bits 2 and 3 what is
// missing: nothing, zeros or NaN. A NaN that is not missing counts as 0.
func missing(decision int, threshold float64) (left bool, err error) {
	defaultLeft, zeroLeft := decision&2 != 0, 0 <= threshold
	switch {
	case decision < 0 || decision >= 12:
		return false, errors.New("want 0 to 11")
	case decision&1 != 0:
		return false, fmt.Errorf("a categorical split: %w", errors.ErrUnsupported)
	case decision>>2 == 0:
		return zeroLeft, nil
	case decision>>2 == 1 && defaultLeft != zeroLeft:
		return false, fmt.Errorf("zeros are missing and go another way than the threshold %v sends them: %w", threshold, errors.ErrUnsupported)
	}
	return defaultLeft, nil
}

// lightgbmZero is the size up to which LightGBM reads an input as 0.
const lightgbmZero = float64(float32(1e-35))

// flushed returns the threshold that sends inputs left as LightGBM sends them with
// threshold t after it has read small ones as 0.
func flushed(t float64) float64 {
	switch {
	case t >= 0 && t < lightgbmZero:
		return lightgbmZero
	case t < 0 && t >= -lightgbmZero:
		return math.Nextafter(-lightgbmZero, math.Inf(-1))
	}
	return t
}
