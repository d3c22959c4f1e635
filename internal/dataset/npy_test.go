package dataset

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// npyFile makes an NPY file with the given header dictionary and values.
func npyFile(dictionary string, values []byte) []byte {
	b := []byte("\x93NUMPY\x01\x00")
	b = binary.LittleEndian.AppendUint16(b, uint16(len(dictionary)+1))
	b = append(b, dictionary...)
	b = append(b, '\n')
	return append(b, values...)
}

func npyHeader(descr, shape string) string {
	return fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': %s, }", descr, shape)
}

// TestReadNPY reads the files that testdata/npy.py wrote with numpy.
func TestReadNPY(t *testing.T) {
	matrix := []int{2, 3}
	reals := []float64{0, 1.5, -2, 3, 4, 0.25}
	wholes := []float64{0, 1, 2, 3, 4, 250}
	for _, test := range []struct {
		file  string
		shape []int
		data  []float64
	}{
		{"f8", matrix, reals},
		{"f8_big_endian", matrix, reals},
		{"f8_fortran", matrix, reals},
		{"f4", matrix, reals},
		{"f4_fortran", matrix, reals},
		{"version2", matrix, reals},
		{"u1", matrix, wholes},
		{"i2_fortran", matrix, wholes},
		{"i4", matrix, wholes},
		{"u8", matrix, wholes},
		{"labels_i8", []int{2}, []float64{3, -1}},
		{"bool", []int{2}, []float64{1, 0}},
		{"labels_column", []int{2, 1}, []float64{3, -1}},
	} {
		t.Run(test.file, func(t *testing.T) {
			b, err := os.ReadFile(filepath.Join("testdata", test.file+".npy"))
			if err != nil {
				t.Fatal(err)
			}
			a, err := ReadNPY(bytes.NewReader(b), test.file, Limits{})
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(a.Shape, test.shape) || !slices.Equal(a.Data, test.data) {
				t.Errorf("array = %v of shape %v, want %v of shape %v",
					a.Data, a.Shape, test.data, test.shape)
			}
			// Every byte counts: without its last, or with one more, the file
			// is refused.
			if _, err := ReadNPY(bytes.NewReader(b[:len(b)-1]), test.file, Limits{}); err == nil {
				t.Error("the file without its last byte was accepted")
			}
			if _, err := ReadNPY(bytes.NewReader(append(b, 0)), test.file, Limits{}); err == nil {
				t.Error("the file with a byte added was accepted")
			}
		})
	}
}

// TestWriteNPY: a written array is read again, and begins as numpy's own file of the array does.
func TestWriteNPY(t *testing.T) {
	var b bytes.Buffer
	if err := WriteNPY(&b, []int64{3, -1}, 2); err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(filepath.Join("testdata", "labels_i8.npy"))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(b.Bytes(), want) {
		t.Errorf("%q, want %q", b.Bytes(), want)
	}
	b.Reset()
	if err := WriteNPY(&b, []float64{0, 1.5, -2, 3, 4, 0.25}, 2, 3); err != nil {
		t.Fatal(err)
	}
	a, err := ReadNPY(&b, "a", Limits{})
	if err != nil || fmt.Sprint(a.Shape, a.Data) != "[2 3] [0 1.5 -2 3 4 0.25]" {
		t.Errorf("%v, %v", a, err)
	}
}

func TestReadNPYIntegerTypes(t *testing.T) {
	for _, test := range []struct {
		descr string
		value []byte
		want  float64
	}{
		{"|i1", []byte{0xfe}, -2},
		{"<i2", []byte{0xfe, 0xff}, -2},
		{">i2", []byte{0xff, 0xfe}, -2},
		{"<i4", []byte{0xfe, 0xff, 0xff, 0xff}, -2},
		{"<i8", []byte{0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, -2},
		{"|u1", []byte{0xfe}, 254},
		{"<u2", []byte{0xfe, 0xff}, 65534},
		{"<u4", []byte{0xfe, 0xff, 0xff, 0xff}, 4294967294},
		{"<u8", []byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x1f, 0}, 1<<53 - 1},
	} {
		a, err := ReadNPY(bytes.NewReader(npyFile(npyHeader(test.descr, "(1,)"), test.value)), "a",
			Limits{})
		if err != nil || a.Data[0] != test.want {
			t.Errorf("%s: %v, %v, want %v", test.descr, a, err, test.want)
		}
	}
}

