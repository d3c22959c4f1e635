package classifier

import (
	"errors"
	"fmt"
	"io"
)

// ReadOblique reads linear decision trees, one or several that vote, from a small
// JSON file:
//
//	{"format":"oblique-tree-ensemble","version":1,"n_features":2,"classes":[0,1],
//	 "vote":"soft","trees":[
//	  {"weights":[[1,-1],null,null],"threshold":[0.5,0,0],
//	   "left":[1,-1,-1],"right":[2,-1,-1],"value":[[0.5,0.5],[1,0],[0,1]]}]}
//
// Per tree there are parallel arrays over its nodes, node 0 the root, children
// after their parents. An inner node has one weight per feature and sends x left
// when weights·x ≤ threshold, as ObliqueTree computes it; a leaf has left = right =
// −1 and no weights. The values of a leaf, one per class, are class frequencies or
// whatever the vote adds up. classes lists the labels of the training data in
// ascending order. vote is "soft" (the default), "hard", "sum", "logistic" or
// "softmax", as the Vote of that name; "base" may hold what the sums of the last
// three start from, one number per class.
//
// Errors wrap ErrModel and say where the file is wrong.
func ReadOblique(r io.Reader) (*ObliqueEnsemble, error) {
	e, err := readOblique(r)
	if err != nil {
		return nil, fmt.Errorf("classifier: %w: %w", ErrModel, err)
	}
	return e, nil
}

func readOblique(r io.Reader) (*ObliqueEnsemble, error) {
	var file obliqueFile
	if _, err := decodeModel(r, "oblique trees", &file); err != nil {
		return nil, err
	}
	if err := file.check(); err != nil {
		return nil, err
	}
	trees := make([]*ObliqueTree, len(file.Trees))
	for i, t := range file.Trees {
		nodes, err := t.nodes(len(file.Classes))
		if err == nil {
			trees[i], err = NewObliqueTree(file.Features, nodes)
		}
		if err != nil {
			return nil, fmt.Errorf("tree %d: %w", i, err)
		}
	}
	e, err := NewObliqueEnsemble(trees, EnsembleOptions{Vote: obliqueVotes[file.Vote], Base: file.Base})
	if err != nil {
		return nil, err
	}
	e.classValues = file.Classes
	return e, nil
}

// obliqueVotes are the votes by their names in files.
var obliqueVotes = map[string]Vote{
	"": SoftVote, "soft": SoftVote, "hard": HardVote, "sum": SumVote, "logistic": LogisticVote, "softmax": SoftmaxVote,
}

// obliqueFile is the file.
type obliqueFile struct {
	Format   string            `json:"format"`
	Version  int               `json:"version"`
	Features int               `json:"n_features"`
	Classes  []float64         `json:"classes"`
	Vote     string            `json:"vote"`
	Base     []float64         `json:"base"`
	Trees    []obliqueFileTree `json:"trees"`
}

type obliqueFileTree struct {
	Weights   [][]float64 `json:"weights"`
	Threshold []float64   `json:"threshold"`
	Left      []int       `json:"left"`
	Right     []int       `json:"right"`
	Value     [][]float64 `json:"value"`
}

const obliqueFormat = "oblique-tree-ensemble"

func (f *obliqueFile) check() error {
	_, known := obliqueVotes[f.Vote]
	switch {
	case f.Format != obliqueFormat:
		return fmt.Errorf("format is %q, want %q", f.Format, obliqueFormat)
	case f.Version != 1:
		return fmt.Errorf("version is %d, want 1", f.Version)
	case f.Features < 1 || f.Features > mostFeatures:
		return fmt.Errorf("n_features is %d, want 1 to %d", f.Features, mostFeatures)
	case !known:
		return fmt.Errorf("vote is %q, want soft, hard, sum, logistic or softmax", f.Vote)
	case len(f.Classes) == 0:
		return errors.New("no classes")
	case len(f.Trees) == 0:
		return errors.New("no trees")
	}
	for i := 1; i < len(f.Classes); i++ {
		if f.Classes[i] <= f.Classes[i-1] {
			return fmt.Errorf("classes are not ascending: %v after %v", f.Classes[i], f.Classes[i-1])
		}
	}
	return nil
}

func (t *obliqueFileTree) nodes(classes int) ([]ObliqueNode, error) {
	n := len(t.Weights)
	if len(t.Threshold) != n || len(t.Left) != n || len(t.Right) != n || len(t.Value) != n {
		return nil, fmt.Errorf("%d weight vectors, %d thresholds, %d left and %d right children, %d values: want as many of each",
			n, len(t.Threshold), len(t.Left), len(t.Right), len(t.Value))
	}
	nodes := make([]ObliqueNode, n)
	for i := range nodes {
		if len(t.Value[i]) != classes {
			return nil, fmt.Errorf("node %d: %d class frequencies, want %d", i, len(t.Value[i]), classes)
		}
		if t.Left[i] < 0 && t.Right[i] < 0 && len(t.Weights[i]) > 0 {
			return nil, fmt.Errorf("node %d: a leaf with %d weights", i, len(t.Weights[i]))
		}
		nodes[i] = ObliqueNode{Weights: t.Weights[i], Threshold: t.Threshold[i], Left: t.Left[i], Right: t.Right[i], Value: t.Value[i]}
	}
	return nodes, nil
}
