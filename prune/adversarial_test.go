package prune

import (
	"context"
	"errors"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// bruteForce tries all subsets of the rows. It returns the size of the largest
// ones without conflict, and of these the one the package comment promises: a
// row of the larger label is in it only when it is in all of them, one of the
// smaller label when it is in any.
func bruteForce(in *instance) (size int, keep []int) {
	n := len(in.y)
	enemies := make([]uint32, n)
	for i := range n {
		for j := range n {
			if in.conflict(i, j) {
				enemies[i] |= 1 << j
			}
		}
	}
	separated := make([]bool, 1<<n)
	separated[0] = true
	var inAll, inAny uint32
	for set := uint32(1); set < 1<<n; set++ {
		first := bits.TrailingZeros32(set)
		separated[set] = separated[set&(set-1)] && enemies[first]&set == 0
		if !separated[set] {
			continue
		}
		switch s := bits.OnesCount32(set); {
		case s > size:
			size, inAll, inAny = s, set, set
		case s == size:
			inAll, inAny = inAll&set, inAny|set
		}
	}
	for i, label := range in.y {
		member := inAny
		if label == slices.Max(in.y) {
			member = inAll
		}
		if member>>i&1 == 1 {
			keep = append(keep, i)
		}
	}
	return size, keep
}

// checkSeparated fails unless rows of different labels in keep are more than
// 2R apart and every other row conflicts with a row in keep.
func checkSeparated(t *testing.T, in *instance, keep []int) {
	t.Helper()
	for i := range in.y {
		conflicts := slices.ContainsFunc(keep, func(j int) bool { return in.conflict(i, j) })
		if in := slices.Contains(keep, i); in == conflicts {
			t.Errorf("row %d: kept = %v, conflicts with a kept row = %v", i, in, conflicts)
		}
	}
}

func TestAgainstBruteForce(t *testing.T) {
	pruned, canonical := 0, 0
	for number := range uint64(8000) {
		rng := rand.New(rand.NewPCG(1, number))
		in := newInstance(rng, 1+rng.IntN(12), 1+rng.IntN(3))
		in.localize(rng)
		got, err := in.adversarial().Prune(t.Context(), in.x, in.y)
		if err != nil {
			t.Fatalf("instance %d: %v\n%v", number, err, in)
		}
		size, want := bruteForce(in)
		if len(got) != size {
			t.Errorf("%d rows kept, want %d", len(got), size)
		}
		if !slices.Equal(got, want) {
			t.Errorf("kept %v, want %v", got, want)
		}
		checkSeparated(t, in, got)
		if t.Failed() {
			t.Fatalf("instance %d: %v", number, in)
		}
		if size < len(in.y) {
			pruned++
			in.flip()
			if _, other := bruteForce(in); !slices.Equal(other, want) {
				canonical++
			}
		}
	}
	if pruned < 3000 || canonical < 500 {
		t.Errorf("%d instances had conflicts and %d several optima, want 3000 and 500: too easy",
			pruned, canonical)
	}
}

// flip exchanges the roles of the two labels.
func (in *instance) flip() {
	least, greatest := slices.Min(in.y), slices.Max(in.y)
	for i, label := range in.y {
		in.y[i] = least + greatest - label
	}
}

func TestRowOrderDoesNotMatter(t *testing.T) {
	for number := range uint64(300) {
		rng := rand.New(rand.NewPCG(2, number))
		in := newInstance(rng, 2+rng.IntN(150), 1+rng.IntN(4))
		want, err := in.adversarial().Prune(t.Context(), in.x, in.y)
		if err != nil {
			t.Fatal(err)
		}
		order := rng.Perm(len(in.y))
		shuffled := *in
		shuffled.x = mat.NewDense(len(order), in.x.RawMatrix().Cols, nil)
		shuffled.y = make([]int, len(order))
		for to, from := range order {
			shuffled.x.SetRow(to, in.x.RawRowView(from))
			shuffled.y[to] = in.y[from]
		}
		got, err := in.adversarial().Prune(t.Context(), shuffled.x, shuffled.y)
		if err != nil {
			t.Fatal(err)
		}
		for i, row := range got {
			got[i] = order[row]
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Fatalf("instance %d: kept %v after shuffling, want %v", number, got, want)
		}
	}
}

func TestPrune(t *testing.T) {
	line := func(v ...float64) *mat.Dense { return mat.NewDense(len(v), 1, v) }
	tests := []struct {
		name   string
		prune  Adversarial
		x      mat.Matrix
		y      []int
		want   []int
		reason string
	}{
		{"one row", Adversarial{Radius: 1}, line(5), []int{4}, []int{0},
			"nothing to conflict with"},
		{"one label", Adversarial{Radius: 1}, line(0, 0, 0), []int{2, 2, 2}, []int{0, 1, 2},
			"no second label"},
		{"no conflict", Adversarial{Radius: 1}, line(0, 3), []int{0, 1}, []int{0, 1}, "3 > 2R"},
		{"exactly 2R", Adversarial{Radius: 1.5}, line(0, 3), []int{0, 1}, []int{0},
			"the bound is inclusive"},
		{"a step below", Adversarial{Radius: math.Nextafter(1.5, 0)}, line(0, 3), []int{0, 1},
			[]int{0, 1}, "strictly farther apart"},
		{"tie keeps the smaller label", Adversarial{}, line(0, 0), []int{9, 5}, []int{1},
			"canonical set"},
		{"majority of duplicates", Adversarial{}, line(0, 0, 0, 1), []int{0, 1, 1, 0},
			[]int{1, 2, 3}, "two against one"},
		{"negative zero is zero", Adversarial{}, line(math.Copysign(0, -1), 0), []int{0, 1},
			[]int{0}, "distance 0"},
		{"smallest distance", Adversarial{}, line(0, 5e-324), []int{0, 1}, []int{0, 1},
			"radius 0: only duplicates"},
		{"2R overflows", Adversarial{Radius: math.MaxFloat64},
			line(-math.MaxFloat64, math.MaxFloat64, 0), []int{0, 1, 1}, []int{1, 2}, "+Inf ≤ +Inf"},
		{"one enemy of many", Adversarial{Radius: 0.5}, line(0, 1, -1, 0.5), []int{0, 0, 0, 1},
			[]int{0, 1, 2}, "a star loses its centre"},
		{"ℓ∞ is the default", Adversarial{Radius: 0.5}, mat.NewDense(2, 2, []float64{0, 0, 1, 1}),
			[]int{0, 1}, []int{0}, "distance 1"},
		{"ℓ2", Adversarial{Radius: 0.7, Norm: polytope.L2},
			mat.NewDense(2, 2, []float64{0, 0, 1, 1}), []int{0, 1}, []int{0, 1},
			"distance √2 > 1.4"},
		{"ℓ1", Adversarial{Radius: 1, Norm: polytope.L1}, mat.NewDense(2, 2, []float64{0, 0, 1, 1}),
			[]int{0, 1}, []int{0}, "distance 2"},
		{"view with a stride", Adversarial{Radius: 1},
			mat.NewDense(3, 3, []float64{0, 9, 9, 2, 9, 9, 7, 9, 9}).Slice(0, 3, 0, 1),
			[]int{0, 1, 1}, []int{0, 2}, "column 0 only"},
		{"any matrix", Adversarial{Radius: 1}, mat.NewDense(1, 3, []float64{0, 2, 7}).T(),
			[]int{0, 1, 1}, []int{0, 2}, "read by At"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := tt.prune.Prune(t.Context(), tt.x, tt.y)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("kept %v, want %v: %s", got, tt.want, tt.reason)
			}
		})
	}
}

