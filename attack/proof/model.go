package proof

import (
	"crypto/sha256"
	"errors"
	"io"
	"math"
	"slices"
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

// covered reports whether claims with these codes are of a kind that is proven, see Claim.
func (m *Model) covered(codes []int) bool {
	return m.trees == nil || !m.trees.oblique &&
		m.trees.divisor == math.Trunc(m.trees.divisor) &&
		(codes == nil || slices.Max(codes) <= 1<<16)
}

// ReadModel reads a model: facet's own, the export of scikit-learn's trees, XGBoost's JSON,
// LightGBM's text or oblique trees in JSON, as docs/use/models.md describes them, plain or
// gzipped. Weighted nearest neighbours have no proofs and are refused.
func ReadModel(r io.Reader) (*Model, error) { return read(r, "proof: the model", parseModel) }

// ReadRows reads the training set of k nearest neighbours: LIBSVM text, or CSV with the label last,
// plain or gzipped. Labels, numbers or words, are classes 0, 1, … in ascending order.
func ReadRows(r io.Reader, k int) (*Model, error) {
	return read(r, "proof: the training set",
		func(text string, stored int) *Model { return parseRows(text, k, stored) })
}

func read(r io.Reader, what string, parse func(text string, stored int) *Model) (
	m *Model, err error,
) {
	defer recovered(&err, what)
	demand(r != nil, "there is no file to read")
	text, stored := content(r)
	m = parse(string(text), stored)
	m.SHA256 = sha256.Sum256(text)
	return m, nil
}

const sklearnFormat = "sklearn-tree-ensemble"

// parseModel tells the formats apart.
func parseModel(text string, stored int) *Model {
	if first, _, _ := strings.Cut(text, "\n"); strings.Trim(first, spaces) == "tree" {
		return readLightGBM(text, stored)
	}
	top, isObject := parseJSON(text).(object)
	demand(isObject, "an object is expected")
	format, keys := word(top["format"]), facetKeys
	switch {
	case format == sklearnFormat:
		keys = sklearnKeys
	case top["learner"] != nil:
		return readXGBoost(members(top, "learner", "version"), stored)
	case top["features_info"] != nil:
		demand(false, "a file of CatBoost: its models have proofs in facet's own format: %w",
			errors.ErrUnsupported)
	}
	d := members(top, keys...)
	demand(optional(d["version"]) == 1, "the version is %.40v, want 1", d["version"])
	switch what := format + " " + word(d["kind"]); {
	case what == "facet-model knn":
		return readKNN(d, stored)
	case format == sklearnFormat:
		return readSklearn(d, stored)
	case strings.HasPrefix(what, "oblique-tree-ensemble "), what == "facet-model oblique-tree",
		what == "facet-model oblique-ensemble":
		return readFacet(d, true, strings.HasSuffix(what, "oblique-tree"), stored)
	case what == "facet-model tree", what == "facet-model ensemble",
		what == "facet-model regressor":
		return readFacet(d, false, strings.HasSuffix(what, " tree"), stored)
	default:
		demand(false, "a model of format and kind %.80q is none that is read: %w",
			what, errors.ErrUnsupported)
		return nil
	}
}
