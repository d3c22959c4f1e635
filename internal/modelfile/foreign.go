package modelfile

import (
	"bytes"
	"errors"

	"github.com/seed-1a7dc1f9/facet/internal/models"
)

// foreign names what people take for models that can be read: files by how they begin, JSON by its
// keys. Each says what to do instead.
var foreign = []struct{ begins, key, is string }{
	{"\x80\x02", "", pickle}, {"\x80\x03", "", pickle}, {"\x80\x04", "", pickle},
	{"\x80\x05", "", pickle},
	// joblib's, compressed
	{"\x78\x9c", "", pickle}, {"\x78\x01", "", pickle}, {"\x78\x5e", "", pickle},
	{"\x78\xda", "", pickle},
	{"PK\x03\x04", "", "a zip archive"},
	{"\x1f\x8b", "", "compressed by gzip: unpack it"},
	{"\x89HDF", "", "an HDF5 file"},
	{"CBM1", "", catBoost},
	{"booster[", "", dump},
	{`[`, "", "the file is a JSON array, as XGBoost's dump_model writes: " +
		"save_model(\"model.json\") writes a model"},
}

const (
	pickle = "a pickle of Python: docs/export_sklearn.py writes a scikit-learn model as JSON, " +
		"and save_model of XGBoost, LightGBM and CatBoost (format=\"json\") files that can be read"
	dump     = "XGBoost's dump_model: save_model(\"model.json\") writes a model"
	catBoost = "a binary model of CatBoost: save_model(\"model.json\", format=\"json\") writes " +
		"one that can be read"
)

// refuse says what a file is that no format owns, if it is known.
func (h *head) refuse() error {
	if len(bytes.TrimSpace(h.text)) == 0 {
		return errors.New("the file is empty")
	}
	for _, f := range foreign {
		_, has := h.keys[f.key]
		if f.key == "" && bytes.HasPrefix(h.text, []byte(f.begins)) || f.key != "" && has {
			return models.Unsupported(f.is)
		}
	}
	return nil
}