func TestErrors(t *testing.T) {
	var unset *mat.Dense
	ok := mat.NewDense(2, 2, []float64{0, 1, 2, 3})
	with := func(v float64) *mat.Dense { return mat.NewDense(2, 2, []float64{0, 1, v, 3}) }
	two := []int{0, 1}
	tests := []struct {
		name  string
		prune Adversarial
		x     mat.Matrix
		y     []int
		want  error
		text  string // the words of the message
	}{
		{"nil matrix", Adversarial{}, nil, two, classifier.ErrEmpty, "nil"},
		{"nil Dense", Adversarial{}, unset, two, classifier.ErrEmpty, "nil"},
		{"empty Dense", Adversarial{}, new(mat.Dense), nil, classifier.ErrEmpty, "0 × 0"},
		{"no columns", Adversarial{}, shape{2, 0}, two, classifier.ErrEmpty, "2 × 0"},
		{"no rows", Adversarial{}, shape{0, 2}, nil, classifier.ErrEmpty, "0 × 2"},
		{"NaN", Adversarial{}, with(math.NaN()), two, polytope.ErrNotFinite,
			"row 1: feature 0: value is not finite: NaN"},
		{"+Inf", Adversarial{}, with(math.Inf(1)), two, polytope.ErrNotFinite,
			"row 1: feature 0: value is not finite: +Inf"},
		{"-Inf", Adversarial{}, with(math.Inf(-1)).T(), two, polytope.ErrNotFinite,
			"row 0: feature 1: value is not finite: -Inf"},
		{"labels missing", Adversarial{}, ok, []int{0}, polytope.ErrDimension, "1 labels, 2 rows"},
		{"no labels", Adversarial{}, ok, nil, polytope.ErrDimension, "0 labels, 2 rows"},
		{"labels left over", Adversarial{}, ok, []int{0, 1, 0}, polytope.ErrDimension,
			"3 labels, 2 rows"},
		{"negative label", Adversarial{}, ok, []int{0, -1}, classifier.ErrLabel,
			"row 1: label is out of range: -1"},
		{"negative effort", Adversarial{Effort: -1}, ok, two, classifier.ErrOption, "-1"},
		{"negative radius", Adversarial{Radius: -0.5}, ok, two, classifier.ErrOption, "-0.5"},
		{"NaN radius", Adversarial{Radius: math.NaN()}, ok, two, classifier.ErrOption, "NaN"},
		{"infinite radius", Adversarial{Radius: math.Inf(1)}, ok, two, classifier.ErrOption,
			"+Inf"},
		{"unknown norm", Adversarial{Norm: 4}, ok, two, polytope.ErrNorm, "4"},
		{"negative norm", Adversarial{Norm: -1}, ok, two, polytope.ErrNorm, "-1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := tt.prune.Prune(t.Context(), tt.x, tt.y)
			if !errors.Is(err, tt.want) || got != nil {
				t.Fatalf("Prune = %v, %v, want nil, %v", got, err, tt.want)
			}
			if !strings.HasPrefix(err.Error(), "prune: ") ||
				!strings.Contains(err.Error(), tt.text) {
				t.Errorf("message %q, want prefix %q and %q", err, "prune: ", tt.text)
			}
		})
	}
}

