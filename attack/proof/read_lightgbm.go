package proof

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// lightgbmSections returns the header and the trees of a file: the values of its lines "key=value".
func lightgbmSections(text []byte) []map[string]any {
	all := []map[string]any{{}}
	number := 0
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		key, value, isPair := strings.Cut(line, "=")
		number++
		section := all[len(all)-1]
		switch {
		case line == "end of trees":
			return all
		case number == 1 || line == "":
		case key == "Tree" && value == strconv.Itoa(len(all)-1):
			all = append(all, map[string]any{})
		case key == "Tree", section[key] != nil, !isPair && len(all) > 1:
			refuse("line %d: %.40q", number, line)
		default:
			section[key] = value
		}
	}
	refuse("line %d: the file ends before \"end of trees\"", number)
	return nil
}

// numbers returns those of a line, which are so many.
func numbers[T any](section map[string]any, key string, count int, read func(any) T) []T {
	words := []any{}
	for _, w := range strings.Fields(word(section[key])) {
		words = append(words, json.Number(w))
	}
	if len(words) != count {
		refuse("%s: %d numbers, want %d", key, len(words), count)
	}
	return list(words, read)
}

// readLightGBM reads LightGBM's text.
func readLightGBM(text []byte) *Model {
	all := lightgbmSections(text)
	h, trees := all[0], all[1:]
	groups, version := optional(h["num_class"], 0), word(h["version"])
	if (version != "v3" && version != "v4") || h["average_output"] != nil {
		refuse("version %.20q, or a random forest: %w", version, errors.ErrUnsupported)
	}
	if groups < 1 || optional(h["num_tree_per_iteration"], groups) != groups || len(trees)%groups != 0 {
		refuse("num_class or num_tree_per_iteration does not fit %d trees", len(trees))
	}
	if h["tree_sizes"] != nil {
		numbers(h, "tree_sizes", len(trees), integer)
	}
	e := &ensemble{dim: optional(h["max_feature_idx"], -1) + 1, votes: votes{classes: max(groups, 2)}}
	e.objective(strings.TrimSpace(word(h["objective"])), groups)
	for t, section := range trees {
		class := t % groups
		if groups == 1 {
			class = 1
		}
		e.growLightGBM(section, class)
	}
	return e.model()
}

// objective sets how the trees vote.
func (e *ensemble) objective(text string, groups int) {
	name, parameter, _ := strings.Cut(text, " ")
	factor, isSigmoid := strings.CutPrefix(parameter, "sigmoid:")
	switch {
	case name == "multiclass" && groups > 1 && parameter == fmt.Sprintf("num_class:%d", groups):
		e.rule = softmax
	case name != "binary" || groups != 1 || !isSigmoid || !(float(json.Number(factor)) > 0):
		refuse("objective %.40q with num_class %d: %w", text, groups, errors.ErrUnsupported)
	case float(json.Number(factor)) == 1:
		e.rule = logistic
	default:
		// Label 1 wins iff its margin exceeds the largest that is not enough.
		tie, _ := product(float(json.Number(factor)), 0x1.8p-53)
		e.rule, e.base = sum, []float64{tie, 0}
	}
}

// growLightGBM adds a tree. Leaves are numbered after the splits.
func (e *ensemble) growLightGBM(s map[string]any, class int) {
	leaves := optional(s["num_leaves"], 0)
	if leaves < 1 || optional(s["num_cat"], -1) != 0 || optional(s["is_linear"], 0) != 0 {
		refuse("num_leaves %v, num_cat %v, is_linear %v: %w", s["num_leaves"], s["num_cat"], s["is_linear"], errors.ErrUnsupported)
	}
	n := leaves - 1
	child := func(v any) int {
		if i := integer(v); i >= 0 {
			return i
		}
		return n - 1 - integer(v)
	}
	feature, decision := numbers(s, "split_feature", n, integer), numbers(s, "decision_type", n, integer)
	left, right := numbers(s, "left_child", n, child), numbers(s, "right_child", n, child)
	thresholds, values := numbers(s, "threshold", n, float), numbers(s, "leaf_value", leaves, float)
	for range leaves {
		left, right = append(left, -1), append(right, -1)
	}
	e.grow(left, right, false, func(i int, at *node) {
		kind, t := decision[i], thresholds[i]
		zeroMissing := kind>>2 == 1 && (kind&2 != 0) != (t >= 0)
		if kind < 0 || kind >= 12 || kind&1 != 0 || zeroMissing {
			refuse("decision_type %d of split %d: %w", kind, i, errors.ErrUnsupported)
		}
		e.setTest(at, feature[i], atMost64, flushed(t))
	}, func(i int) []float64 { return e.alone(class, values[i-n]) })
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
