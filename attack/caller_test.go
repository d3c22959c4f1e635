package attack_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/attack/baseline"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// door is a classifier whose parts can be replaced by ones that fail.
type door struct {
	*patchwork
	cells   func() iter.Seq[classifier.Cell]
	cellAt  func(x []float64) (classifier.Cell, error)
	predict func(x []float64) int
}

func (d door) Cells() iter.Seq[classifier.Cell] { return d.cells() }
func (d door) Predict(x []float64) int          { return d.predict(x) }

type locating struct{ door }

func (l locating) CellAt(x []float64) (classifier.Cell, error) { return l.cellAt(x) }

// brokenRest panics when it is asked.
type brokenRest struct{}

func (brokenRest) Separate(_, _ []float64, _ func([]float64, float64) bool) {
	panic(io.ErrUnexpectedEOF)
}

func boom() { panic(io.ErrUnexpectedEOF) }

// TestPanics: a panic of a caller's code is an error that says whose it is, and wraps the value of
// the panic, for any number of workers.
func TestPanics(t *testing.T) {
	good := func() door {
		d := door{patchwork: intervals([]int{0, 1}, -inf, 1, inf)}
		d.cells = d.patchwork.Cells
		d.predict = func(z []float64) int { return int(min(1, max(0, math.Floor(z[0])))) }
		return d
	}
	tests := []struct {
		name  string
		fault func(d *door)
		text  string
	}{
		{"Predict of x", func(d *door) { d.predict = func([]float64) int { boom(); return 0 } },
			"panic in Predict of attack_test.door: unexpected EOF"},
		{
			"Cells", func(d *door) {
				d.cells = func() iter.Seq[classifier.Cell] { boom(); return nil }
			}, "panic in Cells of attack_test.door: unexpected EOF",
		},
		{"within Cells", func(d *door) {
			d.cells = func() iter.Seq[classifier.Cell] {
				return func(yield func(classifier.Cell) bool) {
					_ = yield(d.patchwork.cells[1])
					boom()
				}
			}
		}, "panic in Cells"},
		{"within Predict of an example", func(d *door) {
			whole := d.predict
			d.predict = func(z []float64) int {
				if z[0] >= 1 {
					boom()
				}
				return whole(z)
			}
		}, "panic in Predict"},
		{"a Rest", func(d *door) { d.patchwork.cells[1].Region.Rest = brokenRest{} },
			"panic in the regions of Cells of attack_test.door"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			d := good()
			test.fault(&d)
			everyAttack(t, d, []float64{0.5}, func(name string, r attack.Result, err error) {
				if r.Optimal() || strings.Contains(name, "elsewhere") ||
					strings.Contains(name, "one node") ||
					err == nil && strings.Contains(name, "undecided") {
					return // the search did not get there
				}
				if !errors.Is(err, attack.ErrClassifier) || !errors.Is(err, io.ErrUnexpectedEOF) ||
					!instance.IsNothing(r) {
					t.Fatalf("%s: %+v, %v, want ErrClassifier", name, r, err)
				}
				p, ok := errors.AsType[*polytope.PanicError](err)
				if !ok || len(p.Stack) == 0 {
					t.Errorf("%s: %v, want a PanicError with its stack", name, err)
				}
				if !strings.Contains(name, "approx") && !strings.Contains(err.Error(), test.text) {
					t.Errorf("%s: %v, want it to say %q", name, err, test.text)
				}
			})
		})
	}
}

// TestNilCells: an iterator that is nil is no list of no cells.
func TestNilCells(t *testing.T) {
	d := door{
		patchwork: intervals(nil),
		cells:     func() iter.Seq[classifier.Cell] { return nil },
		predict:   func([]float64) int { return 0 },
	}
	everyAttack(t, d, []float64{0.5}, func(name string, r attack.Result, err error) {
		if !errors.Is(err, attack.ErrClassifier) ||
			!strings.Contains(err.Error(), "Cells of attack_test.door returned nil") ||
			!instance.IsNothing(r) {
			t.Errorf("%s: %+v, %v, want ErrClassifier", name, r, err)
		}
	})
}

