package onnxfile_test

import (
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/seed-1a7dc1f9/facet/internal/modelfile/models"
	"github.com/seed-1a7dc1f9/facet/internal/modelfile/onnxfile"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// field, number and message write a protocol buffer.
func field(number protowire.Number, b []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(nil, number, protowire.BytesType), b)
}

func number(at protowire.Number, v int64) []byte {
	return protowire.AppendVarint(protowire.AppendTag(nil, at, protowire.VarintType), uint64(v))
}

func message(parts ...[]byte) (b []byte) {
	for _, p := range parts {
		b = append(b, p...)
	}
	return b
}

// attributes are those of a node: []int, []float32, []string, a string or a number.
type attributes map[string]any

func (a attributes) with(changes attributes) attributes {
	all := attributes{}
	for name, v := range a {
		all[name] = v
	}
	for name, v := range changes {
		if all[name] = v; v == nil {
			delete(all, name)
		}
	}
	return all
}

func (a attributes) encode() (b []byte) {
	for name, v := range a {
		parts := field(1, []byte(name))
		switch v := v.(type) {
		case int:
			parts = message(parts, number(3, int64(v)))
		case string:
			parts = message(parts, field(4, []byte(v)))
		case []byte:
			parts = message(parts, field(5, v))
		case []int:
			for _, i := range v {
				parts = message(parts, number(8, int64(i)))
			}
		case []float32: // packed
			var all []byte
			for _, f := range v {
				all = protowire.AppendFixed32(all, math.Float32bits(f))
			}
			parts = message(parts, field(7, all))
		case []string:
			for _, s := range v {
				parts = message(parts, field(9, []byte(s)))
			}
		}
		b = append(b, field(5, parts)...)
	}
	return b
}

func operator(op, in, out string, a attributes) []byte {
	return field(1,
		message(field(1, []byte(in)), field(2, []byte(out)), field(4, []byte(op)), a.encode()))
}

func input(name string, element, size int64) []byte {
	shape := message(field(1, nil), field(1, number(1, size)))
	return field(11,
		message(field(1, []byte(name)),
			field(2, field(1, message(number(1, element), field(2, shape))))))
}

func file(parts ...[]byte) []byte {
	return message(number(1, 8), field(7, message(parts...)))
}

// small is a tree of two classes: x₁ < 0.5 gives label 0 a weight of −1, and otherwise x₀ = 2
// one of 3, and all else 1.
var small = attributes{
	"nodes_treeids": []int{0, 0, 0, 0, 0}, "nodes_nodeids": []int{0, 1, 2, 3, 4},
	"nodes_featureids":  []int{1, 0, 0, 0, 0},
	"nodes_values":      []float32{0.5, 0, 2, 0, 0},
	"nodes_modes":       []string{"BRANCH_LT", "LEAF", "BRANCH_EQ", "LEAF", "LEAF"},
	"nodes_truenodeids": []int{1, 0, 3, 0, 0}, "nodes_falsenodeids": []int{2, 0, 4, 0, 0},
	"nodes_missing_value_tracks_true": []int{1, 0, 0, 0, 0},
	"class_treeids":                   []int{0, 0, 0}, "class_nodeids": []int{1, 3, 4},
	"class_ids": []int{0, 0, 0}, "class_weights": []float32{-1, 3, 1},
	"classlabels_int64s": []int{3, 7}, "base_values": []float32{0.25}, "post_transform": "LOGISTIC",
}

// twice returns a tree and a copy of it.
func twice(a attributes) attributes {
	both := a.with(nil)
	for name, v := range a {
		switch v := v.(type) {
		case []string:
			both[name] = slices.Concat(v, v)
		case []float32:
			if name != "base_values" {
				both[name] = slices.Concat(v, v)
			}
		case []int:
			if name != "classlabels_int64s" {
				both[name] = slices.Concat(v, v)
			}
			if strings.HasSuffix(name, "_treeids") {
				both[name] = slices.Concat(v, slices.Repeat([]int{1}, len(v)))
			}
		}
	}
	return both
}

func classifier(a attributes) []byte {
	return file(operator("TreeEnsembleClassifier", "x", "label", a), input("x", 1, 2))
}

