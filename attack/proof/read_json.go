package proof

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// columns are the nodes of a tree as parallel arrays.
type columns struct {
	Feature   []int       `json:"feature"`
	Weights   [][]float64 `json:"weights"`
	Threshold []float64   `json:"threshold"`
	Infinite  []int       `json:"infinite"`
	Left      []int       `json:"left"`
	Right     []int       `json:"right"`
	Value     [][]float64 `json:"value"`
}

// jsonFile is facet's own file, and the export of scikit-learn.
type jsonFile struct {
	Format     string      `json:"format"`
	Version    int         `json:"version"`
	Kind       string      `json:"kind"`
	Features   int         `json:"n_features"`
	Classes    []float64   `json:"classes"`
	Comparison string      `json:"comparison"`
	Vote       rule        `json:"vote"`
	Base       []float64   `json:"base"`
	Single     bool        `json:"single"`
	Trees      []columns   `json:"trees"`
	K          int         `json:"k"`
	Rows       [][]float64 `json:"rows"`
	Labels     []int       `json:"labels"`
	Boosting   *struct {
		Init     []float64 `json:"init"`
		Rate     *float64  `json:"learning_rate"`
		Class    []int     `json:"class"`
		Decision string    `json:"decision"`
	} `json:"boosting"`
}

// read reads the file but for its trees.
func (f *jsonFile) read(text []byte) (*raw, error) {
	if err := json.Unmarshal(text, f); err != nil {
		return nil, err
	}
	if f.Version != 1 {
		return nil, fmt.Errorf("version is %d, want 1", f.Version)
	}
	for i, c := range f.Classes {
		if i > 0 && c <= f.Classes[i-1] {
			return nil, errors.New("classes are not ascending")
		}
	}
	return &raw{dim: f.Features, votes: votes{classes: len(f.Classes), rule: soft}}, nil
}

// decode reads the trees; boosted ones have one number for a value, which count says.
func (f *jsonFile) decode(r *raw, count int, value func(tree int, v []float64) []float64) error {
	for t := range f.Trees {
		c := &f.Trees[t]
		n := len(c.Threshold)
		tests := len(c.Feature)
		if r.oblique {
			tests = len(c.Weights)
		}
		if tests != n || len(c.Feature)+len(c.Weights) != n || len(c.Left) != n || len(c.Right) != n || len(c.Value) != n || (len(c.Infinite) != n && c.Infinite != nil) {
			return fmt.Errorf("tree %d: arrays of different lengths, or those of another kind of tree", t)
		}
		nodes := make([]rawNode, n)
		for i := range nodes {
			if len(c.Value[i]) != count {
				return fmt.Errorf("tree %d: node %d: %d values, want %d", t, i, len(c.Value[i]), count)
			}
			nodes[i] = rawNode{threshold: c.Threshold[i], left: c.Left[i], right: c.Right[i]}
			if nodes[i].isLeaf() {
				nodes[i].value = value(t, c.Value[i])
			}
			if r.oblique {
				nodes[i].weights = c.Weights[i]
			} else {
				nodes[i].feature = c.Feature[i]
			}
			if c.Infinite != nil && c.Infinite[i] != 0 {
				nodes[i].threshold = math.Inf(c.Infinite[i])
			}
		}
		r.trees = append(r.trees, nodes)
	}
	return nil
}

func itself(_ int, v []float64) []float64 { return v }

// only returns a value for each class: v for one, 0 for others.
func only(classes, class int, v float64) []float64 {
	value := make([]float64, classes)
	value[class] = v
	return value
}

