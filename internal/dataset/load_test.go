package dataset

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

func TestFormatOf(t *testing.T) {
	for _, test := range []struct {
		path   string
		format Format
	}{
		{"a", LIBSVM},
		{"dir.csv/a", LIBSVM},
		{"a.libsvm", LIBSVM},
		{"a.svm", LIBSVM},
		{"a.txt", LIBSVM},
		{"covtype.scale01", LIBSVM},
		{"a.gz", LIBSVM},
		{"a.svm.gz", LIBSVM},
		{"a.binary.bz2", LIBSVM},
		{"A.CSV.BZ2", CSV},
		{"a.csv", CSV},
		{"A.CSV", CSV},
		{"a.csv.gz", CSV},
		{"a.npy", NPY},
		{"a.NPY.GZ", NPY},
		{"a/train-images-idx3-ubyte", IDX},
		{"t10k-labels.idx1-ubyte.gz", IDX},
		{"a.idx", IDX},
		{"a-ubyte.txt", LIBSVM},
	} {
		if format := FormatOf(test.path); format != test.format {
			t.Errorf("FormatOf(%q) = %v, want %v", test.path, format, test.format)
		}
	}
}

func TestLoadLIBSVM(t *testing.T) {
	// The smallest and largest index of both files decide together.
	one := writeFile(t, "one", []byte("1 1:5 2:6\n"))
	three := writeFile(t, "three.svm.gz", []byte("0 3:7\n"))
	zero := writeFile(t, "zero.txt", []byte("0 0:8\n"))
	for _, test := range []struct {
		name   string
		minDim int
		files  []string
		dim    int
		data   [][]float64
	}{
		{"one file", 0, []string{one}, 2, [][]float64{{5, 6}}},
		{"largest of two", 0, []string{one, three}, 3, [][]float64{{5, 6, 0}, {0, 0, 7}}},
		{"order does not matter", 0, []string{three, one}, 3, [][]float64{{0, 0, 7}, {5, 6, 0}}},
		{"a model's dimension", 4, []string{one, three}, 4, [][]float64{{5, 6, 0, 0}, {0, 0, 7, 0}}},
		{"a smaller model", 1, []string{one}, 2, [][]float64{{5, 6}}},
		{"indices from 0", 0, []string{one, zero}, 3, [][]float64{{0, 5, 6}, {8, 0, 0}}},
		{"a model, from 0", 5, []string{zero, one}, 5, [][]float64{{8, 0, 0, 0, 0}, {0, 5, 6, 0, 0}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var sources []Source
			for _, f := range test.files {
				sources = append(sources, Source{Path: f})
			}
			sets, err := Load(t.Context(), Limits{}, test.minDim, sources...)
			if err != nil {
				t.Fatal(err)
			}
			for i, set := range sets {
				checkSet(t, set, test.dim, test.data[i], set.Labels)
			}
		})
	}
}

func TestLoadMixedFormats(t *testing.T) {
	matrix, err := os.ReadFile(filepath.Join("testdata", "f4_fortran.npy"))
	if err != nil {
		t.Fatal(err)
	}
	labels := filepath.Join("testdata", "labels_i8.npy")
	column := filepath.Join("testdata", "labels_column.npy")
	sets, err := Load(t.Context(), Limits{}, 0,
		Source{Path: writeFile(t, "a", []byte("9 1:1\n"))},
		Source{Path: writeFile(t, "b.csv.gz", []byte("x,y,z,label\n1,2,3,4\n"))},
		Source{Path: filepath.Join("testdata", "f8.npy"), Labels: column},
		Source{Path: writeFile(t, "c.npy.gz", matrix), Labels: labels},
	)
	if err != nil {
		t.Fatal(err)
	}
	reals := []float64{0, 1.5, -2, 3, 4, 0.25}
	checkSet(t, sets[0], 3, []float64{1, 0, 0}, []float64{9})
	checkSet(t, sets[1], 3, []float64{1, 2, 3}, []float64{4})
	checkSet(t, sets[2], 3, reals, []float64{3, -1})
	checkSet(t, sets[3], 3, reals, []float64{3, -1})
}

