package attack_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/attack/explain"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/access"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/internal/testing/oracle"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// TestExactCellsAgainstBruteForce attacks k-NN through the list of its order-k cells.
func TestExactCellsAgainstBruteForce(t *testing.T) {
	t.Parallel()
	for _, norm := range norms {
		t.Run("norm="+norm.String(), func(t *testing.T) {
			t.Parallel()
			compared, listings := 0, 0
			for number := range uint64(instance.Count(300, 6000)) {
				rng := rand.New(rand.NewPCG(number, 100+uint64(norm)))
				in := instance.DrawFew(rng)
				k := min(2+int(number%4), len(in.X))
				c := in.KNN(t, k)
				goal, ok := in.Goal(c)
				if !ok {
					continue
				}
				truth := oracle.CellsKNN(oracle.Norm(norm), in.X, in.Y, k, in.Query, goal,
					in.OracleBox())
				a := &attack.RegionBased{
					Classifier: c,
					Options: attack.Options{
						Norm:    norm,
						Target:  in.Target,
						Domain:  in.Box,
						Workers: 1,
					},
				}
				if number%2 == 0 {
					a.Classifier = instance.Listed{Decomposable: c}
					listings++
				}
				r, err := a.Perturb(t.Context(), in.Query)
				if err == nil {
					err = instance.CheckExact(t, c, norm, in.Query, r, truth)
				}
				if err != nil {
					t.Fatalf("instance %d, k = %d: %v\n%+v", number, k, err, in)
				}
				compared++
			}
			if want := instance.Count(50, 1000); compared < want || listings == 0 {
				t.Errorf("%d instances compared, %d through Cells only, want %d",
					compared, listings, want)
			}
		})
	}
}

// TestExactCellsFoundAtRandom keeps instances on which the attack has failed.
func TestExactCellsFoundAtRandom(t *testing.T) {
	tests := []struct {
		name  string
		norm  polytope.Norm
		k     int
		x     [][]float64
		y     []int
		query []float64
		box   polytope.Box
	}{
		{
			// The cell of rows 2, 3 and 4 is empty by so little that the solver finds a point,
			// 191 away, at first, and no verdict once Margin moves its sides by 6e-8.
			"an empty cell nearly closed", polytope.L1, 3,
			[][]float64{
				{1.4082536202922258, 0.4711411451872217, -0.4890013146986707, 0.6809895843824372},
				{-0.1864047797766798, 0.21120686543623124, 0.482350656444119, -0.5569117767882558},
				{-1.0862216609593318, 0.2722807782754575, 0.8830631422836266, 0.7529562814000188},
				{1.3532789152911295, 0.3573456013927675, -0.3881074051279141, -0.3472717108075005},
				{0.4193817360201285, 0.7117603646018933, -0.029176053007894942, 2.123117511823839},
				{-1.0862216609593318, 0.2722807782754575, 0.8830631422836266, 0.7529562814000188},
				{1.4082536202922258, 0.4711411451872217, -0.4890013146986707, 0.6809895843824372},
				{-1.0862216609593318, 0.2722807782754575, 0.8830631422836266, 0.7529562814000188},
				{-0.8750116142674633, -1.138641738421215, 0.7460409699941748, 0.15520606422987487},
			},
			[]int{1, 1, 0, 1, 0, 0, 2, 0, 2},
			[]float64{1.1703137578115697, 0.7471734627983029, -0.0003508260558984233,
				-0.9783425798531425},
			nil,
		},
		{
			// The cell of row 2 does not reach the domain, by far.
			"a cell out of the domain", polytope.L1, 1,
			[][]float64{
				{-1, -3, 1, -2},
				{-1, -2, 3, -3},
				{-0.9637987340818532, 1.0941271704669613, 0.7821600646797757, 2.1427188052358948},
			},
			[]int{1, 1, 0},
			[]float64{-1, -2, 3, -3},
			polytope.Box{{Lo: -1.6, Hi: -0.09999999999999998}, {Lo: -2.6, Hi: -1.1},
				{Lo: 2.4, Hi: 3.9}, {Lo: -3.6, Hi: -2.1}},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			in := instance.Neighbors{X: test.x, Y: test.y, Query: test.query, Box: test.box}
			c := in.KNN(t, test.k)
			goal, _ := in.Goal(c)
			truth := oracle.CellsKNN(oracle.Norm(test.norm), in.X, in.Y, test.k, in.Query, goal,
				in.OracleBox())
			r, err := (&attack.RegionBased{
				Classifier: c,
				Options:    attack.Options{Norm: test.norm, Domain: in.Box, Workers: 1},
			}).Perturb(t.Context(), in.Query)
			if err == nil {
				err = instance.CheckExact(t, c, test.norm, in.Query, r, truth)
			}
			if err != nil {
				t.Errorf("radius %v: %v", truth, err)
			}
		})
	}
}