func readSklearn(text []byte) (*Model, error) {
	f := &jsonFile{}
	r, err := f.read(text)
	if err != nil {
		return nil, err
	}
	r.comparison = atMost32
	b := f.Boosting
	if b == nil {
		if err := f.decode(r, r.classes, itself); err != nil {
			return nil, err
		}
		return r.build()
	}
	two := r.classes == 2
	if b.Rate == nil || len(b.Class) != len(f.Trees) || len(b.Init) != r.classes || r.classes < 2 || (two && b.Init[0] != 0) {
		return nil, errors.New("boosting: init, learning_rate or class do not fit the classes and trees")
	}
	for _, c := range b.Class {
		if c < 0 || c >= r.classes || (two && c == 0) {
			return nil, fmt.Errorf("boosting: a tree adds to class %d", c)
		}
	}
	if err := affordable(text, f.leaves(), r.classes); err != nil {
		return nil, err
	}
	switch r.base = b.Init; {
	case b.Decision == "probability" && two:
		r.rule = logistic
	case b.Decision == "probability":
		r.rule = softmax
	case b.Decision == "sum":
		if r.rule = sum; two {
			r.base[0] = -math.SmallestNonzeroFloat64
		}
	default:
		return nil, fmt.Errorf("boosting: decision is %.40q", b.Decision)
	}
	err = f.decode(r, 1, func(t int, v []float64) []float64 { return only(r.classes, b.Class[t], *b.Rate*v[0]) })
	if err != nil {
		return nil, err
	}
	return r.build()
}

func (f *jsonFile) leaves() (nodes int) {
	for _, t := range f.Trees {
		nodes += len(t.Left)
	}
	return nodes
}

// affordable refuses so many nodes with a value for each class where the file has but one: a
// small file must not ask for much memory.
func affordable(text []byte, nodes, classes int) error {
	if int64(nodes)*int64(classes) > 32*int64(len(text)) {
		return fmt.Errorf("%d nodes of %d classes: more than a file of this size can mean", nodes, classes)
	}
	return nil
}

var comparisons = map[string]comparison{"float32(x) <= t": atMost32, "x <= t": atMost64, "float32(x) < t": below32, "x < t": below64}

func readFacet(text []byte) (*Model, error) {
	f := &jsonFile{}
	r, err := f.read(text)
	if err != nil {
		return nil, err
	}
	if f.Format == "oblique-tree-ensemble" {
		f.Kind = "oblique-ensemble"
	}
	if f.Vote != "" {
		r.rule = f.Vote
	}
	r.base, r.single = f.Base, f.Single
	switch f.Kind {
	case "knn":
		return newTable(f.Rows, f.Labels, f.K, f.Features)
	case "tree", "oblique-tree":
		r.rule = hard
		if len(f.Trees) != 1 {
			return nil, fmt.Errorf("%d trees, want one", len(f.Trees))
		}
	case "ensemble", "oblique-ensemble":
	default:
		return nil, fmt.Errorf("a model of kind %.40q: %w", f.Kind, errUnsupported)
	}
	known := false
	r.oblique = strings.HasPrefix(f.Kind, "oblique")
	if r.comparison, known = comparisons[f.Comparison]; !known && !r.oblique {
		return nil, fmt.Errorf("comparison is %.40q", f.Comparison)
	}
	if !slices.Contains([]rule{soft, hard, sum, logistic, softmax}, r.rule) || (r.base != nil && (r.rule == soft || r.rule == hard)) {
		return nil, fmt.Errorf("vote is %.40q, with %d base values", r.rule, len(r.base))
	}
	if f.Classes == nil && len(f.Trees) > 0 && len(f.Trees[0].Value) > 0 {
		r.classes = len(f.Trees[0].Value[0])
	}
	if err := f.decode(r, r.classes, itself); err != nil {
		return nil, err
	}
	return r.build()
}

// integers are numbers that a file has for strings.
type integers map[string]string

// get returns a number, or another one where there is none.
func (p integers) get(key string, none int) (int, error) {
	text, ok := p[key]
	if !ok {
		return none, nil
	}
	v, err := strconv.Atoi(text)
	if err != nil {
		return 0, fmt.Errorf("%s: %.40q is no integer", key, text)
	}
	return v, nil
}
