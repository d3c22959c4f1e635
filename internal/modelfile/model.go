package modelfile

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/seed-1a7dc1f9/facet/internal/modelfile/catboostfile"
	"github.com/seed-1a7dc1f9/facet/internal/modelfile/document"
	"github.com/seed-1a7dc1f9/facet/internal/modelfile/lightgbmfile"
	"github.com/seed-1a7dc1f9/facet/internal/modelfile/models"
	"github.com/seed-1a7dc1f9/facet/internal/modelfile/onnxfile"
	"github.com/seed-1a7dc1f9/facet/internal/modelfile/xgboostfile"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// format is a way to write models.
type format struct {
	name string
	owns func(h *head) bool // by how the file begins, and by its keys
	read func(text []byte) (*models.Model, error)
}

// The names of the formats, as facet info shows them.
const (
	Sklearn  = "scikit-learn, by export_sklearn.py"
	XGBoost  = "XGBoost"
	LightGBM = "LightGBM"
	CatBoost = "CatBoost"
	ONNX     = "ONNX"
	Facet    = "facet's own"
)

var formats = []format{
	{LightGBM, func(h *head) bool { return lightgbmfile.Owns(h.text) }, lightgbmfile.Read},
	{LightGBM, func(h *head) bool { return lightgbmfile.OwnsJSON(h.keys) }, lightgbmfile.ReadJSON},
	{XGBoost, isXGBoost,
		func(text []byte) (*models.Model, error) {
			return xgboostfile.Read(bytes.NewReader(text))
		}},
	{Sklearn, isSklearn, readSklearn},
	{CatBoost, isCatBoost, catboostfile.Read},
	{ONNX, func(h *head) bool { return onnxfile.Begins(h.text) }, onnxfile.Read},
	{Facet, isFacet, readFacet},
	{Facet, isArrays, readArrays},
}

func isCatBoost(h *head) bool {
	return h.keys["oblivious_trees"] || h.keys["features_info"] && h.keys["trees"]
}

// head has the keys that formats are told apart by.
type head struct {
	text   []byte
	keys   map[string]bool // of the object, if the file is JSON
	value  []byte          // of the key "format"
	format string          // which is that, if it is a string
}

// isXGBoost recognises files that xgboostfile.Owns does not by how they begin.
func isXGBoost(h *head) bool { return h.keys["learner"] }

// owner returns the format that files which begin so, or have these keys, are of; nil for none.
func (h *head) owner() *format {
	for i, f := range formats {
		if f.owns(h) {
			return &formats[i]
		}
	}
	return nil
}

// mostBytes is how long the file of a model may be: 1 GiB. But for XGBoost's, which are long,
// it is kept in memory while it is read.
const mostBytes = 1 << 30

// limited fails beyond that.
type limited struct {
	r    io.Reader
	left int
}

func (l *limited) Read(p []byte) (int, error) {
	n, err := l.r.Read(p)
	if l.left -= n; l.left < 0 {
		return 0, fmt.Errorf("more than %d bytes", mostBytes)
	}
	return n, err
}

// Read reads a model in any of the formats. A mistake in the file is a trees.Fault.
func Read(r io.Reader) (*models.Model, error) {
	buffered := bufio.NewReader(&limited{r, mostBytes})
	begin, err := buffered.Peek(64)
	if err != nil && err != io.EOF {
		return nil, err
	}
	if xgboostfile.Owns(begin) {
		return named(XGBoost)(xgboostfile.Read(buffered))
	}
	text := bytes.NewBuffer(make([]byte, 0, sizeOf(r)+bytes.MinRead))
	if _, err := text.ReadFrom(buffered); err != nil {
		return nil, err
	}
	f, err := formatOf(text.Bytes())
	if err != nil {
		return nil, err
	}
	return named(f.name)(f.read(text.Bytes()))
}

// sizeOf returns how long a file or text is, 0 if that is not known before it is read.
func sizeOf(r io.Reader) int {
	size := int64(0)
	switch r := r.(type) {
	case interface{ Len() int }:
		size = int64(r.Len())
	case interface{ Stat() (fs.FileInfo, error) }:
		if info, err := r.Stat(); err == nil && info.Mode().IsRegular() {
			size = info.Size()
		}
	}
	return int(min(size, mostBytes))
}

// named gives a model the name of its format.
func named(format string) func(m *models.Model, err error) (*models.Model, error) {
	return func(m *models.Model, err error) (*models.Model, error) {
		if err != nil {
			return nil, err
		}
		m.Format = format
		return m, nil
	}
}

// errKnown ends the reading of a head whose format is known.
var errKnown = errors.New("the format is known")

// formatOf recognises a format. The keys of long files are read up to the one that tells.
func formatOf(text []byte) (*format, error) {
	h := head{text: text, keys: make(map[string]bool)}
	found := h.owner()
	d := document.NewText(text)
	err := errKnown
	if found == nil {
		err = d.Object(func(key string) (err error) {
			h.keys[key] = true
			if key == "format" {
				h.value, err = d.Raw()
				json.Unmarshal(h.value, &h.format) // none, if it is no string
			}
			if found = h.owner(); found != nil {
				return errKnown
			}
			if key == "format" {
				return err
			}
			return d.Skip()
		})
	}
	if found != nil {
		return found, nil
	}
	if err == nil {
		err = d.Close()
	}
	if err := h.refuse(); err != nil {
		return nil, err
	}
	switch {
	case err != nil:
		f := trees.FaultOf(err)
		f.Err = fmt.Errorf("not the text of LightGBM, and not JSON: %w", f.Err)
		return nil, f
	case h.value == nil:
		return nil, errors.New("JSON without a format, and without the learner of XGBoost")
	}
	return nil, fmt.Errorf("format is %.40s, want %q, %q or %q",
		h.value, sklearnFormat, facetFormat, obliqueFormat)
}

// checkHead checks the head of a file of scikit-learn or of facet, with the names of classes and of
// columns, if there are any.
func checkHead(version, features int, classes []float64, names, columns []string) error {
	if version != 1 {
		return fmt.Errorf("version is %d, want 1", version)
	}
	if features < 1 || features > models.MostFeatures {
		return fmt.Errorf("n_features is %d, want 1 to %d", features, models.MostFeatures)
	}
	if len(columns) > 0 && len(columns) != features {
		return fmt.Errorf("%d feature_names, n_features is %d", len(columns), features)
	}
	for i := 1; i < len(classes); i++ {
		if classes[i] <= classes[i-1] {
			return fmt.Errorf("classes are not ascending: %v after %v", classes[i], classes[i-1])
		}
	}
	return models.CheckNames(names, len(classes))
}
