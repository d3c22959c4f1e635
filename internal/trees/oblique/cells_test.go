package oblique_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/internal/testing/oracle"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/polytope"
	"github.com/seed-1a7dc1f9/facet/polytope/native"
)

// TestCellsTile asks points off the borders: each lies in exactly one cell, which
// has its label, and in the cell that CellAt names.
func TestCellsTile(t *testing.T) {
	t.Parallel()
	cells := 0
	for number := range uint64(racetest.Scale(400)) {
		rng := rand.New(rand.NewPCG(number, 4))
		dim, classes := 1+rng.IntN(3), 2+rng.IntN(3)
		var trees []*classifier.ObliqueEnsemble
		for range 1 + rng.IntN(3) {
			trees = append(trees,
				instance.ObliqueTree(t, dim, instance.ObliqueNodes(rng, dim, classes, 3)...))
		}
		e := instance.ObliqueVote(t, classifier.EnsembleOptions{}, trees...)
		for _, c := range []*classifier.ObliqueEnsemble{trees[0], e} {
			all := slices.Collect(c.Cells())
			cells += len(all)
			hit := make([]bool, len(all))
			for range 400 {
				x := make([]float64, dim)
				for j := range x {
					x[j] = 4 * (rng.Float64() - 0.5)
				}
				inside := 0
				for i, cell := range all {
					if cell.Region.Contains(x) {
						inside++
						hit[i] = true
						if cell.Label != c.Predict(x) {
							t.Fatalf(
								"instance %d, %T: %v lies in a cell labelled %d, is predicted %d",
								number, c, x, cell.Label, c.Predict(x),
							)
						}
					}
				}
				cell, err := c.CellAt(x)
				if inside != 1 || err != nil || !cell.Region.Contains(x) ||
					cell.Label != c.Predict(x) {
					t.Fatalf("instance %d, %T: %v lies in %d cells, CellAt = %+v, %v",
						number, c, x, inside, cell, err)
				}
			}
			for i, cell := range all {
				if err := geometry.Check(cell.Region, dim); err != nil {
					t.Fatalf("instance %d, %T, cell %d: %v", number, c, i, err)
				}
				if !hit[i] && !exists(cell.Region, dim) {
					t.Fatalf("instance %d, %T: cell %d, %+v, holds no input", number, c, i, cell)
				}
			}
		}
	}
	if cells < racetest.Scale(4000) {
		t.Errorf("%d cells, want more", cells)
	}
}

// exists reports whether a polyhedron holds an input.
func exists(p polytope.Polyhedron, dim int) bool {
	q := drawn{Query: make([]float64, dim), Box: p.Box}.unpriced(polytope.LInf)
	var halves []oracle.Half
	for j, i := range p.Box {
		up, down := make([]float64, dim), make([]float64, dim)
		up[j], down[j] = 1, -1
		if !math.IsInf(i.Hi, 1) {
			halves = append(halves, oracle.HalfOf(up, i.Hi, !i.HiOpen))
		}
		if !math.IsInf(i.Lo, -1) {
			halves = append(halves, oracle.HalfOf(down, -i.Lo, !i.LoOpen))
		}
	}
	for _, h := range p.HalfSpaces {
		halves = append(halves, oracle.HalfOf(h.A, h.B, !h.Open))
	}
	return q.Nearest(halves) != nil
}

