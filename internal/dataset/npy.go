package dataset

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// Array is a vector or matrix of numbers read from an NPY file.
type Array struct {
	Shape []int     // one or two positive lengths
	Data  []float64 // row-major
	Names []string  // of the columns of an array of records; nil for others
}

// ReadNPY reads an array of one or two dimensions of float32, float64, booleans or a
// signed or unsigned integer type, in C or Fortran order, or an array of records of such fields,
// which becomes a matrix. Integers must be exact in a float64; NaN and infinities are not
// refused. The name stands for the file in errors, which are of type *InputError.
func ReadNPY(r io.Reader, name string, limits Limits) (_ *Array, err error) {
	defer func() { err = in(name, 0, err) }()
	text, err := readHeader(r)
	if err != nil {
		return nil, err
	}
	h, err := parseHeader(text)
	if err != nil {
		return nil, err
	}
	a := &Array{Shape: h.shape}
	if h.records {
		a.Shape = []int{h.shape[0], len(h.fields)}
		for _, f := range h.fields {
			a.Names = append(a.Names, f.name)
		}
	}
	count, err := limits.countElements(a.Shape)
	if err != nil {
		return nil, err
	}
	if a.Data, err = h.decode(r, count/len(h.fields)); err != nil {
		return nil, err
	}
	if h.fortran && len(a.Shape) == 2 && !h.records {
		columns := mat.NewDense(a.Shape[1], a.Shape[0], a.Data)
		a.Data = mat.DenseCopyOf(columns.T()).RawMatrix().Data
	}
	return a, nil
}

// decode reads so many values, or records of them.
func (h *header) decode(r io.Reader, count int) ([]float64, error) {
	width := 0
	for _, f := range h.fields {
		width += f.size
	}
	buf := new(bytes.Buffer)
	if err := copyElements(buf, r, count, width); err != nil {
		return nil, err
	}
	data, rest := make([]float64, 0, count*len(h.fields)), buf.Bytes()
	for i := range count {
		for _, f := range h.fields {
			v, err := f.value(rest)
			switch {
			case err != nil && h.records:
				return nil, fmt.Errorf("record %d, field %q: %w", i, f.name, err)
			case err != nil:
				return nil, fmt.Errorf("value %d: %w", i, err)
			}
			data, rest = append(data, v), rest[f.size:]
		}
	}
	return data, nil
}

// copyElements copies the values and makes sure that none is missing and that
// the file ends there. Memory grows with the bytes that arrive, not with those announced.
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

// field is the type of a value, or of a column of an array of records.
type field struct {
	name  string
	kind  byte // of NumPy: f, i, u or b
	size  int
	order binary.ByteOrder
}

// newField returns the field of an NPY type such as <f8.
func newField(name, descr string) (field, error) {
	const known = "f4 f8 i1 i2 i4 i8 u1 u2 u4 u8 b1"
	if len(descr) != 3 || !strings.Contains("<>|=", descr[:1]) ||
		!strings.Contains(known, descr[1:]) {
		return field{}, fmt.Errorf("values of type %s are not supported; save them as float64, "+
			"float32 or integers", quote(descr))
	}
	f := field{name, descr[1], int(descr[2] - '0'), binary.LittleEndian}
	if descr[0] == '>' {
		f.order = binary.BigEndian
	}
	return f, nil
}

// value decodes the value at the beginning of the bytes. From 2⁵³ on neighbouring integers become
// one float64.
func (f *field) value(b []byte) (float64, error) {
	var bits uint64
	switch f.size {
	case 1:
		bits = uint64(b[0])
	case 2:
		bits = uint64(f.order.Uint16(b))
	case 4:
		bits = uint64(f.order.Uint32(b))
	default:
		bits = f.order.Uint64(b)
	}
	v, written := float64(bits), any(bits)
	switch {
	case f.kind == 'f' && f.size == 4:
		return float64(math.Float32frombits(uint32(bits))), nil
	case f.kind == 'f':
		return math.Float64frombits(bits), nil
	case f.kind == 'i':
		unused := 64 - 8*f.size
		whole := int64(bits<<unused) >> unused
		v, written = float64(whole), whole
	}
	if math.Abs(v) >= 1<<53 {
		return 0, fmt.Errorf("the integer %v is too large to be exact in a float64", written)
	}
	return v, nil
}

// WriteNPY writes an array of this shape, whose values are []float64 or []int64.
func WriteNPY(w io.Writer, values any, shape ...int) error {
	descr := "<f8"
	if _, whole := values.([]int64); whole {
		descr = "<i8"
	}
	lengths := strings.Trim(fmt.Sprint(shape), "[]") + "," // as of a tuple, which may have one
	text := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", descr,
		strings.ReplaceAll(lengths, " ", ", "))
	const aligned, before = 64, 10 // bytes before the dictionary
	text += strings.Repeat(" ", aligned-1-(before+len(text))%aligned) + "\n"
	_, err := fmt.Fprintf(w, "%s\x01\x00%c%c%s", npyMagic, len(text)%256, len(text)/256, text)
	if err != nil {
		return err
	}
	return binary.Write(w, binary.LittleEndian, values)
}
