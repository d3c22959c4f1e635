package onnxfile

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-1a7dc1f9/facet/internal/modelfile/models"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// Begins reports whether a text begins as files of ONNX do: with the version of the format.
func Begins(text []byte) bool { return len(text) > 2 && text[0] == 0x08 && text[1] < 0x40 }

// Read reads the bytes of a file.
func Read(text []byte) (*models.Model, error) {
	file, err := decodeModel(text)
	if u := (unknown{}); errors.As(err, &u) {
		return nil, file.unknown(u.Error())
	}
	if err != nil {
		return nil, fmt.Errorf("not a whole file of ONNX: %w", err)
	}
	if file.graph.isolates() {
		if err := file.check(); err != nil {
			return nil, err
		}
		return file.isolation(len(text))
	}
	n, in, err := file.graph.ensemble()
	if err != nil {
		return nil, err
	}
	if err := file.check(); err != nil {
		return nil, err
	}
	m := &models.Model{
		Dim:        int(in.size),
		Comparison: trees.AtMostFloat32,
		Vote:       trees.Vote{Rule: trees.Sum, Single: true},
	}
	if in.element == elementDouble { // and so are its sums
		m.Comparison, m.Vote.Single = trees.AtMostFloat64, false
	}
	for _, f := range n.attributes["nodes_featureids"].ints {
		if in.size == 0 && f >= 0 && f < models.MostFeatures {
			m.Dim = max(m.Dim, int(f)+1) // the file does not say how many there are
		}
	}
	if m.Dim == 0 {
		return nil, errors.New("no features")
	}
	if n.op == "TreeEnsembleRegressor" {
		err = n.regressor(m, len(text))
	} else {
		err = n.classifier(m, len(text))
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", n.op, err)
	}
	m.Vote.AnyOrder = len(m.Trees) > 2 // two terms have one sum, in either order
	return m, nil
}

// treeDomain is the domain of the operators of trees, and newest the latest version of it that was
// tried.
const (
	treeDomain = "ai.onnx.ml"
	newest     = 4
)

// known are the attributes that are read, or do not matter for predictions, of each operator.
var known = map[string][]string{
	"TreeEnsembleClassifier": slices.Concat(ofTrees, strings.Fields(`classlabels_int64s
		classlabels_strings class_treeids class_nodeids class_ids class_weights`)),
	"TreeEnsembleRegressor": slices.Concat(ofTrees, strings.Fields(`aggregate_function n_targets
		target_treeids target_nodeids target_ids target_weights`)),
	"Cast": {"to", "saturate"}, "Gather": {"axis"}, "Reshape": {"allowzero"},
	"LabelEncoder": {"keys_int64s", "values_floats"},
	"ZipMap":       {"classlabels_int64s", "classlabels_strings"},
}

var ofTrees = strings.Fields(`nodes_treeids nodes_nodeids nodes_featureids nodes_values
	nodes_hitrates nodes_modes nodes_truenodeids nodes_falsenodeids nodes_missing_value_tracks_true
	base_values post_transform`)

// unknown is the error for a part that no file has that was tried.
func (m *model) unknown(what string) error {
	by := models.Library{
		Name: fmt.Sprintf("%.40s", m.producer), Newest: fmt.Sprintf("%s %d", treeDomain, newest),
	}
	if by.Name == "" {
		by.Name = "a converter that it does not name"
	}
	if len(m.release) > 40 { // CatBoost's is the description of its repository
		m.release = ""
	}
	return by.Unknown(what, m.release)
}

