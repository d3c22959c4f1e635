package classifier

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// ReadModel reads a model that another library trained, in any of the formats of
// docs/models.md: the JSON export of scikit-learn's trees, forests and gradient
// boosting (ReadEnsemble), the JSON of XGBoost (ReadXGBoost) and the text of
// LightGBM (ReadLightGBM), told apart by how they begin and by their keys. It
// keeps the file, of at most 1 GiB, in memory meanwhile. Errors wrap ErrModel and
// say where the file is wrong.
func ReadModel(r io.Reader) (*Ensemble, error) {
	text, err := readModel(r)
	if err != nil {
		return nil, fmt.Errorf("classifier: %w: %w", ErrModel, err)
	}
	read, err := reader(text)
	if err != nil {
		return nil, fmt.Errorf("classifier: %w: %w", ErrModel, err)
	}
	return read(bytes.NewReader(text))
}

// reader returns what reads this file.
func reader(text []byte) (func(io.Reader) (*Ensemble, error), error) {
	if line, _, _ := bytes.Cut(text, []byte("\n")); string(bytes.TrimSpace(line)) == lightgbmMagic {
		return ReadLightGBM, nil
	}
	if isXGBoostBinary(text) {
		return nil, errXGBoostBinary
	}
	var keys struct {
		Format  json.RawMessage `json:"format"`
		Learner json.RawMessage `json:"learner"`
	}
	if err := json.Unmarshal(text, &keys); err != nil {
		return nil, fmt.Errorf("not the text of LightGBM, and not JSON: %w", locate(err, int64(len(text))))
	}
	switch {
	case keys.Format != nil:
		return ReadEnsemble, nil
	case keys.Learner != nil:
		return ReadXGBoost, nil
	}
	return nil, errors.New("JSON without the format of an exported model or the learner of XGBoost")
}

// valueLimit is how many values the nodes of a model may still have.
type valueLimit int64

// limitOf returns the limit for a file of so many bytes. A boosted tree holds a
// number for each leaf, a Tree one for each node and class: without a limit a small
// file with a large number of classes asks for any amount of memory. LightGBM's
// files, the most compact, need 20 values a byte for a thousand classes.
func limitOf(size int64) valueLimit { return valueLimit(32 * size) }

// place gives every node its values: the number that it adds to the sum of one
// class, and zeros.
func (l *valueLimit) place(nodes []TreeNode, values []float64, class, classes int) error {
	if *l -= valueLimit(len(nodes)) * valueLimit(classes); *l < 0 {
		return fmt.Errorf("%d nodes of %d classes: more than a file of this size can mean", len(nodes), classes)
	}
	all := make([]float64, len(nodes)*classes)
	for i, v := range values {
		nodes[i].Value = all[i*classes : (i+1)*classes : (i+1)*classes]
		nodes[i].Value[class] = v
	}
	return nil
}

// ordered numbers nodes as NewTree wants them, the root first and children after
// their parents; order[i] is the old number of the new node i. Nodes that the
// root does not reach are left out.
func ordered(nodes []TreeNode) (sorted []TreeNode, order []int, err error) {
	if len(nodes) == 0 {
		return nil, nil, errors.New("no nodes")
	}
	reached := make([]bool, len(nodes))
	reached[0], order = true, []int{0}
	for i := 0; i < len(order); i++ {
		n := nodes[order[i]]
		if n.Left >= 0 || n.Right >= 0 {
			for _, child := range []*int{&n.Left, &n.Right} {
				if *child < 0 || *child >= len(nodes) {
					return nil, nil, fmt.Errorf("node %d: child %d of %d nodes", order[i], *child, len(nodes))
				}
				if reached[*child] {
					return nil, nil, fmt.Errorf("node %d: child %d is the root or has another parent", order[i], *child)
				}
				reached[*child] = true
				order = append(order, *child)
				*child = len(order) - 1
			}
		}
		sorted = append(sorted, n)
	}
	return sorted, order, nil
}

// labels returns the class values of a library whose labels count from 0.
func labels(classes int) []float64 {
	values := make([]float64, classes)
	for c := range values {
		values[c] = float64(c)
	}
	return values
}
