package orderk_test

import (
	"math"
	"math/big"
	"reflect"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/exact"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/internal/testing/oracle"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// hardNeighbors is an instance of k-NN that rounding makes hard.
type hardNeighbors struct {
	name string
	instance.Neighbors
	k      int
	listed bool // the cells are listed, not searched
	// infimum is the distance of the nearest cell in ℓ∞, ℓ1 and ℓ2, rounded down.
	infimum [3]float64
	// beyond is how much farther the example may lie: where float64 is too coarse for
	// one nearer by, or for any (+Inf).
	beyond float64
}

// everyNorm says that the distance is the same in all norms, as on a line.
func everyNorm(d float64) [3]float64 { return [3]float64{d, d, d} }

// hardest are k-NN instances on which proofs were wrong once, one for each cause.
var hardest = []hardNeighbors{
	{
		name: "displacements far below the coordinates",
		Neighbors: instance.Neighbors{
			X: [][]float64{{1700000003, 1700000001}, {1700000002, 1700000007},
				{1700000002, 1700000007}},
			Y: []int{0, 1, 1}, Query: []float64{1700000003, 1700000002},
		},
		k: 2, infimum: [3]float64{1.7857142857142856, 2.083333333333333, 2.054987341316966},
		beyond: 4e-7,
	},
	{
		name: "rows a billionth apart",
		Neighbors: instance.Neighbors{
			X: [][]float64{{-1}, {-1 + 1e-9}, {-1 + 1e-9}, {0}}, Y: []int{0, 1, 1, 0},
			Query: []float64{-1},
		},
		k: 2, infimum: everyNorm(4.999999858590343e-10),
	},
	{
		name: "rows an ulp apart, and the example far behind a third",
		Neighbors: instance.Neighbors{
			X: [][]float64{
				{1.3363499011201656, -1.8007253667467644}, {0.9146297095529533, 1.0509314739441586},
				{0.9146297095529533, 1.0509314739441589},
			},
			Y: []int{0, 0, 1}, Query: []float64{0.1844970827317135, 0.7208454778782625},
		},
		k: 1, infimum: everyNorm(0.3300859960658963), beyond: 1,
	},
	{
		name: "a narrow corner of the domain",
		Neighbors: instance.Neighbors{
			X: [][]float64{{2e-4, 0}, {0, 0}, {2e-4, 200}, {1e-4, 200}}, Y: []int{1, 1, 1, 0},
			Query: []float64{0, 0},
			Box:   polytope.Box{{Lo: 0, Hi: 2e-4}, {Lo: math.Inf(-1), Hi: 200}},
		},
		k: 1, infimum: [3]float64{99.99999999997499, 100.000000000025, 100.00000000001249},
	},
	{
		name: "an unscaled grid, listed", // 4.50000037 once
		Neighbors: instance.Neighbors{
			X: [][]float64{{37000000}, {37000009}}, Y: []int{0, 1}, Query: []float64{37000000},
		},
		k: 1, listed: true, infimum: everyNorm(4.5), beyond: 1e-8,
	},
	{
		name: "a cell a few ulps thick",
		Neighbors: instance.Neighbors{
			X: [][]float64{{273452.000000001}, {273452.000000001}, {273452.000000001},
				{273452.000000001}, {273449.999999999}},
			Y: []int{1, 1, 1, 1, 0}, Query: []float64{273450},
			Box: polytope.Box{{Lo: math.Inf(-1), Hi: 273451.000000001}},
		},
		k: 2, infimum: everyNorm(1),
	},
	{
		name: "the domain is one point, where rows tie",
		Neighbors: instance.Neighbors{
			X: [][]float64{{1000}, {-1000}, {2000}, {-1000}}, Y: []int{0, 1, 0, 1},
			Query: []float64{-2000},
			Box:   polytope.Box{{Lo: 1500, Hi: 1500}},
		},
		k: 3, infimum: everyNorm(3500),
	},
	{
		name: "the domain is one point, between two rows",
		Neighbors: instance.Neighbors{
			X: [][]float64{{-0.50006103515625}, {0.49993896484375}}, Y: []int{0, 1},
			Query: []float64{1},
			Box:   polytope.Box{{Lo: -0x1p-14, Hi: -0x1p-14}},
		},
		k: 1, infimum: everyNorm(1 + 0x1p-14),
	},
	{
		name: "bisectors that are all but parallel",
		Neighbors: instance.Neighbors{
			X: [][]float64{{-0.00447932, -0.0013551}, {0.00447932, 0.0013551144},
				{0.01343797, 0.00406534}},
			Y: []int{1, 0, 1}, Query: []float64{0, 0},
		},
		k: 2, infimum: [3]float64{10716.253658660184, 13958.190490560337, 11195.903130108734},
		beyond: 4,
	},
	{
		name: "rows an ulp apart, and a cell without end between them",
		Neighbors: instance.Neighbors{
			X: [][]float64{{-2}, {-6}, {-6}, {-1.999999999999997}}, Y: []int{1, 1, 0, 0},
			Query: []float64{5},
		},
		k: 2, infimum: everyNorm(8.999999999999998), beyond: math.Inf(1),
	},
	{
		name: "equal rows an ulp off another",
		Neighbors: instance.Neighbors{
			X: [][]float64{{16382}, {16382.000000000002}, {16382}, {16382}}, Y: []int{1, 1, 0, 0},
			Query: []float64{16382.000000000018},
		},
		k: 3, infimum: everyNorm(1.7280399333685637e-11),
	},
	{
		name: "a bisector whose terms cancel",
		Neighbors: instance.Neighbors{
			X: [][]float64{{23092.76970297}, {24000}, {23092.76970298}}, Y: []int{0, 1, 1},
			Query: []float64{0},
		},
		k: 2, infimum: everyNorm(23546.384851485),
	},
	{
		name: "a bisector whose terms cancel, listed",
		Neighbors: instance.Neighbors{
			X: [][]float64{{3.59738367821e+08}, {3.5973836782099e+08}, {3.59738367820992e+08}},
			Y: []int{0, 3, 1}, Query: []float64{0},
		},
		k: 1, listed: true, infimum: everyNorm(math.Nextafter(3.5973836782099104e+08, 0)),
	},
	{
		name: "a cell a few ulps thick, listed",
		Neighbors: instance.Neighbors{
			X: [][]float64{{7.37418242988737e+07}, {7.37418242988734e+07}, {7.3741824299e+07}},
			Y: []int{2, 0, 0}, Query: []float64{0},
		},
		k: 1, listed: true, infimum: everyNorm(7.374182429887354e+07),
	},
	{
		name: "a cell that ends at x, too thin for float64",
		Neighbors: instance.Neighbors{
			X: [][]float64{{2.6799214260280557, 2e-15}, {2.6799214260280557, 0},
				{2.6799214260280557, -6e-17}},
			Y: []int{0, 2, 0}, Query: []float64{0, 0},
		},
		k: 1, listed: true, infimum: everyNorm(0), beyond: math.Inf(1),
	},
	{
		name: "squared distances that round alike",
		Neighbors: instance.Neighbors{
			X: [][]float64{{-0.0007, -196608}, {0.01, -196608}}, Y: []int{0, 1},
			Query: []float64{0, 0},
		},
		k: 1, infimum: everyNorm(0.00465), beyond: 2e-4,
	},
	{
		name: "equal rows, and another next to them",
		Neighbors: instance.Neighbors{
			X: [][]float64{{0, 0}, {2e-13, 0}, {0, 0}, {0, -3}, {2e-15, 0}, {0, 0}},
			Y: []int{0, 0, 1, 1, 1, 0}, Query: []float64{0, 0},
		},
		k: 4, infimum: [3]float64{1.5, 1.5000000000000009, 1.5}, beyond: math.Inf(1),
	},
	{
		name: "an offset across the displacement",
		Neighbors: instance.Neighbors{
			X: [][]float64{{0, 0}, {-0.0004, 0}, {0.0002, 0}, {0, 0}, {-0.0006, 0}},
			Y: []int{0, 1, 0, 1, 1}, Query: []float64{0, -38368},
		},
		k: 3, infimum: everyNorm(1e-4), beyond: 1.1e-4,
	},
}

// TestNeighborsWithoutWrongProof: for all rounding errors of an instance, the bound is not above
// the truth, an example flips, an optimal one lies at its bound, and neither "none" nor "robust" is
// said where a cell is.
func TestNeighborsWithoutWrongProof(t *testing.T) {
	for _, tt := range hardest {
		t.Run(tt.name, func(t *testing.T) {
			var c classifier.Decomposable = tt.KNN(t, tt.k)
			if tt.listed {
				c = instance.Listed{Decomposable: c}
			}
			for _, norm := range instance.Norms() {
				tt.checkInfimum(t, c, norm)
				tt.check(t, c, norm)
			}
		})
	}
}

// checkInfimum compares the infimum with that of the oracle.
func (h *hardNeighbors) checkInfimum(t *testing.T, c classifier.Classifier, norm polytope.Norm) {
	t.Helper()
	goal, _ := h.Goal(c)
	q := oracle.Unpriced(oracle.Norm(norm), h.Query, h.OracleBox())
	truth := q.KNN(h.X, h.Y, h.k, goal)
	cost := func(d float64) *big.Rat {
		if norm == polytope.L2 {
			return new(big.Rat).Mul(exact.Float(d), exact.Float(d))
		}
		return exact.Float(d)
	}
	d := h.infimum[norm]
	if cost(d).Cmp(truth) > 0 || cost(math.Nextafter(d, math.Inf(1))).Cmp(truth) <= 0 {
		t.Errorf("norm %v: the infimum is not %v", norm, d)
	}
}

func (h *hardNeighbors) check(t *testing.T, c classifier.Classifier, norm polytope.Norm) {
	t.Helper()
	a := &attack.RegionBased{
		Classifier: c,
		Options:    attack.Options{Norm: norm, Domain: h.Box, Workers: 1},
	}
	r, err := a.Perturb(t.Context(), h.Query)
	if err != nil {
		t.Fatalf("norm %v: %v", norm, err)
	}
	inf := h.infimum[norm]
	tol := 1e-9 * max(1, r.Distance)
	switch {
	case r.Bound > inf || r.Bound < inf-1e-7*max(inf, 1e-3):
		t.Errorf("norm %v: bound %v, truth %v", norm, r.Bound, inf)
	case r.Optimal() != (r.Example != nil && r.Distance-r.Bound <= tol):
		t.Errorf("norm %v: optimal %v with bound %v and distance %v",
			norm, r.Optimal(), r.Bound, r.Distance)
	case r.Example == nil && !math.IsInf(h.beyond, 1):
		t.Errorf("norm %v: no example", norm)
	case r.Example == nil:
	case c.Predict(r.Example) == c.Predict(h.Query) || c.Predict(r.Example) != r.Label:
		t.Errorf("norm %v: the example %v is predicted %d, as is x",
			norm, r.Example, c.Predict(r.Example))
	case r.Distance != norm.Distance(h.Query, r.Example) || r.Distance > inf+max(h.beyond, tol):
		t.Errorf("norm %v: an example at %v, the result says %v, truth %v",
			norm, norm.Distance(h.Query, r.Example), r.Distance, inf)
	}
	a.Workers = 4
	if s, err := a.Perturb(t.Context(), h.Query); err != nil ||
		!reflect.DeepEqual(s.Example, r.Example) || s.Bound != r.Bound || s.Status != r.Status {
		t.Errorf("norm %v: with four workers %+v, %v, with one %+v", norm, s, err, r)
	}
	h.checkRadii(t, a, inf)
}

// checkRadii: no radius beyond the infimum is robust, those below it are.
func (h *hardNeighbors) checkRadii(t *testing.T, a *attack.RegionBased, inf float64) {
	t.Helper()
	up := math.Nextafter(inf, math.Inf(1))
	for _, radius := range []float64{
		math.Nextafter(up, math.Inf(1)), inf + 1e-9*max(1, inf), 2*inf + 1e-9, 1e6 * (1 + inf),
	} {
		if r, err := a.RobustAt(t.Context(), h.Query, radius); r.Verdict(radius) == attack.Holds ||
			err != nil {
			t.Errorf("norm %v: RobustAt(%v) = %v, %v, though a cell lies at %v",
				a.Norm, radius, r.Verdict(radius), err, inf)
		}
	}
	below := inf - 1e-7*max(inf, 1e-3)
	if below <= 0 {
		return
	}
	for _, radius := range []float64{below, below / 2} {
		r, err := a.RobustAt(t.Context(), h.Query, radius)
		if v := r.Verdict(radius); v != attack.Holds {
			t.Errorf("norm %v: RobustAt(%v) = %v, %v, though no cell is nearer than %v",
				a.Norm, radius, v, err, inf)
		}
	}
}
