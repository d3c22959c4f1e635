package dataset

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/sbinet/npyio/npy"
)

// copyHeader copies everything before the values: a magic string, the version,
// the length of the dictionary that follows, and the dictionary.
func copyHeader(buf *bytes.Buffer, r io.Reader) error {
	const (
		magic   = "\x93NUMPY"
		version = len(magic)
		longest = 1 << 16 // real ones have about a hundred bytes
	)
	if err := copyExactly(buf, r, len(magic)+2); err != nil {
		return err
	}
	if !bytes.HasPrefix(buf.Bytes(), []byte(magic)) {
		return fmt.Errorf("the file starts with %s, which is not the beginning of an NPY file", quote(string(buf.Bytes()[:version])))
	}
	width := 2
	if buf.Bytes()[version] > 1 {
		width = 4
	}
	if err := copyExactly(buf, r, width); err != nil {
		return err
	}
	var field [4]byte
	copy(field[:], buf.Bytes()[version+2:])
	length := binary.LittleEndian.Uint32(field[:])
	if length > longest {
		return fmt.Errorf("%w: the NPY header announces %d bytes, at most %d are allowed", ErrTooLarge, length, longest)
	}
	return copyExactly(buf, r, int(length))
}

func copyExactly(buf *bytes.Buffer, r io.Reader, n int) error {
	_, err := io.CopyN(buf, r, int64(n))
	if err == io.EOF {
		return errors.New("the file ends within its NPY header")
	}
	return err
}

// newNPYReader parses the header.
func newNPYReader(r io.Reader) (reader *npy.Reader, err error) {
	err = calm(func() (err error) {
		reader, err = npy.NewReader(r)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("the NPY header is malformed: %w", err)
	}
	return reader, nil
}

// calm calls f, which calls the library, and turns a panic into an error: the
// library slices headers where it expects certain characters.
func calm(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%v", p)
		}
	}()
	return f()
}

// countElements returns the number of values of an array, or an error when
// there are none, too many, or the dimensions are not one or two.
func (l Limits) countElements(shape []int) (int, error) {
	switch len(shape) {
	case 1:
		return shape[0], l.check(shape[0], 1)
	case 2:
		return shape[0] * shape[1], l.check(shape[0], shape[1])
	}
	return 0, fmt.Errorf("the array has shape %v; one or two dimensions are supported", shape)
}
