package dataset

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"
	"testing"
)

// idxFile makes an IDX file of unsigned bytes.
func idxFile(shape []uint32, values ...byte) []byte {
	b := []byte{0, 0, idxBytes, byte(len(shape))}
	for _, n := range shape {
		b = binary.BigEndian.AppendUint32(b, n)
	}
	return append(b, values...)
}

func TestReadIDX(t *testing.T) {
	for _, test := range []struct {
		name  string
		shape []uint32
		flat  []int
	}{
		{"labels", []uint32{6}, []int{6}},
		{"rows", []uint32{2, 3}, []int{2, 3}},
		{"images", []uint32{1, 2, 3}, []int{1, 6}},
	} {
		t.Run(test.name, func(t *testing.T) {
			file := idxFile(test.shape, 0, 1, 127, 128, 254, 255)
			a, err := ReadIDX(bytes.NewReader(file), "a", Limits{})
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(a.Data, []byte{0, 1, 127, 128, 254, 255}) ||
				len(a.Shape) != len(test.shape) {
				t.Errorf("array = %v of shape %v, want 0 1 127 128 254 255 of shape %v",
					a.Data, a.Shape, test.shape)
			}
			numbers := a.Array()
			if !slices.Equal(numbers.Shape, test.flat) ||
				!slices.Equal(numbers.Data, []float64{0, 1, 127, 128, 254, 255}) {
				t.Errorf("numbers = %v of shape %v, want shape %v",
					numbers.Data, numbers.Shape, test.flat)
			}
			// Every byte counts: cut anywhere, or with one more, the file is
			// refused.
			for n := range file {
				if _, err := ReadIDX(bytes.NewReader(file[:n]), "a", Limits{}); err == nil {
					t.Errorf("the first %d of %d bytes were accepted", n, len(file))
				}
			}
			if _, err := ReadIDX(bytes.NewReader(append(file, 0)), "a", Limits{}); err == nil {
				t.Error("the file with a byte added was accepted")
			}
		})
	}
}

func TestReadIDXRefuses(t *testing.T) {
	for _, test := range []struct {
		name string
		file []byte
		want string
	}{
		{"empty", nil, "ends within its IDX header"},
		{"magic only", []byte{0, 0, 8, 1}, "ends within its IDX header"},
		{"second length missing", idxFile([]uint32{1, 1})[:10], "ends within its IDX header"},
		{"text", []byte("1 1:1\n"), `starts with "1 1:"`},
		{"gzip", compress(t, idxFile([]uint32{1}, 0)), "not the beginning of an IDX file"},
		{"little-endian magic", []byte{3, 8, 0, 0, 1, 0, 0, 0, 0},
			"not the beginning of an IDX file"},
		{"floats", []byte{0, 0, 0x0d, 1, 0, 0, 0, 1, 0, 0, 0, 0}, "type 0x0d"},
		{"no dimensions", []byte{0, 0, 8, 0, 5}, "0 dimensions"},
		{"four dimensions", idxFile([]uint32{1, 1, 1, 1}, 0), "4 dimensions"},
		{"no images", idxFile([]uint32{0, 28, 28}), "no data: there are no rows"},
		{"no labels", idxFile([]uint32{0}), "no data: there are no rows"},
		{"no pixels", idxFile([]uint32{5, 0, 28}), "no data: the rows have no features"},
		{"huge vector", idxFile([]uint32{1 << 31}), "too large"},
		{"many images", idxFile([]uint32{1 << 20, 28, 28}), "too large"},
		{"large images", idxFile([]uint32{1, 1 << 11, 1 << 10}), "too large"},
		{"product overflows", idxFile([]uint32{1, 1 << 31, 1 << 31}), "too large"},
		{"empty and huge", idxFile([]uint32{1, 0, 1<<32 - 1}), "too large"},
		{"announces more than it has", idxFile([]uint32{60_000, 28, 28}, 1, 2, 3),
			"ends after 3 of 47040000 bytes"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var a *Bytes
			var err error
			allocated := allocation(func() {
				a, err = ReadIDX(bytes.NewReader(test.file), "a-ubyte", Limits{})
			})
			checkError(t, err, "a-ubyte: ", test.want)
			if a != nil {
				t.Errorf("an array was returned with the error: %v", a)
			}
			if input := (*InputError)(nil); !errors.As(err, &input) {
				t.Errorf("the error has type %T, want *InputError", err)
			}
			if allocated > 1<<20 {
				t.Errorf("%d bytes were allocated for a file of %d", allocated, len(test.file))
			}
		})
	}
}

