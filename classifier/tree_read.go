package classifier

import (
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
	trees, err := readExport(r)
	if err != nil {
		return nil, err
	}
	if len(trees) > 1 {
		return nil, fmt.Errorf("classifier: %w: %d trees where a single one is expected, which ReadEnsemble reads: %w", ErrModel, len(trees), errors.ErrUnsupported)
	}
	return trees[0], nil
}

// ReadEnsemble reads a random forest from the same export; a single tree makes an
// ensemble of one.
func ReadEnsemble(r io.Reader) (*Ensemble, error) {
	trees, err := readExport(r)
	if err != nil {
		return nil, err
	}
	return NewEnsemble(trees, EnsembleOptions{})
}

func readExport(r io.Reader) ([]*Tree, error) {
	var file exported
	in := &counter{r: r}
	decoder := json.NewDecoder(in)
	if err := decoder.Decode(&file); err != nil {
		return nil, fmt.Errorf("classifier: %w: not the JSON of an exported model: %w", ErrModel, locate(err, in.n))
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("classifier: %w: byte %d: more text after the model", ErrModel, decoder.InputOffset())
	}
	if err := file.check(); err != nil {
		return nil, fmt.Errorf("classifier: %w: %w", ErrModel, err)
	}
	trees := make([]*Tree, len(file.Trees))
	for i := range file.Trees {
		nodes, err := file.Trees[i].nodes(len(file.Classes))
		if err != nil {
			return nil, fmt.Errorf("classifier: %w: tree %d: %w", ErrModel, i, err)
		}
		if trees[i], err = NewTree(file.Features, Float32, nodes); err != nil {
			return nil, fmt.Errorf("classifier: %w: tree %d: %w", ErrModel, i, err)
		}
		trees[i].classValues = file.Classes
	}
	return trees, nil
}

// exported is the file.
type exported struct {
	Format   string         `json:"format"`
	Version  int            `json:"version"`
	Features int            `json:"n_features"`
	Classes  []float64      `json:"classes"`
	Trees    []exportedTree `json:"trees"`
}

type exportedTree struct {
	Feature   []int       `json:"feature"`
	Threshold []float64   `json:"threshold"`
	Left      []int       `json:"left"`
	Right     []int       `json:"right"`
	Value     [][]float64 `json:"value"`
}

// mostFeatures keeps a malformed file from asking for boxes of billions of sides.
const mostFeatures = 1 << 20

const exportFormat = "sklearn-tree-ensemble"

func (f *exported) check() error {
	switch {
	case f.Format != exportFormat:
		return fmt.Errorf("format is %q, want %q", f.Format, exportFormat)
	case f.Version != 1:
		return fmt.Errorf("version is %d, want 1", f.Version)
	case f.Features < 1 || f.Features > mostFeatures:
		return fmt.Errorf("n_features is %d, want 1 to %d", f.Features, mostFeatures)
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

func (t *exportedTree) nodes(classes int) ([]TreeNode, error) {
	n := len(t.Feature)
	if len(t.Threshold) != n || len(t.Left) != n || len(t.Right) != n || len(t.Value) != n {
		return nil, fmt.Errorf("%d features, %d thresholds, %d left and %d right children, %d values: want as many of each",
			n, len(t.Threshold), len(t.Left), len(t.Right), len(t.Value))
	}
	nodes := make([]TreeNode, n)
	for i := range nodes {
		if len(t.Value[i]) != classes {
			return nil, fmt.Errorf("node %d: %d class frequencies, want %d", i, len(t.Value[i]), classes)
		}
		nodes[i] = TreeNode{Feature: t.Feature[i], Threshold: t.Threshold[i], Left: t.Left[i], Right: t.Right[i], Value: t.Value[i]}
	}
	return nodes, nil
}

// locate adds the place in the file to a decoding error that lacks it.
func locate(err error, read int64) error {
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &syntax):
		return fmt.Errorf("byte %d: %w", syntax.Offset, err)
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return fmt.Errorf("byte %d: the file ends early", read)
	}
	return err
}

// counter counts the bytes that are read through it.
type counter struct {
	r io.Reader
	n int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}
