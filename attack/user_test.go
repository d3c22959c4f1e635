package attack_test

import (
	"context"
	"errors"
	"iter"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/attack/baseline"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// patchwork is a user's classifier: cells as they were listed, and any prediction.
type patchwork struct {
	dim, classes int
	cells        []classifier.Cell
	predict      func([]float64) int
}

func (p *patchwork) Dim() int                         { return p.dim }
func (p *patchwork) Classes() int                     { return p.classes }
func (p *patchwork) Predict(x []float64) int          { return p.predict(x) }
func (p *patchwork) Cells() iter.Seq[classifier.Cell] { return slices.Values(p.cells) }

// oblique is 1 where a·z > b, or a·z ≥ b when the far side is closed.
func oblique(a []float64, b float64, closed bool) *patchwork {
	negative := make([]float64, len(a))
	for j, v := range a {
		negative[j] = -v
	}
	return &patchwork{
		dim: len(a), classes: 2,
		cells: []classifier.Cell{
			{
				Label: 0,
				Region: polytope.Polyhedron{
					HalfSpaces: []polytope.HalfSpace{{A: a, B: b, Open: closed}},
				},
			},
			{
				Label: 1,
				Region: polytope.Polyhedron{
					HalfSpaces: []polytope.HalfSpace{{A: negative, B: -b, Open: !closed}},
				},
			},
		},
		predict: func(z []float64) int {
			v := -b
			for j, e := range a {
				v += float64(e * z[j])
			}
			if v > 0 || (closed && v == 0) {
				return 1
			}
			return 0
		},
	}
}

// TestCellsOfNoPoint: a listing may have cells that are empty, such as those of a row that
// another one equals, and half-spaces that are everything.
func TestCellsOfNoPoint(t *testing.T) {
	for _, h := range []polytope.HalfSpace{
		{A: []float64{0}, Open: true}, {A: []float64{0}, B: -1}, {A: []float64{1}, B: -inf}, {
			A:    []float64{0},
			B:    -inf,
			Open: true,
		},
	} {
		for _, norm := range []polytope.Norm{polytope.LInf, polytope.L1, polytope.L2} {
			c := oblique([]float64{1}, 0.75, true)
			near := polytope.Polyhedron{
				Box:        polytope.Cube(1, 0.5, 0.625),
				HalfSpaces: []polytope.HalfSpace{{A: []float64{1}, B: inf, Open: true}, h},
			}
			c.cells = append(c.cells, classifier.Cell{Label: 1, Region: near}, classifier.Cell{
				Label:  1,
				Region: polytope.Polyhedron{HalfSpaces: near.HalfSpaces[1:]},
			})
			a := &attack.RegionBased{Classifier: c, Options: attack.Options{Norm: norm}}
			if r, err := a.Perturb(t.Context(), []float64{0.5}); err != nil || !r.Optimal() ||
				math.Abs(r.Bound-0.25) > 1e-12 {
				t.Errorf("%+v, norm %v: %+v, %v, want 0.25", h, norm, r, err)
			}
			c.cells = append(c.cells[:1:1], c.cells[2:]...)
			if r, err := a.Perturb(t.Context(), []float64{0.5}); err != nil ||
				r.Status != attack.StatusNone {
				t.Errorf("%+v, norm %v: %+v, %v, want no example", h, norm, r, err)
			}
		}
	}
}

// TestObliqueCells attacks across one half-space, open or closed on the far
// side, from both sides of it: the distance has a closed form.
func TestObliqueCells(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 1))
	dual := map[polytope.Norm]func([]float64) float64{
		polytope.LInf: func(a []float64) (s float64) {
			for _, v := range a {
				s += math.Abs(v)
			}
			return s
		},
		polytope.L1: func(a []float64) (m float64) {
			for _, v := range a {
				m = max(m, math.Abs(v))
			}
			return m
		},
		polytope.L2: func(a []float64) (s float64) {
			for _, v := range a {
				s = math.Hypot(s, v)
			}
			return s
		},
	}
	for trial := range racetest.Scale(1500) {
		dim := 1 + rng.IntN(4)
		scale := math.Pow(10, float64(rng.IntN(9)-4))
		a, x := make([]float64, dim), make([]float64, dim)
		for j := range a {
			if a[j] = rng.NormFloat64(); trial%3 == 0 {
				a[j] = float64(rng.IntN(5) - 2)
			}
			x[j] = scale * rng.NormFloat64()
		}
		if dual[polytope.L1](a) == 0 {
			a[0] = 1
		}
		b := scale * rng.NormFloat64()
		c := oblique(a, b, trial%2 == 0)
		if trial%4 == 0 { // x on the border, or within rounding of it
			excess := -b
			for j := range a {
				excess += a[j] * x[j]
			}
			far := slices.IndexFunc(a,
				func(v float64) bool { return math.Abs(v) == dual[polytope.L1](a) })
			x[far] -= excess / a[far]
		}
		excess := -b
		for j := range a {
			excess += a[j] * x[j]
		}
		for norm, length := range dual {
			r, err := (&attack.RegionBased{
				Classifier: c,
				Options:    attack.Options{Norm: norm},
			}).Perturb(t.Context(), x)
			if err != nil {
				t.Fatalf("trial %d, norm %v: %v; a %v, b %v, x %v", trial, norm, err, a, b, x)
			}
			truth := math.Abs(excess) / length(a)
			tol := 1e-9 * max(1, scale)
			if !r.Optimal() || r.Example == nil || c.Predict(r.Example) == c.Predict(x) ||
				math.Abs(r.Distance-truth) > tol || r.Bound > truth+1e-14*scale ||
				r.Bound < truth-tol {
				t.Fatalf("trial %d, norm %v: %+v, want %v; a %v, b %v, x %v",
					trial, norm, r, truth, a, b, x)
			}
		}
	}
}

