package oracle

import (
	"math"
	"testing"
)

var inf = math.Inf(1)

// square is |z_1|, |z_2| ≤ 1.
var square = [][]float64{{1, 0}, {-1, 0}, {0, 1}, {0, -1}}

func TestClosestByHand(t *testing.T) {
	tests := []struct {
		name         string
		p            problem
		wantInf, one float64
		two          float64
	}{
		{"no rows", problem{x: []float64{3, 4}}, 0, 0, 0},
		{"inside", problem{[]float64{0, 0.5}, square, []float64{1, 1, 1, 1}}, 0, 0, 0},
		{"on the border", problem{[]float64{1, 1}, square, []float64{1, 1, 1, 1}}, 0, 0, 0},
		{"corner", problem{[]float64{4, 5}, square, []float64{1, 1, 1, 1}}, 4, 7, 5},
		{"side", problem{[]float64{0, 3}, square, []float64{1, 1, 1, 1}}, 2, 2, 2},
		{"half-plane", problem{[]float64{0, 0}, [][]float64{{-3, -4}}, []float64{-25}}, 25. / 7,
			25. / 4, 5},
		{"duplicated",
			problem{[]float64{0, 0}, [][]float64{{-3, -4}, {-3, -4}, {-6, -8}},
				[]float64{-25, -25, -50}}, 25. / 7, 25. / 4, 5},
		{"parallel", problem{[]float64{0, 0}, [][]float64{{-3, -4}, {-3, -4}}, []float64{-25, -50}},
			50. / 7, 50. / 4, 10},
		{"line", problem{[]float64{0, 0}, [][]float64{{3, 4}, {-3, -4}}, []float64{25, -25}},
			25. / 7, 25. / 4, 5},
		{"segment", problem{[]float64{4, 5}, square, []float64{1, 1, 0, 0}}, 5, 8, math.Sqrt(34)},
		{"point", problem{[]float64{3, 4}, square, []float64{0, 0, 0, 0}}, 4, 7, 5},
		{"point of three lines",
			problem{[]float64{3, 4}, [][]float64{{1, 1}, {-1, 1}, {0, -1}}, []float64{0, 0, 0}}, 4,
			7, 5},
		{"opposite and apart", problem{[]float64{0}, [][]float64{{1}, {-1}}, []float64{1, -2}}, inf,
			inf, inf},
		{"empty triangle",
			problem{[]float64{0, 0}, [][]float64{{1, 1}, {-1, 1}, {0, -1}}, []float64{0, 0, -1}},
			inf, inf, inf},
		{"idle zero rows", problem{[]float64{3}, [][]float64{{0}, {1}, {0}}, []float64{0, 1, 5}}, 2,
			2, 2},
		{"false zero row", problem{[]float64{3}, [][]float64{{0}, {1}}, []float64{-1e-300, 1}}, inf,
			inf, inf},
		{"scaled rows",
			problem{[]float64{3, 4}, [][]float64{{1e-12, 0}, {0, 1e12}}, []float64{0, 0}}, 4, 7, 5},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for norm, want := range map[Norm]float64{
				Inf: test.wantInf,
				One: test.one,
				Two: test.two,
			} {
				checkDistance(t, norm, test.p, want)
			}
		})
	}
}

// checkDistance compares with a known distance.
func checkDistance(t *testing.T, norm Norm, p problem, want float64) {
	t.Helper()
	dist, feasible := Closest(norm, p.x, p.a, p.b)
	if feasible != !math.IsInf(want, 1) || !(dist == want || math.Abs(dist-want) <= 1e-15*want) {
		t.Errorf("norm %v: Closest gives %v, %v; want %v", norm, dist, feasible, want)
	}
}

func TestClosestPanicsOnMisuse(t *testing.T) {
	misuse := map[string]func(){
		"rows":    func() { Closest(Inf, []float64{0}, [][]float64{{1}}, nil) },
		"columns": func() { Closest(Inf, []float64{0}, [][]float64{{1, 2}}, []float64{1}) },
		"NaN":     func() { ClosestRat(Inf, []float64{math.NaN()}, nil, nil) },
		"k": func() {
			CellsKNN(Inf, [][]float64{{0}}, []int{0}, 2, []float64{0}, Except(0), Box{})
		},
		"box": func() {
			CellsKNN(Inf, [][]float64{{0}}, []int{0}, 1, []float64{0}, Except(0),
				Box{[]float64{1}, []float64{0}})
		},
		"labels": func() {
			CellsKNN(Inf, [][]float64{{0}}, nil, 1, []float64{0}, Except(0), Box{})
		},
	}
	for name, call := range misuse {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			call()
		})
	}
}