func regressor(a attributes) []byte {
	of := attributes{
		"n_targets":      1,
		"target_treeids": small["class_treeids"],
		"target_nodeids": small["class_nodeids"],
		"target_ids":     small["class_ids"],
		"target_weights": small["class_weights"],
	}
	for _, name := range []string{
		"class_treeids", "class_nodeids", "class_ids", "class_weights", "classlabels_int64s",
		"post_transform",
	} {
		of[name] = nil
	}
	return file(operator("TreeEnsembleRegressor", "x", "variable", small.with(of).with(a)),
		input("x", 1, 2))
}

func read(t *testing.T, text []byte) *models.Model {
	t.Helper()
	m, err := onnxfile.Read(text)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestRead: a test is one threshold, or a set of one number, and base values are a tree.
func TestRead(t *testing.T) {
	m := read(t, classifier(small))
	below := func(v float32) float64 { return float64(math.Nextafter32(v, -1)) }
	leaf := func(v float64) trees.Node {
		return trees.Node{Left: -1, Right: -1, Value: []float64{0, v}}
	}
	inner := func(feature int, threshold float64, left, right int, missing bool) trees.Node {
		return trees.Node{
			Feature:     feature,
			Threshold:   threshold,
			Left:        left,
			Right:       right,
			MissingLeft: missing,
			Value:       []float64{0, 0},
		}
	}
	is := inner(0, 2, 3, 4, true)
	is.Thresholds = []float64{below(2), 2}
	want := []trees.Plain{
		trees.Nodes{inner(1, below(0.5), 1, 2, true), leaf(-1), is, leaf(1), leaf(3)},
		trees.Nodes{leaf(0.25)},
	}
	if !reflect.DeepEqual(m.Trees, want) {
		t.Errorf("trees are\n%v, want\n%v", m.Trees, want)
	}
	vote := trees.Vote{Rule: trees.Sum, Single: true, Chances: m.Vote.Chances}
	if !reflect.DeepEqual(m.Vote, vote) || m.Dim != 2 ||
		!reflect.DeepEqual(m.ClassValues, []float64{3, 7}) {
		t.Errorf("vote %+v, %d features, classes %v", m.Vote, m.Dim, m.ClassValues)
	}
}

// TestOrders: one sum of two terms is the same in either order, one of three is not.
func TestOrders(t *testing.T) {
	m := read(t, classifier(small.with(attributes{"base_values": nil})))
	if len(m.Trees) != 1 || m.Vote.AnyOrder {
		t.Errorf("%d trees, in any order: %v", len(m.Trees), m.Vote.AnyOrder)
	}
	if m := read(t, classifier(small)); len(m.Trees) != 2 || m.Vote.AnyOrder {
		t.Errorf("%d trees, in any order: %v", len(m.Trees), m.Vote.AnyOrder)
	}
	if m := read(t, classifier(twice(small))); len(m.Trees) != 3 || !m.Vote.AnyOrder {
		t.Errorf("%d trees, in any order: %v", len(m.Trees), m.Vote.AnyOrder)
	}
}

// TestLargeLabels: a number beyond 2⁵³ that float64 does not hold is a word.
func TestLargeLabels(t *testing.T) {
	m := read(t,
		classifier(small.with(attributes{"classlabels_int64s": []int{1<<53 + 1, 1<<53 + 3}})))
	if !slices.Equal(m.ClassNames, []string{"9007199254740993", "9007199254740995"}) ||
		!slices.Equal(m.ClassValues, []float64{0, 1}) {
		t.Errorf("classes %v, names %q", m.ClassValues, m.ClassNames)
	}
	if m := read(
		t, classifier(small.with(attributes{"classlabels_int64s": []int{1 << 53, 1 << 60}})),
	); m.ClassNames != nil || m.ClassValues[1] != 1<<60 {
		t.Errorf("classes %v, names %q", m.ClassValues, m.ClassNames)
	}
}

// TestModes: of all operators, those that hold for larger numbers swap the children, and NaN goes
// where the node says, or where the operator sends it.
func TestModes(t *testing.T) {
	below := float64(math.Nextafter32(0.5, 0))
	for mode, want := range map[string]struct {
		threshold            float64
		left                 float64 // the left child's gain: −1 where the test holds
		missing, missingTrue bool    // left, by default and if missing values take the true branch
	}{
		"BRANCH_LEQ": {0.5, -1, false, true}, "BRANCH_LT": {below, -1, false, true},
		"BRANCH_GT": {0.5, 1, true, false}, "BRANCH_GTE": {below, 1, true, false},
		// of numbers outside the two thresholds of a set
		"BRANCH_EQ": {0.5, 1, true, false}, "BRANCH_NEQ": {0.5, -1, true, true},
	} {
		for tracks, missing := range []bool{want.missing, want.missingTrue} {
			m := read(t, classifier(attributes{
				"nodes_treeids": []int{0, 0, 0}, "nodes_nodeids": []int{0, 1, 2},
				"nodes_featureids": []int{0, 0, 0}, "nodes_values": []float32{0.5, 0, 0},
				"nodes_modes":       []string{mode, "LEAF", "LEAF"},
				"nodes_truenodeids": []int{1, 0, 0}, "nodes_falsenodeids": []int{2, 0, 0},
				"nodes_missing_value_tracks_true": []int{tracks, 0, 0},
				"class_treeids":                   []int{0, 0}, "class_nodeids": []int{1, 2},
				"class_ids": []int{0, 0}, "class_weights": []float32{-1, 1},
				"classlabels_int64s": []int{0, 1},
			}))
			n := trees.At(m.Trees[0], 0)
			set := []float64{below, 0.5}
			isSet := mode == "BRANCH_EQ" || mode == "BRANCH_NEQ"
			if isSet != slices.Equal(n.Thresholds, set) {
				t.Errorf("%s: thresholds %v", mode, n.Thresholds)
			}
			if left := trees.At(m.Trees[0], n.Left).Value[1]; n.Threshold != want.threshold ||
				left != want.left || n.MissingLeft != missing {
				t.Errorf("%s, missing values true %d: threshold %v, %v on the left, missing left "+
					"%v; want %+v", mode, tracks, n.Threshold, left, n.MissingLeft, want)
			}
		}
	}
}

// TestPacking: repeated numbers may be packed or not.
func TestPacking(t *testing.T) {
	text := classifier(small.with(attributes{"nodes_treeids": nil, "base_values": nil}))
	packed := func(name string, field7or8 []byte) []byte {
		return field(5, message(field(1, []byte(name)), field7or8))
	}
	var ids []byte
	for range 5 {
		ids = protowire.AppendVarint(ids, 0)
	}
	base := protowire.AppendFixed32(protowire.AppendTag(nil, 7, protowire.Fixed32Type),
		math.Float32bits(0.25))
	extra := message(packed("nodes_treeids", field(8, ids)), packed("base_values", base))
	m := read(t,
		file(
			field(
				1, message(field(1, []byte("x")), field(2, []byte("label")),
					field(4, []byte("TreeEnsembleClassifier")),
					small.with(attributes{"nodes_treeids": nil, "base_values": nil}).encode(),
					extra),
			), input("x", 1, 2),
		))
	if want := read(t, classifier(small)); !reflect.DeepEqual(m, want) {
		t.Errorf("%+v, want %+v", m, want)
	}
	if _, err := onnxfile.Read(text); err == nil {
		t.Error("a file without nodes_treeids is read")
	}
}

// TestDouble: a tensor of double is compared and added up as it is.
func TestDouble(t *testing.T) {
	m := read(t, file(operator("TreeEnsembleClassifier", "x", "label", small), input("x", 11, 2)))
	if m.Comparison != trees.AtMostFloat64 || m.Vote.Single ||
		trees.At(m.Trees[0], 0).Threshold != math.Nextafter(0.5, 0) {
		t.Errorf("comparison %d, %+v, threshold %v",
			m.Comparison, m.Vote, trees.At(m.Trees[0], 0).Threshold)
	}
}

// TestProbabilities: weights that are all positive are probabilities of the second class.
func TestProbabilities(t *testing.T) {
	m := read(t,
		classifier(small.with(attributes{"class_weights": []float32{0, 3, 1}, "base_values": nil})))
	if !reflect.DeepEqual(m.Vote.Base, []float64{0.5, 0}) || len(m.Trees) != 1 {
		t.Errorf("base %v, %d trees", m.Vote.Base, len(m.Trees))
	}
}

// TestClasses: more classes have weights of their own; labels that do not ascend are names.
func TestClasses(t *testing.T) {
	m := read(t, classifier(small.with(attributes{
		"class_treeids": []int{0, 0, 0, 0}, "class_nodeids": []int{1, 3, 4, 4},
		"class_ids": []int{2, 0, 1, 0}, "class_weights": []float32{-1, 3, 1, 8},
		"classlabels_int64s": []int{3, 7, 5}, "base_values": []float32{1, 2, 3},
	})))
	if got := trees.At(m.Trees[0], 3).Value; !reflect.DeepEqual(got, []float64{8, 1, 0}) ||
		!reflect.DeepEqual(trees.At(m.Trees[1], 0).Value, []float64{1, 2, 3}) {
		t.Errorf("the last leaf has %v, the base is %v", got, trees.At(m.Trees[1], 0).Value)
	}
	if !reflect.DeepEqual(m.ClassNames, []string{"3", "7", "5"}) ||
		!reflect.DeepEqual(m.ClassValues, []float64{0, 1, 2}) {
		t.Errorf("classes %v, %v", m.ClassNames, m.ClassValues)
	}
}

// TestRegressor: a leaf has one number.
func TestRegressor(t *testing.T) {
	m := read(t, regressor(nil))
	if m.Kind != models.Regressor ||
		!reflect.DeepEqual(trees.At(m.Trees[0], 1).Value, []float64{-1}) ||
		!reflect.DeepEqual(trees.At(m.Trees[1], 0).Value, []float64{0.25}) {
		t.Errorf("kind %s, %v", m.Kind, m.Trees)
	}
}

// TestAround: operators that pass numbers on may stand around the trees.
func TestAround(t *testing.T) {
	m := read(t, file(
		operator("Cast", "rows", "cast", attributes{"to": 1}),
		operator("Identity", "cast", "x", nil),
		operator("TreeEnsembleClassifier", "x", "label", small),
		operator("ZipMap", "p", "q", nil), input("rows", 11, 5),
	))
	if m.Dim != 5 {
		t.Errorf("%d features, want 5", m.Dim)
	}
	if m = read(
		t, file(operator("TreeEnsembleClassifier", "x", "label", small), input("x", 1, 0)),
	); m.Dim != 2 {
		t.Errorf("%d features of a file that does not say how many, want 2", m.Dim)
	}
}

// TestRefused: other models are refused with their reason.
func TestRefused(t *testing.T) {
	trees := operator("TreeEnsembleClassifier", "x", "label", small)
	for reason, text := range map[string][]byte{
		"several tree ensembles: convert the trees to one": file(trees,
			trees, input("x", 1, 2)),
		`the operator "Scaler", and only one TreeEnsembleClassifier`: file(
			operator("Scaler", "rows", "x", nil), trees, input("rows", 1, 2),
		),
		"without a tree ensemble": file(input("x", 1, 2)),
		"trees read what ZipMap makes": file(operator("ZipMap", "rows", "x", nil), trees,
			input("rows", 1, 2)),
		"casts its input to the element type 7": file(
			operator("Cast", "rows", "x", attributes{"to": 7}), trees, input("rows", 1, 2),
		),
		"read a tensor of the element type 7: convert with an input of FloatTensorType": file(trees,
			input("x", 7, 2)),
		`has the attribute "nodes_values_as_tensor", and only float32 trees`: classifier(
			small.with(attributes{"nodes_values_as_tensor": []byte{}}),
		),
		"two classes with weights or base_values of both": classifier(
			small.with(attributes{"class_ids": []int{0, 1, 0}}),
		),
		"class 1 may get no weight from any leaf": classifier(
			small.with(attributes{"classlabels_int64s": []int{0, 1, 2}, "base_values": nil}),
		),
		`post_transform is "PROBIT", and only NONE`: classifier(
			small.with(attributes{"post_transform": "PROBIT"}),
		),
		`nodes_modes is "BRANCH_MEMBER", and only`: classifier(
			small.with(attributes{
				"nodes_modes": []string{"BRANCH_LT", "LEAF", "BRANCH_MEMBER", "LEAF", "LEAF"},
			}),
		),
		"n_targets is 2, and only one output is read": regressor(attributes{
			"n_targets": 2,
		}),
		"TreeEnsembleRegressor: it reads a tensor of double": file(
			operator("TreeEnsembleRegressor", "x", "y", attributes{"n_targets": 1}),
			input("x", 11, 2),
		),
		`aggregate_function is "AVERAGE", and only SUM`: regressor(attributes{
			"aggregate_function": "AVERAGE",
		}),
		`TreeEnsembleRegressor: post_transform is "LOGISTIC", and only NONE`: regressor(attributes{
			"post_transform": "LOGISTIC",
		}),
	} {
		if _, err := onnxfile.Read(text); err == nil || !strings.Contains(err.Error(), reason) ||
			!errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("error = %v, want one that is not supported and says %q", err, reason)
		}
	}
}

