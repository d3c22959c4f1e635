package modelfile

import (
	"bytes"
	"errors"

	"github.com/seed-1a7dc1f9/facet/internal/modelfile/models"
)

// foreign names files that people take for models that can be read, by how they begin. Each has
// advice for the user.
var foreign = []struct{ begins, is string }{
	{"\x80\x02", pickle}, {"\x80\x03", pickle}, {"\x80\x04", pickle},
	{"\x80\x05", pickle},
	// joblib's, compressed
	{"\x78\x9c", pickle}, {"\x78\x01", pickle}, {"\x78\x5e", pickle},
	{"\x78\xda", pickle},
	{"PK\x03\x04", "a zip archive"},
	{"\x1f\x8b", "compressed by gzip: unpack it"},
	{"\xfd7zXZ\x00", "compressed by xz: unpack it"},
	{"BZh", "compressed by bzip2: unpack it"},
	{"\x28\xb5\x2f\xfd", "compressed by zstd: unpack it"},
	{"\x89HDF", "an HDF5 file"},
	{"CBM1", "a binary model of CatBoost: " + catBoost},
	{"###  Model data\nclass catboost_model", "a model of CatBoost in Python: " + catBoost},
	{"#include <string>\n#include <vector>\n\n/* Model data */",
		"a model of CatBoost in C++: " + catBoost},
	{"<?xml", markup}, {"<PMML", markup},
	{"booster[", dump},
	{`{"row":`, "a file of results, not of a model: facet report makes a page of it"},
	{`{"property":`, "a file of results, not of a model: facet report makes a page of it"},
	{"facet-proofs ", proofs}, {"facet-properties ", proofs},
	{"facet-pruning ", proofs},
	{`[`, "the file is a JSON array, as XGBoost's dump_model writes: " +
		"save_model(\"model.json\") writes a model"},
}

const (
	exporter = "examples/python/facet_robust/export_sklearn.py"
	pickle   = "a pickle of Python: " + exporter + " writes a scikit-learn model as JSON, " +
		"and save_model of XGBoost, LightGBM and CatBoost (format=\"json\") files that can be read"
	proofs   = "a file of proofs, not of a model: facet check replays it"
	dump     = "XGBoost's dump_model: save_model(\"model.json\") writes a model"
	catBoost = "save_model(\"model.json\", format=\"json\") writes one that can be read"
	markup   = "XML, as files of PMML are: they round what a library predicts with, so save the " +
		"model in the library that trained it: " + exporter + " writes one of " +
		"scikit-learn, and save_model those of XGBoost, LightGBM and CatBoost (format=\"json\")"
)

// refuse names the format of a file that is not read, if it is known.
func (h *head) refuse() error {
	if len(bytes.TrimSpace(h.text)) == 0 {
		return errors.New("the file is empty")
	}
	for _, f := range foreign {
		if bytes.HasPrefix(h.text, []byte(f.begins)) {
			return models.Unsupported(f.is)
		}
	}
	return nil
}
