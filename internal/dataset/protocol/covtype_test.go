package protocol

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/seed-1a7dc1f9/facet/internal/numpyrand"
)

// covtypeText returns the first n rows of testdata/covtype.py's 3000 as LIBSVM text.
func covtypeText(n int) string {
	rng := numpyrand.New(2)
	labels := make([]int64, 3000)
	for i := range labels {
		labels[i] = rng.Randint(1, 3)
	}
	var text strings.Builder
	for i := range n {
		fmt.Fprintf(&text, "%d", labels[i])
		for j := range 3 {
			if v := rng.Randint(0, 100); v != 0 {
				fmt.Fprintf(&text, " %d:%d", j+1, v)
			}
		}
		text.WriteByte('\n')
	}
	return text.String()
}

// uciText returns the same rows as UCI renders them: every feature, and then a class.
func uciText(n int) string {
	var text strings.Builder
	for i, line := range strings.Split(strings.TrimSpace(covtypeText(n)), "\n") {
		fields := strings.Fields(line)
		values := [3]string{"0", "0", "0"}
		for _, field := range fields[1:] {
			values[field[0]-'1'] = field[2:]
		}
		class := 2
		if fields[0] == "1" {
			class = []int{1, 3, 4, 5, 6, 7}[i%6]
		}
		fmt.Fprintf(&text, "%s,%d\n", strings.Join(values[:], ","), class)
	}
	return text.String()
}

// ofText returns the facts to be known of rows.
func ofText(t *testing.T, text string) contents {
	t.Helper()
	s := newScan(contents{features: 3}, func(row) {})
	if err := s.file(strings.NewReader(text), "rows"); err != nil {
		t.Fatal(err)
	}
	return contents{features: 3, rows: s.rows, ordered: s.ordered(), unordered: s.unordered}
}

func write(t *testing.T, name, text string) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

