package dataset

import (
	"bytes"
	"io"
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
func ReadIDX(r io.Reader, name string, limits Limits) (*Bytes, error) {
	a, err := readIDX(r, limits)
	return a, in(name, 0, err)
}

func readIDX(r io.Reader, limits Limits) (*Bytes, error) {
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

// flatten returns the shape with all but the first dimension, what one label
// belongs to, made one.
func flatten(shape []int) []int {
	if len(shape) < 3 {
		return shape
	}
	return []int{shape[0], shape[1] * shape[2]}
}

// array returns the values as numbers, an image a row.
func (a *Bytes) array() *Array {
	data := make([]float64, len(a.Data))
	for k, v := range a.Data {
		data[k] = float64(v)
	}
	return &Array{Shape: flatten(a.Shape), Data: data}
}
