package dataset

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
)

// Bytes is an array of unsigned bytes, as the IDX files hold in which MNIST,
// Fashion-MNIST and their relatives are published.
type Bytes struct {
	Shape []int  // one to three positive lengths
	Data  []byte // the last index runs fastest
}

// ReadIDX reads an array of unsigned bytes of one dimension (labels) to three
// (images, each row by row). The name stands for the file in errors, which are of
// type *InputError.
func ReadIDX(r io.Reader, name string, limits Limits) (_ *Bytes, err error) {
	defer func() { err = in(name, 0, err) }()
	shape, err := readIDXShape(r)
	if err != nil {
		return nil, err
	}
	count, err := limits.countElements(flatten(shape))
	if err != nil {
		return nil, err
	}
	values := new(bytes.Buffer)
	if err := copyElements(values, r, count, 1); err != nil {
		return nil, err
	}
	return &Bytes{Shape: shape, Data: values.Bytes()}, nil
}

// flatten returns the shape with all but the first dimension, the example of one label, made one.
func flatten(shape []int) []int {
	if len(shape) < 3 {
		return shape
	}
	return []int{shape[0], shape[1] * shape[2]}
}

// Array returns the values as numbers, an image a row.
func (a *Bytes) Array() *Array {
	data := make([]float64, len(a.Data))
	for k, v := range a.Data {
		data[k] = float64(v)
	}
	return &Array{Shape: flatten(a.Shape), Data: data}
}

const (
	idxBytes = 0x08 // the code of unsigned bytes
	idxDims  = 3    // images × rows × columns
)

// readIDXShape reads everything before the values: two zeros, the code of their
// type, the number of dimensions, and the length of each.
func readIDXShape(r io.Reader) ([]int, error) {
	var magic [4]byte
	if err := readIDXHeader(r, &magic); err != nil {
		return nil, err
	}
	if err := checkIDXMagic(magic); err != nil {
		return nil, err
	}
	lengths := make([]uint32, magic[3])
	if err := readIDXHeader(r, lengths); err != nil {
		return nil, err
	}
	shape := make([]int, len(lengths))
	features := uint64(1) // of a row
	for i, length := range lengths {
		if i > 0 {
			features *= uint64(length)
		}
		// Checked at every step, or the product could overflow.
		if length > math.MaxInt32 || features > MaxFeatures {
			return nil, fmt.Errorf("%w: dimension %d of the array has length %d; at most %d rows "+
				"of %d features are allowed",
				ErrTooLarge, i, length, math.MaxInt32, MaxFeatures)
		}
		shape[i] = int(length)
	}
	return shape, nil
}

// readIDXHeader reads a part of the header.
func readIDXHeader(r io.Reader, part any) error {
	err := binary.Read(r, binary.BigEndian, part)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("the file ends within its IDX header")
	}
	return err
}

func checkIDXMagic(magic [4]byte) error {
	switch {
	case magic[0] != 0 || magic[1] != 0:
		return fmt.Errorf("the file starts with %s, which is not the beginning of an IDX file",
			quote(string(magic[:])))
	case magic[2] != idxBytes:
		return fmt.Errorf("values of IDX type %#02x are not supported, only unsigned bytes, %#02x",
			magic[2], idxBytes)
	case magic[3] < 1 || magic[3] > idxDims:
		return fmt.Errorf("the array has %d dimensions; one to %d are supported", magic[3], idxDims)
	}
	return nil
}

// LoadImages reads a pair of IDX files, images and their labels, and returns the
// images of the given classes, all of the first class, then all of the second,
// and so on, each class in the order of the file. A feature is a pixel, a label the
// class. Only the chosen images are turned into numbers.
func LoadImages(ctx context.Context, images, labels string, classes ...byte) (*Set, error) {
	x, err := readFile(ctx, images, Limits{}, ReadIDX)
	if err != nil {
		return nil, err
	}
	y, err := readFile(ctx, labels, Limits{}, ReadIDX)
	if err != nil {
		return nil, err
	}
	if err := checkPair(images, x.Shape, labels, y.Shape); err != nil {
		return nil, err
	}
	s := &Set{Dim: flatten(x.Shape)[1]}
	for _, class := range classes {
		if !s.appendImages(x, y, class) {
			return nil, wrong(labels, "%w: no image is labelled %d", ErrEmpty, class)
		}
	}
	return s, nil
}

// appendImages adds the images of a class, and reports whether there are any.
func (s *Set) appendImages(x, y *Bytes, class byte) bool {
	before := s.Rows
	for i, label := range y.Data {
		if label != class {
			continue
		}
		for _, pixel := range x.Data[i*s.Dim : (i+1)*s.Dim] {
			s.Data = append(s.Data, float64(pixel))
		}
		s.Labels = append(s.Labels, float64(class))
		s.Rows++
	}
	return s.Rows > before
}

// checkPair returns an error unless x is the shape of a matrix, or of images, and y
// that of a label for each row.
func checkPair(matrix string, x []int, labels string, y []int) error {
	if len(x) < 2 {
		return wrong(matrix,
			"the array has shape %v where a matrix of rows and features is expected", x)
	}
	if rows := x[0]; !slices.Equal(y, []int{rows}) && !slices.Equal(y, []int{rows, 1}) {
		return wrong(labels,
			"the array has shape %v where one label for each of the %d rows of %s is expected",
			y, rows, matrix)
	}
	return nil
}
