package proof

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// section is the lines "key=value" of the header or of a tree, and the first fault of a file.
type section struct {
	lines map[string]string
	err   *error
}

func (s section) fail(format string, args ...any) {
	if *s.err == nil {
		*s.err = fmt.Errorf(format, args...)
	}
}

// lightgbmSections returns the header and the trees of a file.
func lightgbmSections(text []byte) []section {
	all := []section{{map[string]string{}, new(error)}}
	number := 0
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		key, value, isPair := strings.Cut(line, "=")
		number++
		s := all[len(all)-1]
		_, twice := s.lines[key]
		switch {
		case line == "end of trees":
			return all
		case number == 1 || line == "":
		case key == "Tree" && value == strconv.Itoa(len(all)-1):
			all = append(all, section{map[string]string{}, s.err})
		case key == "Tree", twice, !isPair && len(all) > 1:
			s.fail("line %d: %.40q", number, line)
		default:
			s.lines[key] = value
		}
	}
	all[0].fail("line %d: the file ends before \"end of trees\"", number)
	return all
}

// numbers returns the numbers of a line, which are so many.
func numbers[T any](s section, key string, count int, parse func(string) (T, error)) []T {
	words := strings.Fields(s.lines[key])
	values := make([]T, len(words))
	for i, w := range words {
		var err error
		if values[i], err = parse(w); err != nil {
			s.fail("%s: number %d: %w", key, i, err)
		}
	}
	if len(words) != count {
		s.fail("%s: %d numbers, want %d", key, len(words), count)
	}
	return values
}

// number returns one number, or another where the line is missing.
func (s section) number(key string, missing int) int {
	if _, ok := s.lines[key]; !ok {
		return missing
	}
	v, err := strconv.Atoi(s.lines[key])
	if err != nil {
		s.fail("%s: %.40q is no integer", key, s.lines[key])
	}
	return v
}

func parseFinite(word string) (float64, error) {
	v, err := strconv.ParseFloat(word, 64)
	if err != nil || !finite(v) {
		return 0, fmt.Errorf("%.40q is no finite number", word)
	}
	return v, nil
}

func readLightGBM(text []byte) (*raw, error) {
	all := lightgbmSections(text)
	h, trees := all[0], all[1:]
	groups := h.number("num_class", 0)
	_, averaged := h.lines["average_output"]
	if v := h.lines["version"]; (v != "v3" && v != "v4") || averaged {
		h.fail("version %.20q, or a random forest: %w", v, errUnsupported)
	}
	sizes, given := h.lines["tree_sizes"]
	if groups < 1 || h.number("num_tree_per_iteration", groups) != groups || len(trees) == 0 || len(trees)%groups != 0 || (given && len(strings.Fields(sizes)) != len(trees)) {
		h.fail("num_class, num_tree_per_iteration or tree_sizes does not fit %d trees", len(trees))
	}
	r := &raw{dim: h.number("max_feature_idx", -1) + 1, comparison: atMost64, votes: votes{classes: max(groups, 2)}}
	r.objective(h, groups)
	for _, s := range trees {
		r.trees = append(r.trees, s.nodes())
	}
	if *h.err != nil {
		return nil, *h.err
	}
	return r, r.spread(len(text), 1, func(t int) int {
		if groups == 1 {
			return 1
		}
		return t % groups
	})
}

// objective sets how the trees vote.
func (r *raw) objective(h section, groups int) {
	name, parameter, _ := strings.Cut(strings.TrimSpace(h.lines["objective"]), " ")
	word, isSigmoid := strings.CutPrefix(parameter, "sigmoid:")
	sigmoid, err := parseFinite(word)
	switch {
	case name == "multiclass" && groups > 1 && parameter == fmt.Sprintf("num_class:%d", groups):
		r.rule = softmax
	case name != "binary" || groups != 1 || !isSigmoid || err != nil || sigmoid <= 0:
		h.fail("objective %.40q with num_class %d: %w", h.lines["objective"], groups, errUnsupported)
	case sigmoid == 1:
		r.rule = logistic
	default:
		// Label 1 wins iff its margin exceeds the largest that is not enough.
		tie, _ := product(sigmoid, 0x1.8p-53)
		r.rule, r.base = sum, []float64{tie, 0}
	}
}

// nodes returns the nodes of a tree: leaves are numbered after the splits.
func (s section) nodes() []rawNode {
	leaves, categorical, linear := s.number("num_leaves", 0), s.number("num_cat", -1), s.number("is_linear", 0)
	if leaves < 1 || categorical != 0 || linear != 0 {
		s.fail("num_leaves %d, num_cat %d, is_linear %d: %w", leaves, categorical, linear, errUnsupported)
	}
	n := leaves - 1
	feature, decision := numbers(s, "split_feature", n, strconv.Atoi), numbers(s, "decision_type", n, strconv.Atoi)
	left, right := numbers(s, "left_child", n, strconv.Atoi), numbers(s, "right_child", n, strconv.Atoi)
	thresholds, values := numbers(s, "threshold", n, parseFinite), numbers(s, "leaf_value", leaves, parseFinite)
	if *s.err != nil {
		return nil
	}
	child := func(i int) int {
		if i < 0 {
			return n - 1 - i
		}
		return i
	}
	var nodes []rawNode
	for i, t := range thresholds {
		kind := decision[i]
		zeroMissing := kind>>2 == 1 && (kind&2 != 0) != (t >= 0)
		if kind < 0 || kind >= 12 || kind&1 != 0 || zeroMissing {
			s.fail("decision_type %d of split %d: %w", kind, i, errUnsupported)
		}
		nodes = append(nodes, rawNode{feature: feature[i], threshold: flushed(t), left: child(left[i]), right: child(right[i])})
	}
	for i := range values {
		nodes = append(nodes, rawNode{left: -1, right: -1, value: values[i : i+1]})
	}
	return nodes
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
