package prune

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/internal/racetest"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// around returns the values at which comparing with d is decided.
func around(d float64) []float64 {
	d = min(d, math.MaxFloat64)
	return []float64{d, min(math.Nextafter(d, math.Inf(1)), math.MaxFloat64), math.Nextafter(d, 0), d / 2, min(2*d, math.MaxFloat64), 0}
}

// inReach is the definition, ‖x − y‖ ≤ radius·factor of real vectors, in fractions unless it is
// not close.
func inReach(norm polytope.Norm, x, y []float64, radius float64, factor int64) bool {
	if d, least := norm.Distance(x, y), radius*float64(factor); math.Abs(d-least) > 1e-9*max(d, least) {
		return d < least
	}
	fraction := func(v float64) *big.Rat { return new(big.Rat).SetFloat64(v) }
	reach := new(big.Rat).Mul(fraction(radius), big.NewRat(factor, 1))
	sum := new(big.Rat)
	for j, e := range x {
		d := fraction(e)
		d.Abs(d.Sub(d, fraction(y[j])))
		switch norm {
		case polytope.LInf:
			if d.Cmp(sum) > 0 {
				sum.Set(d)
			}
		case polytope.L1:
			sum.Add(sum, d)
		case polytope.L2:
			sum.Add(sum, d.Mul(d, d))
		}
	}
	if norm == polytope.L2 {
		reach.Mul(reach, reach)
	}
	return sum.Cmp(reach) <= 0
}

// checkReach compares with the definition.
func checkReach(t *testing.T, norm polytope.Norm, limit float64, x, y []float64) {
	t.Helper()
	r := newReach(norm, limit, 1, len(x))
	want := inReach(norm, x, y, limit, 1)
	if got := r.within(x, y); got != want {
		t.Fatalf("norm %v, limit %v: within(%v, %v) = %v, want %v", norm, limit, x, y, got, want)
	}
	for j := range x {
		if want && r.apart(x[j], y[j]) {
			t.Fatalf("norm %v, limit %v: %v and %v are apart in column %d, though in reach", norm, limit, x, y, j)
		}
	}
}

func TestReachIsTheComparison(t *testing.T) {
	for number := range uint64(racetest.Scale(6000)) {
		rng := rand.New(rand.NewPCG(6, number))
		dim := 1 + rng.IntN(6)
		scale := math.Ldexp(1, rng.IntN(2098)-1074)
		if number%2 == 0 {
			scale = 1
		}
		x, y := make([]float64, dim), make([]float64, dim)
		for j := range x {
			switch rng.IntN(3) {
			case 0: // a grid whose steps are not exact
				x[j], y[j] = 0.1*float64(rng.IntN(8))*scale, 0.1*float64(rng.IntN(8))*scale
			case 1:
				x[j], y[j] = rng.NormFloat64()*scale, rng.NormFloat64()*scale
			}
			x[j] = max(-math.MaxFloat64, min(x[j], math.MaxFloat64))
			y[j] = max(-math.MaxFloat64, min(y[j], math.MaxFloat64))
		}
		for _, norm := range norms {
			for _, limit := range around(norm.Distance(x, y)) {
				checkReach(t, norm, limit, x, y)
			}
		}
	}
}

func TestReachAtTheLimits(t *testing.T) {
	// One coordinate apart: every norm's distance is the difference itself.
	differences := []float64{
		0, 5e-324, 1e-320, 0x1p-1022, 1e-300, 0x1p-450, 1e-140, leastPlain, 1e-130,
		0.1, 0.3, 1, 3, 1e130, greatestPlain, 1e140, 0x1p450, 1e200, 1e308, math.MaxFloat64,
	}
	for _, d := range differences {
		for _, norm := range norms {
			for _, limit := range append(around(d), differences...) {
				checkReach(t, norm, limit, []float64{0}, []float64{d})
				checkReach(t, norm, limit, []float64{0, d, 0}, []float64{0, 0, 0})
				checkReach(t, norm, limit, []float64{d, 0, 1}, []float64{0, d, 1})
			}
			r := newReach(norm, math.MaxFloat64, 2, 1)
			if !r.within([]float64{-math.MaxFloat64}, []float64{d}) {
				t.Errorf("norm %v: %v is farther than twice the largest number from its negative", norm, d)
			}
		}
	}
}

