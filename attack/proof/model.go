package proof

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"io"
	"strings"
)

// Model is the model that proofs are about: an ensemble of trees, or the rows of nearest
// neighbours. It may be used by many goroutines.
type Model struct {
	SHA256 [32]byte // of its file, uncompressed

	dim, classes int
	trees        *ensemble // nil for nearest neighbours
	table        *table    // nil for trees
}

// ReadModel reads a model: facet's own, the export of scikit-learn's trees, XGBoost's JSON,
// LightGBM's text or oblique trees in JSON, as docs/models.md describes them, plain or
// gzipped. Weighted nearest neighbours have no proofs and are refused.
func ReadModel(r io.Reader) (*Model, error) { return read(r, "proof: the model", parseModel) }

// ReadRows reads the training set of k nearest neighbours: LIBSVM text, or CSV with the label last,
// plain or gzipped. Labels, numbers or words, are classes 0, 1, … in ascending order.
func ReadRows(r io.Reader, k int) (*Model, error) {
	return read(r, "proof: the training set", func(text []byte) *Model { return parseRows(string(text), k) })
}

func read(r io.Reader, what string, parse func(text []byte) *Model) (m *Model, err error) {
	defer recovered(&err, what)
	text, err := io.ReadAll(io.LimitReader(uncompressed(r), mostBytes+1))
	demand(err == nil && len(text) <= mostBytes, "after %d bytes, of at most %d: %w", len(text), mostBytes, err)
	m = parse(text)
	m.SHA256 = sha256.Sum256(text)
	return m, nil
}

// parseModel tells the formats apart.
func parseModel(text []byte) *Model {
	if first, _, _ := bytes.Cut(text, []byte("\n")); string(bytes.TrimSpace(first)) == "tree" {
		return readLightGBM(string(text))
	}
	d := parseJSON(text)
	if get(d, "learner") != nil {
		return readXGBoost(d)
	}
	demand(integer(get(d, "version")) == 1, "the version is %v, want 1", get(d, "version"))
	switch what := as[string](get(d, "format")) + " " + as[string](get(d, "kind")); what {
	case "facet-model knn":
		return readKNN(d)
	case "sklearn-tree-ensemble ":
		return readSklearn(d)
	case "oblique-tree-ensemble ", "facet-model oblique-tree", "facet-model oblique-ensemble", "facet-model tree", "facet-model ensemble":
		return readFacet(d, strings.Contains(what, "oblique"), strings.HasSuffix(what, "tree"))
	default:
		demand(false, "a model of format and kind %.80q is none that is read: %w", what, errors.ErrUnsupported)
		return nil
	}
}
