package prune

import (
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/internal/rows"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// pair is a conflict of two rows: a has the larger label.
type pair struct{ a, b int }

// pairs returns the edges as pairs of rows, sorted.
func (c *conflicts) pairs() []pair {
	var edges []pair
	for u := range int32(c.graph.Left()) {
		for _, v := range c.graph.Neighbours(u) {
			edges = append(edges, pair{int(c.left[u]), int(c.right[v])})
		}
	}
	return sortPairs(edges)
}

func sortPairs(edges []pair) []pair {
	slices.SortFunc(edges, func(p, q pair) int {
		if p.a != q.a {
			return p.a - q.a
		}
		return p.b - q.b
	})
	return edges
}

// find runs the search for conflicts on its own. The instance has two labels.
func (in *instance) find(t *testing.T, workers int) *conflicts {
	t.Helper()
	table, err := rows.Copy(t.Context(), in.x)
	if err != nil {
		t.Fatal(err)
	}
	smaller, larger, err := twoClasses(in.y, table.Len)
	if err != nil {
		t.Fatal(err)
	}
	c, err := findConflicts(t.Context(), table, larger, smaller, newReach(in.norm, 2*in.radius), workers)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestConflictsAreAllPairsInReach(t *testing.T) {
	found := 0
	for number := range uint64(600) {
		rng := rand.New(rand.NewPCG(8, number))
		in := newInstance(rng, 2+rng.IntN(300), 1+rng.IntN(5))
		if slices.Min(in.y) == slices.Max(in.y) {
			continue
		}
		var want []pair
		greatest := slices.Max(in.y)
		for i := range in.y {
			for j := range in.y {
				if in.y[i] == greatest && in.conflict(i, j) {
					want = append(want, pair{i, j})
				}
			}
		}
		got := in.find(t, 2).pairs()
		if !slices.Equal(got, sortPairs(want)) {
			t.Fatalf("instance %d: %d conflicts, want %d (norm %v, radius %v)",
				number, len(got), len(want), in.norm, in.radius)
		}
		found += len(got)
	}
	if found < 100_000 {
		t.Errorf("%d conflicts in all instances, want 100,000: too easy", found)
	}
}

func TestWorkersDoNotMatter(t *testing.T) {
	for number := range uint64(40) {
		rng := rand.New(rand.NewPCG(9, number))
		in := newInstance(rng, 500, 1+rng.IntN(4))
		if slices.Min(in.y) == slices.Max(in.y) {
			continue
		}
		want := in.find(t, 1)
		for _, workers := range []int{2, 3, 16, 1000} {
			got := in.find(t, workers)
			if !slices.Equal(got.graph.Start, want.graph.Start) ||
				!slices.Equal(got.graph.Adjacent, want.graph.Adjacent) ||
				!slices.Equal(got.left, want.left) || !slices.Equal(got.right, want.right) {
				t.Fatalf("instance %d: the graph of %d workers differs from that of one", number, workers)
			}
		}
	}
}

func TestColumnsByPower(t *testing.T) {
	const n = 400
	rng := rand.New(rand.NewPCG(10, 0))
	x := mat.NewDense(n, 4, nil)
	y := make([]int, n)
	for i := range y {
		y[i] = i % 2
		// Constant; far apart but for outliers; spread evenly; the same again.
		even := rng.Float64()
		x.SetRow(i, []float64{7, float64(i / 399), even, even})
	}
	table, err := rows.Copy(t.Context(), x)
	if err != nil {
		t.Fatal(err)
	}
	smaller, larger, err := twoClasses(y, n)
	if err != nil {
		t.Fatal(err)
	}
	r := newReach(polytope.LInf, 0.05)
	got := columnsByPower(table, larger, smaller, &r)
	if want := []int{2, 3, 0, 1}; !slices.Equal(got, want) {
		t.Errorf("columnsByPower = %v, want %v", got, want)
	}
	for norm, want := range map[polytope.Norm][]int{
		polytope.LInf: {3, 0, 1, 2}, // the key, known to be in reach, comes last
		polytope.L1:   {0, 1, 2, 3}, // sums keep their order
		polytope.L2:   {0, 1, 2, 3},
	} {
		if order := layout(got, norm); !slices.Equal(order, want) {
			t.Errorf("layout for norm %v = %v, want %v", norm, order, want)
		}
	}
}

func TestWindow(t *testing.T) {
	s := &side{keys: []float64{-2, -1, -1, 0, 0.5, 1, 1, 3}}
	tests := []struct {
		x, distance float64
		lo, hi      int
	}{
		{0, 1, 1, 7},
		{0, 0.75, 3, 5},
		{0, 0, 3, 4},
		{2, 0.5, 7, 7},
		{-9, 1, 0, 0},
		{9, 1, 8, 8},
		{0, 100, 0, 8},
	}
	for _, tt := range tests {
		r := newReach(polytope.LInf, tt.distance)
		if lo, hi := s.window(tt.x, &r); lo != tt.lo || hi != tt.hi {
			t.Errorf("window(%v) at distance %v = %d, %d, want %d, %d", tt.x, tt.distance, lo, hi, tt.lo, tt.hi)
		}
	}
}
