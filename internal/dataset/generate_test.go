package dataset

import (
	"crypto/sha256"
	"encoding/hex"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/internal/numpyrand"
)

// TestMoons compares with make_moons of scikit-learn 1.2.1.
func TestMoons(t *testing.T) {
	type point struct {
		row   int
		x     []float64
		label float64
	}
	for _, test := range []struct {
		name  string
		n     int
		noise float64
		seed  uint32
		want  []point
	}{
		{"halfmoon", 2200, 0.25, 0, []point{
			{0, []float64{-0.09343286280520696, -0.3918480318530887}, 1},
			{1, []float64{0.4951431578634448, -0.410761892447295}, 1},
			{2, []float64{0.4694243897485069, 0.13484949290636833}, 1},
			{3, []float64{0.8626479442258885, 0.7862209264313548}, 0},
			{4, []float64{-0.4405402735709161, 1.0927459968419557}, 0},
			{500, []float64{1.041228316047429, 0.6641997547251343}, 0},
			{1000, []float64{-0.6078264430254644, 0.9998110143783472}, 0},
			{1500, []float64{0.940724633224122, 0.5245965336677044}, 0},
			{2198, []float64{-0.5797149932739474, 0.7435238042412236}, 0},
			{2199, []float64{1.2851627590659416, -0.3937659956804819}, 1},
		}},
		{"one point", 1, 0.25, 3, []point{
			{0, []float64{0.44715711835757965, 0.6091274626279973}, 1},
		}},
		{"one point an arc", 2, 0.1, 4, []point{
			{0, []float64{0.031887014463182976, 0.6039998878549085}, 1},
			{1, []float64{0.8948517793557993, 0.028610422268004504}, 0},
		}},
		{"odd", 3, 0.1, 5, []point{
			{0, []float64{0.9560783680287642, 0.10679676971377922}, 0},
			{1, []float64{-0.16556935151658264, 0.3827846982706721}, 1},
			{2, []float64{2.0269405734489485, 0.4992665756399778}, 1},
		}},
		{"no noise", 7, 0, 6, []point{
			{0, []float64{0.4999999999999999, -0.3660254037844385}, 1},
			{1, []float64{1.4999999999999998, -0.3660254037844387}, 1},
			{2, []float64{2.0, 0.4999999999999999}, 1},
			{3, []float64{1.0, 0.0}, 0},
			{4, []float64{0.0, 0.5}, 1},
			{5, []float64{6.123233995736766e-17, 1.0}, 0},
			{6, []float64{-1.0, 1.2246467991473532e-16}, 0},
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, err := Moons(test.n, test.noise, numpyrand.New(test.seed))
			if err != nil {
				t.Fatal(err)
			}
			if s.Rows != test.n || s.Dim != 2 || len(s.Data) != 2*test.n ||
				len(s.Labels) != test.n {
				t.Fatalf("size = %d × %d with %d values, %d labels",
					s.Rows, s.Dim, len(s.Data), len(s.Labels))
			}
			for _, want := range test.want {
				if got := s.Row(want.row); !within(got, want.x, 1e-15) ||
					s.Labels[want.row] != want.label {
					t.Errorf("row %d = %v of label %v, want %v of label %v",
						want.row, got, s.Labels[want.row], want.x, want.label)
				}
			}
		})
	}
}

// TestHalfmoonWhole checks all rows at once: the columns' sums, and the labels'
// SHA-256 as one byte each.
func TestHalfmoonWhole(t *testing.T) {
	s, err := Moons(2200, 0.25, numpyrand.New(0))
	if err != nil {
		t.Fatal(err)
	}
	sums := make([]float64, 2)
	var labels []byte
	for i := range s.Rows {
		for j, v := range s.Row(i) {
			sums[j] += v
		}
		labels = append(labels, byte(s.Labels[i]))
	}
	if want := []float64{1081.0302646377465, 550.6521457001504}; !within(sums, want, 1e-10) {
		t.Errorf("sums = %v, want %v", sums, want)
	}
	hash := sha256.Sum256(labels)
	if got, want := hex.EncodeToString(
		hash[:],
	), "1c06685b7d85ad67536616b6943e3ba75b6393d4a677361b58341222b73fbbea"; got != want {
		t.Errorf("labels have sum %s, want %s", got, want)
	}
}

func TestMoonsRefuses(t *testing.T) {
	for _, test := range []struct {
		n     int
		noise float64
		want  string
	}{
		{0, 0.1, "no rows"},
		{-5, 0.1, "no rows"},
		{DefaultValues, 0.1, "too large"},
		{10, -0.1, "-0.1"},
		{10, math.NaN(), "NaN"},
		{10, math.Inf(1), "+Inf"},
		{10, math.MaxFloat64, "the noise 1.797"},
	} {
		s, err := Moons(test.n, test.noise, numpyrand.New(0))
		checkError(t, err, test.want)
		if s != nil {
			t.Errorf("Moons(%d, %v) returned points with its error", test.n, test.noise)
		}
	}
}

func TestMixturePrefix(t *testing.T) {
	for name, draw := range map[string]func(*rand.Rand, int, int) (*mat.Dense, []int){
		"overlapping": Overlapping, "clusters": Clusters,
	} {
		few, fewY := draw(rand.New(rand.NewPCG(1, 2)), 50, 3)
		many, manyY := draw(rand.New(rand.NewPCG(1, 2)), 80, 3)
		if !mat.Equal(few, many.Slice(0, 50, 0, 3)) || !slices.Equal(fewY, manyY[:50]) {
			t.Errorf("%s: 80 points do not begin with the 50", name)
		}
		if !slices.Contains(manyY, 0) || !slices.Contains(manyY, 1) || slices.Max(manyY) > 1 {
			t.Errorf("%s: labels %v, want both 0 and 1", name, manyY)
		}
	}
}

// TestMixtureMoments: means and variances of the classes lie within five standard errors.
func TestMixtureMoments(t *testing.T) {
	const n, dim = 20_000, 4
	x, y := Overlapping(rand.New(rand.NewPCG(3, 4)), n, dim)
	for label := range 2 {
		for j := range dim {
			sum, squares, count := 0.0, 0.0, 0.0
			for i := range n {
				if y[i] == label {
					sum += x.At(i, j)
					squares += x.At(i, j) * x.At(i, j)
					count++
				}
			}
			want := 0.0
			if j == 0 {
				want = 2 * float64(label)
			}
			mean, slack := sum/count, 5*math.Sqrt(2/count)
			if variance := squares/count - mean*mean; math.Abs(mean-want) > slack ||
				math.Abs(variance-1) > slack {
				t.Errorf("label %d, coordinate %d: mean %v and variance %v, want %v and 1",
					label, j, mean, variance, want)
			}
		}
	}
}