func TestTooManyRows(t *testing.T) {
	rows := math.MaxInt32
	if rows++; rows < 0 {
		return // no matrix of a 32-bit machine has so many
	}
	got, err := Adversarial{}.Prune(t.Context(), shape{rows, 1}, nil)
	if !errors.Is(err, errors.ErrUnsupported) || got != nil {
		t.Errorf("Prune of %d rows = %v, %v, want nil, errors.ErrUnsupported", rows, got, err)
	}
}

// shape is a matrix of zeros, of any shape.
type shape struct{ rows, cols int }

func (s shape) Dims() (int, int)    { return s.rows, s.cols }
func (s shape) At(int, int) float64 { return 0 }
func (s shape) T() mat.Matrix       { return shape{s.cols, s.rows} }

func TestPruneLeavesItsInputAlone(t *testing.T) {
	in := newInstance(rand.New(rand.NewPCG(3, 0)), 60, 3)
	x, y := mat.DenseCopyOf(in.x), slices.Clone(in.y)
	if _, err := in.adversarial().Prune(t.Context(), in.x, in.y); err != nil {
		t.Fatal(err)
	}
	if !mat.Equal(in.x, x) || !slices.Equal(in.y, y) {
		t.Error("x or y has changed")
	}
}

func TestCancelled(t *testing.T) {
	in := newInstance(rand.New(rand.NewPCG(4, 0)), 200, 2)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	got, err := in.adversarial().Prune(ctx, in.x, in.y)
	if !errors.Is(err, context.Canceled) || got != nil {
		t.Errorf("Prune = %v, %v, want nil, context.Canceled", got, err)
	}
}

// TestCancelledAnywhere cancels at every look at the context in turn: in each
// of them Prune must notice, and it must look once a row at least.
func TestCancelledAnywhere(t *testing.T) {
	rows := racetest.Count(200, 200)
	rng := rand.New(rand.NewPCG(5, 0))
	x := mat.NewDense(rows, 2, nil)
	y := make([]int, rows)
	for i := range y {
		x.SetRow(i, []float64{rng.Float64(), rng.Float64()})
		y[i] = i % 2
	}
	a := Adversarial{Radius: 0.1}
	count := &fuse{Context: t.Context(), n: math.MaxInt64}
	if _, err := a.Prune(count, x, y); err != nil {
		t.Fatal(err)
	}
	looks := count.looks.Load()
	if least := int64(rows + rows/2 + 2); looks < least {
		t.Errorf("looked at the context %d times, want at least %d", looks, least)
	}
	stages := make(map[string]bool)
	for n := int64(1); n <= looks; n++ {
		got, err := a.Prune(&fuse{Context: t.Context(), n: n}, x, y)
		if !errors.Is(err, context.Canceled) || got != nil {
			t.Fatalf("cancelled at look %d of %d: %v, %v, want nil, context.Canceled",
				n, looks, got, err)
		}
		stages[err.Error()] = true
	}
	for _, stage := range []string{
		"prune: reading rows: ", "prune: finding conflicts: ", "prune: bipartite: ",
	} {
		if !stages[stage+context.Canceled.Error()] {
			t.Errorf("no cancellation while %q", stage)
		}
	}
}