// TestProductWithOne: onnxmltools multiplies probabilities by 1 where it makes no ZipMap.
func TestProductWithOne(t *testing.T) {
	product := field(1, message(field(1, []byte("p")), field(1, []byte("one")),
		field(2, []byte("probabilities")), field(4, []byte("Mul"))))
	constant := func(value float32, at protowire.Number) []byte {
		bytes := protowire.AppendFixed32(nil, math.Float32bits(value))
		return field(5, message(number(2, 1), field(at, bytes), field(8, []byte("one"))))
	}
	trees := operator("TreeEnsembleClassifier", "x", "label", small)
	for name, c := range map[string]struct {
		constant []byte
		read     bool
	}{
		"1": {constant(1, 4), true}, "1 in bytes": {constant(1, 9), true},
		"2": {constant(2, 4), false}, "none": {nil, false},
	} {
		_, err := onnxfile.Read(file(trees, product, input("x", 1, 2), c.constant))
		if c.read && err != nil ||
			!c.read && (err == nil || !strings.Contains(err.Error(), `the operator "Mul"`)) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// TestUnknown: a part that no tried file has is refused by name, with the writer of the file.
func TestUnknown(t *testing.T) {
	trees := operator("TreeEnsembleClassifier", "x", "label", small)
	producer := message(field(2, []byte("skl2onnx")), field(3, []byte("9.9")))
	version := func(domain string, version int64) []byte {
		return field(8, message(field(1, []byte(domain)), number(2, version)))
	}
	for what, text := range map[string][]byte{
		`the attribute "class_bias" of TreeEnsembleClassifier`: classifier(
			small.with(attributes{"class_bias": []float32{1}}),
		),
		`the attribute "n_targets" of TreeEnsembleClassifier`: classifier(
			small.with(attributes{"n_targets": 1}),
		),
		`the attribute "saturation" of Cast`: file(operator("Cast", "rows", "x",
			attributes{"to": 1, "saturation": 1}), trees, input("rows", 1, 2)),
		`the operator TreeEnsembleClassifier of "mine"`: file(
			field(1, message(field(1, []byte("x")), field(2, []byte("label")),
				field(4, []byte("TreeEnsembleClassifier")), field(7, []byte("mine")),
				small.encode())), input("x", 1, 2),
		),
		"the field 15 of a graph": file(trees, input("x", 1, 2), field(15, nil)),
		"the field 8 of a node":   file(field(1, field(8, nil))),
		"the field 25 of a model": message(file(trees, input("x", 1, 2)), field(25, nil)),
		"version 5 of ai.onnx.ml": message(file(trees, input("x", 1, 2)), version("ai.onnx.ml", 5)),
	} {
		_, err := onnxfile.Read(message(producer, text))
		if err == nil || !strings.Contains(err.Error(), what) ||
			!strings.Contains(err.Error(), "written by skl2onnx 9.9, and ai.onnx.ml 4 is the") ||
			!errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("error = %v, want one that is not supported and says %q", err, what)
		}
	}
	known := message(producer, version("", 99), version("ai.onnx.ml", 4),
		file(trees, input("x", 1, 2), field(2, []byte("a name"))))
	if _, err := onnxfile.Read(known); err != nil {
		t.Error(err)
	}
}

// TestMalformed: a file that no library writes is an error that says where its fault is.
func TestMalformed(t *testing.T) {
	const count = 4000 // of trees of one leaf, and of classes
	many, leaves := make([]int, count), make([]string, count)
	for i := range many {
		many[i], leaves[i] = i, "LEAF"
	}
	for reason, text := range map[string][]byte{
		"not a whole file of ONNX": classifier(small)[:300],
		`the trees read "x", which is no input`: file(
			operator("TreeEnsembleClassifier", "x", "label", small), input("y", 1, 2),
		),
		"1 nodes_nodeids, and 5 nodes_treeids": classifier(
			small.with(attributes{"nodes_nodeids": []int{0}}),
		),
		"class_weights: weight 1 is NaN": classifier(
			small.with(attributes{"class_weights": []float32{1, float32(math.NaN()), 2}}),
		),
		"base_values: number 0 is +Inf": classifier(
			small.with(attributes{"base_values": []float32{float32(math.Inf(1))}}),
		),
		"no nodes": classifier(attributes{
			"classlabels_int64s": []int{0, 1},
		}),
		"2 class_weights, 3 class_treeids": classifier(
			small.with(attributes{"class_weights": []float32{1, 2}}),
		),
		"node 1 of nodes_treeids 0 twice": classifier(
			small.with(attributes{"nodes_nodeids": []int{0, 1, 1, 3, 4}}),
		),
		"weight 0 is that of node 0 of nodes_treeids 0, which": classifier(
			small.with(attributes{"class_nodeids": []int{0, 3, 4}}),
		),
		"weight 1 is another one of the same leaf": classifier(
			small.with(attributes{"class_nodeids": []int{1, 1, 4}}),
		),
		"tree 0: node 0: nodes_featureids is 9, want 0 to 1": classifier(
			small.with(attributes{"nodes_featureids": []int{9, 0, 0, 0, 0}}),
		),
		"tree 0: node 0: nodes_values is NaN": classifier(
			small.with(attributes{"nodes_values": []float32{float32(math.NaN()), 0, 2, 0, 0}}),
		),
		"tree 0: node 0 is the first one of a tree, or has": classifier(
			small.with(attributes{"nodes_truenodeids": []int{1, 0, 0, 0, 0}}),
		),
		"tree 0: node 0 has the child 8, which is not there": classifier(
			small.with(attributes{"nodes_truenodeids": []int{8, 0, 3, 0, 0}}),
		),
		"tree 1: node 9 is not below the first one": classifier(small.with(attributes{
			"nodes_treeids":    []int{0, 0, 0, 0, 0, 1, 1},
			"nodes_nodeids":    []int{0, 1, 2, 3, 4, 8, 9},
			"nodes_featureids": []int{1, 0, 0, 0, 0, 0, 0},
			"nodes_values":     []float32{0.5, 0, 2, 0, 0, 0, 0},
			"nodes_modes": []string{"BRANCH_LT", "LEAF", "BRANCH_EQ", "LEAF", "LEAF", "LEAF",
				"LEAF"}, "nodes_truenodeids": []int{1, 0, 3, 0, 0, 0, 0},
			"nodes_falsenodeids":              []int{2, 0, 4, 0, 0, 0, 0},
			"nodes_missing_value_tracks_true": nil,
		})),
		"class_ids is 5, and there are 2 classes": classifier(
			small.with(attributes{"class_ids": []int{0, 5, 0}}),
		),
		"1 classlabels_strings and 2 classlabels_int64": classifier(
			small.with(attributes{"classlabels_strings": []string{"a"}}),
		),
		"2 base_values for 3 classes": classifier(
			small.with(attributes{
				"classlabels_int64s": []int{0, 1, 2},
				"base_values":        []float32{1, 2},
			}),
		),
		"target_ids is 1, want 0": regressor(attributes{"target_ids": []int{0, 1, 0}}),
		"more than a file of this size can mean": classifier(attributes{
			"nodes_treeids": many, "nodes_nodeids": make([]int, count),
			"nodes_featureids": make([]int, count), "nodes_values": make([]float32, count),
			"nodes_modes":       leaves,
			"nodes_truenodeids": make([]int, count), "nodes_falsenodeids": make([]int, count),
			"classlabels_int64s": many, "base_values": make([]float32, count),
		}),
	} {
		if _, err := onnxfile.Read(text); err == nil || !strings.Contains(err.Error(), reason) ||
			errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("error = %v, want one that says %q", err, reason)
		}
	}
}
