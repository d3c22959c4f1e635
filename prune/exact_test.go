package prune

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// extremes are weights whose sums no float64 holds.
var extremes = []float64{0, 5e-324, 1e-300, 1, 1 + 0x1p-52, 3, 0.1, 1e300, math.MaxFloat64}

// drawExtremes returns weights, of few kinds as a rule.
func drawExtremes(rng *rand.Rand, rows int) []float64 {
	kinds := make([]float64, 1+rng.IntN(4))
	for i := range kinds {
		kinds[i] = extremes[rng.IntN(len(extremes))]
	}
	weights := make([]float64, rows)
	for i := range weights {
		weights[i] = kinds[rng.IntN(len(kinds))]
	}
	return weights
}

// heaviestExactly tries all sets of rows.
func heaviestExactly(in *instance, weights []float64) *sum {
	rows := len(in.y)
	enemies := make([]uint, rows)
	for i := range rows {
		for j := range rows {
			if in.conflict(i, j) {
				enemies[i] |= 1 << j
			}
		}
	}
	best := newSum(nil, 0)
	for set := range uint(1) << rows {
		var members []int
		separated := true
		for i := range rows {
			if set>>i&1 == 1 {
				separated = separated && enemies[i]&set == 0
				members = append(members, i)
			}
		}
		if !separated {
			continue
		}
		if w := sumOf(weights, members); w.Cmp(&best.Float) > 0 {
			best = w
		}
	}
	return best
}

// checkExactly solves an instance and compares it with all sets of its rows. With two
// labels the certificate proves the optimum.
func checkExactly(t *testing.T, in *instance, weights []float64) *Result {
	t.Helper()
	r, err := in.adversarial().Solve(t.Context(), in.x, in.y, weights)
	if err != nil {
		t.Fatal(err)
	}
	if err := in.adversarial().Verify(t.Context(), in.x, in.y, weights, r); err != nil {
		t.Fatalf("%v\nweights %v: %v", in, weights, err)
	}
	best, got := heaviestExactly(in, weights), sumOf(weights, r.Keep)
	if !r.Optimal || got.Cmp(&best.Float) != 0 {
		t.Fatalf("%v\nweights %v: kept %v, which weighs %v, optimal %v; a set weighs %v", in, weights, r.Keep, &got.Float, r.Optimal, &best.Float)
	}
	labels := len(slices.Compact(slices.Sorted(slices.Values(in.y))))
	if bound := up(&best.Float); r.Bound != bound || r.Certificate.Bound < bound || labels < 3 && r.Certificate.Bound != bound {
		t.Fatalf("%v\nweights %v: bounds %v and %v, want %v", in, weights, r.Bound, r.Certificate.Bound, bound)
	}
	return r
}

func TestExtremeWeightsAgainstBruteForce(t *testing.T) {
	for number := range uint64(4000) {
		rng := rand.New(rand.NewPCG(31, number))
		in := newInstance(rng, 1+rng.IntN(9), 1+rng.IntN(2))
		if number%2 == 1 {
			for i := range in.y {
				in.y[i] = rng.IntN(4)
			}
		}
		checkExactly(t, in, drawExtremes(rng, len(in.y)))
	}
}

func TestWeightsFarApart(t *testing.T) {
	for name, c := range map[string]struct {
		weights []float64
		want    []int
	}{
		"0 and least":            {[]float64{0, 5e-324, 0}, []int{1}},
		"least and 0":            {[]float64{5e-324, 0, 5e-324}, []int{0, 2}},
		"sums of two":            {[]float64{5e-324, 5e-324, 5e-324}, []int{0, 2}},
		"beyond one unit":        {[]float64{1e300, 1e300, 5e-324}, []int{0, 2}},
		"beyond all units":       {[]float64{math.MaxFloat64, math.MaxFloat64, 5e-324}, []int{0, 2}},
		"sums overflow":          {[]float64{math.MaxFloat64, math.MaxFloat64, math.MaxFloat64}, []int{0, 2}},
		"last bit":               {[]float64{1, 1 + 0x1p-52, 0x1p-54}, []int{1}},
		"last bit, and the rest": {[]float64{1, 1 + 0x1p-52, 0x1p-52 + 0x1p-104}, []int{0, 2}},
		"thirds":                 {[]float64{0.1, 0.3, 0.2}, []int{0, 2}}, // 0.1 + 0.2 > 0.3 without rounding too
	} {
		t.Run(name, func(t *testing.T) {
			in := &instance{x: column(0, 1, 2), y: []int{0, 1, 0}, radius: 0.5}
			if r := checkExactly(t, in, c.weights); !slices.Equal(r.Keep, c.want) {
				t.Errorf("kept %v, want %v", r.Keep, c.want)
			}
		})
	}
}

// TestExactMetamorphic: weights times a power of two, rows in another order and rows that occur
// twice instead of weighing twice as much do not change what the best set weighs.
func TestExactMetamorphic(t *testing.T) {
	for number := range uint64(1000) {
		rng := rand.New(rand.NewPCG(32, number))
		in := newInstance(rng, 1+rng.IntN(12), 1+rng.IntN(2))
		weights := make([]float64, len(in.y))
		for i := range weights {
			weights[i] = []float64{0, 1, 1 + 0x1p-52, 3, 0.1, 0x1p-60, 0x1p-110}[rng.IntN(7)]
		}
		solve := func(in *instance, weights []float64) *Result {
			r, err := in.adversarial().Solve(t.Context(), in.x, in.y, weights)
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		want := solve(in, weights)
		scale := rng.IntN(1800) - 900
		scaled := slices.Clone(weights)
		for i := range scaled {
			scaled[i] = math.Ldexp(scaled[i], scale)
		}
		if r := solve(in, scaled); !slices.Equal(r.Keep, want.Keep) || r.Weight != math.Ldexp(want.Weight, scale) || r.Bound != math.Ldexp(want.Bound, scale) {
			t.Fatalf("%v\nweights %v: %v times 2^%d became %v", in, weights, want, scale, r)
		}
		order := rng.Perm(len(in.y))
		moved, movedWeights := in.rows(order), at(weights, toInt32(order))
		if r := solve(moved, movedWeights); r.Weight != want.Weight || r.Bound != want.Bound {
			t.Fatalf("%v\nweights %v: %v in the order %v became %v", in, weights, want, order, r)
		}
		half := slices.Clone(weights)
		for i := range half {
			half[i] /= 2
		}
		twice := append(slices.Clone(order), order...)
		if r := solve(in.rows(twice), at(half, toInt32(twice))); r.Weight != want.Weight || r.Bound != want.Bound {
			t.Fatalf("%v\nweights %v: %v became %v of rows that occur twice", in, weights, want, r)
		}
	}
}

// column returns rows of one value each.
func column(values ...float64) *mat.Dense { return mat.NewDense(len(values), 1, values) }

func toInt32(list []int) []int32 {
	out := make([]int32, len(list))
	for i, v := range list {
		out[i] = int32(v)
	}
	return out
}

// rows returns an instance of the given rows.
func (in *instance) rows(list []int) *instance {
	_, dim := in.x.Dims()
	out := &instance{x: mat.NewDense(len(list), dim, nil), radius: in.radius, norm: in.norm}
	for k, i := range list {
		out.x.SetRow(k, in.x.RawRowView(i))
		out.y = append(out.y, in.y[i])
	}
	return out
}