// TestBoxCellsToTheLastBit: the nearest number of an interval is its end when that
// is closed, and the next number when it is open.
func TestBoxCellsToTheLastBit(t *testing.T) {
	for _, open := range []bool{false, true} {
		c := &patchwork{
			dim: 1, classes: 2,
			cells: []classifier.Cell{
				{
					Label: 0,
					Region: polytope.Polyhedron{
						Box: polytope.Box{{Lo: math.Inf(-1), Hi: 0.3, HiOpen: !open}},
					},
				},
				{
					Label: 1,
					Region: polytope.Polyhedron{
						Box: polytope.Box{{Lo: 0.3, Hi: math.Inf(1), LoOpen: open}},
					},
				},
			},
			predict: func(z []float64) int {
				if z[0] > 0.3 || (z[0] == 0.3 && !open) {
					return 1
				}
				return 0
			},
		}
		up, down := 0.3, math.Nextafter(0.3, 0)
		if open {
			up, down = math.Nextafter(0.3, 1), 0.3
		}
		for x, want := range map[float64]float64{0: up, 1: down, down: up, up: down} {
			r, err := (&attack.RegionBased{Classifier: c}).Perturb(t.Context(), []float64{x})
			if err != nil {
				t.Fatal(err)
			}
			if !r.Optimal() || !slices.Equal(r.Example, []float64{want}) ||
				r.Distance != math.Abs(want-x) || r.Bound > math.Abs(0.3-x) {
				t.Errorf("open %v, x = %v: %+v, want the example %v", open, x, r, want)
			}
		}
	}
}

