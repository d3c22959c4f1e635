package proof

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
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
	return read(r, "proof: the training set",
		func(text []byte) *Model { return parseRows(string(text), k) })
}

func read(r io.Reader, what string, parse func(text []byte) *Model) (m *Model, err error) {
	defer recovered(&err, what)
	text, err := io.ReadAll(io.LimitReader(uncompressed(r), mostBytes+1))
	demand(err == nil && len(text) <= mostBytes, "after %d bytes, of at most %d: %w",
		len(text), mostBytes, err)
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
	case "oblique-tree-ensemble ", "facet-model oblique-tree", "facet-model oblique-ensemble",
		"facet-model tree", "facet-model ensemble":
		return readFacet(d, strings.Contains(what, "oblique"), strings.HasSuffix(what, "tree"))
	default:
		demand(false, "a model of format and kind %.80q is none that is read: %w",
			what, errors.ErrUnsupported)
		return nil
	}
}

// parseJSON reads a value, in which no object has a key twice: map[string]any, []any, json.Number,
// string, bool or nil.
func parseJSON(text []byte) any {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	v := parseValue(d, 0)
	_, err := d.Token()
	demand(err == io.EOF, "byte %d: more follows", d.InputOffset())
	return v
}

func parseValue(d *json.Decoder, depth int) any {
	token, err := d.Token()
	if err != nil || depth > 100 {
		demand(false, "no LightGBM's text, and no JSON that is read: byte %d: too deep, or %v",
			d.InputOffset(), err)
	}
	switch token {
	case json.Delim('['):
		list := []any{}
		for d.More() {
			list = append(list, parseValue(d, depth+1))
		}
		parseValue(d, depth) // the end, or what is wrong with it
		return list
	case json.Delim('{'):
		object := map[string]any{}
		for d.More() {
			key := parseValue(d, depth).(string) // or Token would have failed
			_, twice := object[key]
			demand(!twice, "byte %d: the key %.40q again", d.InputOffset(), key)
			object[key] = parseValue(d, depth+1)
		}
		parseValue(d, depth)
		return object
	}
	return token
}

// as returns a value of a type, that type's zero for nothing.
func as[T any](v any) T {
	t, ok := v.(T)
	if !ok && v != nil {
		demand(false, "%.40v is no %T", v, t)
	}
	return t
}

// get returns what belongs to keys of objects within each other, nil if there is nothing.
func get(v any, keys ...string) any {
	for _, key := range keys {
		v = as[map[string]any](v)[key]
	}
	return v
}

// list reads the elements of an array, none of nothing.
func list[T any](v any, read func(any) T) []T {
	array := as[[]any](v)
	values := make([]T, len(array))
	for i, e := range array {
		values[i] = read(e)
	}
	return values
}

// decimal returns a finite number, rounded to so many bits.
func decimal(v any, bits int) float64 {
	n, _ := v.(json.Number)
	f, err := strconv.ParseFloat(string(n), bits)
	if err != nil || !finite(f) {
		demand(false, "%.40v is no number", v)
	}
	return f
}

func float(v any) float64    { return decimal(v, 64) }
func single(v any) float64   { return decimal(v, 32) }
func floats(v any) []float64 { return list(v, float) }
func integers(v any) []int   { return list(v, integer) }

// integer returns a number, or one in a string.
func integer(v any) int {
	n, err := strconv.Atoi(fmt.Sprint(v))
	if err != nil {
		demand(false, "%.40v is no integer", v)
	}
	return n
}

// optional returns a number, or another where there is nothing.
func optional(v any, missing int) int {
	if v == nil {
		return missing
	}
	return integer(v)
}
