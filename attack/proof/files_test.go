package proof

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestReadRows: the rows and classes of training sets in all ways to write them.
func TestReadRows(t *testing.T) {
	for _, c := range []struct {
		name, text string
		dim        int
		data       []float64
		labels     []int
	}{
		{"LIBSVM", "+1 1:0.5 3:2 # one\n\n-1 2:1\n", 3, []float64{0.5, 0, 2, 0, 1, 0}, []int{1, 0}},
		{"LIBSVM from 0", "3 0:0.5\n10 1:1\n3\n", 2, []float64{0.5, 0, 0, 1, 0, 0}, []int{0, 1, 0}},
		{"LIBSVM of words", "yes 1:1\nno 1:2\n10 1:3", 1, []float64{1, 2, 3}, []int{2, 1, 0}},
		{"CSV", "\ufeffa, b,\"the, label\"\r\n0.5,1, 7\n\n1e1,\"2\",-0\n3,4,0.0\n", 2,
			[]float64{0.5, 1, 10, 2, 3, 4}, []int{1, 0, 0}},
		{"CSV of words", "1,9\n2,10\n3,x", 1, []float64{1, 2, 3}, []int{1, 0, 2}},
	} {
		m, err := ReadRows(strings.NewReader(c.text), 1)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if m.dim != c.dim || !slices.Equal(m.table.data, c.data) ||
			!slices.Equal(m.table.labels, c.labels) || m.SHA256 != sha256.Sum256([]byte(c.text)) {
			t.Errorf("%s: %d features, %v, labels %v", c.name, m.dim, m.table.data, m.table.labels)
		}
		var zipped bytes.Buffer
		z := gzip.NewWriter(&zipped)
		io.WriteString(z, c.text)
		z.Close()
		if again, err := ReadRows(&zipped, 1); err != nil || again.SHA256 != m.SHA256 {
			t.Errorf("%s, gzipped: %v", c.name, err)
		}
	}
	for text, why := range map[string]string{
		"":                    "0 features",
		"1,2\n3\n":            "line 2: 1 cells",
		"1,2\n3,4,5\n":        "line 2: 3 cells",
		"1,2\nx,4\n":          "line 2: \"x\" is no finite number",
		"1 2:1 2:3":           "line 1",
		"1 2:1 1:3":           "line 1",
		"1 1:inf":             "no finite number",
		"1 9999999:1":         "line 1",
		"1 1\n":               "no finite number",
		"1:2 2:3":             "line 1",
		"a,b,c\n":             "0 rows",
		"1,\"2\n3,4\n":        "line 1",
		"a b c":               "line 1",
		"\x1f\x8bnot gzipped": "gzip",
	} {
		if _, err := ReadRows(strings.NewReader(text), 1); err == nil ||
			!strings.Contains(err.Error(), why) {
			t.Errorf("%q: %v, want %q", text, err, why)
		}
	}
	if _, err := ReadRows(strings.NewReader("1,2\n3,4\n"), 3); err == nil {
		t.Error("k may exceed the rows")
	}
}

// TestReadModelFaults: files that are no model, or none that has proofs.
func TestReadModelFaults(t *testing.T) {
	for _, c := range []struct{ old, new, why string }{
		{`"format"`, `"Format"`, "the key \"Format\" is unknown"},
		{`"vote":"sum"`, `"vote":"sum","vote":"hard"`, "vote\" again"},
		{`"vote":"sum"`, `"vote":"least"`, "vote is"},
		{`"vote":"sum"`, `"vote":"soft"`, "base values"},
		{`"vote":"sum"`, `"vote":"sum","divisor":2`, "with a divisor"},
		{`"vote":"sum","base":[0.5,0]`, `"vote":"soft","divisor":1`, "the divisor is 1"},
		{`"threshold":[0.5,`, `"threshold":[null,`, "is no number"},
		{`"threshold":[0.5,`, `"threshold":[`, "different lengths"},
		{`"left":[1,`, `"left":[0,`, "child 0"},
		{`"left":[1,`, `"left":[2,`, "child 2"},
		{`"left":[1,`, `"left":[9,`, "child 9"},
		{`"left":[1,`, `"left":[-1,`, "child -1"},
		{`"right":[2,`, `"right":[-1,`, "child 1 or -1"},
		{`"feature":[0,`, `"feature":[2,`, "feature 2"},
		{`"value":[[0,0],[0,0],`, `"value":[[0,0],[0,1e999],`, "1e999"},
		{`"value":[[0,0],[0,0],`, `"value":[[0,0],[0],`, "1 values"},
		{`"value":[[0,0],[0,0],`, `"value":[[0,0],[0,1e308],`, "overflow"},
		{`"version":1`, `"version":2`, "version"},
		{`"n_features":2`, `"n_features":2000000`, "features"},
		{`"comparison":"x <= t"`, `"comparison":"x = t"`, "comparison"},
		{`"kind":"ensemble"`, `"kind":"tree"`, "2 trees"},
		{`"kind":"ensemble"`, `"kind":"weighted-knn"`, "weighted-knn"},
		{`"facet-model"`, `"pickle"`, "none that is read"},
		{`{"format"`, `{{"format"`, "nor JSON"},
	} {
		changed := strings.Replace(forest, c.old, c.new, 1)
		if _, err := ReadModel(strings.NewReader(changed)); changed == forest || err == nil ||
			!strings.Contains(err.Error(), c.why) {
			t.Errorf("%q for %q: %v, want %q", c.new, c.old, err, c.why)
		}
	}
	if _, err := ReadModel(
		strings.NewReader(strings.Replace(knn, `"knn"`, `"weighted-knn"`, 1)),
	); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("weighted neighbours: %v", err)
	}
}

