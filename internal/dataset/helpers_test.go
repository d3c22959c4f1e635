package dataset

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// dataPath returns the path of a file under $FACET_DATA, the folder of the
// third-party data sets, and skips the test when the variable is unset.
func dataPath(t *testing.T, elem ...string) string {
	t.Helper()
	root := os.Getenv("FACET_DATA")
	if root == "" {
		t.Skip("FACET_DATA is not set: it names the folder of the third-party data sets")
	}
	return filepath.Join(append([]string{root}, elem...)...)
}

func readJSON(t *testing.T, path string, into any) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, into); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

// writeFile writes a file into the test's folder, compressed when its name ends
// in .gz, and returns its path.
func writeFile(t *testing.T, name string, content []byte) string {
	t.Helper()
	if strings.HasSuffix(name, ".gz") {
		content = compress(t, content)
	}
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func compress(t *testing.T, content []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write(content); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func checkSet(t *testing.T, got *Set, dim int, data, labels []float64) {
	t.Helper()
	if got.Rows != len(labels) || got.Dim != dim {
		t.Fatalf("size = %d × %d, want %d × %d", got.Rows, got.Dim, len(labels), dim)
	}
	if !slices.Equal(got.Data, data) {
		t.Errorf("data = %v, want %v", got.Data, data)
	}
	if !slices.Equal(got.Labels, labels) {
		t.Errorf("labels = %v, want %v", got.Labels, labels)
	}
}

// checkError checks that err says all of the words.
func checkError(t *testing.T, err error, words ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want one that says %q", words)
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("error %q does not say %q", err, w)
		}
	}
}

func sameBits(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool {
		return math.Float64bits(x) == math.Float64bits(y)
	})
}

// within reports whether a and b are equal in length and each number to eps.
func within(a, b []float64, eps float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Abs(x-y) <= eps })
}
