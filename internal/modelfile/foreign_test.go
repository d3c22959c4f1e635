package modelfile_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/modelfile"
)

// TestForeign: a file that people take for a model is named.
func TestForeign(t *testing.T) {
	for text, want := range map[string]string{
		"\x80\x04\x95\x00\x00": "a pickle of Python: examples/python/facet_robust/",
		"\x78\x9c\xed\xbd":     "a pickle of Python",
		"\x78\x5e\xed\xbd":     "a pickle of Python",
		"PK\x03\x04\x14":       "a zip archive",
		"\x1f\x8b\x08":         "compressed by gzip",
		"\xfd7zXZ\x00\x00":     "compressed by xz: unpack it",
		"BZh91AY":              "compressed by bzip2: unpack it",
		"\x28\xb5\x2f\xfd\x04": "compressed by zstd: unpack it",
		"<?xml version=\"1.0\"?>\n<PMML version=\"4.3\">": "XML, as files of PMML are: they " +
			"round what a library predicts with, so save the model in the library that trained it",
		"<PMML>": "export_sklearn.py writes one of scikit-learn",
		"###  Model data\nclass catboost_model(object):": "a model of CatBoost in Python: " +
			`save_model("model.json", format="json") writes one that can be read`,
		"#include <string>\n#include <vector>\n\n/* Model data */\n": "a model of CatBoost in C++",
		"CBM1\x00": `a binary model of CatBoost: ` +
			`save_model("model.json", format="json")`,
		"booster[0]:\n0:[f0<1] yes=1,no=2": `XGBoost's dump_model: save_model("model.json")`,
		`[{"nodeid":0,"leaf":1}]`: "the file is a JSON array, as XGBoost's dump_model " +
			"writes",
		"binf\x9a\x99\x99>": `XGBoost's old binary format, which version 3.1 no longer reads: ` +
			`load it with a version before that, and save_model("model.json")`,
		`{"row":0,"label":1}`:                "a file of results, not of a model",
		"facet-properties 1\nmodel sha256 0": "a file of proofs, not of a model",
		"bs64\tAAAA":                         "XGBoost's old binary format",
	} {
		_, err := modelfile.Read(strings.NewReader(text))
		if err == nil || !strings.Contains(err.Error(), want) ||
			!errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("%.20q: error %v, want one that is not supported and says %q", text, err, want)
		}
	}
	if _, err := modelfile.Read(strings.NewReader(" \n")); err == nil ||
		err.Error() != "the file is empty" {
		t.Errorf("an empty file: %v", err)
	}
}
