package dataset

import (
	"encoding/hex"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"testing"
)

// bzipped rows "1 1:0.5 4:2", "2 2:3" and "1 1:7", for Go only reads this format.
const bzippedRows = "425a68393141592653594f994437000004d800001040017e9020003100d34d03537aa0f4d246daa978d5a00a83cb3e2ee48a70a1209f32886e"

func TestLoadRows(t *testing.T) {
	zipped, err := hex.DecodeString(bzippedRows)
	if err != nil {
		t.Fatal(err)
	}
	text := []byte("1 1:0.5 4:2\n2 2:3\n1 1:7\n")
	for _, path := range []string{
		writeFile(t, "rows", text), writeFile(t, "rows.gz", text), writeFile(t, "rows.bz2", zipped),
	} {
		set, err := LoadRows(t.Context(), path, func(labels []float64) ([]int, error) {
			if want := []float64{1, 2, 1}; !slices.Equal(labels, want) {
				t.Errorf("labels %v, want %v", labels, want)
			}
			return []int{2, 1, 1}, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		// The features are the file's, not those of the rows chosen.
		checkSet(t, set, 4, []float64{7, 0, 0, 0, 0, 3, 0, 0, 0, 3, 0, 0}, []float64{1, 2, 2})
	}
	zero := writeFile(t, "zero", []byte("1 0:5\n2 1:6\n"))
	set, err := LoadRows(t.Context(), zero, func([]float64) ([]int, error) { return []int{1}, nil })
	if err != nil {
		t.Fatal(err)
	}
	checkSet(t, set, 2, []float64{0, 6}, []float64{2})
}

func TestLoadRowsRefuses(t *testing.T) {
	path := writeFile(t, "rows", []byte("1 1:0.5\n2 2:3\n"))
	zipped, err := hex.DecodeString(bzippedRows)
	if err != nil {
		t.Fatal(err)
	}
	choose := func(rows ...int) func([]float64) ([]int, error) {
		return func([]float64) ([]int, error) { return rows, nil }
	}
	errChoice := errors.New("no choice")
	for _, test := range []struct {
		path   string
		choose func([]float64) ([]int, error)
		want   []string
	}{
		{path, choose(0, 2), []string{path, "no row 2", "0 to 1"}},
		{path, choose(-1), []string{"no row -1"}},
		{path, choose(), []string{path, "no data"}},
		{path, func([]float64) ([]int, error) { return nil, errChoice }, []string{path, "no choice"}},
		{writeFile(t, "bad", []byte("1 1:x\n")), choose(0), []string{"bad:1:", "x"}},
		{writeFile(t, "cut.bz2", zipped[:40]), choose(0), []string{"cut.bz2", "EOF"}},
		{writeFile(t, "text.bz2", []byte("1 1:2\n")), choose(0), []string{"text.bz2", "bzip2"}},
	} {
		set, err := LoadRows(t.Context(), test.path, test.choose)
		checkError(t, err, test.want...)
		if set != nil {
			t.Errorf("rows were returned with the error %v", err)
		}
	}
	missing := filepath.Join(t.TempDir(), "missing")
	if _, err := LoadRows(t.Context(), missing, choose(0)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v, want one about a file that does not exist", err)
	}
}
