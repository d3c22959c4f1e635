package proof

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
)

// Model is the model that proofs are about: an ensemble of trees, or the rows of nearest
// neighbours. It may be used by many goroutines.
type Model struct {
	SHA256 [32]byte // of its file, uncompressed

	dim, classes int
	trees        *ensemble // nil for nearest neighbours
	table        *table    // nil for trees
}

// mostBytes is how long a file of a model may be, and a line of a proof but for a tree's.
const mostBytes = 1 << 30

// contents returns all of a file, plain or gzipped.
func contents(r io.Reader) ([]byte, error) {
	plain, err := uncompressed(r)
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(plain, mostBytes+1))
	if err == nil && len(text) > mostBytes {
		err = fmt.Errorf("more than %d bytes", mostBytes)
	}
	return text, err
}

// uncompressed returns what gzip compressed, if it did, which the first two bytes tell.
func uncompressed(r io.Reader) (*bufio.Reader, error) {
	plain := bufio.NewReaderSize(r, 1<<16)
	if magic, err := plain.Peek(2); err != nil || magic[0] != 0x1f || magic[1] != 0x8b {
		return plain, nil // a fault of reading comes again
	}
	z, err := gzip.NewReader(plain)
	if err != nil {
		return nil, err
	}
	return bufio.NewReaderSize(z, 1<<16), nil
}

// ReadModel reads a model: facet's own, the export of scikit-learn's trees, XGBoost's JSON,
// LightGBM's text or oblique trees in JSON, as docs/models.md describes them, plain or
// gzipped. Weighted nearest neighbours have no proofs and are refused.
func ReadModel(r io.Reader) (*Model, error) {
	text, err := contents(r)
	if err != nil {
		return nil, fmt.Errorf("proof: reading a model: %w", err)
	}
	m, err := parseModel(text)
	if err != nil {
		return nil, fmt.Errorf("proof: the model: %w", err)
	}
	m.SHA256 = sha256.Sum256(text)
	return m, nil
}

func parseModel(text []byte) (*Model, error) {
	if first, _, _ := bytes.Cut(text, []byte("\n")); string(bytes.TrimSpace(first)) == "tree" {
		return readLightGBM(text)
	}
	if err := checkJSON(text); err != nil {
		return nil, fmt.Errorf("not LightGBM's text, and not JSON as wanted: %w", err)
	}
	var head struct {
		Format  string          `json:"format"`
		Learner json.RawMessage `json:"learner"`
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return nil, err
	}
	switch {
	case head.Learner != nil:
		return readXGBoost(text)
	case head.Format == "sklearn-tree-ensemble":
		return readSklearn(text)
	case head.Format == "facet-model", head.Format == "oblique-tree-ensemble":
		return readFacet(text)
	}
	return nil, fmt.Errorf("the format is %.40q, which is none that is read", head.Format)
}

// checkJSON refuses what encoding/json would let pass: keys that are repeated in one object or
// are a known key but for case, and null among numbers.
func checkJSON(text []byte) error {
	type level struct {
		keys  map[string]bool // of an object, nil for an array
		key   string          // what the value belongs to
		depth int             // of arrays since then
		value bool            // a value comes next, not a key
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	open := []level{{}}
	for {
		token, err := decoder.Token()
		if err == io.EOF && len(open) == 1 {
			return nil
		}
		if err != nil {
			return fmt.Errorf("byte %d: %w", decoder.InputOffset(), err)
		}
		top := &open[len(open)-1]
		key, isKey := token.(string)
		isKey = isKey && top.keys != nil && !top.value
		switch {
		case token == json.Delim('{'):
			open = append(open, level{keys: map[string]bool{}})
		case token == json.Delim('['):
			open = append(open, level{key: top.key, depth: top.depth + 1})
		case token == json.Delim('}'), token == json.Delim(']'):
			open = open[:len(open)-1]
			top = &open[len(open)-1]
		case isKey:
			want := slices.IndexFunc(known, func(k string) bool { return bytes.EqualFold([]byte(k), []byte(key)) })
			if top.keys[key] || (want >= 0 && known[want] != key) {
				return fmt.Errorf("byte %d: the key %.40q stands there twice, or in another case", decoder.InputOffset(), key)
			}
			top.keys[key], top.key = true, key
		case token == nil && slices.Contains(known, top.key) && (top.key != "weights" || top.depth != 1):
			return fmt.Errorf("byte %d: %s: a null among numbers", decoder.InputOffset(), top.key)
		}
		if opened := token == json.Delim('{') || token == json.Delim('['); !opened {
			top.value = isKey
		}
	}
}

// known are the keys that mean something.
var known = []string{
	"format", "version", "kind", "n_features", "classes", "comparison", "vote", "base", "single", "trees", "k", "rows", "labels",
	"feature", "weights", "threshold", "infinite", "left", "right", "missing_left", "value",
	"boosting", "init", "learning_rate", "class", "decision",
	"learner", "attributes", "learner_model_param", "objective", "name", "gradient_booster", "model", "gbtree_model_param", "tree_info",
	"tree_param", "left_children", "right_children", "split_indices", "split_conditions", "split_type", "default_left",
	"scikit_learn", "best_iteration", "num_feature", "num_class", "num_target", "base_score", "num_parallel_tree", "num_trees",
}

var errUnsupported = errors.ErrUnsupported
