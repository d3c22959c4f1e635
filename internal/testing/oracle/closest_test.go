package oracle

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
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

// checkDistance compares both versions with a known distance.
func checkDistance(t *testing.T, norm Norm, p problem, want float64) {
	t.Helper()
	dist, _, feasible := Closest(norm, p.x, p.a, p.b)
	if feasible != !math.IsInf(want, 1) || !(dist == want || math.Abs(dist-want) <= 1e-12) {
		t.Errorf("norm %v: Closest gives %v, %v; want %v", norm, dist, feasible, want)
	}
	exact, _, feasible := ClosestRat(norm, p.x, p.a, p.b)
	if feasible != !math.IsInf(want, 1) {
		t.Fatalf("norm %v: ClosestRat feasible: %v", norm, feasible)
	}
	if !feasible {
		return
	}
	truth, _ := exact.Float64()
	if norm == Two {
		truth = math.Sqrt(truth)
	}
	if math.Abs(truth-want) > 1e-15*want {
		t.Errorf("norm %v: ClosestRat gives %v, want %v", norm, truth, want)
	}
}

func TestClosestPanicsOnMisuse(t *testing.T) {
	misuse := map[string]func(){
		"norm":    func() { Closest(3, []float64{0}, nil, nil) },
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

// TestClosestInvariants: the point is feasible, and no random feasible point is
// nearer. Many of those are made by moving from the answer a little.
func TestClosestInvariants(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	for range racetest.Scale(2000) {
		p := gridProblem(r, 5, 10)
		if r.IntN(2) == 0 {
			p = smoothProblem(r, 1+r.IntN(5), r.IntN(11))
		}
		for _, norm := range norms {
			dist, z, feasible := Closest(norm, p.x, p.a, p.b)
			if !feasible {
				continue
			}
			if excess(p, z) > 1e-9 {
				t.Fatalf("%v %+v: point %v is not feasible", norm, p, z)
			}
			if dist != distance(norm, z, p.x) {
				t.Fatalf("%v %+v: distance %v of the point %v", norm, p, dist, z)
			}
			for range 30 {
				w := append([]float64(nil), z...)
				floats{}.axpy(w, math.Pow(10, -3*r.Float64()), normalVector(r, len(w)))
				if excess(p, w) <= 0 && distance(norm, w, p.x) < dist-1e-9 {
					t.Fatalf("%v %+v: %v is nearer than %v", norm, p, w, z)
				}
			}
		}
	}
}

// excess returns by how much z breaks the worst row, or 0.
func excess(p problem, z []float64) float64 {
	worst := 0.0
	for i, a := range p.a {
		worst = max(worst, dotOf(a, z)-p.b[i])
	}
	return worst
}
