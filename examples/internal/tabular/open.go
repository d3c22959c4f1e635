package tabular

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"

	"github.com/seed-1a7dc1f9/facet/internal/dataset"
)

// standardInput is the path that stands for it.
const standardInput = "-"

// open opens the file of a path.
func (o *Options) open(path string) (io.ReadCloser, error) {
	switch {
	case path == standardInput && o.Stdin != nil:
		return io.NopCloser(o.Stdin), nil
	case path == standardInput:
		return io.NopCloser(os.Stdin), nil
	}
	file, err := os.Open(path)
	if wrong := (*fs.PathError)(nil); errors.As(err, &wrong) {
		return nil, fmt.Errorf("%s: %w", path, wrong.Err)
	}
	if err != nil {
		return nil, err
	}
	if info, err := file.Stat(); err == nil && info.IsDir() {
		file.Close()
		return nil, fmt.Errorf("%s: it is a folder, not a file of rows", path)
	}
	return file, nil
}

func nameOf(path string) string {
	if path == standardInput {
		return "standard input"
	}
	return path
}

var byteOrderMark = []byte("\ufeff")

// headBytes is the size of the beginning of a file that tells its format.
const headBytes = 1 << 16

// stream reads the content of a file, uncompressed.
type stream struct {
	*bufio.Reader
	raw io.Reader // the bytes of the file, which enter the sum as they are read
	sum hash.Hash
}

// begin begins to read a file that is guarded by limits and context. Compression is told by its
// first bytes.
func begin(ctx context.Context, r io.Reader, limits dataset.Limits) (*stream, error) {
	s := &stream{sum: sha256.New()}
	s.raw = io.TeeReader(dataset.Guard(ctx, r, limits), s.sum)
	contents, err := dataset.Uncompressed(s.raw)
	if err != nil {
		return nil, err
	}
	s.Reader = bufio.NewReaderSize(dataset.Guard(ctx, contents, limits), headBytes)
	return s, nil
}

// head returns the beginning of the contents, without a byte order mark.
func (s *stream) head() ([]byte, error) {
	head, err := s.Peek(headBytes)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if bytes.HasPrefix(head, byteOrderMark) {
		s.Discard(len(byteOrderMark))
		head = head[len(byteOrderMark):]
	}
	if len(bytes.TrimSpace(head)) == 0 {
		return nil, fmt.Errorf("%w: there are no rows", dataset.ErrEmpty)
	}
	return head, nil
}

// checksum reads the rest of the file and returns the sum of its bytes.
func (s *stream) checksum() (string, error) {
	_, err := io.Copy(io.Discard, s.raw)
	return hex.EncodeToString(s.sum.Sum(nil)), err
}
