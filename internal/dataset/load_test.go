package dataset

import (
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// bzippedRow is "1 1:5 2:6", for Go only reads this format.
const bzippedRow = "425a68393141592653591f8fe5f4000001d800001040003310" +
	"2000310c00c982575c184de2ee48a70a1203f1fcbe80"

func TestLoad(t *testing.T) {
	for name, text := range map[string]string{
		"a":         "1 1:5 2:6\n",
		"a.svm.gz":  "1 1:5 2:6\n",
		"from.zero": "1 0:5 1:6\n",
	} {
		set, err := Load(t.Context(), writeFile(t, name, []byte(text)))
		if err != nil {
			t.Fatal(err)
		}
		checkSet(t, set, 2, []float64{5, 6}, []float64{1})
	}
	// Names do not count.
	for _, path := range []string{
		plainFile(t, "a.bz2", bzippedFile(t)), plainFile(t, "a.gz", bzippedFile(t)),
		plainFile(t, "b.gz", []byte("1 1:5 2:6\n")),
	} {
		set, err := Load(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		checkSet(t, set, 2, []float64{5, 6}, []float64{1})
	}
}

func bzippedFile(t *testing.T) []byte {
	t.Helper()
	b, err := hex.DecodeString(bzippedRow)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestLoadRefuses(t *testing.T) {
	torn := compress(t, []byte("1 1:1\n0 1:2\n"))
	for _, test := range []struct {
		name string
		path string
		want []string
	}{
		{"missing file", "nowhere/x", []string{"nowhere/x"}},
		{"bad line", writeFile(t, "bad", []byte("1 1:1\n1 1:x\n")), []string{"bad:2: ", `"x"`}},
		{"empty file", writeFile(t, "hollow", nil), []string{"hollow: no data"}},
		{"empty gzip", writeFile(t, "hollow.gz", nil), []string{"hollow.gz: no data"}},
		{"torn gzip", plainFile(t, "torn.gz", torn[:len(torn)-4]),
			[]string{"torn.gz:", "unexpected EOF"}},
		{"torn bzip2", plainFile(t, "cut.bz2", bzippedFile(t)[:30]), []string{"cut.bz2:", "EOF"}},
		{"no features", writeFile(t, "labels", []byte("1\n2\n")),
			[]string{"labels: no data", "no features"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			set, err := Load(t.Context(), test.path)
			checkError(t, err, test.want...)
			if set != nil {
				t.Errorf("rows were returned with the error: %v", set)
			}
		})
	}
}

// plainFile writes a file as it is, under any name.
func plainFile(t *testing.T, name string, content []byte) string {
	t.Helper()
	plain := writeFile(t, "plain", content)
	path := filepath.Join(filepath.Dir(plain), name)
	if err := os.Rename(plain, path); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestLoadKeepsFileErrors(t *testing.T) {
	_, err := Load(t.Context(), "nowhere/x")
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error = %v, want fs.ErrNotExist", err)
	}
}

// TestLoadPublishedFiles checks sizes and labels of the third-party files.
func TestLoadPublishedFiles(t *testing.T) {
	for _, test := range []struct {
		file       string
		rows, dim  int
		classes    int
		firstValue float64
	}{
		{"australian", 690, 14, 2, 1},
		{"breast-cancer", 683, 10, 2, 1000025},
		{"diabetes", 768, 8, 2, 6},
		{"fourclass", 862, 2, 2, 167},
		// Its indices run from 0 to 54, feature 0 being zero in every row.
		{"covtype500.scale01", 500, 55, 7, 0},
	} {
		t.Run(test.file, func(t *testing.T) {
			s, err := Load(t.Context(), dataPath(t, test.file))
			if err != nil {
				t.Fatal(err)
			}
			if s.Rows != test.rows || s.Dim != test.dim || s.Data[0] != test.firstValue {
				t.Errorf("size = %d × %d, first value %v, want %d × %d, %v",
					s.Rows, s.Dim, s.Data[0], test.rows, test.dim, test.firstValue)
			}
			if got := slices.Max(Number(s)[0]) + 1; got != test.classes {
				t.Errorf("%d classes, want %d", got, test.classes)
			}
		})
	}
}