// TestEveryCellCounts hides the only cell with label 1 among 600 intervals, more than
// a worker takes up at a time.
func TestEveryCellCounts(t *testing.T) {
	const n = 600
	for _, hidden := range []int{0, 1, 127, 254, 255, 256, 257, 510, 511, 512, 513, 598, 599} {
		for _, others := range []int{0, 2} {
			c := &patchwork{dim: 1, classes: 3, predict: func(z []float64) int {
				if int(math.Floor(z[0])) == hidden {
					return 1
				}
				return others
			}}
			for i := range n {
				label := others
				if i == hidden {
					label = 1
				}
				c.cells = append(c.cells, classifier.Cell{Label: label, Region: polytope.Polyhedron{
					Box: polytope.Box{{Lo: float64(i), Hi: float64(i + 1), HiOpen: true}},
				}})
			}
			for _, x := range []float64{0.5, 300.5, 599.5} {
				want := max(float64(hidden)-x, x-float64(hidden+1), 0)
				if want == 0 {
					continue
				}
				r, err := (&attack.RegionBased{
					Classifier: c,
					Options:    attack.Options{Workers: 2},
				}).Perturb(t.Context(), []float64{x})
				if err != nil || !r.Optimal() || math.Abs(r.Distance-want) > 1e-9 || r.Label != 1 {
					t.Errorf("cell %d from %v: %+v, %v, want distance %v", hidden, x, r, err, want)
				}
			}
		}
	}
	// The nearest of 599 cells that all answer.
	for containing := range n {
		c := &patchwork{dim: 1, classes: 2, predict: func(z []float64) int {
			if int(math.Floor(z[0])) == containing {
				return 0
			}
			return 1
		}}
		for i := range n {
			c.cells = append(c.cells,
				classifier.Cell{Label: min(1, max(i-containing, containing-i)),
					Region: polytope.Polyhedron{
						Box: polytope.Box{{Lo: float64(i), Hi: float64(i + 1), HiOpen: true}},
					}})
		}
		x, want := float64(containing)+0.75, 0.25
		if containing == n-1 {
			want = 0.75
		}
		r, err := (&attack.RegionBased{Classifier: c, Options: attack.Options{Workers: 1}}).Perturb(
			t.Context(), []float64{x},
		)
		if err != nil || !r.Optimal() || math.Abs(r.Distance-want) > 1e-9 {
			t.Fatalf("next to cell %d: %+v, %v, want distance %v", containing, r, err, want)
		}
	}
}

// TestApproxOnABorder: a training point on the border of two closed cells belongs to the one
// with its label.
func TestApproxOnABorder(t *testing.T) {
	c := &patchwork{
		dim: 1, classes: 2,
		cells: []classifier.Cell{
			{
				Label: 0,
				Region: polytope.Polyhedron{
					HalfSpaces: []polytope.HalfSpace{{A: []float64{1}, B: 1}},
				},
			},
			{
				Label: 1,
				Region: polytope.Polyhedron{
					HalfSpaces: []polytope.HalfSpace{{A: []float64{-1}, B: -1}},
				},
			},
		},
		predict: func(z []float64) int {
			if z[0] >= 1 {
				return 1
			}
			return 0
		},
	}
	a := &attack.RegionBased{
		Classifier: c,
		Points:     mat.NewDense(1, 1, []float64{1}),
		Options:    attack.Options{Mode: attack.Approx},
	}
	r, err := a.Perturb(t.Context(), []float64{0})
	if err != nil || r.Label != 1 || math.Abs(r.Distance-1) > 1e-9 {
		t.Errorf("%+v, %v, want an example at distance 1", r, err)
	}
	// A training point in none of the cells.
	c.cells = c.cells[:1]
	a = &attack.RegionBased{
		Classifier: c,
		Points:     mat.NewDense(1, 1, []float64{2}),
		Options:    attack.Options{Mode: attack.Approx},
	}
	if r, err := a.Perturb(t.Context(), []float64{0}); !errors.Is(err, attack.ErrClassifier) ||
		!instance.IsNothing(r) {
		t.Errorf("a point in no cell: %+v, %v, want ErrClassifier", r, err)
	}
}

