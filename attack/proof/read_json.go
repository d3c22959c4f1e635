package proof

import (
	"math"
	"slices"
)

// facetKeys and sklearnKeys are the keys in files of facet and of scikit-learn, treeKeys those of
// their trees.
var (
	sklearnKeys = []string{"format", "version", "n_features", "feature_names", "classes",
		"class_names", "trees", "boosting", "sklearn"}
	facetKeys = []string{"format", "version", "kind", "n_features", "feature_names", "categories",
		"category_names", "classes", "class_names", "comparison", "vote", "base", "single",
		"divisor", "any_order", "probability", "scale", "curve", "link", "trees", "k", "rows",
		"labels"}
	treeKeys = []string{"feature", "weights", "threshold", "thresholds", "infinite", "left",
		"right", "missing_left", "value"}
	boostingKeys = []string{"init", "learning_rate", "class", "decision", "scale"}
)

// newEnsemble reads the members that all of facet's formats have.
func newEnsemble(d object, stored int) *ensemble {
	return &ensemble{
		dim:    optional(d["n_features"]),
		stored: stored,
		votes:  votes{classes: len(classesOf(d)), rule: soft},
	}
}

// checkCategories checks the number of codes of features that are categories, and their names.
// Predictions do not depend on that, nor do claims, which say it themselves.
func checkCategories(d object) {
	codes := integers(d["categories"])
	demand(len(codes) == 0 || len(codes) == optional(d["n_features"]) &&
		slices.Min(codes) >= 0 && slices.Max(codes) <= 1<<20,
		"categories: not a number of codes up to 2^20 for each feature")
	words := list(d["category_names"], func(v any) []string { return list(v, word) })
	demand(len(words) == 0 || len(words) == optional(d["n_features"]), "%d category_names",
		len(words))
}

// classesOf returns the labels of the classes, which ascend, and checks all names.
func classesOf(d object) []float64 {
	classes, names := floats(d["classes"]), list(d["class_names"], word)
	for i := range max(len(classes), 1) - 1 {
		demand(classes[i] < classes[i+1], "classes are not ascending")
	}
	demand(len(classes) == 0 || len(names) == 0 || len(names) == len(classes),
		"%d class_names for %d classes", len(names), len(classes))
	seen := map[string]bool{"": true}
	for _, name := range names {
		demand(!seen[name], "class_names: %.40q is empty or there twice", name)
		seen[name] = true
	}
	checkCategories(d)
	columns := list(d["feature_names"], word)
	demand(len(columns) == 0 || len(columns) == optional(d["n_features"]),
		"%d feature_names", len(columns))
	return classes
}

// growAll reads trees, whose nodes have so many values. A leaf may get more values than the file
// gives it.
func (e *ensemble) growAll(
	d object, c comparison, width int, values func(tree int, v []float64) []float64,
) *Model {
	for t, tree := range list(d["trees"], same) {
		m := members(tree, treeKeys...)
		feature, weights, infinite := integers(m["feature"]), list(m["weights"], floats),
			integers(m["infinite"])
		threshold, left, right := floats(m["threshold"]), integers(m["left"]), integers(m["right"])
		value, missing := list(m["value"], floats), list(m["missing_left"], truth)
		sets := list(m["thresholds"], floats)
		n, tests := len(left), len(feature)
		if e.oblique {
			tests = len(weights)
		}
		fit := tests == n && len(feature)+len(weights) == n && len(threshold) == n &&
			len(right) == n && len(value) == n && (len(infinite) == n || len(infinite) == 0) &&
			(len(missing) == n || len(missing) == 0) &&
			(len(sets) == n && !e.oblique || len(sets) == 0)
		demand(fit, "tree %d: arrays of different lengths, or those of another kind of tree", t)
		for i, v := range value {
			if width == 0 {
				width, e.classes = len(v), len(v)
			}
			demand(len(v) == width && width > 0, "tree %d: %d values of node %d, want %d",
				t, len(v), i, width)
			demand(left[i] < 0 && right[i] < 0 || left[i] > i && right[i] > i,
				"tree %d: child %d or %d of node %d comes before it", t, left[i], right[i], i)
		}
		for i, sign := range infinite {
			if sign != 0 {
				threshold[i] = math.Inf(sign)
			}
			demand(sign == 0 || len(sets) == 0 || len(sets[i]) == 0,
				"tree %d: thresholds and infinite at node %d", t, i)
		}
		e.grow(left, right, 0, func(i int, n *node) {
			switch {
			case e.oblique:
				e.setOblique(n, weights[i], threshold[i])
			case len(sets) > 0 && len(sets[i]) > 0:
				demand(len(sets[i]) > 1, "tree %d: a set of one threshold at node %d", t, i)
				e.setTest(n, feature[i], c, sets[i]...)
			default:
				e.setTest(n, feature[i], c, threshold[i])
			}
		}, func(i int) []float64 {
			demand(!e.oblique || len(weights[i]) == 0, "tree %d: leaf %d has weights", t, i)
			demand(len(sets) == 0 || len(sets[i]) == 0, "tree %d: leaf %d has thresholds", t, i)
			return values(t, value[i])
		})
	}
	return e.model()
}

