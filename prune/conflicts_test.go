package prune

import (
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/internal/rows"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/polytope"
	"github.com/seed-1a7dc1f9/facet/prune/internal/bipartite"
)

func (in *instance) problem(t testing.TB) *problem {
	t.Helper()
	p, err := in.adversarial().withTrees(t.Context(), in.x, in.y)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// lists returns the neighbours of all vertices, or fails.
func (c *conflicts) lists(t testing.TB) [][]int32 {
	t.Helper()
	lists, err := c.list(t.Context(), math.MaxInt)
	if err != nil {
		t.Fatal(err)
	}
	return lists
}

func TestListsAreTheConflicts(t *testing.T) {
	found := 0
	for number := range uint64(racetest.Scale(150)) {
		rng := rand.New(rand.NewPCG(8, number))
		in, _ := newWeighted(rng, 2+rng.IntN(200), 1+rng.IntN(5))
		p := in.problem(t)
		for u, neighbours := range p.doubled().lists(t) {
			if !slices.IsSorted(neighbours) {
				t.Fatalf("instance %d: neighbours %v", number, neighbours)
			}
			for v := range p.row {
				_, got := slices.BinarySearch(neighbours, int32(v))
				if want := in.conflict(int(p.row[u]), int(p.row[v])); got != want {
					t.Fatalf("instance %d: rows %d and %d conflict = %v, want %v (norm %v, "+
						"radius %v)",
						number, p.row[u], p.row[v], got, want, in.norm, in.radius)
				}
			}
			found += len(neighbours)
		}
	}
	if least := racetest.Scale(150) * 1000; found < least {
		t.Errorf("%d conflicts in all instances, want %d: too easy", found, least)
	}
}

// TestFindIsTheLists walks through the same graph with and without stored edges,
// under random levels, dropping vertices.
func TestFindIsTheLists(t *testing.T) {
	found := 0
	for number := range uint64(racetest.Scale(500)) {
		rng := rand.New(rand.NewPCG(9, number))
		in, _ := newWeighted(rng, 2+rng.IntN(150), 1+rng.IntN(3))
		if number%5 == 0 { // many equal rows
			for i := range in.y {
				in.x.SetRow(i, in.x.RawRowView(i%2))
			}
		}
		c := in.problem(t).doubled()
		stored := bipartite.NewLists(c.lists(t), c.Right())
		levels := make([]int32, c.Right())
		for v := range levels {
			levels[v] = rng.Int32N(4) - 1
		}
		if number%3 == 0 {
			levels = nil
		}
		c.Begin(levels)
		alive := func(u, v, least int32) bool {
			stored.Begin(levels) // or else the lists remember where they were
			return slices.Contains(stored.Neighbours[u], v) &&
				(levels == nil && least == 0 || levels != nil && levels[v] >= least)
		}
		dropped := make([]bool, c.Right())
		for range 4 * c.Right() {
			u, least := rng.Int32N(int32(c.Left())), rng.Int32N(3)
			v := c.Find(u, least)
			any := slices.ContainsFunc(stored.Neighbours[u],
				func(v int32) bool { return !dropped[v] && alive(u, v, least) })
			if v == bipartite.None {
				if any {
					t.Fatalf("instance %d: Find(%d, %d) finds nothing", number, u, least)
				}
				continue
			}
			if dropped[v] || !alive(u, v, least) {
				t.Fatalf("instance %d: Find(%d, %d) = %d", number, u, least, v)
			}
			found++
			dropped[v] = true
			c.Drop(v)
		}
	}
	if least := racetest.Scale(500) * 10; found < least {
		t.Errorf("%d neighbours found, want %d: too easy", found, least)
	}
}

func TestWorkersDoNotMatter(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for number := range uint64(20) {
		rng := rand.New(rand.NewPCG(10, number))
		in, _ := newWeighted(rng, 500, 1+rng.IntN(4))
		c := in.problem(t).doubled()
		runtime.GOMAXPROCS(1)
		want := c.lists(t)
		for _, workers := range []int{2, 3, 1000} {
			runtime.GOMAXPROCS(workers)
			for u, got := range c.lists(t) {
				if !slices.Equal(got, want[u]) {
					t.Fatalf("instance %d: the lists of %d workers differ from those of one",
						number, workers)
				}
			}
		}
	}
}

// TestMostEdges: lists are made up to the number of edges allowed, and no further.
func TestMostEdges(t *testing.T) {
	in, _ := newWeighted(rand.New(rand.NewPCG(11, 0)), 300, 2)
	c := in.problem(t).doubled()
	edges := len(slices.Concat(c.lists(t)...))
	if edges == 0 {
		t.Fatal("no edges")
	}
	for _, most := range []int{0, edges / 2, edges - 1, edges, edges + 1} {
		if _, err := c.list(t.Context(), most); errors.Is(err, errDense) != (most < edges) {
			t.Errorf("%d edges where %d are allowed: %v", edges, most, err)
		}
	}
}

// TestAgainstPlain compares with stored edges and without.
func TestAgainstPlain(t *testing.T) {
	dense := 0
	for number := range uint64(racetest.Scale(300)) {
		rng := rand.New(rand.NewPCG(12, number))
		in := newInstance(rng, 2+rng.IntN(400), 1+rng.IntN(4))
		in.y[0], in.y[1] = 3, 7
		for i := range in.y {
			in.y[i] = 3 + 4*(in.y[i]&1)
		}
		if slices.Min(in.y) == slices.Max(in.y) {
			continue
		}
		oracle := newPlain(in)
		want := oracle.keep()
		got, err := in.adversarial().Prune(t.Context(), in.x, in.y)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, want) {
			t.Fatalf("instance %d: kept %v, want %v", number, got, want)
		}
		p := in.problem(t)
		c := newConflicts(p.labels[:1], p.labels[1:], p.ball)
		m, err := c.matrix(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for name, g := range map[string]bipartite.Graph{
			"trees":  c,
			"matrix": bipartite.NewMatrix(m, c.Right()),
			"lists":  bipartite.NewLists(c.lists(t), c.Right()),
		} {
			cover, duals, err := bipartite.Lightest(t.Context(), g, bipartite.Weights{})
			if err != nil {
				t.Fatal(err)
			}
			keep := make([]bool, len(p.row))
			for i, covered := range slices.Concat(cover.Left, cover.Right) {
				keep[i] = !covered
			}
			if got := ascending(p.rows(keep), len(in.y)); !slices.Equal(got, want) ||
				len(duals) != oracle.size {
				t.Fatalf("instance %d, %s: kept %v by a matching of %d, want %v, %d",
					number, name, got, len(duals), want, oracle.size)
			}
		}
		if oracle.edges() > len(in.y)*len(in.y)/20 {
			dense++
		}
	}
	if least := racetest.Scale(300) / 10; dense < least {
		t.Errorf("%d dense instances, want %d", dense, least)
	}
}

// TestManyEqualRows: many equal rows cost no more than others.
func TestManyEqualRows(t *testing.T) {
	const n = 40_000
	x, y := mat.NewDense(n, 2, nil), make([]int, n)
	for i := range n {
		x.Set(i, 0, float64(i%4/2))
		y[i] = i % 2
	}
	keep, err := Adversarial{Radius: 0.25}.Prune(t.Context(), x, y)
	if err != nil {
		t.Fatal(err)
	}
	if len(keep) != n/2 {
		t.Errorf("kept %d of %d", len(keep), n)
	}
}

func TestColumnsByPower(t *testing.T) {
	const n = 400
	rng := rand.New(rand.NewPCG(13, 0))
	x := mat.NewDense(n, 4, nil)
	for i := range n {
		// Constant; far apart but for outliers; spread evenly; the same again.
		even := rng.Float64()
		x.SetRow(i, []float64{7, float64(i / 399), even, even})
	}
	for norm, want := range map[polytope.Norm][]float64{
		polytope.LInf: {x.At(5, 2), x.At(5, 3), 7, 0},
		polytope.L1:   {7, 0, x.At(5, 2), x.At(5, 3)}, // sums keep their order
		polytope.L2:   {7, 0, x.At(5, 2), x.At(5, 3)},
	} {
		table, err := rows.Copy(t.Context(), x)
		if err != nil {
			t.Fatal(err)
		}
		r := newBall(norm, 0.05)
		if err := arrange(t.Context(), table, &r); err != nil {
			t.Fatal(err)
		}
		if got := table.Row(5); !slices.Equal(got, want) {
			t.Errorf("norm %v: row %v, want %v", norm, got, want)
		}
	}
}