// TestSeparationOfExactlyTwiceTheRadius: such rows conflict, and those a rounding error farther do not,
// wherever they lie.
func TestSeparationOfExactlyTwiceTheRadius(t *testing.T) {
	up := func(v float64) float64 { return math.Nextafter(v, math.Inf(1)) }
	const offset = 1e12
	for name, c := range map[string]struct {
		norm     polytope.Norm
		x, y     []float64
		radius   float64
		conflict bool
	}{
		"integers":                        {polytope.LInf, []float64{0}, []float64{3}, 1.5, true},
		"beyond":                          {polytope.LInf, []float64{0}, []float64{up(3)}, 1.5, false},
		"offset":                          {polytope.LInf, []float64{offset}, []float64{offset + 3}, 1.5, true},
		"offset, beyond":                  {polytope.LInf, []float64{offset}, []float64{up(offset + 3)}, 1.5, false},
		"offset, rounded":                 {polytope.L1, []float64{offset, 0}, []float64{offset + 1, 1e-17}, 0.5, false},
		"rounded down to 2R":              {polytope.LInf, []float64{-1e-17}, []float64{1}, 0.5, false},
		"rounded up to 2R":                {polytope.LInf, []float64{1e-17}, []float64{1}, 0.5, true},
		"sum, rounded down":               {polytope.L1, []float64{1, 1e-17, 0, 0, 0}, []float64{0, 0, 0, 0, 0}, 0.5, false},
		"triangle":                        {polytope.L2, []float64{0, 0}, []float64{3, 4}, 2.5, true},
		"triangle, offset":                {polytope.L2, []float64{offset, -offset}, []float64{offset + 3, 4 - offset}, 2.5, true},
		"triangle, beyond":                {polytope.L2, []float64{0, 0, 0}, []float64{3, 4, 1e-12}, 2.5, false},
		"square of 2R rounds up":          {polytope.L2, []float64{0, 0}, []float64{1, 1}, math.Sqrt2 / 2, true},
		"squares underflow":               {polytope.L2, []float64{0x3p-900, 0}, []float64{0, 0x4p-900}, 0x5p-901, true},
		"squares underflow, beyond":       {polytope.L2, []float64{0x3p-900, 0}, []float64{0, up(0x4p-900)}, 0x5p-901, false},
		"squares overflow":                {polytope.L2, []float64{0x3p900, 0}, []float64{0, 0x4p900}, 0x5p899, true},
		"squares overflow, beyond":        {polytope.L2, []float64{0x3p900, 0}, []float64{0, up(0x4p900)}, 0x5p899, false},
		"squares of subnormals":           {polytope.L2, []float64{15e-324, 0}, []float64{0, 20e-324}, 10e-324, false},
		"2R overflows":                    {polytope.LInf, []float64{-math.MaxFloat64}, []float64{math.MaxFloat64}, math.MaxFloat64, true},
		"2R overflows, sum beyond":        {polytope.L1, []float64{-math.MaxFloat64, 1}, []float64{math.MaxFloat64, 0}, math.MaxFloat64, false},
		"the distance overflows, 2R does": {polytope.LInf, []float64{-math.MaxFloat64}, []float64{math.MaxFloat64}, math.Nextafter(math.MaxFloat64, 0), false},
		"only the distance overflows":     {polytope.LInf, []float64{-math.MaxFloat64}, []float64{math.MaxFloat64}, math.MaxFloat64 / 2, false},
	} {
		t.Run(name, func(t *testing.T) {
			a := Adversarial{Radius: c.radius, Norm: c.norm}
			x := mat.NewDense(2, len(c.x), slices.Concat(c.x, c.y))
			r, err := a.Solve(t.Context(), x, []int{0, 1}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if conflict := len(r.Keep) == 1; conflict != c.conflict || inReach(c.norm, c.x, c.y, c.radius, 2) != c.conflict {
				t.Errorf("conflict %v, want %v", conflict, c.conflict)
			}
			if err := a.Verify(t.Context(), x, []int{0, 1}, nil, r); err != nil {
				t.Error(err)
			}
		})
	}
}