// check refuses operators of another version or domain than those that are known, and attributes.
func (m *model) check() error {
	if m.operators > newest {
		return m.unknown(fmt.Sprintf("version %d of %s", m.operators, treeDomain))
	}
	for i := range m.graph.nodes {
		n := &m.graph.nodes[i]
		if !slices.Contains([]string{"", "ai.onnx", treeDomain}, n.domain) {
			return m.unknown(fmt.Sprintf("the operator %.40s of %.40q", n.op, n.domain))
		}
		for _, name := range slices.Sorted(maps.Keys(n.attributes)) {
			if strings.HasSuffix(name, "_as_tensor") {
				return models.Unsupported(fmt.Sprintf("the %s has the attribute %.40q, and only "+
					"float32 trees are read: convert with an input of FloatTensorType",
					n.op, name))
			}
			if n.attributes[name].other || !slices.Contains(known[n.op], name) {
				return m.unknown(fmt.Sprintf("the attribute %.40q of %s", name, n.op))
			}
		}
	}
	return nil
}

// option returns a text that may be absent.
func (n *node) option(name, absent string) string {
	if a, ok := n.attributes[name]; ok {
		return a.text
	}
	return absent
}

// regressor reads an ensemble of one target.
func (n *node) regressor(m *models.Model, size int) error {
	if t := n.attributes["n_targets"].number; t != 1 {
		return models.Unsupported(fmt.Sprintf("n_targets is %d, and only one output is read", t))
	}
	if f := n.option("aggregate_function", "SUM"); f != "SUM" {
		return models.Unsupported(fmt.Sprintf("aggregate_function is %.40q, and only SUM is read",
			f))
	}
	if p := n.option("post_transform", "NONE"); p != "NONE" {
		return models.Unsupported(fmt.Sprintf("post_transform is %.40q, and only NONE is read", p))
	}
	if !m.Vote.Single {
		return models.Unsupported("it reads a tensor of double, and its output is rounded to " +
			"float32: convert with an input of FloatTensorType")
	}
	w, err := n.weights("target")
	if err != nil {
		return err
	}
	if i := slices.IndexFunc(w.class, func(id int64) bool { return id != 0 }); i >= 0 {
		return fmt.Errorf("target_ids is %d, want 0", w.class[i])
	}
	m.Kind = models.Regressor
	return n.grow(m, &w, 1, size, func(int64) int { return 0 })
}

// classifier reads an ensemble of two classes, whose weights are all of one and speak for the
// second, or of more, each with its own.
func (n *node) classifier(m *models.Model, size int) error {
	after := n.option("post_transform", "NONE")
	if !slices.Contains([]string{"NONE", "LOGISTIC", "SOFTMAX", "SOFTMAX_ZERO"}, after) {
		return models.Unsupported(
			fmt.Sprintf("post_transform is %.40q, and only NONE, LOGISTIC, SOFTMAX and "+
				"SOFTMAX_ZERO are read", after),
		)
	}
	classes, err := n.labels(m)
	if err != nil {
		return err
	}
	w, err := n.weights("class")
	if err != nil {
		return err
	}
	if i := slices.IndexFunc(
		w.class, func(id int64) bool { return id < 0 || id >= int64(classes) },
	); i >= 0 {
		return fmt.Errorf("class_ids is %d, and there are %d classes", w.class[i], classes)
	}
	positive := !slices.ContainsFunc(w.weight, func(v float32) bool { return v < 0 })
	m.Kind, m.Vote.Chances = models.Ensemble, chances(classes, positive, after)
	if classes > 2 {
		if err := n.everyClass(&w, classes); err != nil {
			return err
		}
		return n.grow(m, &w, classes, size, func(id int64) int { return int(id) })
	}
	bases := len(n.attributes["base_values"].floats)
	if slices.ContainsFunc(w.class, func(id int64) bool { return id != w.class[0] }) || bases > 1 ||
		bases == 1 && len(w.class) > 0 && w.class[0] != 0 {
		return models.Unsupported("two classes with weights or base_values of both, which " +
			"runtimes disagree about: give all weights to class 0, as skl2onnx and onnxmltools do")
	}
	if positive {
		m.Vote.Base = []float64{0.5, 0}
	}
	return n.grow(m, &w, 2, size, func(int64) int { return 1 })
}

