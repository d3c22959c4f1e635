package dataset

import (
	"bufio"
	"compress/bzip2"
	"compress/gzip"
	"context"
	"io"
	"os"
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

// The suffixes of compressed files, in lower case.
const (
	gzipped = ".gz"
	bzipped = ".bz2"
)

// readFile returns what read makes of a file's contents, uncompressed and guarded.
func readFile[T any](ctx context.Context, path string, limits Limits, read func(r io.Reader, name string, limits Limits) (*T, error)) (*T, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err // names the file
	}
	defer f.Close()
	r, err := Uncompressed(bufio.NewReader(f), path)
	if err != nil {
		return nil, in(path, 0, err)
	}
	return read(Guard(ctx, r, limits), path, limits)
}

// Uncompressed returns the contents of a file of this name, of which r reads the
// bytes: what gzip or bzip2 compressed if the name ends in .gz or .bz2, and otherwise r.
func Uncompressed(r io.Reader, name string) (io.Reader, error) {
	switch strings.ToLower(filepath.Ext(name)) {
	case gzipped:
		return gzip.NewReader(r)
	case bzipped:
		return bzip2.NewReader(r), nil
	}
	return r, nil
}
