package dataset

import (
	"path/filepath"
	"strings"
)

// Format is the format of a file, by the name that people use for it.
type Format string

const (
	LIBSVM Format = "LIBSVM" // text, "label index:value …"
	CSV    Format = "CSV"    // text, the label in the last column
	NPY    Format = "NPY"    // numpy's binary arrays, labels in a file of their own
	IDX    Format = "IDX"    // MNIST's binary arrays, labels in a file of their own
)

// FormatOf tells the format from the suffix of a path, upper or lower case: .csv,
// .npy, .idx or "-ubyte" as in train-images-idx3-ubyte, and LIBSVM for every
// other suffix or none, for data sets are called names such as "a9a.t" or
// "covtype.scale01". A file whose path ends in .gz or .bz2 is compressed, and the
// suffix before it counts.
func FormatOf(path string) Format {
	path = strings.ToLower(path)
	for _, suffix := range []string{gzipped, bzipped} {
		path = strings.TrimSuffix(path, suffix)
	}
	switch filepath.Ext(path) {
	case ".csv":
		return CSV
	case ".npy":
		return NPY
	case ".idx":
		return IDX
	}
	if strings.HasSuffix(path, "-ubyte") {
		return IDX
	}
	return LIBSVM
}