func TestReadNPYRefusesFiles(t *testing.T) {
	for _, test := range []struct {
		file string
		want []string
	}{
		{"cube", []string{"shape [1 2 3]"}},
		{"scalar", []string{"shape []"}},
		{"empty", []string{"no data"}},
		{"i8_inexact", []string{"value 1", "9007199254740993"}},
	} {
		t.Run(test.file, func(t *testing.T) {
			path := filepath.Join("testdata", test.file+".npy")
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			a, err := ReadNPY(bytes.NewReader(b), path, Limits{})
			checkError(t, err, test.want...)
			if a != nil {
				t.Errorf("an array was returned with the error: %v", a)
			}
		})
	}
}

func TestReadNPYRefuses(t *testing.T) {
	eight := make([]byte, 8)
	huge := []byte("\x93NUMPY\x02\x00\xff\xff\xff\xff")
	for _, test := range []struct {
		name string
		file []byte
		want string
	}{
		{"empty", nil, "ends within its NPY header"},
		{"text", []byte("1 1:1 2:1 3:1\n"), `starts with "1 1:1 "`},
		{"magic only", []byte("\x93NUMPY"), "ends within its NPY header"},
		{"no header length", []byte("\x93NUMPY\x01\x00\x08"), "ends within its NPY header"},
		{"cut header", npyFile(npyHeader("<f8", "(1,)"), nil)[:30], "ends within its NPY header"},
		{"version 4", append([]byte("\x93NUMPY\x04\x00\x01\x00\x00\x00"), '\n'), "version 4"},
		{"huge header", append(huge, eight...), "too large"},
		{"not a dictionary", npyFile("hello", eight), "malformed"},
		{"no newline", []byte("\x93NUMPY\x01\x00\x02\x00{}"), "malformed"},
		{"keys run together", npyFile("}'descr': 'fortran_order': 'shape': ", eight), "malformed"},
		{"bad order",
			npyFile(strings.Replace(npyHeader("<f8", "(1,)"), "False", "Maybe", 1), eight),
			"malformed"},
		{"negative length", npyFile(npyHeader("<f8", "(-1,)"), eight), "no data"},
		{"negative lengths", npyFile(npyHeader("<f8", "(-1, -1)"), eight), "no data"},
		{"huge vector", npyFile(npyHeader("<f8", "(1000000000,)"), eight), "too large"},
		{"huge matrix", npyFile(npyHeader("<f8", "(100000000, 1000)"), eight), "too large"},
		{"wide matrix", npyFile(npyHeader("<f8", "(1, 2000000)"), eight), "too large"},
		{"product overflows",
			npyFile(npyHeader("<f8", fmt.Sprintf("(%d, 4)", math.MaxInt/2+1)), eight), "too large"},
		{"length overflows", npyFile(npyHeader("<f8", "(99999999999999999999, 1)"), eight),
			"malformed"},
		{"announces more than it has", npyFile(npyHeader("<f8", "(10000000,)"), eight),
			"ends after 8 of 80000000 bytes"},
		{"complex", npyFile(npyHeader("<c8", "(1,)"), eight), `"<c8"`},
		{"text values", npyFile(npyHeader("|S8", "(1,)"), eight), `"|S8"`},
		{"unknown type", npyFile(npyHeader("<f2", "(4,)"), eight), `"<f2"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			var a *Array
			var err error
			allocated := allocation(func() {
				a, err = ReadNPY(bytes.NewReader(test.file), "a.npy", Limits{})
			})
			checkError(t, err, "a.npy:", test.want)
			if a != nil {
				t.Errorf("an array was returned with the error: %v", a)
			}
			var input *InputError
			if !errors.As(err, &input) {
				t.Errorf("the error has type %T, want *InputError", err)
			}
			if allocated > 1<<20 {
				t.Errorf("%d bytes were allocated for a file of %d", allocated, len(test.file))
			}
		})
	}
}

// allocation returns how many bytes f allocates.
func allocation(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}
