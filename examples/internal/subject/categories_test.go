package subject

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/dataset"
)

// drawSets returns the vote of trees over numbers, of which some tests are of sets, as LightGBM
// has for zeros that are missing, and a category of 5 codes, the last feature.
func drawSets(t *testing.T, rng *rand.Rand, dim int) *classifier.Ensemble {
	t.Helper()
	members := make([]*classifier.Tree, 4)
	for i := range members {
		nodes := []classifier.TreeNode{{Feature: dim - 1, Thresholds: []float64{0.5, 1.5, 3.5},
			Left: 1, Right: 2, Value: []float64{0, 0}}}
		for k := range 2 {
			n := classifier.TreeNode{
				Feature: rng.IntN(dim - 1), Threshold: rng.Float64(), Left: 3 + 2*k,
				Right: 4 + 2*k, Value: []float64{0, 0},
			}
			if k == 1 {
				v := rng.Float64()
				n.Thresholds = []float64{v, math.Nextafter(v, 2), v + 0.2}
			}
			nodes = append(nodes, n)
		}
		for range 4 {
			nodes = append(nodes, classifier.TreeNode{Feature: -1, Left: -1, Right: -1,
				Value: []float64{rng.Float64(), rng.Float64()}})
		}
		tree, err := classifier.NewTree(dim, classifier.BelowFloat64, nodes)
		if err != nil {
			t.Fatal(err)
		}
		members[i] = tree
	}
	e, err := classifier.NewEnsemble(members, classifier.EnsembleOptions{
		Vote: classifier.SumVote, Categories: append(make([]int, dim-1), 5),
	})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// saved writes a model to a file.
func saved(t *testing.T, c classifier.Classifier) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "model.json")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := classifier.Save(f, c); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestScaleOfSets: --scale minmax leaves codes as they are, and the classifier in the units of the
// file still knows which feature is a category, and tests of sets: it labels everything as the
// model labels it scaled.
func TestScaleOfSets(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 7))
	const rows, dim = 60, 4
	path := drawRows(t, rows, dim, func() float64 { return math.Trunc(5 * rng.Float64()) })
	for range 20 {
		s := load(t, nil, "--train", path, "--test", path, "--scale", "minmax", "--model",
			saved(t, drawSets(t, rng, dim)))
		raw, err := s.InFileUnits()
		if err != nil {
			t.Fatal(err)
		}
		want := []int{0, 0, 0, 5}
		if got := raw.Classifier.(*classifier.Ensemble).Categories(); !slices.Equal(got, want) ||
			!slices.Equal(s.Categories, want) {
			t.Fatalf("categories %v, %v, want %v", got, s.Categories, want)
		}
		all := thresholds(raw.Classifier)
		for i := range rows {
			x, file := s.Test.Row(i)
			if x[dim-1] != file[dim-1] {
				t.Fatalf("row %d: code %v is %v, scaled", i, file[dim-1], x[dim-1])
			}
			z := slices.Clone(file)
			for j := range dim - 1 {
				some := append(all[j], 0.5)
				v := some[rng.IntN(len(some))]
				z[j] = [...]float64{
					v, math.Nextafter(v, math.Inf(1)), math.Nextafter(v, math.Inf(-1)),
				}[rng.IntN(3)]
			}
			z[dim-1] = float64(rng.IntN(7) - 1)
			scaled, err := s.Scaling.Apply(&dataset.Set{Data: z, Rows: 1, Dim: dim})
			if err != nil {
				t.Fatal(err)
			}
			if got, want := raw.Classifier.Predict(z), s.Classifier.Predict(
				scaled.Data); got != want {
				t.Fatalf("label %d of %v, want %d", got, z, want)
			}
		}
	}
}

// TestUnscaleKeepsCodes: a category is never rounded, wherever numbers have to be.
func TestUnscaleKeepsCodes(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 8))
	const rows, dim = 60, 4
	path := drawRows(t, rows, dim, func() float64 { return math.Trunc(5 * rng.Float64()) })
	s := load(t, nil, "--train", path, "--test", path, "--scale", "minmax", "--model",
		saved(t, drawSets(t, rng, dim)))
	for i := range rows {
		x, _ := s.Test.Row(i)
		z := slices.Clone(x)
		z[0], z[dim-1] = rng.Float64(), float64(int(x[dim-1]+1)%5)
		// of a label that no rounding gets, so that all of it is tried
		if got := s.Unscale(i, z, 1-s.Classifier.Predict(z), nil)[dim-1]; got != z[dim-1] {
			t.Fatalf("row %d: code %v became %v", i, z[dim-1], got)
		}
	}
}

// TestWidenKeepsCategories: rows with more features than the model has leave its categories alone.
func TestWidenKeepsCategories(t *testing.T) {
	m := &Model{path: "model.json", Classifier: drawSets(t, rand.New(rand.NewPCG(4, 9)), 4)}
	if err := m.widen(6); err != nil {
		t.Fatal(err)
	}
	want := []int{0, 0, 0, 5, 0, 0}
	if got := m.categories(); !slices.Equal(got, want) {
		t.Errorf("categories %v, want %v", got, want)
	}
}