// TestFalseCellAt: the cell that CellAt names must be that of the point.
func TestFalseCellAt(t *testing.T) {
	cell := func(label int, lo, hi float64) classifier.Cell {
		return classifier.Cell{
			Label:  label,
			Region: polytope.Polyhedron{Box: polytope.Cube(1, lo, hi)},
		}
	}
	tests := []struct {
		name   string
		cellAt func(x []float64) (classifier.Cell, error)
		text   string
	}{
		{"another label", func([]float64) (classifier.Cell, error) { return cell(0, 1, 2), nil },
			"predicts label 1, and names a cell with label 0"},
		{"another place", func([]float64) (classifier.Cell, error) { return cell(1, 3, 4), nil },
			"names a cell with label 1 that holds it: false"},
		{"another dimension", func([]float64) (classifier.Cell, error) {
			return classifier.Cell{
				Label:  1,
				Region: polytope.Polyhedron{Box: polytope.Cube(2, 0, 9)},
			}, nil
		}, "got 2 intervals"},
		{
			"a panic", func([]float64) (classifier.Cell, error) {
				boom()
				return classifier.Cell{}, nil
			}, "panic in CellAt of attack_test.locating",
		},
	}
	for _, test := range tests {
		d := door{patchwork: intervals([]int{0, 1}, -inf, 1, inf), cellAt: test.cellAt}
		d.predict = func(z []float64) int { return int(min(1, max(0, math.Floor(z[0])))) }
		a := &attack.RegionBased{
			Classifier: locating{d},
			Points:     mat.NewDense(1, 1, []float64{1.5}),
			Options:    attack.Options{Mode: attack.Approx},
		}
		r, err := a.Perturb(t.Context(), []float64{0.5})
		if !errors.Is(err, attack.ErrClassifier) || !strings.Contains(fmt.Sprint(err), test.text) ||
			!instance.IsNothing(r) {
			t.Errorf("%s: %+v, %v, want ErrClassifier that says %q", test.name, r, err, test.text)
		}
	}
}

// ownSearch is a caller's own nearest-first search over one node.
type ownSearch struct {
	*patchwork
	search func() (search.Search, error)
	roots  func() []search.Node
	opener func() search.Opener
	open   func() (search.Opened, error)
}

func (s ownSearch) Search(context.Context, search.Query) (search.Search, error) {
	return s.search()
}
func (s ownSearch) Follows() search.Rules    { return 0 }
func (s ownSearch) Roots() []search.Node     { return s.roots() }
func (s ownSearch) NewOpener() search.Opener { return s.opener() }
func (s ownSearch) Open(context.Context, search.Node, float64) (search.Opened, error) {
	return s.open()
}

// TestPanicBehindTheAnswer: a node that panics matters only where no answer is nearer, as
// any node that cannot be opened, so that the result does not depend on who gets where first.
func TestPanicBehindTheAnswer(t *testing.T) {
	c := intervals([]int{0, 1, 2, 1}, -inf, 1, 2, 9, inf)
	// at distance 8.5; its box is looked at, and then its Rest
	c.cells[3].Region.Rest = brokenRest{}
	c.predict = func(z []float64) int {
		return []int{0, 1, 2}[int(min(2, max(0, math.Floor(z[0]))))]
	}
	for _, workers := range []int{1, 4} {
		_, err := (&attack.RegionBased{
			Classifier: c,
			Options:    attack.Options{Workers: workers},
		}).Perturb(t.Context(), []float64{0.5})
		if !errors.Is(err, attack.ErrClassifier) || !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%d workers: %v, want the panic of a region that had to be bounded",
				workers, err)
		}
	}
	s := &ownSearch{patchwork: oblique([]float64{1}, 0.75, true)}
	s.search = func() (search.Search, error) { return s, nil }
	s.roots = func() []search.Node { return []search.Node{{Bound: 0.25}, {Bound: 3, Order: 1}} }
	s.opener = func() search.Opener { return nearOpener{} }
	for _, workers := range []int{1, 4} {
		r, err := (&attack.RegionBased{
			Classifier: s,
			Options:    attack.Options{Workers: workers},
		}).Perturb(t.Context(), []float64{0.5})
		if err != nil || r.Distance != 0.25 || !r.Optimal() {
			t.Errorf("%d workers: %+v, %v, want the answer before the panic", workers, r, err)
		}
	}
}