// asItIs returns the values of a leaf as the file gives them.
func asItIs(_ int, v []float64) []float64 { return v }

// readSklearn reads the export of scikit-learn's trees.
func readSklearn(d object, stored int) *Model {
	e := newEnsemble(d, stored)
	demand(e.classes > 0, "no classes")
	if missing(d["boosting"]) {
		return e.growAll(d, atMost32, e.classes, asItIs)
	}
	b := members(d["boosting"], boostingKeys...)
	class, decision, two := integers(b["class"]), word(b["decision"]), e.classes == 2
	rate := float(b["learning_rate"])
	e.base, e.rule = floats(b["init"]), map[string]rule{
		"probability": softmax,
		"sum":         sum,
	}[decision]
	demand(e.rule != "" && len(e.base) == e.classes && e.classes > 1 &&
		len(class) == len(list(d["trees"], same)),
		"boosting: init, class or decision do not fit the classes and trees")
	demand(!two ||
		(e.base[0] == 0 && !slices.Contains(class, 0)), "boosting: class 0 of two has a sum")
	if two && e.rule == sum {
		e.base[0] = -math.SmallestNonzeroFloat64
	} else if two {
		e.rule = logistic
	}
	return e.growAll(d, atMost32, 1,
		func(t int, v []float64) []float64 { return e.alone(class[t], rate*v[0]) })
}

// alone returns the values of a leaf that adds to one class.
func (e *ensemble) alone(class int, value float64) []float64 {
	demand(class >= 0 && class < e.classes, "a tree adds to class %d", class)
	values := make([]float64, e.classes)
	values[class] = value
	return values
}

// readFacet reads facet's own trees, and oblique trees; a lone one votes hard.
func readFacet(d object, oblique, lone bool, stored int) *Model {
	e, c, vote := newEnsemble(d, stored), comparison(word(d["comparison"])), word(d["vote"])
	count := len(list(d["trees"], same))
	demand(count == 1 || count > 1 && !lone, "%d trees", count)
	demand(oblique || slices.Contains([]comparison{atMost32, atMost64, below32, below64}, c),
		"comparison is %.40q", c)
	if vote != "" {
		e.rule = rule(vote)
	}
	demand(slices.Contains([]rule{soft, hard, sum, logistic, softmax}, e.rule), "vote is %.40q",
		e.rule)
	demand(word(d["format"]) == "facet-model" || e.classes > 0, "no classes")
	if word(d["kind"]) == "regressor" {
		links := []string{
			"", "exp", "sigmoid", "signed-square", "rest", "sigmoid-rest", "sigmoid-folded",
			"isolation", "curve", "curve-rest",
		}
		demand(slices.Contains(links, word(d["link"])) && (vote == "soft" || vote == "sum") &&
			e.classes == 0 && len(list(d["class_names"], word)) == 0,
			"link, vote or classes of a regressor")
		e.classes = 1
	}
	if e.oblique, e.single = oblique, truth(d["single"]); d["divisor"] != nil {
		e.divisor = float(d["divisor"])
	}
	if !missing(d["base"]) {
		e.base = floats(d["base"])
	}
	truth(d["any_order"]) // of the library that predicts: claims are about the order of the file
	if lone {
		e.rule, e.base, e.divisor, e.single = hard, nil, 0, false
	}
	demand(e.base == nil || e.rule != soft && e.rule != hard,
		"a vote that is %s, with base values", e.rule)
	if names := len(list(d["class_names"], word)); e.classes == 0 {
		e.classes = names
	}
	return e.growAll(d, c, e.classes, asItIs)
}

// readKNN reads facet's own nearest neighbours.
func readKNN(d object, stored int) *Model {
	dim, labels, classes := optional(d["n_features"]), integers(d["labels"]), classesOf(d)
	rows := list(d["rows"], floats)
	t := newTable(len(rows), dim, optional(d["k"]), stored)
	for i, row := range rows {
		demand(len(row) == dim, "row %d has %d features", i, len(row))
		copy(t.row(i), row)
	}
	names := len(list(d["class_names"], word))
	for i, label := range labels {
		demand(names == 0 || label < names, "row %d has label %d, and there are %d class_names",
			i, label, names)
	}
	return t.model(labels, max(len(classes), names))
}
