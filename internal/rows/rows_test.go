package rows_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/internal/rows"
)

// endless claims more rows than an int32 counts.
type endless struct{ mat.Matrix }

func (endless) Dims() (int, int) { return math.MaxInt32 + 1, 1 }

// doubled shows twice the values of the Dense inside.
type doubled struct{ *mat.Dense }

func (d doubled) At(i, j int) float64 { return 2 * d.Dense.At(i, j) }

func TestCopy(t *testing.T) {
	base := mat.NewDense(3, 4, []float64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11})
	tests := []struct {
		name string
		x    mat.Matrix
		want []float64
		dim  int
	}{
		{"dense", base, []float64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, 4},
		{"part of a dense", base.Slice(1, 3, 1, 3), []float64{5, 6, 9, 10}, 2},
		{"transposed", base.T(), []float64{0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11}, 3},
		{"vector", mat.NewVecDense(2, []float64{7, 8}), []float64{7, 8}, 1},
		{"diagonal", mat.NewDiagDense(2, []float64{1, 2}), []float64{1, 0, 0, 2}, 2},
		{"a type that embeds a dense", doubled{mat.NewDense(1, 2, []float64{1, 2})},
			[]float64{2, 4}, 2},
	}
	for _, test := range tests {
		got, err := rows.Copy(t.Context(), test.x)
		if err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		if !slices.Equal(got.Data, test.want) || got.Dim != test.dim ||
			got.Len*got.Dim != len(test.want) {
			t.Errorf("%s: Copy = %+v, want %v in rows of %d", test.name, got, test.want, test.dim)
		}
		for i := range got.Len {
			if row := got.Row(i); !slices.Equal(row, test.want[i*test.dim:(i+1)*test.dim]) ||
				cap(row) != test.dim {
				t.Errorf("%s: Row(%d) = %v of capacity %d", test.name, i, row, cap(row))
			}
		}
	}
	table, err := rows.Copy(t.Context(), base)
	if err != nil {
		t.Fatal(err)
	}
	base.Set(0, 0, 99)
	if table.Data[0] != 0 {
		t.Error("the copy changes with the matrix")
	}
}

func TestLabelledErrors(t *testing.T) {
	x := mat.NewDense(2, 2, []float64{0, 1, 2, 3})
	with := func(v float64) mat.Matrix { return mat.NewDense(2, 2, []float64{0, 1, v, 3}) }
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	tests := []struct {
		name  string
		ctx   context.Context
		x     mat.Matrix
		y     []int
		want  error
		place string
	}{
		{"nil", t.Context(), nil, nil, rows.ErrEmpty, "nil matrix"},
		{"nil pointer", t.Context(), (*mat.Dense)(nil), nil, rows.ErrEmpty, "nil matrix"},
		{"nil pointer of another type", t.Context(), (*mat.VecDense)(nil), nil, rows.ErrEmpty,
			"nil matrix"},
		{"empty", t.Context(), &mat.Dense{}, nil, rows.ErrEmpty, "0 × 0"},
		{"too many rows", t.Context(), endless{}, nil, rows.ErrSize, "2147483648 rows"},
		{"NaN", t.Context(), with(math.NaN()), []int{0, 0}, rows.ErrValue, "row 1: feature 0"},
		{"infinite", t.Context(), with(math.Inf(-1)).T(), []int{0, 0}, rows.ErrValue,
			"row 0: feature 1"},
		{"too few labels", t.Context(), x, []int{0}, rows.ErrLength, "1 labels, 2 rows"},
		{"too many labels", t.Context(), x, []int{0, 0, 0}, rows.ErrLength, "3 labels, 2 rows"},
		{"negative label", t.Context(), x, []int{0, -3}, rows.ErrLabel, "row 1"},
		{"label too large", t.Context(), x, []int{1<<20 + 1, 0}, rows.ErrLabel, "row 0"},
		{"cancelled", cancelled, x, []int{0, 0}, context.Canceled, "reading rows"},
	}
	for _, test := range tests {
		table, classes, err := rows.Labelled(test.ctx, test.x, test.y)
		if table != nil || classes != 0 || !errors.Is(err, test.want) ||
			!strings.Contains(err.Error(), test.place) {
			t.Errorf("%s: Labelled = %v, %d, %v, want %v at %q",
				test.name, table, classes, err, test.want, test.place)
		}
	}
}

func TestLabelledCountsClasses(t *testing.T) {
	x := mat.NewDense(3, 1, nil)
	for want, y := range map[int][]int{1: {0, 0, 0}, 3: {0, 2, 0}, 1<<20 + 1: {1 << 20, 0, 0}} {
		if _, got, err := rows.Labelled(t.Context(), x, y); got != want || err != nil {
			t.Errorf("Labelled(%v): %d classes, %v, want %d", y, got, err, want)
		}
	}
}

func TestWrongRows(t *testing.T) {
	for want, err := range map[string]error{
		"row 2: feature 1: value is not finite: NaN": rows.WrongValue(2, 1, math.NaN()),
		"row 0: label is out of range: 1048577":      rows.Wrong(0, rows.ErrLabel, 1<<20+1),
	} {
		if err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