// nearOpener answers at its first node and panics at the others.
type nearOpener struct{}

func (nearOpener) Open(_ context.Context, n search.Node, _ float64) (search.Opened, error) {
	if n.Order > 0 {
		boom()
	}
	return search.Opened{
		Answer: &search.Answer{Bound: 0.25, Example: []float64{0.75}, Distance: 0.25},
	}, nil
}

// ownSolver is a caller's solver.
type ownSolver func(p polytope.Problem) polytope.Solution

func (s ownSolver) Closest(_ context.Context, p polytope.Problem) (polytope.Solution, error) {
	return s(p), nil
}

// TestFalseSolvers: neither a panic nor nonsense of a solver is the classifier's fault.
func TestFalseSolvers(t *testing.T) {
	tests := []struct {
		name  string
		solve ownSolver
		text  string
	}{
		{"panics", func(polytope.Problem) polytope.Solution { boom(); return polytope.Solution{} },
			"panic in Closest of attack_test.ownSolver: unexpected EOF"},
		{"nothing", func(polytope.Problem) polytope.Solution { return polytope.Solution{} },
			"attack_test.ownSolver: status unknown with point []"},
		{"no point", func(polytope.Problem) polytope.Solution {
			return polytope.Solution{Status: polytope.StatusOptimal}
		}, "attack_test.ownSolver: dimensions differ: got 0 coordinates"},
		{
			"NaN", func(polytope.Problem) polytope.Solution {
				return polytope.Solution{
					Status: polytope.StatusOptimal, Point: []float64{math.NaN()},
				}
			}, "coordinate 0 is NaN",
		},
		{"a bound of NaN", func(polytope.Problem) polytope.Solution {
			return polytope.Solution{
				Status: polytope.StatusOptimal, Point: []float64{1}, Bound: math.NaN(),
			}
		}, "bound is NaN"},
		{"no status",
			func(polytope.Problem) polytope.Solution {
				return polytope.Solution{Status: 9}
			}, "status Status(9)"},
		{"negative status",
			func(polytope.Problem) polytope.Solution {
				return polytope.Solution{Status: -1}
			}, "status Status(-1)"},
		{"a point that there is not", func(polytope.Problem) polytope.Solution {
			return polytope.Solution{Status: polytope.StatusInfeasible, Point: []float64{}}
		}, "status infeasible with point []"},
		{"the cutoff is not reached", func(polytope.Problem) polytope.Solution {
			return polytope.Solution{Status: polytope.StatusCutoff, Bound: 2}
		}, "status cutoff with point [] and bound 2, for a cutoff of +Inf"},
		{"no cutoff", func(p polytope.Problem) polytope.Solution {
			if p.Cutoff > 0 { // but not with a margin, which a point that misses the cell asks for
				return polytope.Solution{
					Status: polytope.StatusOptimal, Point: []float64{math.Nextafter(0.75, 0)},
				}
			}
			return polytope.Solution{Status: polytope.StatusCutoff, Bound: 2}
		}, "for a cutoff of 0"},
	}
	for _, test := range tests {
		for _, workers := range []int{1, 4} {
			a := &attack.RegionBased{
				Classifier: oblique([]float64{1}, 0.75, true),
				Options:    attack.Options{Workers: workers, Solver: test.solve},
			}
			r, err := a.Perturb(t.Context(), []float64{0.5})
			if err == nil || errors.Is(err, attack.ErrClassifier) ||
				!strings.Contains(err.Error(), test.text) || !instance.IsNothing(r) {
				t.Errorf("%s, %d workers: %+v, %v, want an error that says %q",
					test.name, workers, r, err, test.text)
			}
		}
	}
}