func zip(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestLoadCovtype draws the rows that numpy draws, with any renderer.
func TestLoadCovtype(t *testing.T) {
	answers, err := os.ReadFile(filepath.Join("testdata", "covtype.json"))
	if err != nil {
		t.Fatal(err)
	}
	var want struct {
		Rows        int
		Train, Test []float64
		TrainY      []int `json:"train_y"`
		TestY       []int `json:"test_y"`
		Attacked    []int
	}
	if err := json.Unmarshal(answers, &want); err != nil {
		t.Fatal(err)
	}
	text := covtypeText(3000)
	known := ofText(t, text)
	for name, text := range map[string]string{
		"covtype.libsvm.binary":    text,
		"covtype.libsvm.binary.gz": zip(t, strings.ReplaceAll(text, "\n", ".0 \r\n")),
		"covtype.data":             uciText(3000),
		"covtype.data.gz":          zip(t, uciText(3000)),
	} {
		t.Run(name, func(t *testing.T) {
			s, err := loadCovtype(t.Context(), 0, write(t, name, text), known)
			if err != nil {
				t.Fatal(err)
			}
			if n, d := s.Train.Dims(); n != want.Rows || d != 3 || len(s.TestY) != 200 {
				t.Fatalf("%d × %d training and %d test rows, want %d × 3, 200",
					n, d, len(s.TestY), want.Rows)
			}
			if got := s.Train.RawMatrix().Data[:30]; !floats.EqualApprox(got, want.Train, 1e-15) {
				t.Errorf("training rows begin with %v, want %v", got, want.Train)
			}
			if got := s.Test.RawMatrix().Data[:30]; !floats.EqualApprox(got, want.Test, 1e-15) {
				t.Errorf("test rows begin with %v, want %v", got, want.Test)
			}
			if !slices.Equal(s.TrainY[:30], want.TrainY) ||
				!slices.Equal(s.TestY[:30], want.TestY) {
				t.Errorf("labels %v and %v, want %v and %v",
					s.TrainY[:30], s.TestY[:30], want.TrainY, want.TestY)
			}
			correct := make([]bool, 200)
			for i := 0; i < 200; i += 2 {
				correct[i] = true
			}
			if got, err := s.Attacked(correct); err != nil || !slices.Equal(got, want.Attacked) {
				t.Errorf("Attacked = %v, %v, want %v", got, err, want.Attacked)
			}
		})
	}
}

// TestLoadCovtypeRefuses names the fault of a file in one sentence.
func TestLoadCovtypeRefuses(t *testing.T) {
	text, uci := covtypeText(3000), uciText(3000)
	known := ofText(t, text)
	rows := strings.SplitAfter(text, "\n")
	half := strings.Join(rows[:1500], "")
	swapped := slices.Clone(rows)
	swapped[7], swapped[8] = swapped[8], swapped[7]
	other := slices.Clone(rows)
	other[7] = other[7][:1] + " 1:1000\n"
	relabelled := slices.Clone(rows)
	relabelled[0] = fmt.Sprint(3-int(rows[0][0]-'0')) + rows[0][1:]
	counts := func(add int) string { return fmt.Sprintf("%d rows of label 1", known.rows[0]+add) }
	one := 1 // row of label 1 more
	if rows[0][0] == '1' {
		one = -1
	}
	for name, c := range map[string]struct{ file, text, says string }{
		"cut after a row": {"covtype.libsvm.binary", half,
			"is cut off: it ends after 1500 of 3000 rows"},
		"cut after a colon": {"covtype.libsvm.binary", half + "1 1:",
			"is cut off: it ends after 1500 of 3000 rows: "},
		"cut within a value": {"covtype.libsvm.binary", half + rows[1500][:5],
			"is cut off: it ends after 1501 of 3000 rows"},
		"compressed and cut": {"covtype.libsvm.binary.gz", zip(t, text)[:9000],
			"is cut off: it ends after "},
		"UCI's, cut": {"covtype.data", uci[:len(uci)/2+1], "is cut off: it ends after "},
		"empty":      {"covtype.data", "", "is cut off: it ends after 0 of 3000 rows"},
		"another label": {"covtype.libsvm.binary", strings.Join(relabelled, ""),
			counts(one)},
		"a row more": {"covtype.libsvm.binary", text + "1 1:1\n", counts(1)},
		"another order": {"covtype.libsvm.binary", strings.Join(swapped, ""),
			"the known rows in another order"},
		"another value": {"covtype.libsvm.binary", strings.Join(other, ""),
			"other values than known: as LIBSVM text its rows have SHA-256 "},
		"a fault in the middle": {"covtype.libsvm.binary", half + "1 1:x\n" + half,
			":1501: value of feature 1"},
		"class 8": {"covtype.data", "1,2,3,8\n",
			":1: 4 numbers of which the last is 8, where 3 features and a class"},
		"a number too few": {"covtype.data", "1,2,3\n", "where 3 features and a class"},
		"label 3": {"covtype.libsvm.binary", "3 1:1\n",
			":1: label 3, where 1 and 2 are known"},
		"a feature beyond": {"covtype.libsvm.binary", "1 4:1\n",
			":1: feature 4, where 1 to 3 are known"},
		"torn gzip": {"covtype.libsvm.binary.gz", "\x1f\x8b\b", "begins as a file of gzip does"},
	} {
		t.Run(name, func(t *testing.T) {
			path := write(t, c.file, c.text)
			s, err := loadCovtype(t.Context(), 0, path, known)
			if s != nil || err == nil || !strings.Contains(err.Error(), c.says) ||
				!strings.HasPrefix(err.Error(), path) {
				t.Errorf("loadCovtype = %v, %v, want an error that says %q", s, err, c.says)
			}
			if err != nil && strings.Count(err.Error(), "\n") > 0 {
				t.Errorf("%q is more than a line", err)
			}
		})
	}
	few := covtypeText(2000)
	if _, err := loadCovtype(t.Context(), 0, write(t, "few", few), ofText(t, few)); err == nil ||
		!strings.Contains(err.Error(), "where 1100 of them are drawn") {
		t.Errorf("2000 rows: %v, want an error about their number", err)
	}
}
