package classifiertest_test

import (
	"errors"
	"io"
	"iter"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/classifier/classifiertest"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// rows are points of a few classes, some of them equal.
func rows(rng *rand.Rand, n, dim int) (*mat.Dense, []int) {
	x, y := mat.NewDense(n, dim, nil), make([]int, n)
	for i := range n {
		y[i] = rng.IntN(3)
		for j := range dim {
			x.Set(i, j, math.Round(8*rng.NormFloat64())/4)
		}
	}
	return x, y
}

// TestOurOwn: the classifiers of this module keep their promises.
func TestOurOwn(t *testing.T) {
	trainers := map[string]classifier.Trainer{
		"1-NN": classifier.TrainerOf(classifier.TrainKNN, classifier.KNNOptions{}),
		"3-NN": classifier.TrainerOf(classifier.TrainKNN, classifier.KNNOptions{K: 3}),
		"tree": classifier.TrainerOf(classifier.TrainTree, classifier.TreeOptions{MaxDepth: 4}),
		"forest": classifier.TrainerOf(classifier.TrainForest, classifier.ForestOptions{
			TreeOptions: classifier.TreeOptions{MaxDepth: 2},
			Trees:       3,
		}),
		"oblique": classifier.TrainerOf(classifier.TrainOblique,
			classifier.ObliqueOptions{MaxDepth: 3, Restarts: 1, Jumps: 1}),
	}
	for name, trainer := range trainers {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(racetest.Scale(6)) {
				x, y := rows(rand.New(rand.NewPCG(seed, 1)), 12, 1+int(seed%3))
				c, err := trainer(t.Context(), x, y)
				if err != nil {
					t.Fatal(err)
				}
				var inputs [][]float64
				for i := range 12 {
					inputs = append(inputs, x.RawRowView(i))
				}
				listed := c.(classifier.Decomposable)
				if err := classifiertest.CheckWith(listed, 100, seed, inputs...); err != nil {
					t.Errorf("seed %d: %v", seed, err)
				}
			}
		})
	}
}

// model is a classifier made of functions.
type model struct {
	dim, classes int
	predict      func(x []float64) int
	cells        func() iter.Seq[classifier.Cell]
}

func (m *model) Dim() int                         { return m.dim }
func (m *model) Classes() int                     { return m.classes }
func (m *model) Predict(x []float64) int          { return m.predict(x) }
func (m *model) Cells() iter.Seq[classifier.Cell] { return m.cells() }

// board is a model of four cells: a box, the rest of its half of the plane in two parts, and
// the other half beyond x + 2y = 4. It has no mistake.
func board() (*model, []classifier.Cell) {
	far := polytope.HalfSpace{A: []float64{-1, -2}, B: -4}
	near := polytope.HalfSpace{A: []float64{1, 2}, B: 4, Open: true}
	line := polytope.Line()
	left := polytope.Interval{Lo: math.Inf(-1), Hi: 1, HiOpen: true}
	right := polytope.Interval{Lo: 1, Hi: math.Inf(1)}
	low := polytope.Interval{Lo: math.Inf(-1), Hi: -1}
	high := polytope.Interval{Lo: -1, Hi: math.Inf(1), LoOpen: true}
	cells := []classifier.Cell{
		{
			Label: 0,
			Region: polytope.Polyhedron{
				Box:        polytope.Box{left, line},
				HalfSpaces: []polytope.HalfSpace{near},
			},
		},
		{
			Label: 1,
			Region: polytope.Polyhedron{
				Box:        polytope.Box{right, low},
				HalfSpaces: []polytope.HalfSpace{near},
			},
		},
		{
			Label: 2,
			Region: polytope.Polyhedron{
				Box:        polytope.Box{right, high},
				HalfSpaces: []polytope.HalfSpace{near},
			},
		},
		{Label: 1, Region: polytope.Polyhedron{HalfSpaces: []polytope.HalfSpace{far}}},
	}
	m := &model{
		dim:     2,
		classes: 3,
		cells:   func() iter.Seq[classifier.Cell] { return slices.Values(cells) },
	}
	m.predict = func(x []float64) int { return []int{0, 1, 2, 1}[square(x)] }
	return m, cells
}

// square returns the number of the cell of the board.
func square(x []float64) int {
	switch {
	case x[0]+2*x[1] >= 4:
		return 3
	case x[0] < 1:
		return 0
	case x[1] <= -1:
		return 1
	}
	return 2
}

// flicker is a family of one half-space, x₀ ≤ 0.
type flicker struct{}

func (flicker) Separate(x, u []float64, add func([]float64, float64) bool) {
	add([]float64{1, 0}, -(x[0] + u[0]))
}

type brokenRest struct{}

