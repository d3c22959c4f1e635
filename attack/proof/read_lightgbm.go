package proof

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// section is the lines "key=value" of the header or of a tree.
type section map[string]string

// lightgbmSections returns the header and the trees of a file.
func lightgbmSections(text []byte) ([]section, error) {
	all := []section{{}}
	number := 0
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		key, value, isPair := strings.Cut(line, "=")
		number++
		last := all[len(all)-1]
		_, twice := last[key]
		switch {
		case line == "end of trees":
			return all, nil
		case number == 1 || line == "":
		case key == "Tree" && isPair && value == strconv.Itoa(len(all)-1):
			all = append(all, section{})
		case key == "Tree", twice, !isPair && len(all) > 1:
			return nil, fmt.Errorf("line %d: %.40q", number, line)
		default:
			last[key] = value
		}
	}
	return nil, fmt.Errorf("line %d: the file ends before \"end of trees\"", number)
}

// numbers returns the numbers of a line, which are so many.
func numbers[T any](s section, key string, count int, parse func(string) (T, error)) ([]T, error) {
	words := strings.Fields(s[key])
	if len(words) != count {
		return nil, fmt.Errorf("%s: %d numbers, want %d", key, len(words), count)
	}
	values := make([]T, count)
	for i, w := range words {
		var err error
		if values[i], err = parse(w); err != nil {
			return nil, fmt.Errorf("%s: number %d: %w", key, i, err)
		}
	}
	return values, nil
}

// number returns one number, or another where the line is missing and may be.
func (s section) number(key string, missing int) (int, error) {
	if _, ok := s[key]; !ok && missing >= 0 {
		return missing, nil
	}
	v, err := strconv.Atoi(s[key])
	if err != nil {
		return 0, fmt.Errorf("%s: %.40q is no integer", key, s[key])
	}
	return v, nil
}

func parseFinite(word string) (float64, error) {
	v, err := strconv.ParseFloat(word, 64)
	if err != nil || !finite(v) {
		return 0, fmt.Errorf("%.40q is no finite number", word)
	}
	return v, nil
}

func readLightGBM(text []byte) (*Model, error) {
	all, err := lightgbmSections(text)
	if err != nil {
		return nil, err
	}
	h, trees := all[0], all[1:]
	_, averaged := h["average_output"]
	if v := h["version"]; (v != "v3" && v != "v4") || averaged {
		return nil, fmt.Errorf("version %.20q, or a random forest: %w", v, errUnsupported)
	}
	last, err := h.number("max_feature_idx", -1)
	if err != nil {
		return nil, err
	}
	groups, err := h.number("num_class", -1)
	if err != nil {
		return nil, err
	}
	each, err := h.number("num_tree_per_iteration", max(groups, 0))
	if err != nil {
		return nil, err
	}
	if groups < 1 || each != groups || len(trees)%groups != 0 || len(trees) == 0 {
		return nil, fmt.Errorf("%d trees, num_class %d, num_tree_per_iteration %d", len(trees), groups, each)
	}
	if sizes, given := h["tree_sizes"]; given && len(strings.Fields(sizes)) != len(trees) {
		return nil, fmt.Errorf("tree_sizes of %d trees, and there are %d", len(strings.Fields(sizes)), len(trees))
	}
	r := &raw{dim: last + 1, comparison: atMost64, votes: votes{classes: max(groups, 2)}}
	if err := r.objective(h["objective"], groups); err != nil {
		return nil, err
	}
	left := int64(32 * len(text))
	for i, s := range trees {
		class := 1
		if groups > 1 {
			class = i % groups
		}
		nodes, err := s.nodes(r.classes, class, &left)
		if err != nil {
			return nil, fmt.Errorf("tree %d: %w", i, err)
		}
		r.trees = append(r.trees, nodes)
	}
	return r.build()
}

// objective sets how the trees vote.
func (r *raw) objective(text string, groups int) error {
	name, parameter, _ := strings.Cut(strings.TrimSpace(text), " ")
	word, isSigmoid := strings.CutPrefix(parameter, "sigmoid:")
	sigmoid, err := parseFinite(word)
	switch {
	case name == "multiclass" && groups > 1 && parameter == fmt.Sprintf("num_class:%d", groups):
		r.rule = softmax
	case name != "binary" || groups != 1 || !isSigmoid || err != nil || sigmoid <= 0:
		return fmt.Errorf("objective %.40q with num_class %d: %w", text, groups, errUnsupported)
	case sigmoid == 1:
		r.rule = logistic
	default:
		// Label 1 wins iff its margin exceeds the largest that is not enough.
		tie, _ := product(sigmoid, 0x1.8p-53)
		r.rule, r.base = sum, []float64{tie, 0}
	}
	return nil
}

// nodes returns the nodes of a tree: leaves are numbered after the splits.
func (s section) nodes(classes, class int, left *int64) ([]rawNode, error) {
	leaves, err := s.number("num_leaves", -1)
	if err != nil {
		return nil, err
	}
	categorical, err := s.number("num_cat", -1)
	if err != nil {
		return nil, err
	}
	linear, err := s.number("is_linear", 0)
	if err != nil {
		return nil, err
	}
	if *left -= int64(leaves) * int64(classes); categorical != 0 || linear != 0 || leaves < 1 || *left < 0 {
		return nil, fmt.Errorf("num_leaves %d, num_cat %d, is_linear %d: %w", leaves, categorical, linear, errUnsupported)
	}
	n := leaves - 1
	columns := map[string][]int{}
	for _, key := range []string{"split_feature", "decision_type", "left_child", "right_child"} {
		if columns[key], err = numbers(s, key, n, strconv.Atoi); err != nil {
			return nil, err
		}
	}
	thresholds, err := numbers(s, "threshold", n, parseFinite)
	if err != nil {
		return nil, err
	}
	values, err := numbers(s, "leaf_value", leaves, parseFinite)
	if err != nil {
		return nil, err
	}
	nodes := make([]rawNode, n, n+leaves)
	for i, t := range thresholds {
		kind := columns["decision_type"][i]
		zeroMissing := kind>>2 == 1 && (kind&2 != 0) != (t >= 0)
		if kind < 0 || kind >= 12 || kind&1 != 0 || zeroMissing {
			return nil, fmt.Errorf("decision_type %d of split %d: %w", kind, i, errUnsupported)
		}
		nodes[i] = rawNode{feature: columns["split_feature"][i], threshold: flushed(t)}
		for key, child := range map[string]*int{"left_child": &nodes[i].left, "right_child": &nodes[i].right} {
			if *child = columns[key][i]; *child < 0 {
				*child = n - 1 - *child
			}
		}
	}
	for _, v := range values {
		nodes = append(nodes, rawNode{left: -1, right: -1, value: only(classes, class, v)})
	}
	return nodes, nil
}

// flushed returns the threshold that inputs are compared with which LightGBM has not read
// as 0 before.
func flushed(t float64) float64 {
	const zero = float64(float32(1e-35))
	switch {
	case t >= 0 && t < zero:
		return zero
	case t < 0 && t >= -zero:
		return math.Nextafter(-zero, math.Inf(-1))
	}
	return t
}
