package libraries

import (
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// TestCategoriesWithinBounds: of models with categories, no input that costs less than the bound of
// a row has another label, as facet has it, and the library says so of some of these inputs. Rows
// have codes that the model does not declare.
func TestCategoriesWithinBounds(t *testing.T) {
	t.Parallel()
	for _, library := range []struct {
		script, ending string
		beyond         []float64 // values of a category that are no codes of a model
	}{
		{"make_xgboost.py", ".ubj", []float64{7, 30, 1000, 1 << 25, -1, 2.5, -0.5}},
		{"make_lightgbm.py", ".txt", []float64{7, 45, 1000, 1 << 20, 1 << 40, -1, 2.5, -0.5}},
		{"make_catboost.py", ".json", []float64{7, 30, 1000, 1 << 40, -1}},
		{"make_sklearn.py", ".json", []float64{7, 30, 1000, -1, 2.5}},
	} {
		for seed := range racetest.Count(1, 5) {
			t.Run(fmt.Sprint(library.script, "/", seed), func(t *testing.T) {
				t.Parallel()
				checkWithinBounds(t, filepath.Join("../../../tools/libraries", library.script),
					library.ending, seed+2, library.beyond)
			})
		}
	}
}

func checkWithinBounds(t *testing.T, script, ending string, seed int, beyond []float64) {
	folder, all := made(t, script, ending, seed)
	inputs, labels, bounds := make(map[string][][]float64), make(map[string][]int), 0
	for _, m := range all {
		if m.votes.Categories() == nil {
			continue
		}
		rng := rand.New(rand.NewPCG(uint64(seed), uint64(len(m.name))))
		for i, x := range m.rows(racetest.Count(12, 200)) {
			for f, codes := range m.votes.Categories() {
				if codes > 0 && rng.IntN(3) == 0 {
					x[f] = beyond[rng.IntN(len(beyond))]
				}
			}
			in := inside{&m, x, []polytope.Norm{polytope.LInf, polytope.L1, polytope.L2}[i%3], 0}
			if !in.attack(t) {
				continue
			}
			bounds++
			label, asked := m.votes.Predict(x), racetest.Count(20, 100)
			inputs[m.name], labels[m.name] = append(inputs[m.name], x), append(labels[m.name],
				label)
			for k := range 2000 {
				z := in.draw(rng)
				if got := m.votes.Predict(z); got != label {
					t.Fatalf("%s: %v has label %d, and %v label %d below the bound %v in norm %v",
						m.name, x, label, z, got, in.bound, in.norm)
				}
				if k < asked {
					inputs[m.name], labels[m.name] = append(inputs[m.name],
						z), append(labels[m.name], label)
				}
			}
		}
	}
	if bounds == 0 {
		t.Fatal("no model has categories, or no row a bound")
	}
	answers := ask(t, script, folder, inputs)
	for _, m := range all {
		for i, x := range inputs[m.name] {
			if got := m.label(answers[m.name], i); got != labels[m.name][i] {
				t.Errorf("%s: %v has label %d within a bound, and %d as the library has it",
					m.name, x, labels[m.name][i], got)
			}
		}
	}
}

// inside is the inputs that cost less than a bound.
type inside struct {
	*model
	x     []float64
	norm  polytope.Norm
	bound float64
}

// attack finds the bound. It returns false if it is 0, or no input has another label.
func (in *inside) attack(t *testing.T) bool {
	a := &attack.RegionBased{
		Classifier: in.votes,
		Options:    attack.Options{Norm: in.norm, MaxNodes: 20_000},
	}
	r, err := a.Perturb(t.Context(), in.x)
	if err != nil {
		t.Fatalf("%s: %v", in.name, err)
	}
	in.bound = r.Bound
	return r.Bound > 0 && r.Example != nil
}

// draw draws an input. Its features take the rest of the bound in a random order.
func (in *inside) draw(rng *rand.Rand) []float64 {
	z, left := make([]float64, len(in.x)), in.bound*(1-1e-9)
	for _, f := range rng.Perm(len(z)) {
		far := left
		if rng.IntN(2) == 0 {
			far *= rng.Float64()
		}
		cost := 0.0
		z[f], cost = in.move(rng, f, far)
		switch in.norm {
		case polytope.L1:
			left = max(0, left-cost)
		case polytope.L2:
			left = math.Sqrt(max(0, left*left-cost*cost))
		}
	}
	return z
}

// move returns a value of a feature that costs no more than so much, and its cost.
func (in *inside) move(rng *rand.Rand, f int, far float64) (value, cost float64) {
	x, codes := in.x[f], in.votes.Categories()[f]
	switch {
	case math.IsNaN(x), codes > 0 && far < 1:
		return x, 0
	case codes > 0:
		return float64(rng.IntN(codes)), 1
	case rng.IntN(2) == 0:
		far = -far
	}
	if value = x + far; math.Abs(value-x) > math.Abs(far) {
		value = math.Nextafter(value, x) // rounded to beyond
	}
	return value, math.Abs(value - x)
}
