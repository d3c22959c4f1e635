package dataset

import (
	"math"
	"path/filepath"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/internal/numpyrand"
)

// wholeRows makes the rows of testdata/pca.py.
func wholeRows(n, d, rank int) *Set {
	rng := numpyrand.New(1)
	draw := func(rows, columns int) *mat.Dense {
		m := mat.NewDense(rows, columns, nil)
		for i := range rows {
			for j := range columns {
				m.Set(i, j, float64(rng.Randint(-100, 100)))
			}
		}
		return m
	}
	a, b := draw(n, rank), draw(rank, d)
	a.Apply(func(_, j int, v float64) float64 { return v * float64(rank-j) }, a)
	s := &Set{Data: make([]float64, n*d), Rows: n, Dim: d, Labels: make([]float64, n)}
	mat.NewDense(n, d, s.Data).Mul(a, b)
	return s
}

func TestReduce(t *testing.T) {
	var cases []struct {
		Rows, Dim, Rank, K int
		Seed               uint32
		Solver             string
		Coordinates        []float64
	}
	readJSON(t, filepath.Join("testdata", "pca.json"), &cases)
	for _, c := range cases {
		got, err := Reduce(t.Context(), wholeRows(c.Rows, c.Dim, c.Rank), c.K, c.Seed)
		if err != nil {
			t.Fatal(err)
		}
		first := got.Data[:len(c.Coordinates)]
		if scale := math.Abs(c.Coordinates[0]); got.Dim != c.K || got.Rows != c.Rows ||
			!within(first, c.Coordinates, 1e-10*scale) {
			t.Errorf("%d of %d × %d (%s): rows begin with %v, want %v",
				c.K, c.Rows, c.Dim, c.Solver, first[:4], c.Coordinates[:4])
		}
	}
}

// TestSampledPCA checks that the sample of the cases above matters, and that the
// coordinates are uncorrelated.
func TestSampledPCA(t *testing.T) {
	s := wholeRows(600, 40, 40)
	x, err := Reduce(t.Context(), s, 6, 7)
	if err != nil {
		t.Fatal(err)
	}
	other, err := Reduce(t.Context(), s, 6, 8)
	if err != nil {
		t.Fatal(err)
	}
	scale := math.Abs(x.Data[0])
	if a, b := x.Data, other.Data; within(a, b, 1e-7*scale) || !within(a, b, 2*scale) {
		t.Errorf("two seeds give the coordinates %v… and %v…, want a small difference",
			a[:4], b[:4])
	}
	var gram mat.Dense
	m := mat.NewDense(x.Rows, x.Dim, x.Data)
	gram.Mul(m.T(), m)
	for i := range x.Dim {
		for j := range i {
			if off := gram.At(i, j) / math.Sqrt(gram.At(i, i)*gram.At(j, j)); math.Abs(off) >
				1e-13 {
				t.Errorf("coordinates %d and %d have a correlation of %v", i, j, off)
			}
		}
	}
}

// TestPCAOfMNIST compares with scikit-learn's PCA(25, random_state=0) of the 2163
// test images of ones and sevens: for some coordinates the means of the cubes, on
// which sense, size and direction show.
func TestPCAOfMNIST(t *testing.T) {
	s, err := LoadImages(t.Context(), dataPath(t, "t10k-images-idx3-ubyte.gz"),
		dataPath(t, "t10k-labels-idx1-ubyte.gz"), 1, 7)
	if err != nil {
		t.Fatal(err)
	}
	x, err := Reduce(t.Context(), s, 25, 0)
	if err != nil {
		t.Fatal(err)
	}
	for j, want := range map[int]float64{
		0:  157337167.2431444,
		1:  9005718.833616316,
		7:  1849887.925847539,
		15: -73695.65593480968,
		23: 105866.0504780053,
		24: 40126.83096930073,
	} {
		var cubes float64
		for i := range x.Rows {
			cubes += math.Pow(x.Row(i)[j], 3)
		}
		if got := cubes / float64(x.Rows); math.Abs(got-want) > 1e-9*math.Abs(want) {
			t.Errorf("coordinate %d: the mean of the cubes is %v, want %v", j, got, want)
		}
	}
}

func TestPCARefuses(t *testing.T) {
	rows := func(dim int, v ...float64) *Set {
		return &Set{Data: v, Rows: len(v) / dim, Dim: dim, Labels: make([]float64, len(v)/dim)}
	}
	for _, test := range []struct {
		name string
		set  *Set
		k    int
		want string
	}{
		{"no rows", rows(2), 1, "no rows"},
		{"no directions", rows(2, 1, 2, 3, 5), 0, "0 of 2 × 2 values, where 1 to 2"},
		{"more than features", rows(1, 1, 2, 3), 2, "1 to 1"},
		{"more than rows", rows(3, 1, 2, 3), 2, "1 to 1"},
		{"one row", rows(3, 1, 2, 3), 1, "vary in 0 directions"},
		{"equal rows", rows(2, 1, 2, 1, 2, 1, 2), 1, "vary in 0 directions"},
		{"rows on a line", rows(2, 1, 1, 2, 2, 3, 3), 2, "vary in 1 directions"},
		{"sampled rows in a plane", wholeRows(600, 40, 2), 3, "vary in 2 directions"},
		{"huge", rows(2, 1, 1e101, 2, -1e101), 1,
			"row 0: the value 1e+101 of feature 1 is too far"},
		{"overflow", rows(1, math.MaxFloat64, math.MaxFloat64), 1, "too far from the mean +Inf"},
	} {
		t.Run(test.name, func(t *testing.T) {
			p, err := Reduce(t.Context(), test.set, test.k, 0)
			checkError(t, err, "principal components", test.want)
			if p != nil {
				t.Errorf("coordinates were returned with the error: %v", p)
			}
		})
	}
}