// chances returns the kind of the scores of onnxruntime. Of two classes it makes no softmax, and a
// logistic function of numbers that it takes for shares.
func chances(classes int, positive bool, after string) trees.Chances {
	switch {
	case classes == 2 && positive && after == "NONE":
		return trees.AsRest
	case classes == 2 && !positive && after == "LOGISTIC":
		return trees.Folded
	case classes > 2 && positive && after == "NONE":
		return trees.AsVoted
	case classes > 2 && after == "SOFTMAX":
		return trees.Odds
	}
	return trees.NoChances
}

// labels reads the labels of the classes: numbers, or words.
func (n *node) labels(m *models.Model) (classes int, err error) {
	words := n.attributes["classlabels_strings"].strings
	numbers := n.attributes["classlabels_int64s"].ints
	if len(words) > 0 && len(numbers) > 0 || len(words)+len(numbers) < 2 {
		return 0, fmt.Errorf(
			"%d classlabels_strings and %d classlabels_int64s, want at least two of one kind",
			len(words), len(numbers),
		)
	}
	ascending := len(numbers) > 0
	for i, v := range numbers {
		m.ClassValues, words = append(m.ClassValues, float64(v)), append(words,
			strconv.FormatInt(v, 10))
		ascending = ascending && int64(m.ClassValues[i]) == v &&
			(i == 0 || m.ClassValues[i] > m.ClassValues[i-1])
	}
	if !ascending {
		m.ClassValues, m.ClassNames = models.Labels(len(words)), words
	}
	return len(words), models.CheckNames(m.ClassNames, len(words))
}

// everyClass makes sure that every class has a score for every input: onnxruntime does not
// count one that no leaf and no base value has given a number.
func (n *node) everyClass(w *weights, classes int) error {
	switch bases := len(n.attributes["base_values"].floats); {
	case bases == classes:
		return nil
	case bases > 0:
		return fmt.Errorf("%d base_values for %d classes", bases, classes)
	}
	leaves := make(map[int64]int) // of each tree
	for i, tree := range n.attributes["nodes_treeids"].ints {
		if modes := n.attributes["nodes_modes"].strings; i < len(modes) && modes[i] == "LEAF" {
			leaves[tree]++
		}
	}
	given, sure := make(map[[2]int64]int), make([]bool, classes)
	for i, class := range w.class {
		of := [2]int64{w.tree[i], class}
		if given[of]++; given[of] == leaves[of[0]] {
			sure[class] = true
		}
	}
	if c := slices.Index(sure, false); c >= 0 {
		return models.Unsupported(fmt.Sprintf("class %d may get no weight from any leaf, and "+
			"onnxruntime does not count it then: give every leaf of some tree a weight for it", c))
	}
	return nil
}

// grow adds the trees to a model, and the base values as the last one.
func (n *node) grow(
	m *models.Model, w *weights, values, size int, column func(class int64) int,
) error {
	if held := int64(len(n.attributes["nodes_treeids"].ints)); held*int64(values) >
		models.MostValues*int64(size) {
		return fmt.Errorf("%d nodes of %d classes: more than a file of this size can mean",
			held, values)
	}
	g, err := n.newGrower(m.Dim, w, values, size, column)
	if err != nil {
		return err
	}
	g.compares = m.Comparison
	if m.Trees, err = g.trees(); err != nil {
		return err
	}
	bases := n.attributes["base_values"].floats
	if len(bases) == 0 {
		return nil
	}
	value := make([]float64, values)
	if len(bases) != values && len(bases) != 1 {
		return fmt.Errorf("%d base_values, want %d", len(bases), values)
	}
	if i := slices.IndexFunc(bases, infinite); i >= 0 {
		return fmt.Errorf("base_values: number %d is %v", i, bases[i])
	}
	for i, b := range bases {
		value[values-len(bases)+i] = float64(b)
	}
	m.Trees = append(m.Trees, trees.Nodes{{Left: -1, Right: -1, Value: value}})
	return nil
}
