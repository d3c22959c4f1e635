package proof

import (
	"math"
	"slices"
)

// newEnsemble reads what all of facet's formats say of an ensemble.
func newEnsemble(d any) *ensemble {
	classes := floats(get(d, "classes"))
	for i, c := range classes {
		if i > 0 && c <= classes[i-1] {
			refuse("classes are not ascending")
		}
	}
	return &ensemble{dim: integer(get(d, "n_features")), votes: votes{classes: len(classes), rule: soft}}
}

// growAll reads trees: arrays over the nodes of each.
func (e *ensemble) growAll(d any, c comparison, values func(tree int, v any) []float64) *Model {
	for t, tree := range list(get(d, "trees"), itself) {
		feature, weights, infinite := integers(get(tree, "feature")), list(get(tree, "weights"), floats), integers(get(tree, "infinite"))
		threshold, left, right, value := floats(get(tree, "threshold")), integers(get(tree, "left")), integers(get(tree, "right")), list(get(tree, "value"), itself)
		n, tests := len(threshold), len(feature)
		if e.oblique {
			tests = len(weights)
		}
		if tests != n || len(feature)+len(weights) != n || len(left) != n || len(right) != n || len(value) != n || (len(infinite) != n && len(infinite) > 0) {
			refuse("tree %d: arrays of different lengths, or those of another kind of tree", t)
		}
		e.grow(left, right, false, func(i int, n *node) {
			if len(infinite) > 0 && infinite[i] != 0 {
				threshold[i] = math.Inf(infinite[i])
			}
			if e.oblique {
				e.setOblique(n, weights[i], threshold[i])
			} else {
				e.setTest(n, feature[i], c, threshold[i])
			}
		}, func(i int) []float64 { return values(t, value[i]) })
	}
	return e.model()
}

// readSklearn reads the export of scikit-learn's trees.
func readSklearn(d any) *Model {
	e, b := newEnsemble(d), get(d, "boosting")
	if b == nil {
		return e.growAll(d, atMost32, func(_ int, v any) []float64 { return floats(v) })
	}
	class, rate, decision, two := integers(get(b, "class")), float(get(b, "learning_rate")), word(get(b, "decision")), e.classes == 2
	e.base = floats(get(b, "init"))
	if len(e.base) != e.classes || e.classes < 2 || (two && (e.base[0] != 0 || slices.Contains(class, 0))) || len(class) != len(list(get(d, "trees"), itself)) {
		refuse("boosting: init or class does not fit the classes and trees")
	}
	switch {
	case decision == "probability" && two:
		e.rule = logistic
	case decision == "probability":
		e.rule = softmax
	case decision != "sum":
		refuse("boosting: decision is %.40q", decision)
	default:
		if e.rule = sum; two {
			e.base[0] = -math.SmallestNonzeroFloat64
		}
	}
	return e.growAll(d, atMost32, func(t int, v any) []float64 {
		value := floats(v)
		if len(value) != 1 {
			refuse("tree %d: %d values, want one", t, len(value))
		}
		return e.alone(class[t], rate*value[0])
	})
}

// alone returns the values of a leaf that adds to one class.
func (e *ensemble) alone(class int, value float64) []float64 {
	if class < 0 || class >= e.classes {
		refuse("a tree adds to class %d", class)
	}
	values := make([]float64, e.classes)
	values[class] = value
	return values
}

// readFacet reads facet's own trees, and oblique trees; a lone one votes hard.
func readFacet(d any, oblique, lone bool) *Model {
	e, c, trees := newEnsemble(d), comparison(word(get(d, "comparison"))), list(get(d, "trees"), itself)
	e.oblique, e.single = oblique, get(d, "single") == true
	if base := floats(get(d, "base")); len(base) > 0 {
		e.base = base
	}
	if vote := word(get(d, "vote")); vote != "" {
		e.rule = rule(vote)
	}
	if lone {
		e.rule = hard
	}
	if len(trees) == 0 || (lone && len(trees) > 1) {
		refuse("%d trees", len(trees))
	}
	if !oblique && !slices.Contains([]comparison{atMost32, atMost64, below32, below64}, c) {
		refuse("comparison is %.40q", c)
	}
	if !slices.Contains([]rule{soft, hard, sum, logistic, softmax}, e.rule) || (e.base != nil && (e.rule == soft || e.rule == hard)) {
		refuse("vote is %.40q, with %d base values", e.rule, len(e.base))
	}
	if values := list(get(trees[0], "value"), floats); e.classes == 0 && len(values) > 0 {
		e.classes = len(values[0])
	}
	return e.growAll(d, c, func(_ int, v any) []float64 { return floats(v) })
}

// readKNN reads facet's own nearest neighbours.
func readKNN(d any) *Model {
	dim, rows := integer(get(d, "n_features")), list(get(d, "rows"), floats)
	for i, row := range rows {
		if len(row) != dim {
			refuse("row %d has %d features", i, len(row))
		}
	}
	return newTable(rows, integers(get(d, "labels")), len(floats(get(d, "classes"))), integer(get(d, "k")), dim)
}
