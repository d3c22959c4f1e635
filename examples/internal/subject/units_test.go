package subject

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/dataset"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
)

// drawRows writes rows of two labels whose units go from thousandths to millions, some far from
// zero.
func drawRows(t *testing.T, rows, dim int, draw func() float64) (path string) {
	t.Helper()
	var text strings.Builder
	for i := range rows {
		for j := range dim {
			fmt.Fprintf(&text, "%v,", 1e3*float64(j/2)+math.Pow(10, float64(3*j-3))*draw())
		}
		fmt.Fprintln(&text, i%2)
	}
	path = filepath.Join(t.TempDir(), "rows.csv")
	if err := os.WriteFile(path, []byte(text.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestInFileUnits: the classifier in the units of the files labels each value as the other labels
// it scaled, at every threshold and beside it.
func TestInFileUnits(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 7))
	const rows, dim = 60, 4
	path := drawRows(t, rows, dim, rng.NormFloat64)
	for _, model := range []string{"tree", "forest"} {
		s := load(t, nil, "--train", path, "--test", path, "--scale", "minmax", "--trees", "7",
			"--depth", "0", "--model", model)
		raw, err := s.InFileUnits()
		if err != nil {
			t.Fatal(err)
		}
		if raw.Scaling != nil || !slices.Equal(raw.Test.X, s.Test.Table.X) || s.Scaling == nil ||
			&s.Test.X[0] == &s.Test.Table.X[0] {
			t.Errorf("%s: the rows are not those of the file, or the first subject was changed",
				model)
		}
		for i := range rows {
			x, _ := raw.Test.Row(i)
			for j, thresholds := range thresholds(raw.Classifier) {
				for _, v := range thresholds {
					for _, v := range []float64{
						v, math.Nextafter(v, math.Inf(1)), math.Nextafter(v, math.Inf(-1)),
						v + rng.NormFloat64(),
					} {
						z := slices.Clone(x)
						z[j] = v
						scaled, err := s.Scaling.Apply(&dataset.Set{Data: z, Rows: 1, Dim: dim})
						if err != nil {
							t.Fatal(err)
						}
						if got, want := raw.Classifier.Predict(z), s.Classifier.Predict(
							scaled.Data,
						); got != want {
							t.Fatalf("%s: label %d of %v, want %d", model, got, z, want)
						}
					}
				}
			}
		}
		if again, err := raw.InFileUnits(); err != nil || again != raw {
			t.Errorf("%s: %v, %v without a scaling", model, again, err)
		}
	}
	s := load(t, nil, "--train", path, "--test", path, "--scale", "minmax")
	if _, err := s.InFileUnits(); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("error %v for k-NN, want %v", err, errors.ErrUnsupported)
	}
}

// thresholds returns those of each feature.
func thresholds(c classifier.Classifier) map[int][]float64 {
	all := make(map[int][]float64)
	for _, tree := range treesOf(c) {
		for _, n := range tree.Nodes() {
			if n.Left >= 0 {
				list := n.Thresholds
				if list == nil {
					list = []float64{n.Threshold}
				}
				all[n.Feature] = append(all[n.Feature], list...)
			}
		}
	}
	return all
}

// TestComparisons: a test of any kind sends left all values up to the float64 that precise.Last
// finds.
func TestComparisons(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 7))
	for _, c := range []classifier.Comparison{
		classifier.AtMostFloat32, classifier.AtMostFloat64, classifier.BelowFloat32,
		classifier.BelowFloat64,
	} {
		for range 300 {
			scale, shift, threshold := math.Exp(20*rng.NormFloat64()), 10*
				rng.NormFloat64(), rng.NormFloat64()
			if rng.IntN(4) == 0 {
				scale, shift, threshold = 1, 0, float64(rng.IntN(3)-1)
			}
			left := func(v float64) bool { return goesLeft(c, float64(v*scale)+shift, threshold) }
			last, ok := precise.Last(left)
			if !ok || !left(last) || left(math.Nextafter(last, math.Inf(1))) {
				t.Fatalf("comparison %v: %v·x + %v, threshold %v: %v, %v",
					c, scale, shift, threshold, last, ok)
			}
		}
	}
	if _, ok := precise.Last(func(v float64) bool { return v*1e-300 < -1e9 }); ok {
		t.Error("a float64 that none is")
	}
	if last, ok := precise.Last(func(v float64) bool { return v*1e-300 < 1e9 }); !ok ||
		last != math.MaxFloat64 {
		t.Errorf("%v, %v, want the largest", last, ok)
	}
}

// TestUnscale: examples in the units of the file are examples still, and the features that they
// leave alone have the values of the file.
func TestUnscale(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	for _, model := range [][]string{
		{"knn"}, {"tree"}, {"forest", "--trees", "5"}, {"oblique", "--trees", "1"},
	} {
		for range racetest.Scale(6) {
			const rows, dim = 40, 4
			path := drawRows(t, rows, dim, rng.Float64)
			s := load(t, nil,
				append([]string{"--train", path, "--test", path, "--scale", "minmax", "--model"},
					model...)...)
			a := &attack.RegionBased{Classifier: s.Classifier}
			for row := range rows {
				x, raw := s.Test.Row(row)
				r, err := a.Perturb(t.Context(), x)
				if err != nil {
					t.Fatal(err)
				}
				z := s.Unscale(row, r.Example, r.Label, nil)
				if got := s.labels(z); got != r.Label {
					t.Errorf("%s, row %d: label %d in the units of the file, want %d",
						model, row, got, r.Label)
				}
				for j := range dim {
					back := float64(z[j]*s.Scaling.Scale[j]) + s.Scaling.Shift[j]
					if r.Example[j] == x[j] && z[j] != raw[j] ||
						math.Abs(back-r.Example[j]) > 1e-9 {
						t.Errorf("%s, row %d, feature %d: %v from %v, scaled %v, want %v",
							model, row, j, z[j], raw[j], back, r.Example[j])
					}
				}
				if &z[0] == &r.Example[0] || slices.Equal(z, r.Example) {
					t.Errorf("%s, row %d: nothing was unscaled", model, row)
				}
			}
		}
	}
}
