package classifier

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// ReadTree reads a decision tree that scikit-learn trained, from the small JSON
// export described in docs/models.md:
//
//	{"format":"sklearn-tree-ensemble","version":1,"n_features":2,"classes":[0,1],
//	 "trees":[{"feature":[0,-2,-2],"threshold":[0.5,-2,-2],
//	           "left":[1,-1,-1],"right":[2,-1,-1],"value":[[.5,.5],[1,0],[0,1]]}]}
//
// It predicts as scikit-learn does: float32(x) ≤ threshold goes left. Errors wrap
// ErrModel and say where the file is wrong.
func ReadTree(r io.Reader) (*Tree, error) {
	trees, opts, err := readExport(r)
	if err != nil {
		return nil, err
	}
	if len(trees) > 1 || opts.Vote != SoftVote {
		return nil, fmt.Errorf("classifier: %w: %d trees of a forest or of a boosted model where a single tree is expected, which ReadEnsemble reads: %w",
			ErrModel, len(trees), errors.ErrUnsupported)
	}
	return trees[0], nil
}

// ReadEnsemble reads a random forest or gradient boosting from the same export; a
// single tree makes an ensemble of one. A boosted model has a "boosting" besides:
//
//	"boosting":{"init":[0,-0.2],"learning_rate":0.1,"class":[1],"decision":"probability"}
//
// The values of tree i then are one number a node, which times the learning rate
// adds to the sum of class[i]; the sums start from init. Sums, and the order of
// their terms, are scikit-learn's own. Errors are as of ReadTree.
func ReadEnsemble(r io.Reader) (*Ensemble, error) {
	trees, opts, err := readExport(r)
	if err != nil {
		return nil, err
	}
	return NewEnsemble(trees, opts)
}

func readExport(r io.Reader) ([]*Tree, EnsembleOptions, error) {
	var file exported
	size, err := decodeModel(r, "an exported model", &file)
	if err != nil {
		return nil, EnsembleOptions{}, fmt.Errorf("classifier: %w: %w", ErrModel, err)
	}
	trees, opts, err := file.model(size)
	if err != nil {
		return nil, EnsembleOptions{}, fmt.Errorf("classifier: %w: %w", ErrModel, err)
	}
	return trees, opts, nil
}

// exported is the file. Arrays stay text until list decodes them, which knows
// what tree they belong to.
type exported struct {
	Format   string            `json:"format"`
	Version  int               `json:"version"`
	Features int               `json:"n_features"`
	Classes  json.RawMessage   `json:"classes"`
	Boosting *exportedBoosting `json:"boosting"`
	Trees    []exportedTree    `json:"trees"`
}

type exportedTree struct {
	Feature   json.RawMessage `json:"feature"`
	Threshold json.RawMessage `json:"threshold"`
	Left      json.RawMessage `json:"left"`
	Right     json.RawMessage `json:"right"`
	Value     json.RawMessage `json:"value"`
}

// mostFeatures keeps a malformed file from asking for boxes of billions of sides.
const mostFeatures = 1 << 20

const exportFormat = "sklearn-tree-ensemble"

// model returns the trees and how they vote.
func (f *exported) model(size int64) ([]*Tree, EnsembleOptions, error) {
	classes, err := f.check()
	if err != nil {
		return nil, EnsembleOptions{}, err
	}
	var opts EnsembleOptions
	var boosting *boosting
	if f.Boosting != nil {
		if boosting, err = f.Boosting.check(len(classes), len(f.Trees), size); err != nil {
			return nil, opts, fmt.Errorf("boosting: %w", err)
		}
		opts = boosting.options()
	}
	trees := make([]*Tree, len(f.Trees))
	for i := range f.Trees {
		nodes, err := f.nodes(i, len(classes), boosting)
		if err != nil {
			return nil, opts, fmt.Errorf("tree %d: %w", i, err)
		}
		if trees[i], err = NewTree(f.Features, AtMostFloat32, nodes); err != nil {
			return nil, opts, fmt.Errorf("tree %d: %w", i, err)
		}
		trees[i].classValues = classes
	}
	return trees, opts, nil
}

// check returns the classes.
func (f *exported) check() ([]float64, error) {
	switch {
	case f.Format != exportFormat:
		return nil, fmt.Errorf("format is %q, want %q", f.Format, exportFormat)
	case f.Version != 1:
		return nil, fmt.Errorf("version is %d, want 1", f.Version)
	case f.Features < 1 || f.Features > mostFeatures:
		return nil, fmt.Errorf("n_features is %d, want 1 to %d", f.Features, mostFeatures)
	case len(f.Trees) == 0:
		return nil, errors.New("no trees")
	}
	classes, err := list[float64]("classes", f.Classes)
	if err == nil && len(classes) == 0 {
		err = errors.New("no classes")
	}
	for i := 1; i < len(classes); i++ {
		if classes[i] <= classes[i-1] {
			return nil, fmt.Errorf("classes are not ascending: %v after %v", classes[i], classes[i-1])
		}
	}
	return classes, err
}

// nodes returns the nodes of tree i.
func (f *exported) nodes(i, classes int, b *boosting) ([]TreeNode, error) {
	if b == nil {
		return f.Trees[i].nodes(classes, "class frequencies")
	}
	nodes, err := f.Trees[i].nodes(1, "values")
	if err != nil {
		return nil, err
	}
	return nodes, b.place(nodes, b.class[i])
}

// nodes decodes the nodes of a tree with so many values of a kind each.
func (t *exportedTree) nodes(values int, kind string) ([]TreeNode, error) {
	feature, err1 := list[int]("feature", t.Feature)
	threshold, err2 := list[float64]("threshold", t.Threshold)
	left, err3 := list[int]("left", t.Left)
	right, err4 := list[int]("right", t.Right)
	value, err5 := list[[]float64]("value", t.Value)
	if err := errors.Join(err1, err2, err3, err4, err5); err != nil {
		return nil, err
	}
	n := len(feature)
	if len(threshold) != n || len(left) != n || len(right) != n || len(value) != n {
		return nil, fmt.Errorf("%d features, %d thresholds, %d left and %d right children, %d values: want as many of each",
			n, len(threshold), len(left), len(right), len(value))
	}
	nodes := make([]TreeNode, n)
	for i := range nodes {
		if len(value[i]) != values {
			return nil, fmt.Errorf("node %d: %d %s, want %d", i, len(value[i]), kind, values)
		}
		nodes[i] = TreeNode{Feature: feature[i], Threshold: threshold[i], Left: left[i], Right: right[i], Value: value[i]}
	}
	return nodes, nil
}

// list decodes an array. encoding/json takes a null among numbers for a zero; here
// it is an error, since some writers put it for NaN.
func list[T any](field string, text json.RawMessage) ([]T, error) {
	if len(text) == 0 || string(text) == "null" {
		return nil, nil
	}
	var values []T
	if err := json.Unmarshal(text, &values); err != nil {
		return nil, fmt.Errorf("%s: %w", field, err)
	}
	if before, _, found := bytes.Cut(text, []byte("null")); found {
		return nil, fmt.Errorf("%s: a null %d bytes into the array", field, len(before))
	}
	return values, nil
}

// locate adds the place in the file to a decoding error that lacks it.
func locate(err error, read int64) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return fmt.Errorf("byte %d: %w", syntax.Offset, err)
	case errors.As(err, &kind):
		return fmt.Errorf("byte %d: %w", kind.Offset, err)
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return fmt.Errorf("byte %d: the file ends early", read)
	}
	return err
}