func (brokenRest) Separate(_, _ []float64, _ func([]float64, float64) bool) {
	panic(io.ErrUnexpectedEOF)
}

// TestMistakes breaks the board in one place at a time.
func TestMistakes(t *testing.T) {
	tests := []struct {
		name  string
		fault func(m *model, cells []classifier.Cell)
		want  string // empty where there is no mistake
	}{
		{"none", func(*model, []classifier.Cell) {}, ""},
		{"no dimensions", func(m *model, _ []classifier.Cell) { m.dim = 0 },
			"3 classes in 0 dimensions"},
		{"nil cells",
			func(m *model, _ []classifier.Cell) {
				m.cells = func() iter.Seq[classifier.Cell] { return nil }
			}, "the iterator of Cells is nil"},
		{"no cells", func(m *model, _ []classifier.Cell) {
			m.cells = func() iter.Seq[classifier.Cell] {
				return slices.Values([]classifier.Cell(nil))
			}
		}, "the list of Cells is empty"},
		{"label of no class", func(_ *model, c []classifier.Cell) { c[2].Label = 3 },
			"cell 2 has label 3 of 3 classes"},
		{"half-space of another dimension",
			func(_ *model, c []classifier.Cell) {
				c[3].Region.HalfSpaces[0].A = []float64{1}
			}, "cell 3: half-space 0: dimensions differ"},
		{"NaN", func(_ *model, c []classifier.Cell) { c[1].Region.Box[0].Lo = math.NaN() },
			"cell 1: box: interval 0 ends in NaN"},
		{"prediction of no class",
			func(m *model, _ []classifier.Cell) {
				m.predict = func([]float64) int { return -1 }
			}, "is predicted -1 of 3 classes"},
		{"prediction that wavers", func(m *model, _ []classifier.Cell) {
			calls := 0
			m.predict = func([]float64) int { calls++; return calls % 2 }
		}, "and then"},
		{"prediction that writes", func(m *model, _ []classifier.Cell) {
			whole := m.predict
			m.predict = func(x []float64) int { label := whole(x); x[0] = 7; return label }
		}, "Predict makes [7"},
		{"wrong label", func(_ *model, c []classifier.Cell) { c[0].Label = 2 },
			"lies in cell 0 of label 2"},
		{"a cell left out", func(m *model, c []classifier.Cell) {
			m.cells = func() iter.Seq[classifier.Cell] { return slices.Values(c[1:]) }
		}, "is predicted 0 and lies in no cell of that label"},
		{"a thin gap", func(_ *model, c []classifier.Cell) { c[0].Region.Box[0].Hi = 1 - 1e-9 },
			"lies in no cell"},
		{"a gap of one float64",
			func(_ *model, c []classifier.Cell) {
				c[1].Region.Box[1].Hi = math.Nextafter(-1, -2)
			}, "lies in no cell"},
		{"a thin overlap",
			func(_ *model, c []classifier.Cell) {
				c[0].Region.Box[0].Hi = math.Nextafter(1, 2)
			}, "cell 0 of label 0: they overlap"},
		{"an overlap with a half-space",
			func(_ *model, c []classifier.Cell) {
				c[3].Region.HalfSpaces[0].B = -3.999
			}, "cell 3 of label 1: they overlap"},
		{"an overlap far away",
			func(_ *model, c []classifier.Cell) {
				c[0].Region.Box[0].Hi, c[0].Region.Box[1].Hi = math.Inf(1), -1e6
			}, "cell 0 of label 0: they overlap"},
		{"an end closed twice",
			func(_ *model, c []classifier.Cell) {
				c[0].Region.Box[0].HiOpen = false
			}, "a side of one should be open"},
		{"an end that nobody closes",
			func(_ *model, c []classifier.Cell) {
				c[1].Region.Box[0].LoOpen = true
			}, "lies in no cell of that label"},
		{"an end on the wrong side", func(_ *model, c []classifier.Cell) {
			c[1].Region.Box[1].HiOpen, c[2].Region.Box[1].LoOpen = true, false
		}, "is predicted 1 and lies in cell 2 of label 2"},
		{"a half-space closed twice",
			func(_ *model, c []classifier.Cell) {
				c[2].Region.HalfSpaces[0].Open = false
			}, "a side of one should be open"},
		{"a half-space that nobody closes",
			func(_ *model, c []classifier.Cell) {
				c[3].Region.HalfSpaces[0].Open = true
			}, "lies in no cell"},
		{"an overlap that agrees", func(_ *model, c []classifier.Cell) {
			c[3].Region.HalfSpaces = c[3].Region.HalfSpaces[:1]
			c[1].Region.HalfSpaces = nil
		}, ""},
		{"a Rest out of place",
			func(_ *model, c []classifier.Cell) {
				c[0].Region.Rest = flicker{}
			}, "is predicted 0 and lies in no cell"},
		{"a cell that changes", func(m *model, c []classifier.Cell) {
			m.cells = func() iter.Seq[classifier.Cell] {
				return func(yield func(classifier.Cell) bool) {
					box := make(polytope.Box, 2)
					for _, cell := range c {
						if cell.Region.Box != nil {
							copy(box, cell.Region.Box)
							cell.Region.Box = box
						}
						if !yield(cell) {
							return
						}
					}
				}
			}
		}, "cell 0 changes when the iteration moves on"},
		{"another list the second time", func(m *model, c []classifier.Cell) {
			calls := 0
			m.cells = func() iter.Seq[classifier.Cell] {
				if calls++; calls > 1 {
					return slices.Values(c[:1])
				}
				return slices.Values(c)
			}
		}, "Cells lists 4 cells the first time and 1 the second time"},
		{"another order the second time", func(m *model, c []classifier.Cell) {
			calls := 0
			m.cells = func() iter.Seq[classifier.Cell] {
				if calls++; calls > 1 {
					slices.Reverse(c)
				}
				return slices.Values(c)
			}
		}, "Cells lists another cell 0 the second time"},
		{"a list that does not stop", func(m *model, c []classifier.Cell) {
			m.cells = func() iter.Seq[classifier.Cell] {
				return func(yield func(classifier.Cell) bool) {
					for _, cell := range c {
						yield(cell)
					}
				}
			}
		}, "panic in Cells of *classifiertest_test.model"},
		{"too many cells", func(m *model, c []classifier.Cell) {
			m.cells = func() iter.Seq[classifier.Cell] {
				return func(yield func(classifier.Cell) bool) {
					for yield(c[0]) {
					}
				}
			}
		}, "more than 10000 cells"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for seed := range uint64(4) {
				m, cells := board()
				test.fault(m, cells)
				err := classifiertest.CheckWith(m, 200, seed)
				if (err == nil) != (test.want == "") ||
					err != nil && !strings.Contains(err.Error(), test.want) {
					t.Errorf("seed %d: %v, want it to say %q", seed, err, test.want)
				}
			}
		})
	}
}