// TestDeep: a small file must not ask for much time or memory.
func TestDeep(t *testing.T) {
	const n = 10_000
	var feature, threshold, left, right, value []string
	for i := range n {
		feature, threshold = append(feature, strconv.Itoa(i), "0"), append(threshold, "0", "0")
		left, right = append(left, strconv.Itoa(2*i+1), "-1"), append(right, strconv.Itoa(2*i+2),
			"-1")
		value = append(value, "[1,2]", "[2,1]")
	}
	left[2*n-2], right[2*n-2] = "-1", "-1" // the last test is none
	right[2*n-4] = strconv.Itoa(2*n - 2)
	list := func(words []string) string { return "[" + strings.Join(words[:2*n-1], ",") + "]" }
	file := fmt.Sprintf(`{"format":"sklearn-tree-ensemble","version":1,"n_features":%d,`+
		`"classes":[0,1],"trees":[{"feature":%s,"threshold":%s,"left":%s,"right":%s,"value":%s}]}`,
		n, list(feature), list(threshold), list(left), list(right), list(value))
	if _, err := ReadModel(strings.NewReader(file)); err == nil ||
		!strings.Contains(err.Error(), "so deep") {
		t.Errorf("a tree of %d tests on one path: %v", n, err)
	}
}

// Three labels on a line, neighbours 1 apart, and a fourth row between the first two.
const line = "0,a\n1,b\n2,c\n0.5,a\n"

const pruned = "norm inf\nradius 0.5\nkeep 0 2 3\nweight 3\nbound 3\nclique 1 1 0\nend\n"

// TestPruning: a file by hand, and files that are not quite certificates.
func TestPruning(t *testing.T) {
	rows, err := ReadRows(strings.NewReader(line), 1)
	if err != nil {
		t.Fatal(err)
	}
	file := func(body string) *strings.Reader {
		return strings.NewReader(fmt.Sprintf("facet-pruning 1\ndata sha256 %x\n%s",
			rows.SHA256, body))
	}
	if p, err := CheckPruning(file(pruned), rows); err != nil || p.Weight != 3 ||
		!slices.Equal(p.Keep, []int{0, 2, 3}) || p.Bound != 3 {
		t.Fatalf("%v, %v", p, err)
	}
	const weighted = "norm 2\nradius 0.5\nweights 1 4 1 1e+00\nkeep 1\nweight 4\nbound 4.5\n" +
		"clique 1 0 1\nclique 1 2 1\nclique 0.5 1 3\nend\n"
	if p, err := CheckPruning(file(weighted), rows); err != nil || p.Weight != 4 || p.Bound != 4.5 {
		t.Fatalf("%v, %v", p, err)
	}
	for _, c := range []struct{ old, new, why string }{
		{"bound 3", "bound 2.9999999999999996", "a bound of 3 only"},
		{"clique 1 1 0", "clique 0.5 1 0", "prove a bound of 3.5"},
		{"clique 1 1 0", "clique 0.9999999999999999 1 0", "no multiple of 1/2"},
		{"clique 1 1 0", "clique 1 1 0\nclique 1 1 3", "more than its weight"},
		{"clique 1 1 0", "clique 1 2 0", "do not conflict"},
		{"clique 1 1 0", "clique 1 1 1", "do not conflict"},
		{"clique 1 1 0", "clique 1", "too early"},
		{"clique 1 1 0", "clique 0 1 0", "amount is 0"},
		{"clique 1 1 0", "clique -1 1 0", "amount is -1"},
		{"clique 1 1 0", "clique inf 1 0", "not finite"},
		{"clique 1 1 0\n", "", "a bound of 4 only"},
		{"keep 0 2 3\nweight 3", "keep 0 1 2 3\nweight 4", "conflict"},
		{"keep 0 2 3", "keep 2 0 3", "row 0 after row 2"},
		{"keep 0 2 3", "keep 0 2 4", "no number from 0 to 3"},
		{"keep 0 2 3", "keep 0 2", "weigh 2"},
		{"radius 0.5", "radius 0.49999999999999994", "do not conflict"},
		{"radius 0.5", "radius nan", "no number"},
		{"radius 0.5", "radius -0.5", "radius is"},
		{"norm inf", "norm 0", "want inf"},
		{"end\n", "end\nend\n", "after the end"},
		{"end\n", "", "\"end\" is expected"},
		{"radius 0.5\n", "radius 0.5\nweights 1 1 1\n", "too early"},
		{"radius 0.5\n", "radius 0.5\nweights 1 1 1 -1\n", "weighs -1"},
		{"radius 0.5\n", "radius 0.5\nweights 1 1 1 0.5\n", "no count"},
		{"radius 0.5\n", "radius 0.5\nweights 1 1 4503599627370496 1\n", "more than 2^52"},
	} {
		changed := strings.Replace(pruned, c.old, c.new, 1)
		_, err := CheckPruning(file(changed), rows)
		if changed == pruned || !errors.Is(err, ErrProof) ||
			!strings.Contains(err.Error(), c.why) {
			t.Errorf("%q for %q: %v, want %q", c.new, c.old, err, c.why)
		}
	}
	lower := strings.Replace(weighted, "bound 4.5", "bound 4", 1)
	if _, err := CheckPruning(file(lower), rows); err == nil {
		t.Error("a bound that the cliques do not prove is accepted")
	}
	if _, err := CheckPruning(
		file(pruned), mustRead(t, forest),
	); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("about trees: %v", err)
	}
}
