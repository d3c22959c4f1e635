package proof

import (
	"math"
	"slices"
)

// newEnsemble reads what all of facet's formats say of an ensemble.
func newEnsemble(d any) *ensemble {
	classes := floats(get(d, "classes"))
	demand(slices.IsSorted(classes), "classes are not ascending")
	return &ensemble{
		dim:   integer(get(d, "n_features")),
		votes: votes{classes: len(classes), rule: soft},
	}
}

// growAll reads trees. The values of a leaf may need more than what the file says.
func (e *ensemble) growAll(d any, c comparison, values func(tree int, v any) []float64) *Model {
	for t, tree := range as[[]any](get(d, "trees")) {
		feature, weights, infinite := integers(get(tree, "feature")), list(get(tree, "weights"),
			floats), integers(get(tree, "infinite"))
		threshold, left, right, value := floats(get(tree, "threshold")), integers(
			get(tree, "left"),
		), integers(get(tree, "right")), as[[]any](get(tree, "value"))
		n, tests := len(left), len(feature)
		if e.oblique {
			tests = len(weights)
		}
		fit := tests == n && len(feature)+len(weights) == n && len(threshold) == n &&
			len(right) == n && len(value) == n && (len(infinite) == n || len(infinite) == 0)
		demand(fit, "tree %d: arrays of different lengths, or those of another kind of tree", t)
		for i, sign := range infinite {
			if sign != 0 {
				threshold[i] = math.Inf(sign)
			}
		}
		e.grow(left, right, false, func(i int, n *node) {
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
	class, rate, decision, two := integers(get(b, "class")), float(
		get(b, "learning_rate"),
	), as[string](get(b, "decision")), e.classes == 2
	e.base, e.rule = floats(get(b, "init")), map[string]rule{
		"probability": softmax,
		"sum":         sum,
	}[decision]
	demand(e.rule != "" && len(e.base) == e.classes && e.classes > 1 &&
		len(class) == len(as[[]any](get(d, "trees"))),
		"boosting: init, class or decision do not fit the classes and trees")
	demand(!two ||
		(e.base[0] == 0 && !slices.Contains(class, 0)), "boosting: class 0 of two has a sum")
	if two && e.rule == sum {
		e.base[0] = -math.SmallestNonzeroFloat64
	} else if two {
		e.rule = logistic
	}
	return e.growAll(d, atMost32, func(t int, v any) []float64 {
		value := floats(v)
		demand(len(value) == 1, "tree %d: %d values, want 1", t, len(value))
		return e.alone(class[t], rate*value[0])
	})
}

// alone returns the values of a leaf that adds to one class.
func (e *ensemble) alone(class int, value float64) []float64 {
	demand(class >= 0 && class < e.classes, "a tree adds to class %d", class)
	values := make([]float64, e.classes)
	values[class] = value
	return values
}

// readFacet reads facet's own trees, and oblique trees; a lone one votes hard.
func readFacet(d any, oblique, lone bool) *Model {
	e, c, trees := newEnsemble(d), comparison(as[string](get(d, "comparison"))), as[[]any](
		get(d, "trees"),
	)
	demand(len(trees) == 1 || len(trees) > 1 && !lone, "%d trees", len(trees))
	demand(oblique ||
		slices.Contains([]comparison{atMost32, atMost64, below32, below64}, c),
		"comparison is %.40q", c)
	if vote := as[string](get(d, "vote")); lone {
		e.rule = hard
	} else if vote != "" {
		e.rule = rule(vote)
	}
	demand(slices.Contains([]rule{soft, hard, sum, logistic, softmax}, e.rule), "vote is %.40q",
		e.rule)
	e.oblique, e.single = oblique, get(d, "single") == true
	if divisor := get(d, "divisor"); divisor != nil && !lone {
		e.divisor = float(divisor)
	}
	if base := floats(get(d, "base")); len(base) > 0 {
		e.base = base
		demand(e.rule != soft && e.rule != hard, "a vote that is %s, with base values", e.rule)
	}
	if values := as[[]any](get(trees[0], "value")); e.classes == 0 && len(values) > 0 {
		e.classes = len(floats(values[0]))
	}
	return e.growAll(d, c, func(_ int, v any) []float64 { return floats(v) })
}

// readKNN reads facet's own nearest neighbours.
func readKNN(d any) *Model {
	dim, rows := integer(get(d, "n_features")), list(get(d, "rows"), floats)
	for i, row := range rows {
		demand(len(row) == dim, "row %d has %d features", i, len(row))
	}
	return newTable(rows, integers(get(d, "labels")), len(floats(get(d, "classes"))),
		integer(get(d, "k")), dim)
}