// TestListedHidesUpgrades: comparisons with lists of cells rely on it.
func TestListedHidesUpgrades(t *testing.T) {
	var c classifier.Classifier = instance.Listed{}
	if _, ok := access.Searcher(c); ok {
		t.Error("listed has a method Search")
	}
	if _, ok := access.CellAtOf(c); ok {
		t.Error("listed has a method CellAt")
	}
}

// TestListedCellsThatTieInFrozenFeatures: rows that are equally far from all inputs that frozen
// features leave have no borders there, and the first of them is nearest.
func TestListedCellsThatTieInFrozenFeatures(t *testing.T) {
	rows := [][]float64{{4, 1}, {4, -1}, {4, 1}, {4, -1}, {0, 0}, {0, 0}, {0, 0}}
	for _, k := range []int{1, 3} {
		c, err := classifier.TrainKNN(t.Context(), instance.Dense(rows), []int{1, 1, 1, 1, 0, 0, 0},
			classifier.KNNOptions{K: k})
		if err != nil {
			t.Fatal(err)
		}
		a := attack.RegionBased{
			Classifier: instance.Listed{Decomposable: c},
			Options:    attack.Options{Features: []attack.Feature{{}, {Frozen: true}}},
		}
		x := []float64{0, 0}
		r, err := a.Perturb(t.Context(), x)
		if err != nil || !r.Optimal() || math.Abs(r.Distance-2.125) > 1e-9 {
			t.Errorf("k = %d: %+v, %v, want the distance 2.125", k, r, err)
		}
		explainer := &explain.Explainer{Classifier: a.Classifier, Options: a.Options}
		reasons, err := explainer.Reasons(t.Context(), x)
		if err != nil || !slices.Equal(reasons.Found[0].Features, []int{0}) {
			t.Errorf("k = %d: %+v, %v", k, reasons, err)
		}
	}
}

// intervals is the patchwork of the intervals between the ends, whose labels are given,
// closed on the left; the label of Predict is not among them.
func intervals(labels []int, ends ...float64) *patchwork {
	c := &patchwork{dim: 1, classes: 3}
	for i, label := range labels {
		c.cells = append(c.cells, classifier.Cell{Label: label, Region: polytope.Polyhedron{
			Box: polytope.Box{{Lo: ends[i], Hi: ends[i+1], HiOpen: true}},
		}})
	}
	return c
}

var inf = math.Inf(1)

// everyAttack attacks c at x in every way and calls check with the results.
func everyAttack(
	t *testing.T, c classifier.Classifier, x []float64,
	check func(name string, r attack.Result, err error),
) {
	t.Helper()
	points := mat.NewDense(3, len(x), nil)
	for i := range 3 {
		points.SetRow(i, x)
		points.Set(i, 0, x[0]+float64(i)-1)
	}
	for _, workers := range []int{1, 4} {
		for name, o := range map[string]attack.Options{
			"exact":       {},
			"exact in ℓ1": {Norm: polytope.L1},
			"exact in ℓ2": {Norm: polytope.L2},
			"targeted":    {Target: new(1)},
			"domain":      {Domain: polytope.Cube(len(x), x[0]-1, x[0]+1)},
			"elsewhere":   {Domain: polytope.Cube(len(x), x[0]+1, x[0]+2)},
			"one node":    {MaxNodes: 1},
			"little room": {MaxMemory: 1},
			"gap":         {Gap: 1e9},
			"timeout":     {Timeout: time.Hour},
			"approximate": {Mode: attack.Approx},
		} {
			o.Workers = workers
			a := &attack.RegionBased{Classifier: c, Options: o, Points: points}
			r, err := a.Perturb(t.Context(), x)
			check(fmt.Sprintf("%s, %d workers", name, workers), r, err)
			if o.Mode == attack.Exact {
				robust, err := verdictAt(t.Context(), a, x, 0.125)
				if robust != attack.Undecided && err != nil {
					t.Errorf("%s: %v and %v", name, robust, err)
				}
				name := fmt.Sprintf("RobustAt, %v, %s, %d workers", robust, name, workers)
				answer := attack.Result{Label: -1, Distance: inf}
				if robust == attack.Holds {
					answer = attack.Result{Status: attack.StatusNone}
				}
				check(name, answer, err)
			}
		}
	}
}

