package dataset

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
)

// readFile returns the result of read for a file's contents, uncompressed and guarded.
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

// Open opens a file to read its contents, uncompressed as Uncompressed does.
func Open(path string) (io.ReadCloser, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err // names the file
	}
	r, err := Uncompressed(f)
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

// Uncompressed returns r, or the contents that gzip or bzip2 compressed if it begins so.
func Uncompressed(r io.Reader) (io.Reader, error) {
	b := bufio.NewReader(r)
	begin, err := b.Peek(3)
	switch {
	case err != nil && !errors.Is(err, io.EOF):
		return nil, err
	case bytes.HasPrefix(begin, []byte("\x1f\x8b")):
		zip, err := gzip.NewReader(b)
		if err != nil {
			return nil, fmt.Errorf("it begins as a file of gzip does: %w", err)
		}
		return zip, nil
	case string(begin) == "BZh":
		return bzip2.NewReader(b), nil
	}
	return b, nil
}
