package dataset

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/numpyrand"
)

const testRows = 200 // of the paper's splits

// splitFixture is a file of fixtures/splits, or testdata/halfmoon.json, made of
// the halfmoon files of fixtures/splits and fixtures/points.
type splitFixture struct {
	Train    []int
	Test     []int
	Attacked map[string][]int
	Accuracy map[string]float64
	Points   map[string][][]float64 // testdata/halfmoon.json only
}

// TestProtocolOnFiles repeats the paper's experiment on every file from
// reading to the choice of points: all bits are the fixtures'.
func TestProtocolOnFiles(t *testing.T) {
	for _, test := range []struct{ name, file string }{
		{"australian", "australian"},
		{"cancer", "breast-cancer"},
		{"diabetes", "diabetes"},
		{"fourclass", "fourclass"},
	} {
		t.Run(test.name, func(t *testing.T) {
			set, err := Load(t.Context(), dataPath(t, test.file))
			if err != nil {
				t.Fatal(err)
			}
			var split splitFixture
			readJSON(t, dataPath(t, "..", "fixtures", "splits", test.name+".json"), &split)
			var points map[string]struct{ X [][]float64 }
			readJSON(t, dataPath(t, "..", "fixtures", "points", test.name+".json"), &points)
			split.Points = map[string][][]float64{"1nn": points["1nn"].X, "3nn": points["3nn"].X}
			checkProtocol(t, set, split, sameBits)
		})
	}
}

func TestProtocolOnHalfmoon(t *testing.T) {
	set, err := Moons(2200, 0.25, numpyrand.New(0))
	if err != nil {
		t.Fatal(err)
	}
	var split splitFixture
	readJSON(t, filepath.Join("testdata", "halfmoon.json"), &split)
	checkProtocol(t, set, split, func(a, b []float64) bool { return within(a, b, 1e-12) })
}

func checkProtocol(t *testing.T, set *Set, want splitFixture, equal func(a, b []float64) bool) {
	t.Helper()
	for _, classifier := range []struct {
		name string
		k    int
	}{{"1nn", 1}, {"3nn", 3}} {
		rng := numpyrand.New(0)
		trainRows, testRows, err := Split(set.Rows, testRows, rng)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(trainRows, want.Train) || !slices.Equal(testRows, want.Test) {
			t.Fatalf("the split is train %v…, test %v…, want %v…, %v…",
				trainRows[:5], testRows[:5], want.Train[:5], want.Test[:5])
		}
		train, test := scaled(t, set.Select(trainRows), set.Select(testRows))
		correct := make([]bool, test.Rows)
		hits := 0
		for i := range correct {
			correct[i] = neighbourVote(train, test.Row(i), classifier.k) == test.Labels[i]
			if correct[i] {
				hits++
			}
		}
		if got, want := float64(hits)/float64(test.Rows), want.Accuracy[classifier.name]; got !=
			want {
			t.Errorf("%s: accuracy = %v, want %v", classifier.name, got, want)
		}
		attacked := Attacked(correct, 100, rng)
		if !slices.Equal(attacked, want.Attacked[classifier.name]) {
			t.Fatalf("%s: attacked = %v, want %v",
				classifier.name, attacked, want.Attacked[classifier.name])
		}
		points := want.Points[classifier.name]
		if len(points) != len(attacked) {
			t.Fatalf("%s: the fixture has %d points, want %d",
				classifier.name, len(points), len(attacked))
		}
		for i, p := range points {
			if got := test.Row(attacked[i]); !equal(got, p) {
				t.Errorf("%s: attacked point %d = %v, want %v", classifier.name, i, got, p)
			}
		}
	}
}

func scaled(t *testing.T, train, test *Set) (*Set, *Set) {
	t.Helper()
	m, err := FitMinMax(train, nil)
	if err != nil {
		t.Fatal(err)
	}
	train, err = m.Apply(train)
	if err != nil {
		t.Fatal(err)
	}
	test, err = m.Apply(test)
	if err != nil {
		t.Fatal(err)
	}
	return train, test
}

// neighbourVote is a slow k-NN classifier: neighbours by (distance, row), votes
// tie to the smaller label.
func neighbourVote(train *Set, x []float64, k int) float64 {
	type neighbour struct{ square, label float64 }
	var all []neighbour
	for i := range train.Rows {
		var square float64
		for j, v := range train.Row(i) {
			square += float64((v - x[j]) * (v - x[j]))
		}
		all = append(all, neighbour{square, train.Labels[i]})
	}
	slices.SortStableFunc(all, func(a, b neighbour) int {
		switch {
		case a.square < b.square:
			return -1
		case a.square > b.square:
			return 1
		}
		return 0
	})
	votes := map[float64]int{}
	for _, n := range all[:k] {
		votes[n.label]++
	}
	best := all[0].label
	for label, n := range votes {
		if n > votes[best] || n == votes[best] && label < best {
			best = label
		}
	}
	return best
}