// TestCellsOfParallelTests lists the labels of the cells of trees that test the same
// or a parallel hyperplane twice. Where both tests hold on a hyperplane alone it is a cell.
func TestCellsOfParallelTests(t *testing.T) {
	leaves := []classifier.ObliqueNode{
		{Left: -1, Right: -1, Value: []float64{1, 0, 0}},
		{Left: -1, Right: -1, Value: []float64{0, 1, 0}},
		{Left: -1, Right: -1, Value: []float64{0, 0, 1}},
	}
	inner := func(threshold float64, left, right int, w ...float64) classifier.ObliqueNode {
		n := instance.ObliqueInner(threshold, left, right, w...)
		n.Value = []float64{1, 1, 1}
		return n
	}
	tests := []struct {
		name          string
		first, second classifier.ObliqueNode // on the left of the first
		want          []int
	}{
		{"twice the same", inner(1, 1, 4, 1, 1), inner(1, 2, 3, 1, 1), []int{0, 2}},
		{"the other way round", inner(1, 1, 4, 1, 1), inner(-1, 2, 3, -1, -1), []int{0, 1, 2}},
		{"scaled", inner(1, 1, 4, 1, 1), inner(-3, 2, 3, -3, -3), []int{0, 1, 2}},
		{"parallel, outside", inner(1, 1, 4, 1, 1), inner(2, 2, 3, 1, 1), []int{0, 2}},
		{"parallel, inside", inner(1, 1, 4, 1, 1), inner(0.5, 2, 3, 1, 1), []int{0, 1, 2}},
		{"one feature, the other way round", inner(1, 1, 4, 0, 1), inner(-1, 2, 3, 0, -1),
			[]int{0, 1, 2}},
		{"one feature, between two float64", inner(math.Nextafter(1, 2), 1, 4, 0, 1),
			inner(1, 2, 3, 0, 1), []int{0, 1, 2}},
		{"no weight", inner(1, 1, 4, 0, 1), inner(-1, 2, 3, 0, 0), []int{1, 2}},
	}
	for _, test := range tests {
		tree := instance.ObliqueTree(t, 2, test.first, test.second, leaves[0], leaves[1], leaves[2])
		e := instance.ObliqueVote(t, classifier.EnsembleOptions{}, tree)
		for _, c := range []classifier.Decomposable{tree, e} {
			var got []int
			for cell := range c.Cells() {
				got = append(got, cell.Label)
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("%s, %T: labels of the cells = %v, want %v", test.name, c, got, test.want)
			}
		}
	}
}

func TestCellAtErrors(t *testing.T) {
	tree := instance.ObliqueTree(t, 2, instance.ObliqueInner(0, 1, 2, 1, 1),
		instance.ObliqueLeaf(1, 0), instance.ObliqueLeaf(0, 1))
	e := instance.ObliqueVote(t, classifier.EnsembleOptions{}, tree)
	for _, c := range []*classifier.ObliqueEnsemble{tree, e} {
		for _, test := range []struct {
			x    []float64
			want error
		}{
			{nil, polytope.ErrDimension},
			{[]float64{1}, polytope.ErrDimension},
			{[]float64{1, math.NaN()}, polytope.ErrNotFinite},
			{[]float64{math.Inf(1), 0}, polytope.ErrNotFinite},
		} {
			if _, err := c.CellAt(test.x); !errors.Is(err, test.want) {
				t.Errorf("%T.CellAt(%v): error = %v, want %v", c, test.x, err, test.want)
			}
		}
	}
	for _, c := range []classifier.Decomposable{tree, e} {
		n := 0
		for range c.Cells() {
			n++
			break
		}
		if n != 1 {
			t.Errorf("%T: %d cells after a break, want 1", c, n)
		}
	}
}

// TestApprox tries the cells around training points: its best answer is the nearest of
// them, flips, and is no nearer than the exact one.
func TestApprox(t *testing.T) {
	e, points := bagged(t, 3, 5)
	rows := mat.NewDense(len(points), 3, nil)
	for i, p := range points {
		rows.SetRow(i, p)
	}
	for _, c := range []*classifier.ObliqueEnsemble{
		e, instance.ObliqueTree(t, e.Dim(), e.Tree(0)...),
	} {
		for i, x := range points[:20] {
			norm := instance.Norms()[i%3]
			truth := instance.Radius(t, c, x)
			if norm != polytope.LInf {
				truth = 0
			}
			least := math.Inf(1)
			for _, p := range points {
				if c.Predict(p) == c.Predict(x) {
					continue
				}
				cell, err := c.CellAt(p)
				if err != nil {
					t.Fatal(err)
				}
				sol, err := native.Solver{}.Closest(t.Context(), polytope.Problem{
					Norm:   norm,
					X:      x,
					Region: cell.Region,
				})
				if err != nil {
					t.Fatal(err)
				}
				least = min(least, sol.Distance)
			}
			a := &attack.RegionBased{
				Classifier: c,
				Points:     rows,
				Options:    attack.Options{Mode: attack.Approx, Norm: norm},
			}
			r, err := a.Perturb(t.Context(), x)
			if err != nil {
				t.Fatal(err)
			}
			if r.Example == nil || c.Predict(r.Example) == c.Predict(x) ||
				math.Abs(r.Distance-least) > 1e-9 || r.Distance < truth-1e-9 {
				t.Errorf("%T, point %d: %+v, want an example at %v, exact %v",
					c, i, r, least, truth)
			}
		}
	}
}