// TestFalseCells: cells that contradict each other are refused, at any number of workers.
func TestFalseCells(t *testing.T) {
	always := func(label int) func([]float64) int { return func([]float64) int { return label } }
	half := func(label int, a ...float64) classifier.Cell {
		return classifier.Cell{
			Label:  label,
			Region: polytope.Polyhedron{HalfSpaces: []polytope.HalfSpace{{A: a, B: -1}}},
		}
	}
	box := func(label int, lo, hi float64) classifier.Cell {
		return classifier.Cell{
			Label:  label,
			Region: polytope.Polyhedron{Box: polytope.Cube(2, lo, hi)},
		}
	}
	tests := []struct {
		name  string
		cells []classifier.Cell
		want  error
	}{
		{"label below 0", []classifier.Cell{half(-1, 1, 0)}, attack.ErrClassifier},
		{"label of no class", []classifier.Cell{half(2, 1, 0)}, attack.ErrClassifier},
		{"half-space of another dimension", []classifier.Cell{half(1, 1)}, polytope.ErrDimension},
		{"half-space that is no number", []classifier.Cell{half(1, math.NaN(), 1)},
			polytope.ErrNotFinite},
		{"box of another dimension",
			[]classifier.Cell{{Label: 1, Region: polytope.Polyhedron{Box: polytope.NewBox(3)}}},
			polytope.ErrDimension},
		{"box that is no number", []classifier.Cell{box(1, math.NaN(), 1)}, polytope.ErrNotFinite},
		{"half-space with another label", []classifier.Cell{half(1, 1, 1)}, attack.ErrClassifier},
		{"box with another label", []classifier.Cell{box(1, 1, 2)}, attack.ErrClassifier},
		{"box around x with another label", []classifier.Cell{box(1, -1, 1)}, attack.ErrClassifier},
		{"false after true", []classifier.Cell{box(0, -1, 1), box(1, 4, 5), box(1, 2, 3)},
			attack.ErrClassifier},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for _, norm := range norms {
				for _, workers := range []int{1, 4} {
					c := &patchwork{dim: 2, classes: 2, cells: test.cells, predict: always(0)}
					r, err := (&attack.RegionBased{
						Classifier: c,
						Options:    attack.Options{Norm: norm, Workers: workers},
					}).Perturb(t.Context(), []float64{0, 0})
					if !errors.Is(err, test.want) || !errors.Is(err, attack.ErrClassifier) {
						t.Errorf("norm %v: error = %v, want ErrClassifier, %v",
							norm, err, test.want)
					}
					if !instance.IsNothing(r) {
						t.Errorf("norm %v: result = %+v, want one that claims nothing", norm, r)
					}
				}
			}
		})
	}
}

// TestFalseLabels: a prediction outside the classes is an error, not a crash.
func TestFalseLabels(t *testing.T) {
	for _, label := range []int{-1, 2, math.MaxInt} {
		for _, mode := range []attack.Mode{attack.Exact, attack.Approx} {
			for _, at := range []float64{0, 1} { // x, or the training point
				c := &patchwork{
					dim: 1, classes: 2,
					cells: []classifier.Cell{{Label: 0}, {Label: 1}},
					predict: func(z []float64) int {
						if z[0] == at {
							return label
						}
						return 0
					},
				}
				a := &attack.RegionBased{
					Classifier: c,
					Points:     mat.NewDense(2, 1, []float64{0, 1}),
					Options:    attack.Options{Mode: mode},
				}
				if _, err := a.Perturb(
					t.Context(), []float64{0},
				); !errors.Is(err, attack.ErrClassifier) && (mode == attack.Approx || at == 0) {
					t.Errorf("mode %v, Predict(%v) = %d: error = %v, want ErrClassifier",
						mode, at, label, err)
				}
			}
		}
	}
}

// TestLyingTrees: a tree that mispredicts one leaf gives an error or a point that flips.
func TestLyingTrees(t *testing.T) {
	refused, answered := 0, 0
	for number := range uint64(racetest.Scale(1500)) {
		rng := rand.New(rand.NewPCG(number, 400))
		in := instance.DrawTree(t, rng)
		cells := slices.Collect(in.Tree.Cells())
		lie := cells[rng.IntN(len(cells))]
		c := &patchwork{dim: in.Tree.Dim(), classes: in.Tree.Classes(), cells: cells,
			predict: func(z []float64) int {
				if lie.Region.Contains(z) {
					return (lie.Label + 1) % in.Tree.Classes()
				}
				return in.Tree.Predict(z)
			}}
		r, err := (&attack.RegionBased{
			Classifier: c,
			Options:    attack.Options{Norm: norms[number%3], Workers: 1 + int(number%2)},
		}).Perturb(t.Context(), in.Query)
		switch {
		case err != nil:
			refused++
			if !errors.Is(err, attack.ErrClassifier) || !instance.IsNothing(r) {
				t.Fatalf("instance %d: %+v, %v, want ErrClassifier", number, r, err)
			}
		case r.Example != nil:
			answered++
			if c.Predict(r.Example) != r.Label || r.Label == c.Predict(in.Query) ||
				r.Distance != norms[number%3].Distance(in.Query, r.Example) {
				t.Fatalf("instance %d: %+v, but the example is predicted %d",
					number, r, c.Predict(r.Example))
			}
		}
	}
	if refused < racetest.Scale(100) || answered < racetest.Scale(100) {
		t.Errorf("%d refused, %d answered, want both to happen", refused, answered)
	}
}