// TestBaselinePanics: the other attacks and adversarial training return panics as errors.
func TestBaselinePanics(t *testing.T) {
	near := &patchwork{dim: 1, classes: 2, predict: func(z []float64) int {
		if z[0] != math.Trunc(z[0]) {
			boom()
		}
		return int(z[0]) % 2
	}}
	together := &baseline.Kernel{Classifier: near, Width: 1}
	if r, err := together.PerturbAll(
		t.Context(), mat.NewDense(4, 1, []float64{0, 1, 2, 3}),
	); r != nil || !errors.Is(err, io.ErrUnexpectedEOF) || !errors.Is(err, attack.ErrClassifier) ||
		!strings.HasPrefix(err.Error(), "attack: ") {
		t.Errorf("PerturbAll: %+v, %v, want the panic", r, err)
	}
	calls, late := 0, 0
	c := &patchwork{dim: 1, classes: 2, predict: func(z []float64) int {
		if calls++; calls > late {
			boom()
		}
		return 0
	}}
	points, labels := mat.NewDense(2, 1, []float64{0, 1}), []int{0, 1}
	for late = range 2 {
		for _, a := range []attack.Attack{
			&baseline.Direct{Classifier: c, Points: points, Labels: labels},
			&baseline.Kernel{Classifier: c, Points: points, Labels: labels},
			&baseline.Direct{Classifier: c, Points: points},
			&baseline.BlackBox{Classifier: c},
		} {
			for range 2 { // the part that is prepared once is not half prepared
				calls = 0
				r, err := a.Perturb(t.Context(), []float64{0.25})
				if !errors.Is(err, io.ErrUnexpectedEOF) || !instance.IsNothing(r) {
					t.Errorf("%T, at call %d: %+v, %v, want the panic", a, late, r, err)
				}
			}
		}
	}
	knn := classifier.TrainerOf(classifier.TrainKNN, classifier.KNNOptions{})
	for name, at := range map[string]attack.AdversarialTraining{
		"Trainer": {
			Trainer: func(
				context.Context, mat.Matrix, []int,
			) (classifier.Classifier, error) {
				boom()
				return nil, nil
			},
		},
		"Predict": {Trainer: func(
			context.Context, mat.Matrix, []int,
		) (classifier.Classifier, error) {
			return &patchwork{
				dim:     1,
				classes: 2,
				predict: func([]float64) int { boom(); return 0 },
			}, nil
		}},
		"Attack": {
			Trainer: knn,
			Attack: func(classifier.Classifier, mat.Matrix, []int) (attack.Attack, error) {
				boom()
				return nil, nil
			},
		},
		"Perturb": {Trainer: knn,
			Attack: func(classifier.Classifier, mat.Matrix, []int) (attack.Attack, error) {
				return attackFunc(func(context.Context, []float64) (attack.Result, error) {
					boom()
					return attack.Result{}, nil
				}), nil
			}},
	} {
		_, err := at.Train(t.Context(), points, labels)
		if !errors.Is(err, io.ErrUnexpectedEOF) ||
			!strings.Contains(err.Error(), "panic in "+name+" of") {
			t.Errorf("%s: %v, want the panic", name, err)
		}
	}
}

// broken panics in one of the methods that describe it.
type broken struct {
	*patchwork
	call string
}

func (b broken) Dim() int {
	if b.call == "Dim" {
		boom()
	}
	return b.dim
}

func (b broken) Len() int {
	if b.call == "Len" {
		boom()
	}
	return 1
}

func (b broken) Row(int) ([]float64, int) { boom(); return nil, 0 }

// keeping keeps one row, as often as it says.
type keeping struct {
	*patchwork
	n     int
	row   []float64
	label int
}

func (k keeping) Len() int                 { return k.n }
func (k keeping) Row(int) ([]float64, int) { return k.row, k.label }

