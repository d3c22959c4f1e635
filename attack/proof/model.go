package proof

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
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

// parseModel tells the formats apart.
func parseModel(text []byte) (*Model, error) {
	var r *raw
	d, err := parseJSON(text)
	format := d.get("format").text()
	first, _, _ := bytes.Cut(text, []byte("\n"))
	switch {
	case string(bytes.TrimSpace(first)) == "tree":
		r, err = readLightGBM(text)
	case err != nil:
		return nil, fmt.Errorf("not LightGBM's text, and no JSON that is read: %w", err)
	case d.get("learner").value != nil:
		r, err = readXGBoost(d, len(text))
	case format == "sklearn-tree-ensemble":
		r, err = readSklearn(d, len(text))
	case format == "oblique-tree-ensemble":
		r, err = readFacet(d, "oblique-ensemble")
	case format == "facet-model":
		switch kind := d.get("kind").text(); kind {
		case "knn":
			return readKNN(d)
		case "tree", "ensemble", "oblique-tree", "oblique-ensemble":
			r, err = readFacet(d, kind)
		default:
			return nil, fmt.Errorf("a model of kind %.40q: %w", kind, errUnsupported)
		}
	default:
		return nil, fmt.Errorf("the format is %.40q, which is none that is read", format)
	}
	if err != nil {
		return nil, err
	}
	return r.build()
}

var errUnsupported = errors.ErrUnsupported
