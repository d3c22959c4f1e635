package prune

import (
	"context"
	"errors"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// newWeighted returns rows as newInstance does, with 2 to 4 labels and weights:
// none, small ones with zeros and ties, or ones that together come near the most there may be.
func newWeighted(rng *rand.Rand, rows, dim int) (in *instance, weights []int) {
	in = newInstance(rng, rows, dim)
	labels := 2 + rng.IntN(3)
	for i := range in.y {
		in.y[i] = rng.IntN(labels)
	}
	kind := rng.IntN(3)
	if kind == 0 {
		return in, nil
	}
	weights = make([]int, rows)
	for i := range weights {
		weights[i] = rng.IntN(4)
		if kind == 2 {
			weights[i] = rng.IntN(min(mostWeight/rows, 1<<(1+rng.IntN(52))))
		}
	}
	return in, weights
}

// heaviestSet tries all subsets of the rows.
func heaviestSet(in *instance, weights []int) int {
	n := len(in.y)
	enemies := make([]uint32, n)
	for i := range n {
		for j := range n {
			if in.conflict(i, j) {
				enemies[i] |= 1 << j
			}
		}
	}
	best := 0
	separated := make([]bool, 1<<n)
	weight := make([]int, 1<<n)
	separated[0] = true
	for set := uint32(1); set < 1<<n; set++ {
		first := bits.TrailingZeros32(set)
		rest := set & (set - 1)
		separated[set] = separated[rest] && enemies[first]&set == 0
		weight[set] = weight[rest] + 1
		if weights != nil {
			weight[set] = weight[rest] + weights[first]
		}
		if separated[set] {
			best = max(best, weight[set])
		}
	}
	return best
}

func TestSolveAgainstBruteForce(t *testing.T) {
	certified := 0
	for number := range uint64(racetest.Scale(5000)) {
		rng := rand.New(rand.NewPCG(20, number))
		in, weights := newWeighted(rng, 1+rng.IntN(14), 1+rng.IntN(3))
		in.localize(rng)
		r, err := in.adversarial().Solve(t.Context(), in.x, in.y, weights)
		if err != nil {
			t.Fatalf("instance %d: %v", number, err)
		}
		want := heaviestSet(in, weights)
		if r.Status != attack.StatusOptimal || r.Weight != want || r.Bound != want {
			t.Errorf("Status, Weight, Bound = %v, %d, %d, want optimal, %d, %d",
				r.Status, r.Weight, r.Bound, want, want)
		}
		labels := len(slices.Compact(slices.Sorted(slices.Values(in.y))))
		if b := r.Certified; b < float64(want) || labels < 3 && b != float64(want) {
			t.Errorf("the certificate proves %v of %d labels, want %d", b, labels, want)
		}
		if err := in.adversarial().Verify(t.Context(), in.x, in.y, weights, r); err != nil {
			t.Error(err)
		}
		checkSeparated(t, in, r.Keep)
		if t.Failed() {
			t.Fatalf("instance %d: weights %v, %v", number, weights, in)
		}
		if r.Certified == float64(r.Bound) {
			certified++
		}
	}
	if least := racetest.Scale(5000) * 9 / 10; certified < least {
		t.Errorf("%d optima are certified, want %d", certified, least)
	}
	t.Logf("%d optima certified", certified)
}

// TestWeightsRepeatRows compares integer weights with rows that occur so often.
func TestWeightsRepeatRows(t *testing.T) {
	for number := range uint64(racetest.Scale(400)) {
		rng := rand.New(rand.NewPCG(22, number))
		in, _ := newWeighted(rng, 1+rng.IntN(60), 1+rng.IntN(3))
		weights := make([]int, len(in.y))
		var x, y []int // rows and labels, repeated
		for i := range weights {
			weights[i] = 1 + rng.IntN(3)
			for range weights[i] {
				x, y = append(x, i), append(y, in.y[i])
			}
		}
		repeated := mat.NewDense(len(x), in.x.RawMatrix().Cols, nil)
		for to, from := range x {
			repeated.SetRow(to, in.x.RawRowView(from))
		}
		got, err := in.adversarial().Solve(t.Context(), in.x, in.y, weights)
		if err != nil {
			t.Fatal(err)
		}
		want, err := in.adversarial().Solve(t.Context(), repeated, y, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got.Status != attack.StatusOptimal || want.Status != attack.StatusOptimal ||
			got.Weight != want.Weight || got.Bound != want.Bound {
			t.Fatalf("instance %d: weight %v of %v with weights, %v of %v with repeated rows",
				number, got.Weight, got.Bound, want.Weight, want.Bound)
		}
	}
}

// TestScaledWeights: a common factor changes only the unit.
func TestScaledWeights(t *testing.T) {
	rng := rand.New(rand.NewPCG(23, 0))
	in, _ := newWeighted(rng, 80, 2)
	weights := make([]int, len(in.y))
	for i := range weights {
		weights[i] = 2 * rng.IntN(1<<20) // even, so that no half is rounded down
	}
	want, err := in.adversarial().Solve(t.Context(), in.x, in.y, weights)
	if err != nil {
		t.Fatal(err)
	}
	for _, factor := range []int{3, 1 << 10, 1 << 24} {
		scaled := make([]int, len(weights))
		for i, w := range weights {
			scaled[i] = factor * w
		}
		got, err := in.adversarial().Solve(t.Context(), in.x, in.y, scaled)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got.Keep, want.Keep) || got.Bound != factor*want.Bound {
			t.Errorf("times %d: bound %d, want %d·%d", factor, got.Bound, factor, want.Bound)
		}
	}
}

func TestExtremeWeights(t *testing.T) {
	x := mat.NewDense(4, 1, []float64{0, 0, 0, 5})
	y := []int{0, 1, 2, 1}
	for _, tt := range []struct {
		weights []int
		want    []int
	}{
		{[]int{0, 0, 0, 0}, []int{0, 3}},
		{[]int{0, 0, 1, 0}, []int{2, 3}},
		{[]int{1 << 50, 1<<50 + 1, 1 << 50, 1}, []int{1, 3}},
		{[]int{mostWeight/2 - 1, mostWeight / 2, 1, 0}, []int{1, 3}},
	} {
		r, err := Adversarial{}.Solve(t.Context(), x, y, tt.weights)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(r.Keep, tt.want) || r.Status != attack.StatusOptimal {
			t.Errorf("weights %v: kept %v, optimal %v, want %v, true",
				tt.weights, r.Keep, r.Status, tt.want)
		}
		if err := (Adversarial{}).Verify(t.Context(), x, y, tt.weights, r); err != nil {
			t.Errorf("weights %v: %v", tt.weights, err)
		}
	}
}

func TestSolveErrors(t *testing.T) {
	x, y := mat.NewDense(2, 1, []float64{0, 1}), []int{0, 1}
	for _, tt := range []struct {
		name    string
		solve   Adversarial
		weights []int
		want    error
	}{
		{"weights missing", Adversarial{}, []int{1}, polytope.ErrDimension},
		{"no weights", Adversarial{}, []int{}, polytope.ErrDimension},
		{"negative weight", Adversarial{}, []int{1, -1}, classifier.ErrOption},
		{"too heavy", Adversarial{}, []int{mostWeight + 1, 0}, classifier.ErrOption},
		{"too heavy together", Adversarial{}, []int{mostWeight, 1}, classifier.ErrOption},
		{"sums overflow", Adversarial{}, []int{math.MaxInt, math.MaxInt}, classifier.ErrOption},
		{"negative effort", Adversarial{Effort: -1}, nil, classifier.ErrOption},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, err := tt.solve.Solve(t.Context(), x, y, tt.weights)
			if !errors.Is(err, tt.want) || r != nil {
				t.Errorf("Solve = %v, %v, want nil, %v", r, err, tt.want)
			}
			if err := tt.solve.Verify(
				t.Context(), x, y, tt.weights, &Result{},
			); !errors.Is(err, tt.want) {
				t.Errorf("Verify = %v, want %v", err, tt.want)
			}
		})
	}
}