func TestLoadRefuses(t *testing.T) {
	good := Source{Path: writeFile(t, "good", []byte("1 1:1\n"))}
	csv := writeFile(t, "two.csv", []byte("1,2,0\n"))
	matrix := filepath.Join("testdata", "f8.npy")
	labels := filepath.Join("testdata", "labels_i8.npy")
	torn := compress(t, []byte("1 1:1\n0 1:2\n"))
	for _, test := range []struct {
		name    string
		minDim  int
		sources []Source
		want    []string
	}{
		{"missing file", 0, []Source{good, {Path: "nowhere/x.csv"}}, []string{"nowhere/x.csv"}},
		{"missing labels", 0, []Source{{Path: matrix, Labels: "nowhere/y.npy"}}, []string{"nowhere/y.npy"}},
		{"second file bad", 0, []Source{good, {Path: writeFile(t, "bad", []byte("1 1:1\n1 1:x\n"))}}, []string{"bad:2: ", `"x"`}},
		{"empty file", 0, []Source{{Path: writeFile(t, "hollow", nil)}, good}, []string{"hollow: no data"}},
		{"empty gzip", 0, []Source{{Path: writeFile(t, "hollow.csv.gz", nil)}}, []string{"hollow.csv.gz: no data"}},
		{"not gzip", 0, []Source{{Path: plainFile(t, "plain.gz", []byte("1 1:1 2:2\n"))}}, []string{"plain.gz: ", "gzip"}},
		{"torn gzip", 0, []Source{{Path: plainFile(t, "torn.gz", torn[:len(torn)-4])}}, []string{"torn.gz:", "unexpected EOF"}},
		{"torn gzip of a matrix", 0, []Source{{Path: plainFile(t, "torn.npy.gz", torn[:12]), Labels: labels}}, []string{"torn.npy.gz: "}},
		{"CSV widths", 0, []Source{{Path: csv}, {Path: writeFile(t, "three.csv", []byte("1,2,3,0\n"))}}, []string{"two.csv: ", "2 features", "have 3"}},
		{"CSV narrower than the model", 3, []Source{{Path: csv}}, []string{"two.csv: ", "2 features", "have 3"}},
		{"no features", 0, []Source{{Path: writeFile(t, "labels", []byte("1\n2\n"))}}, []string{"labels: no data", "no features"}},
		{"model too large", MaxFeatures + 1, []Source{good}, []string{"good: too large"}},
		{"CSV with labels", 0, []Source{{Path: csv, Labels: labels}}, []string{"two.csv: ", "CSV", "labels_i8.npy"}},
		{"LIBSVM with labels", 0, []Source{{Path: good.Path, Labels: labels}}, []string{"good: ", "LIBSVM", "labels_i8.npy"}},
		{"NPY without labels", 0, []Source{{Path: matrix}}, []string{"f8.npy: ", "labels"}},
		{"labels of another format", 0, []Source{{Path: matrix, Labels: csv}}, []string{"two.csv: ", "NPY"}},
		{"labels for a matrix", 0, []Source{{Path: labels, Labels: labels}}, []string{"labels_i8.npy: ", "shape [2]"}},
		{"matrix for labels", 0, []Source{{Path: matrix, Labels: matrix}}, []string{"f8.npy: ", "shape [2 3]"}},
		{"too few labels", 0, []Source{{Path: plainFile(t, "x.npy", npyFile(npyHeader("|u1", "(3, 1)"), []byte{1, 2, 3})), Labels: labels}}, []string{"labels_i8.npy: ", "3 rows of", "x.npy"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			sets, err := Load(t.Context(), Limits{}, test.minDim, test.sources...)
			checkError(t, err, test.want...)
			if sets != nil {
				t.Errorf("sets were returned with the error: %v", sets)
			}
		})
	}
}

// plainFile writes a file as it is, whatever its name says.
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
	_, err := Load(t.Context(), Limits{}, 0, Source{Path: "nowhere/x"})
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
			sets, err := Load(t.Context(), Limits{}, 0, Source{Path: dataPath(t, test.file)})
			if err != nil {
				t.Fatal(err)
			}
			s := sets[0]
			if s.Rows != test.rows || s.Dim != test.dim || s.Data[0] != test.firstValue {
				t.Errorf("size = %d × %d, first value %v, want %d × %d, %v", s.Rows, s.Dim, s.Data[0], test.rows, test.dim, test.firstValue)
			}
			if got := len(Classes(s)); got != test.classes {
				t.Errorf("%d classes, want %d", got, test.classes)
			}
		})
	}
}
