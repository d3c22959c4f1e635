package dataset

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/precise"
)

// checkAllocation runs read and fails when it allocates out of proportion to
// its input.
func checkAllocation(t *testing.T, input []byte, read func()) {
	t.Helper()
	if got := allocation(read); got > 1<<22+1000*uint64(len(input)) {
		t.Errorf("%d bytes were allocated for an input of %d", got, len(input))
	}
}

func checkSound(t *testing.T, s *Set) {
	t.Helper()
	if s.Rows <= 0 || s.Dim <= 0 || len(s.Data) != s.Rows*s.Dim || len(s.Labels) != s.Rows {
		t.Fatalf("%d values and %d labels do not make %d × %d",
			len(s.Data), len(s.Labels), s.Rows, s.Dim)
	}
	for _, v := range append(slices.Clone(s.Data), s.Labels...) {
		if !precise.Finite(v) {
			t.Fatalf("the set holds %v", v)
		}
	}
}

func decimal(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

func FuzzLIBSVM(f *testing.F) {
	f.Add([]byte("+1 1:0.5 3:-2e3\n-1 2:4 # comment\n\n2.5\n"))
	f.Add([]byte("1 0:1 5:1\n0 5:1e-320"))
	f.Add([]byte("\ufeff1 1048576:1\r\n"))
	f.Add([]byte("1 2:1 2:1"))
	f.Add([]byte("1 1:nan"))
	f.Fuzz(func(t *testing.T, input []byte) {
		var s *Sparse
		var err error
		checkAllocation(t, input,
			func() { s, err = ReadLIBSVM(bytes.NewReader(input), "file", Limits{}) })
		if err != nil {
			if s != nil {
				t.Fatalf("rows were returned with the error %v", err)
			}
			return
		}
		base := min(1, s.MinIndex)
		dim := max(1, s.Dim(base))
		if dim > 1<<16/len(s.Labels) {
			return // too large to check at a fuzzer's pace
		}
		set, err := s.Dense(base, dim)
		if err != nil {
			t.Fatal(err)
		}
		checkSound(t, set)
		again, err := ReadLIBSVM(bytes.NewReader(libsvmText(set, base)), "copy", Limits{})
		if err != nil {
			t.Fatal(err)
		}
		copied, err := again.Dense(base, dim)
		if err != nil {
			t.Fatal(err)
		}
		if !sameBits(copied.Data, set.Data) || !sameBits(copied.Labels, set.Labels) {
			t.Errorf("written and read again, %v became %v", set, copied)
		}
	})
}

// libsvmText writes every value of a set, zeros too.
func libsvmText(s *Set, base int) []byte {
	var b bytes.Buffer
	for i := range s.Rows {
		b.WriteString(decimal(s.Labels[i]))
		for j, v := range s.Row(i) {
			fmt.Fprintf(&b, " %d:%s", base+j, decimal(v))
		}
		b.WriteByte('\n')
	}
	return b.Bytes()
}

func FuzzNPY(f *testing.F) {
	files, err := filepath.Glob(filepath.Join("testdata", "*.npy"))
	if err != nil || len(files) == 0 {
		f.Fatalf("the NPY files of testdata are missing: %v", err)
	}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		var a *Array
		var err error
		checkAllocation(t, input,
			func() { a, err = ReadNPY(bytes.NewReader(input), "file", Limits{}) })
		if err != nil {
			if a != nil {
				t.Fatalf("an array was returned with the error %v", err)
			}
			return
		}
		size := 1
		for _, n := range a.Shape {
			size *= n
		}
		if len(a.Shape) < 1 || len(a.Shape) > 2 || size <= 0 || len(a.Data) != size {
			t.Fatalf("%d values of shape %v", len(a.Data), a.Shape)
		}
	})
}
