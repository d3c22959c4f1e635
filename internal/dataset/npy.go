package dataset

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"

	"github.com/sbinet/npyio/npy"
	"gonum.org/v1/gonum/mat"
)

// Array is a vector or matrix of numbers read from an NPY file.
type Array struct {
	Shape []int     // one or two positive lengths
	Data  []float64 // row-major
	Names []string  // of the columns of an array of records; nil for others
}

// ReadNPY reads an array of one or two dimensions of float32, float64 or a
// signed or unsigned integer type, in C or Fortran order, or an array of records of such fields and
// booleans, which becomes a matrix. Integers must be exact in a float64; what is not finite is not
// refused. The name stands for the file in errors, which are of type *InputError.
func ReadNPY(r io.Reader, name string, limits Limits) (_ *Array, err error) {
	defer func() { err = in(name, 0, err) }()
	// The library reads from a buffer that is filled here, first with the
	// header and then with exactly the values: it allocates what a header
	// announces and takes missing values for zeros.
	buf := new(bytes.Buffer)
	if err := copyHeader(buf, r); err != nil {
		return nil, err
	}
	if header := headerOf(buf); recordsDict.MatchString(header) {
		return records(header, r, limits)
	}
	reader, err := newNPYReader(buf)
	if err != nil {
		return nil, err
	}
	descr := reader.Header.Descr
	count, err := limits.countElements(descr.Shape)
	if err != nil {
		return nil, err
	}
	t, err := numberType(descr.Type)
	if err != nil {
		return nil, err
	}
	if err := copyElements(buf, r, count, int(t.Size())); err != nil {
		return nil, err
	}
	data, err := decode(reader, t)
	if err != nil {
		return nil, err
	}
	if descr.Fortran && len(descr.Shape) == 2 {
		columns := mat.NewDense(descr.Shape[1], descr.Shape[0], data)
		data = mat.DenseCopyOf(columns.T()).RawMatrix().Data
	}
	return &Array{Shape: descr.Shape, Data: data}, nil
}

// numberType returns the type of a value of an NPY type.
func numberType(descr string) (reflect.Type, error) {
	t := npy.TypeFrom(descr)
	if t != nil {
		switch k := t.Kind(); {
		case k == reflect.Float32, k == reflect.Float64, reflect.Int8 <= k && k <= reflect.Int64,
			reflect.Uint8 <= k && k <= reflect.Uint64:
			return t, nil
		}
	}
	return nil, fmt.Errorf(
		"values of type %s are not supported; save them as float64, float32 or integers",
		quote(descr),
	)
}

// decode reads the values, numbers of a type.
func decode(reader *npy.Reader, t reflect.Type) ([]float64, error) {
	values := reflect.New(reflect.SliceOf(t))
	if err := calm(func() error { return reader.Read(values.Interface()) }); err != nil {
		return nil, fmt.Errorf("the NPY values cannot be decoded: %w", err)
	}
	if data, ok := values.Interface().(*[]float64); ok {
		return *data, nil
	}
	data := make([]float64, values.Elem().Len())
	for i := range data {
		v := values.Elem().Index(i)
		switch {
		case v.CanInt():
			data[i] = float64(v.Int())
		case v.CanUint():
			data[i] = float64(v.Uint())
		default:
			data[i] = v.Float()
			continue
		}
		// From 2⁵³ on neighbouring integers become one float64.
		if math.Abs(data[i]) >= 1<<53 {
			return nil, fmt.Errorf("value %d is the integer %v, too large to be exact in a float64",
				i, v)
		}
	}
	return data, nil
}

// copyElements copies the values and makes sure that nothing is missing and
// nothing follows. Memory grows with what arrives, whatever was announced.
func copyElements(buf *bytes.Buffer, r io.Reader, count, size int) error {
	want := int64(count) * int64(size)
	got, err := io.Copy(buf, io.LimitReader(r, want+1))
	switch {
	case err != nil:
		return err
	case got < want:
		return fmt.Errorf("the file ends after %d of %d bytes of values", got, want)
	case got > want:
		return fmt.Errorf("the file goes on after its %d bytes of values", want)
	}
	return nil
}

// copyHeader copies everything before the values: a magic string, the version,
// the length of the dictionary that follows, and the dictionary.
func copyHeader(buf *bytes.Buffer, r io.Reader) error {
	const (
		magic   = "\x93NUMPY"
		version = len(magic)
		longest = 1 << 20 // real ones have about a hundred bytes, or thirty a field
	)
	if err := copyExactly(buf, r, len(magic)+2); err != nil {
		return err
	}
	if !bytes.HasPrefix(buf.Bytes(), []byte(magic)) {
		return fmt.Errorf("the file starts with %s, which is not the beginning of an NPY file",
			quote(string(buf.Bytes()[:version])))
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
		return fmt.Errorf("%w: the NPY header announces %d bytes, at most %d are allowed",
			ErrTooLarge, length, longest)
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
		return shape[0], l.Check(shape[0], 1)
	case 2:
		return shape[0] * shape[1], l.Check(shape[0], shape[1])
	}
	return 0, fmt.Errorf("the array has shape %v; one or two dimensions are supported", shape)
}
