package models

import "fmt"

// Library is one that writes files of a format.
type Library struct {
	Name   string
	Newest string // version whose files were tried
}

// The libraries, and the newest versions that docs/use/models.md names. The files of LightGBM name
// the version of their format alone.
var (
	XGBoost  = Library{"XGBoost", "3.4"}
	LightGBM = Library{"LightGBM, in the format", "v4, of LightGBM 4.7,"}
	CatBoost = Library{"CatBoost", "1.2.10"}
	Sklearn  = Library{"scikit-learn", "1.9"}
)

// Unknown is the error for a key, a line or an attribute that is none of those which are read or
// may not matter. A version that came later may have added it, and it may change the model's
// predictions. The file says which version wrote it, or "".
func (l Library) Unknown(what, version string) error {
	if version != "" {
		version = " " + version
	}
	return Unsupported(fmt.Sprintf("%s, which facet does not know and which may change what the "+
		"model predicts: the file was written by %s%s, and %s is the newest that was tried; "+
		"take a newer facet, or save the model with a version that was tried",
		what, l.Name, version, l.Newest))
}