// TestUncovered: results make no claim from a listing in which no cell holds x with the label that
// is predicted.
func TestUncovered(t *testing.T) {
	half := func(label int, b float64, open bool, a ...float64) classifier.Cell {
		return classifier.Cell{
			Label:  label,
			Region: polytope.Polyhedron{HalfSpaces: []polytope.HalfSpace{{A: a, B: b, Open: open}}},
		}
	}
	halves := func(cells ...classifier.Cell) *patchwork {
		return &patchwork{dim: len(cells[0].Region.HalfSpaces[0].A), classes: 3, cells: cells}
	}
	both := intervals([]int{0, 1}, -inf, 2, inf)
	both.cells[1].Region.Box[0].LoOpen = true
	tests := []struct {
		name string
		c    *patchwork
		x    float64 // predicted 0
		text string
	}{
		{"no cell at all", intervals(nil), 0.5, "none of its 0 cells holds [0.5] with the label 0"},
		{"none of the label", intervals([]int{1}, 2, inf), 0.5, "none of its 1 cells"},
		{"none around x", intervals([]int{0, 1, 2, 0}, 1, 2, 3, 4, 5), 0.5, "none of its 4 cells"},
		{"the one around x has another label", intervals([]int{0, 1, 2}, -inf, 0, 4, inf), 0.5,
			"cell 1, with label 1, does"},
		{"next to the open end", intervals([]int{0, 1}, -inf, 2, inf), 2,
			"cell 1, with label 1, does"},
		{"an end that nobody closes", both, 2, "none of its 2 cells"},
		{"out of a half-space", halves(half(0, 0, false, 1), half(1, -1, false, -1)), 0.5,
			"none of its 2 cells"},
		{"on a side with the other label", halves(half(0, 0, true, 1), half(1, 0, false, -1)),
			1e-300, "cell 1, with label 1, does"},
		{"in a half-space that is empty", halves(half(0, -inf, false, 1), half(1, 2, false, -1)),
			0.5, "cell 1, with label 1, does"},
		{"out of the Rest", &patchwork{dim: 1, classes: 3, cells: []classifier.Cell{
			{Label: 0, Region: polytope.Polyhedron{Rest: below(0)}}, {
				Label:  1,
				Region: polytope.Polyhedron{Box: polytope.Cube(1, 2, 3)},
			},
		}}, 0.5, "none of its 2 cells"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			test.c.predict = func(z []float64) int {
				if z[0] == test.x {
					return 0
				}
				for _, cell := range test.c.cells {
					if cell.Region.Contains(z) {
						return cell.Label
					}
				}
				return 2
			}
			everyAttack(t, test.c,
				[]float64{test.x}, func(name string, r attack.Result, err error) {
					if !errors.Is(err, attack.ErrClassifier) || !instance.IsNothing(r) {
						t.Fatalf("%s: %+v, %v, want ErrClassifier", name, r, err)
					}
					if !strings.Contains(name, "approx") &&
						!strings.Contains(err.Error(), test.text) {
						t.Fatalf("%s: %v, want it to say %q", name, err, test.text)
					}
				})
		})
	}
}

// below is the family of the one half-space z ≤ b of the line.
type below float64

func (b below) Separate(x, u []float64, add func([]float64, float64) bool) {
	add([]float64{1}, float64(b)-(x[0]+u[0]))
}

// TestCovered: x may lie on a closed side, in any one of several cells, and as far outside
// of the half-spaces of its cell as rounding may take it.
func TestCovered(t *testing.T) {
	thirds := oblique([]float64{0.1, 0.2, 0.3}, 0.6, false) // below the sum at (1, 1, 1) by 2.8e-17
	tests := []struct {
		name string
		c    *patchwork
		x    []float64
	}{
		{"closed end", intervals([]int{1, 0, 1}, -inf, 2, 3, inf), []float64{2}},
		{"two cells", intervals([]int{0, 0, 0, 1}, 0, 3, 3, 4, inf), []float64{3}},
		{"after cells that hold it as well", intervals([]int{1, 0, 1}, 3, -inf, 3, inf),
			[]float64{2}},
		{"a rounding outside of a half-space", thirds, []float64{1, 1, 1}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			own := test.c.predict
			test.c.predict = func(z []float64) int {
				if slices.Equal(z, test.x) {
					return 0
				}
				if own != nil {
					return own(z)
				}
				for _, cell := range test.c.cells {
					if cell.Region.Contains(z) {
						return cell.Label
					}
				}
				return 2
			}
			everyAttack(t, test.c, test.x, func(name string, r attack.Result, err error) {
				if err != nil {
					t.Errorf("%s: %v", name, err)
				}
			})
		})
	}
}