// liar searches by itself, and its only answer is false.
type liar struct {
	*patchwork
	example []float64
	err     error
}

func (l liar) Search(context.Context, search.Query) (search.Search, error) { return l, l.err }
func (l liar) Follows() search.Rules                                       { return 0 }
func (l liar) Roots() []search.Node {
	return []search.Node{{}}
}
func (l liar) NewOpener() search.Opener { return l }
func (l liar) Open(_ context.Context, n search.Node, _ float64) (search.Opened, error) {
	return search.Opened{Answer: &search.Answer{Bound: 1, Example: l.example, Distance: 1}}, nil
}

// thin searches by itself, and its only cell holds no float64.
type thin struct{ liar }

func (l thin) Search(context.Context, search.Query) (search.Search, error) { return l, nil }
func (l thin) NewOpener() search.Opener                                    { return l }
func (l thin) Open(context.Context, search.Node, float64) (search.Opened, error) {
	return search.Opened{Answer: &search.Answer{Bound: 1, Distance: math.Inf(1)}}, nil
}

// TestRobustAtABound: within the bound of a cell without an example an input is robust, and at the
// bound itself that is not decided.
func TestRobustAtABound(t *testing.T) {
	a := &attack.RegionBased{Classifier: thin{liar{patchwork: oblique([]float64{1}, 1, false)}}}
	for r, want := range map[float64]attack.Verdict{
		math.Nextafter(1, 0): attack.Holds, 1: attack.Undecided, 2: attack.Undecided,
	} {
		got, err := verdictAt(t.Context(), a, []float64{0}, r)
		several, problem := a.RobustAt(t.Context(), []float64{0}, r, 2*r)
		if err != nil || problem != nil || got != want || several.Verdict(r) != want {
			t.Errorf("radius %v: %v, %+v, %v, %v, want %v", r, got, several, err, problem, want)
		}
	}
}

func TestFalseSearcher(t *testing.T) {
	base := oblique([]float64{1}, 0.5, false)
	failure := errors.New("no search today")
	tests := []struct {
		name string
		l    liar
		o    attack.Options
		want error
	}{
		{"an example with the same label", liar{patchwork: base, example: []float64{0.1}},
			attack.Options{}, attack.ErrClassifier},
		{"an example outside the domain", liar{patchwork: base, example: []float64{1}},
			attack.Options{Domain: polytope.Cube(1, 0, 0.8)}, attack.ErrClassifier},
		{"a search that fails", liar{patchwork: base, err: failure}, attack.Options{}, failure},
	}
	for _, test := range tests {
		r, err := (&attack.RegionBased{Classifier: test.l, Options: test.o}).Perturb(t.Context(),
			[]float64{0})
		if !errors.Is(err, test.want) || !instance.IsNothing(r) {
			t.Errorf("%s: %+v, %v, want %v", test.name, r, err, test.want)
		}
	}
	unsupported := liar{patchwork: base, err: errors.ErrUnsupported}
	r, err := (&attack.RegionBased{Classifier: unsupported}).Perturb(t.Context(), []float64{0})
	if err != nil || !r.Optimal() || math.Abs(r.Distance-0.5) > 1e-9 {
		t.Errorf("a search that is not supported: %+v, %v, want the cells to answer 0.5", r, err)
	}
}

// TestZeroClassifiers: a classifier that nobody trained is an error.
func TestZeroClassifiers(t *testing.T) {
	for _, c := range []classifier.Classifier{
		new(classifier.KNN), new(classifier.Tree), new(classifier.Ensemble),
		new(classifier.ObliqueEnsemble),
	} {
		a := &attack.RegionBased{Classifier: c}
		if r, err := a.Perturb(t.Context(), nil); !errors.Is(err, attack.ErrClassifier) ||
			!instance.IsNothing(r) {
			t.Errorf("%T: %+v, %v, want ErrClassifier", c, r, err)
		}
	}
	p := &baseline.Papernot{Classifier: new(classifier.Tree)}
	if r, err := p.Perturb(t.Context(), nil); !errors.Is(err, attack.ErrClassifier) ||
		!instance.IsNothing(r) {
		t.Errorf("Papernot: %+v, %v, want ErrClassifier", r, err)
	}
}
