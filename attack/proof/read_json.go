package proof

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
)

// head reads what facet's own files and the export of scikit-learn's trees share.
func (d document) head() *raw {
	classes := d.get("classes").floats(64)
	if version := d.get("version").integer(0); version != 1 {
		d.fail("version is %d, want 1", version)
	}
	for i, c := range classes {
		if i > 0 && c <= classes[i-1] {
			d.fail("classes are not ascending")
		}
	}
	return &raw{dim: d.get("n_features").integer(0), votes: votes{classes: len(classes), rule: soft}}
}

// trees reads trees, whose nodes have so many values.
func (d document) trees(r *raw, values int) {
	for t, tree := range d.get("trees").list() {
		feature, weights, infinite := tree.get("feature").integers(), tree.get("weights").list(), tree.get("infinite").integers()
		threshold, left, right, value := tree.get("threshold").floats(64), tree.get("left").integers(), tree.get("right").integers(), tree.get("value").list()
		n, tests := len(threshold), len(feature)
		if r.oblique {
			tests = len(weights)
		}
		if tests != n || len(feature)+len(weights) != n || len(left) != n || len(right) != n || len(value) != n || (len(infinite) != n && len(infinite) > 0) {
			d.fail("tree %d: arrays of different lengths, or those of another kind of tree", t)
			return
		}
		nodes := make([]rawNode, n)
		for i := range nodes {
			nodes[i] = rawNode{threshold: threshold[i], left: left[i], right: right[i], value: value[i].floats(64)}
			if len(nodes[i].value) != values {
				d.fail("tree %d: node %d: %d values, want %d", t, i, len(nodes[i].value), values)
			}
			if r.oblique {
				nodes[i].weights = weights[i].floats(64)
			} else {
				nodes[i].feature = feature[i]
			}
			if len(infinite) > 0 && infinite[i] != 0 {
				nodes[i].threshold = math.Inf(infinite[i])
			}
		}
		r.trees = append(r.trees, nodes)
	}
}

// spread gives the leaves of trees that add to one class each a value for every class: the
// one they have, times a rate, and zeros. A small file must not ask for much memory so.
func (r *raw) spread(size int, rate float64, class func(tree int) int) error {
	left := 32 * int64(size)
	for t, nodes := range r.trees {
		if left -= int64(len(nodes)) * int64(r.classes); left < 0 {
			return fmt.Errorf("tree %d: %d classes: more than a file of this size can mean", t, r.classes)
		}
		for i := range nodes {
			if c := class(t); c < 0 || c >= r.classes {
				return fmt.Errorf("tree %d adds to class %d", t, c)
			} else if nodes[i].isLeaf() {
				v := rate * nodes[i].value[0]
				nodes[i].value = make([]float64, r.classes)
				nodes[i].value[c] = v
			}
		}
	}
	return nil
}

func readSklearn(d document, size int) (*raw, error) {
	r := d.head()
	r.comparison = atMost32
	b := d.get("boosting")
	if b.value == nil {
		d.trees(r, r.classes)
		return r, *d.err
	}
	d.trees(r, 1)
	init, class, rate, decision, two := b.get("init").floats(64), b.get("class").integers(), b.get("learning_rate").float(64), b.get("decision").text(), r.classes == 2
	if *d.err != nil {
		return nil, *d.err
	}
	if len(class) != len(r.trees) || len(init) != r.classes || r.classes < 2 || (two && (init[0] != 0 || slices.Contains(class, 0))) {
		return nil, errors.New("boosting: init or class does not fit the classes and trees")
	}
	switch r.base = init; {
	case decision == "probability" && two:
		r.rule = logistic
	case decision == "probability":
		r.rule = softmax
	case decision == "sum":
		if r.rule = sum; two {
			r.base[0] = -math.SmallestNonzeroFloat64
		}
	default:
		return nil, fmt.Errorf("boosting: decision is %.40q", decision)
	}
	return r, r.spread(size, rate, func(t int) int { return class[t] })
}

var comparisons = map[string]comparison{"float32(x) <= t": atMost32, "x <= t": atMost64, "float32(x) < t": below32, "x < t": below64}

// readFacet reads facet's own trees.
func readFacet(d document, kind string) (*raw, error) {
	r := d.head()
	r.single = d.get("single").value == true
	r.oblique = strings.HasPrefix(kind, "oblique-")
	if r.base = d.get("base").floats(64); len(r.base) == 0 {
		r.base = nil
	}
	if vote := d.get("vote").text(); vote != "" {
		r.rule = rule(vote)
	}
	all := d.get("trees").list()
	if kind == "tree" || kind == "oblique-tree" {
		if r.rule = hard; len(all) != 1 {
			d.fail("%d trees, want one", len(all))
		}
	}
	known := false
	name := d.get("comparison").text()
	if r.comparison, known = comparisons[name]; !known && !r.oblique {
		d.fail("comparison is %.40q", name)
	}
	if !slices.Contains([]rule{soft, hard, sum, logistic, softmax}, r.rule) || (r.base != nil && (r.rule == soft || r.rule == hard)) {
		d.fail("vote is %.40q, with %d base values", r.rule, len(r.base))
	}
	if r.classes == 0 && len(all) > 0 {
		if values := all[0].get("value").list(); len(values) > 0 {
			r.classes = len(values[0].list())
		}
	}
	d.trees(r, r.classes)
	return r, *d.err
}

// readKNN reads facet's own nearest neighbours.
func readKNN(d document) (*Model, error) {
	var rows [][]float64
	dim := d.head().dim
	for i, row := range d.get("rows").list() {
		if rows = append(rows, row.floats(64)); len(rows[i]) != dim {
			d.fail("row %d has %d features", i, len(rows[i]))
		}
	}
	labels, k := d.get("labels").integers(), d.get("k").integer(0)
	if *d.err != nil {
		return nil, *d.err
	}
	return newTable(rows, labels, k, dim)
}