// ring returns rows on a circle, n labels taking turns, each within the distance of the next k:
// problems that the relaxation does not decide.
func ring(rows, labels int, k float64) (*mat.Dense, []int, Adversarial) {
	x, y := mat.NewDense(rows, 2, nil), make([]int, rows)
	for i := range y {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(rows))
		x.SetRow(i, []float64{cos, sin})
		y[i] = i % labels
	}
	return x, y, Adversarial{Radius: math.Sin(math.Pi * (k + 0.1) / float64(rows)), Norm: 2}
}

// TestEffort: little effort still gives a separated, maximal set and a true bound.
func TestEffort(t *testing.T) {
	x, y, a := ring(201, 3, 5)
	best, err := a.Solve(t.Context(), x, y, nil)
	if err != nil {
		t.Fatal(err)
	}
	if best.Status != attack.StatusOptimal || best.Certified < float64(best.Weight) {
		t.Fatalf("Weight %v, Bound %v, certified %v",
			best.Weight, best.Bound, best.Certified)
	}
	if best.Certified == float64(best.Weight) {
		t.Fatal("the relaxation alone proves the optimum: too easy")
	}
	unfinished := 0
	for _, effort := range []int{1, 100, 1000, 10_000} {
		a.Effort = effort
		r, err := a.Solve(t.Context(), x, y, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := a.Verify(t.Context(), x, y, nil, r); err != nil {
			t.Error(err)
		}
		optimal := r.Status == attack.StatusOptimal
		if r.Weight > best.Weight || r.Bound < best.Weight || optimal != (r.Weight == r.Bound) {
			t.Errorf("effort %d: %v of %v, optimal %v; the best has %v",
				effort, r.Weight, r.Bound, r.Status, best.Weight)
		}
		if r.Status != attack.StatusOptimal {
			unfinished++
		}
	}
	if unfinished == 0 {
		t.Error("no effort is too little")
	}
}

// TestSolveCancelled cancels at every look at the context: there is no result, or
// a true one with the error.
func TestSolveCancelled(t *testing.T) {
	x, y, a := ring(60, 3, 4)
	count := &fuse{Context: t.Context(), n: math.MaxInt64}
	best, err := a.Solve(count, x, y, nil)
	if err != nil {
		t.Fatal(err)
	}
	unfinished := 0
	for n := int64(1); n <= count.looks.Load(); n++ {
		r, err := a.Solve(&fuse{Context: t.Context(), n: n}, x, y, nil)
		if err != nil && !errors.Is(err, context.Canceled) {
			t.Fatalf("cancelled at look %d: %v", n, err)
		}
		if r == nil {
			continue
		}
		if r.Status != attack.StatusOptimal {
			unfinished++
		}
		if (err == nil) != (r.Status == attack.StatusOptimal) || r.Weight > best.Weight ||
			r.Bound < best.Weight {
			t.Fatalf("cancelled at look %d: %v of %v, error %v", n, r.Weight, r.Bound, err)
		}
		if err := a.Verify(t.Context(), x, y, nil, r); err != nil {
			t.Fatal(err)
		}
	}
	if unfinished < 3 {
		t.Errorf("%d unfinished results", unfinished)
	}
}
