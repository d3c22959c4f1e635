package modelfile_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/modelfile"
	"github.com/seed-1a7dc1f9/facet/internal/modelfile/models"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// ensemble is a file of axis-parallel trees that vote.
type ensemble struct {
	*trees.Ensemble[*trees.Axis]
	file *models.Model
}

func (e *ensemble) scores(x ...float64) []float64 {
	sum := make([]float64, e.Classes)
	e.Score(x, sum)
	return sum
}

// read reads a file of axis-parallel trees. What the format cannot check, the trees
// check.
func read(text string) (*ensemble, error) {
	m, err := modelfile.Read(strings.NewReader(text))
	if err != nil {
		return nil, err
	}
	axes := make([]*trees.Axis, len(m.Trees))
	err = m.Each(func(i int, nodes trees.Plain) (err error) {
		axes[i], err = trees.NewAxis(m.Dim, m.Comparison, nodes)
		return err
	})
	if err != nil {
		return nil, err
	}
	votes, err := trees.NewEnsemble(axes, m.Vote)
	if err != nil {
		return nil, err
	}
	return &ensemble{votes, m}, nil
}

// readAll reads a file that must be one.
func readAll(t testing.TB, text string) *ensemble {
	t.Helper()
	e, err := read(text)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func readFile(t testing.TB, path ...string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", filepath.Join(path...)))
	if err != nil {
		t.Fatal(err)
	}
	if strings.HasSuffix(path[len(path)-1], ".gz") {
		z, err := gzip.NewReader(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if text, err = io.ReadAll(z); err != nil {
			t.Fatal(err)
		}
	}
	return string(text)
}

// replaced returns a text with parts replaced, which it must hold: old, new, old, new, …
func replaced(t testing.TB, text string, changes ...string) string {
	t.Helper()
	for i := 0; i < len(changes); i += 2 {
		if !strings.Contains(text, changes[i]) {
			t.Fatalf("the model has no %s", changes[i])
		}
		text = strings.Replace(text, changes[i], changes[i+1], 1)
	}
	return text
}

// fault is a change to a file, and the words that the error must mention.
type fault struct{ old, new, place string }

// checkFaults reads a text with each of the faults in turn.
func checkFaults(t *testing.T, text string, unsupported bool, faults map[string]fault) {
	t.Helper()
	for name, f := range faults {
		t.Run(name, func(t *testing.T) {
			_, err := read(replaced(t, text, f.old, f.new))
			if err == nil || !strings.Contains(err.Error(), f.place) {
				t.Fatalf("error = %v, want one that mentions %q", err, f.place)
			}
			if errors.Is(err, errors.ErrUnsupported) != unsupported {
				t.Errorf("error = %v, want errors.ErrUnsupported: %v", err, unsupported)
			}
		})
	}
}

// checkRead holds a file that may be damaged against the promises of all that are
// read: they predict, and the leaves that a point reaches hold it.
func checkRead(t *testing.T, text string) {
	t.Helper()
	e, err := read(text)
	if err != nil || e.Dim() > 1000 || e.Len()*e.Classes > 1000 {
		return // or takes more memory or time than a test has
	}
	for _, v := range []float64{
		0, 0.5, -1, 1e300, -1e300, math.SmallestNonzeroFloat64, math.NaN(),
	} {
		x := slices.Repeat([]float64{v}, e.Dim())
		if label := e.Predict(x); label < 0 || label >= e.Classes {
			t.Fatalf("Predict(%v…) = %d of %d classes", v, label, e.Classes)
		}
	}
}

// mutate calls test with a JSON text in which each value in turn is replaced by
// others, and each key in turn is left out.
func mutate(t *testing.T, text string, test func(text string)) {
	t.Helper()
	var document any
	if err := json.Unmarshal([]byte(text), &document); err != nil {
		t.Fatal(err)
	}
	changed := 0
	try := func() {
		mutant, err := json.Marshal(document)
		if err != nil {
			t.Fatal(err)
		}
		changed++
		test(string(mutant))
	}
	var walk func(v any, set func(any))
	walk = func(v any, set func(any)) {
		switch v := v.(type) {
		case map[string]any:
			for key, value := range v {
				delete(v, key)
				try()
				v[key] = value
				walk(value, func(new any) { v[key] = new })
			}
		case []any:
			for i, value := range v {
				walk(value, func(new any) { v[i] = new })
			}
			set(append(slices.Clone(v), v...))
			try()
		}
		for _, other := range []any{
			nil, true, -1, 0, 1, 2, 3, 7, 1.5, 1e39, 1e300, 1e12, "", "x", "-1", "0", "1", "3",
			"5E-1", "[1,2]", "NaN",
			"99999999999999999999", "1048577", []any{}, []any{nil}, []any{1}, []any{[]any{1}},
			map[string]any{},
		} {
			set(other)
			try()
		}
		set(v)
	}
	walk(document, func(new any) { document = new })
	if changed < 500 {
		t.Errorf("%d mutants", changed)
	}
}
