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

// The suffixes of compressed files, in lower case.
const (
	gzipped = ".gz"
	bzipped = ".bz2"
)

// readFile returns what read makes of a file's contents, uncompressed and guarded.
func readFile[T any](
	ctx context.Context, path string, limits Limits,
	read func(r io.Reader, name string, limits Limits) (*T, error),
) (*T, error) {
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return read(Guard(ctx, f, limits), path, limits)
}

// Open opens a file to read what it holds, uncompressed as Uncompressed does.
func Open(path string) (io.ReadCloser, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err // names the file
	}
	r, err := Uncompressed(bufio.NewReader(f), path)
	if err != nil {
		f.Close()
		return nil, in(path, 0, err)
	}
	return contents{r, f}, nil
}

// contents is the content of a file.
type contents struct {
	io.Reader
	io.Closer
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