func TestLoadImages(t *testing.T) {
	images := idxFile([]uint32{3, 1, 2}, 1, 2, 3, 4, 5, 255)
	labels := idxFile([]uint32{3}, 7, 1, 7)
	for _, paths := range [][2]string{
		{writeFile(t, "x-images-idx3-ubyte", images), writeFile(t, "x-labels-idx1-ubyte", labels)},
		{writeFile(t, "X.IDX.gz", images), writeFile(t, "y-labels.idx1-ubyte.gz", labels)},
	} {
		s, err := LoadImages(t.Context(), paths[0], paths[1], 7, 1)
		if err != nil {
			t.Fatal(err)
		}
		checkSet(t, s, 2, []float64{1, 2, 5, 255, 3, 4}, []float64{7, 7, 1})
	}
}

func TestLoadImagesRefuses(t *testing.T) {
	labels := writeFile(t, "y-ubyte", idxFile([]uint32{2}, 1, 7))
	images := writeFile(t, "x-ubyte", idxFile([]uint32{2, 1, 2}, 1, 2, 3, 4))
	three := writeFile(t, "three-ubyte", idxFile([]uint32{3}, 1, 7, 1))
	torn := compress(t, idxFile([]uint32{2}, 1, 7))
	for _, test := range []struct {
		name, images, labels string
		want                 []string
	}{
		{"missing images", "nowhere/x-ubyte", labels, []string{"nowhere/x-ubyte"}},
		{"missing labels", images, "nowhere/y-ubyte", []string{"nowhere/y-ubyte"}},
		{"labels for images", labels, labels, []string{"y-ubyte: ", "shape [2]"}},
		{"images for labels", images, images, []string{"x-ubyte: ", "shape [2"}},
		{"too many labels", images, three, []string{"three-ubyte: ", "shape [3]", "each of the 2"}},
		{"torn gzip", images, plainFile(t, "torn-ubyte.gz", torn[:len(torn)-4]),
			[]string{"torn-ubyte.gz: ", "unexpected EOF"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, err := LoadImages(t.Context(), test.images, test.labels, 1)
			checkError(t, err, test.want...)
			if s != nil {
				t.Errorf("%v was returned with the error", s)
			}
		})
	}
	_, err := LoadImages(t.Context(), images, labels, 1, 3)
	checkError(t, err, "y-ubyte: ", "no image is labelled 3")
}

// TestLoadMNIST checks the published test images.
func TestLoadMNIST(t *testing.T) {
	images, labels := dataPath(t, "t10k-images-idx3-ubyte.gz"), dataPath(t,
		"t10k-labels-idx1-ubyte.gz")
	s, err := LoadImages(t.Context(), images, labels, 1, 7)
	if err != nil {
		t.Fatal(err)
	}
	ones := 0
	for _, label := range s.Labels {
		if label == 1 {
			ones++
		}
	}
	if s.Rows != 2163 || s.Dim != 784 || ones != 1135 || s.Labels[ones-1] != 1 ||
		s.Labels[ones] != 7 {
		t.Errorf("%d × %d with %d ones, labels %v at the border, want 2163 × 784, 1135, 1 and 7",
			s.Rows, s.Dim, ones, s.Labels[ones-1:ones+1])
	}
	if low, high := slices.Min(s.Data), slices.Max(s.Data); low != 0 || high != 255 {
		t.Errorf("pixels from %v to %v, want 0 to 255", low, high)
	}
}

func FuzzReadIDX(f *testing.F) {
	f.Add(idxFile([]uint32{3}, 0, 7, 255))
	f.Add(idxFile([]uint32{2, 2}, 1, 2, 3, 4))
	f.Add(idxFile([]uint32{2, 1, 2}, 1, 2, 3, 4))
	f.Add(idxFile([]uint32{2, 1 << 16, 1 << 17}, 1))
	f.Add(idxFile([]uint32{1<<32 - 1}))
	f.Add([]byte{0, 0, 0x0d, 1, 0, 0, 0, 1, 0, 0, 0, 0})
	f.Fuzz(func(t *testing.T, input []byte) {
		var a *Bytes
		var err error
		checkAllocation(t, input,
			func() { a, err = ReadIDX(bytes.NewReader(input), "file", Limits{}) })
		if err != nil {
			if a != nil {
				t.Fatalf("an array was returned with the error %v", err)
			}
			return
		}
		shape := make([]uint32, len(a.Shape))
		for i, n := range a.Shape {
			shape[i] = uint32(n)
		}
		if again := idxFile(shape, a.Data...); !bytes.Equal(again, input) {
			t.Errorf("written again, %v became %v", input, again)
		}
		numbers := a.Array()
		if rows := numbers.Shape[0]; rows < 1 || len(numbers.Data)%rows != 0 ||
			len(numbers.Data) != len(a.Data) {
			t.Errorf("%d values of shape %v", len(numbers.Data), numbers.Shape)
		}
	})
}