// TestFalseRows: a classifier that keeps rows of another space, or none.
func TestFalseRows(t *testing.T) {
	base := oblique([]float64{1}, 0.75, true)
	for _, test := range []struct {
		name string
		c    keeping
		want error
		text string
	}{
		{"too short", keeping{base, 3, nil, 1}, polytope.ErrDimension,
			"row 0 that attack_test.keeping keeps: dimensions differ: got 0"},
		{"too long", keeping{base, 3, []float64{1, 1}, 1}, attack.ErrClassifier,
			"got 2 coordinates, want 1"},
		{"NaN", keeping{base, 3, []float64{math.NaN()}, 1}, polytope.ErrNotFinite,
			"coordinate 0 is NaN"},
		{"none", keeping{base, 0, nil, 1}, classifier.ErrEmpty, "keeps 0 rows"},
		{"fewer than none", keeping{base, -1, nil, 1}, classifier.ErrEmpty, "keeps -1 rows"},
	} {
		for _, a := range []attack.Attack{
			&attack.RegionBased{Classifier: test.c, Options: attack.Options{Mode: attack.Approx}},
			&baseline.Direct{Classifier: test.c}, &baseline.Kernel{Classifier: test.c},
		} {
			for range 2 {
				r, err := a.Perturb(t.Context(), []float64{0.5})
				if !errors.Is(err, test.want) || !strings.Contains(err.Error(), test.text) ||
					!instance.IsNothing(r) {
					t.Errorf("%s, %T: %+v, %v, want %v that says %q",
						test.name, a, r, err, test.want, test.text)
				}
			}
		}
	}
	for _, a := range []attack.Attack{
		&baseline.Direct{Classifier: keeping{base, 3, []float64{1}, 7}}, &baseline.Kernel{
			Classifier: keeping{base, 3, []float64{1}, 7},
		},
	} {
		_, err := a.Perturb(t.Context(), []float64{0.5})
		row, ok := errors.AsType[*polytope.RowError](err)
		if !ok || row.Row != 0 || !errors.Is(row, classifier.ErrLabel) ||
			!errors.Is(err, classifier.ErrEmpty) {
			t.Errorf("%T: %v, want the label of row 0", a, err)
		}
	}
}

// TestPointsWhileTheContextEnds: the error about the points stays the same when the context ends at
// that moment.
func TestPointsWhileTheContextEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	a := &baseline.Direct{
		Classifier: oblique([]float64{1}, 0.75, true),
		Points:     fallingOver{mat.NewDense(1, 1, nil), cancel},
	}
	for range 2 {
		if _, err := a.Perturb(ctx, []float64{0.5}); !errors.Is(err, classifier.ErrEmpty) ||
			!errors.Is(err, polytope.ErrNotFinite) {
			t.Errorf("%v, want ErrPoints", err)
		}
		ctx = t.Context()
	}
}

// fallingOver is a matrix of NaNs that ends the context when it is read.
type fallingOver struct {
	*mat.Dense
	cancel func()
}

func (f fallingOver) At(int, int) float64 { f.cancel(); return math.NaN() }

// TestBrokenShapes: the methods besides Predict and Cells panic, or break their promises.
func TestBrokenShapes(t *testing.T) {
	base := oblique([]float64{1}, 0.75, true)
	wide := oblique([]float64{1}, 0.75, true)
	wide.cells = append(wide.cells, classifier.Cell{Label: 2})
	outside := oblique([]float64{1}, 0.75, true)
	outside.predict = func(z []float64) int { return 7 * int(math.Round(z[0]*0.75)) }
	below := oblique([]float64{1}, 0.75, true)
	below.predict = func(z []float64) int { return -int(math.Round(z[0] * 0.75)) }
	approx := attack.Options{Mode: attack.Approx}
	tests := []struct {
		name string
		a    attack.Attack
		text string
	}{
		{"Dim", &attack.RegionBased{Classifier: broken{base, "Dim"}},
			"panic in Dim or Classes of attack_test.broken"},
		{"Len", &attack.RegionBased{Classifier: broken{base, "Len"}, Options: approx},
			"panic in Len or Row of attack_test.broken"},
		{"Row", &attack.RegionBased{Classifier: broken{base, "Row"}, Options: approx},
			"panic in Len or Row"},
		{"Row of a baseline", &baseline.Direct{Classifier: broken{base, "Row"}},
			"panic in Len or Row"},
		{"a cell of no class", &attack.RegionBased{Classifier: wide},
			"cell 2 has label 2 of 2 classes"},
		{"an example of no class", &attack.RegionBased{Classifier: outside},
			"an example with label 7 that does not answer"},
		{"an example of a negative class", &attack.RegionBased{Classifier: below},
			"an example with label -1 that does not answer"},
	}
	for _, test := range tests {
		for range 2 {
			r, err := test.a.Perturb(t.Context(), []float64{0.5})
			if !errors.Is(err, attack.ErrClassifier) || !strings.Contains(err.Error(), test.text) ||
				!instance.IsNothing(r) {
				t.Errorf("%s: %+v, %v, want ErrClassifier that says %q",
					test.name, r, err, test.text)
			}
		}
	}
}
