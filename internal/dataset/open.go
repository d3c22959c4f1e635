package dataset

import (
	"bufio"
	"compress/bzip2"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// The suffixes of compressed files, in lower case.
const (
	gzipped = ".gz"
	bzipped = ".bz2"
)

// readFile hands the contents of a file, uncompressed, to read.
func readFile(path string, read func(io.Reader) error) error {
	f, err := os.Open(path)
	if err != nil {
		return err // names the file
	}
	defer f.Close()
	r := bufio.NewReader(f)
	switch strings.ToLower(filepath.Ext(path)) {
	case gzipped:
		z, err := gzip.NewReader(r)
		if err != nil {
			return &InputError{File: path, Err: err}
		}
		return read(z)
	case bzipped:
		return read(bzip2.NewReader(r))
	}
	return read(r)
}