// TestPanics: a panic says whose it is.
func TestPanics(t *testing.T) {
	boom := func() { panic(io.ErrUnexpectedEOF) }
	tests := []struct {
		name  string
		fault func(m *model, cells []classifier.Cell)
		want  string
	}{
		{
			"Predict", func(m *model, _ []classifier.Cell) {
				m.predict = func([]float64) int { boom(); return 0 }
			}, "panic in Predict of *classifiertest_test.model: unexpected EOF",
		},
		{
			"Cells", func(m *model, _ []classifier.Cell) {
				m.cells = func() iter.Seq[classifier.Cell] { boom(); return nil }
			}, "panic in Cells of",
		},
		{"a Rest", func(_ *model, c []classifier.Cell) { c[1].Region.Rest = brokenRest{} },
			"panic in the regions of Cells of"},
	}
	for _, test := range tests {
		m, cells := board()
		test.fault(m, cells)
		err := classifiertest.Test(m)
		if _, ok := errors.AsType[*polytope.PanicError](err); !ok ||
			!errors.Is(err, io.ErrUnexpectedEOF) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want it to say %q", test.name, err, test.want)
		}
	}
	if err := classifiertest.Test((*classifier.Tree)(nil)); err == nil {
		t.Error("a nil classifier passes")
	}
	m, _ := board()
	if err := classifiertest.Test(m, []float64{1}); !errors.Is(err, polytope.ErrDimension) {
		t.Errorf("an input of one coordinate: %v", err)
	}
}

// TestManyMistakes: a report stays readable, and is the same for the same seed.
func TestManyMistakes(t *testing.T) {
	m := &model{dim: 1, classes: 2, predict: func([]float64) int { return 0 }}
	var cells []classifier.Cell
	for i := range 50 {
		cells = append(cells, classifier.Cell{
			Label:  1,
			Region: polytope.Polyhedron{Box: polytope.Cube(1, float64(i), float64(i+1))},
		})
	}
	m.cells = func() iter.Seq[classifier.Cell] { return slices.Values(cells) }
	report := func(seed uint64) string {
		return classifiertest.CheckWith(m, 500, seed).Error()
	}
	first := report(3)
	if !strings.Contains(first, "51 mistakes:\n") || strings.Count(first, "\n") != 21 ||
		!strings.HasSuffix(first, "\nand 31 more") {
		t.Errorf("report:\n%s\nwant 20 of 51 mistakes", first)
	}
	if report(3) != first || report(4) == first {
		t.Error("the report does not depend on the seed alone")
	}
}
