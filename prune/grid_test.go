package prune

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/polytope"
	"github.com/seed-1a7dc1f9/facet/prune/internal/bipartite"
)

// withoutTrees is problem, with points that have no numbers yet.
func (in *instance) withoutTrees(t testing.TB) *problem {
	t.Helper()
	p, err := in.adversarial().problem(t.Context(), in.x, in.y, nil)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// grid returns the graph that a grid finds, or nil.
func (p *problem) grid(t testing.TB) *bipartite.Lists {
	t.Helper()
	g, err := p.listed(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestGridIsTheConflicts: the graph has the conflicts, no others, and no point without any.
func TestGridIsTheConflicts(t *testing.T) {
	found, used := 0, 0
	for number := range uint64(racetest.Scale(600)) {
		rng := rand.New(rand.NewPCG(31, number))
		in := newInstance(rng, 2+rng.IntN(200), 1+rng.IntN(gridDim+1))
		if number%2 == 0 && in.radius < 1e100 { // the whole number of cells that just fits
			in.x.Scale(1/3.0, in.x)
			in.radius /= 3
		}
		p := in.withoutTrees(t)
		if len(p.members) < 2 {
			continue
		}
		g := p.grid(t)
		if g == nil {
			continue
		}
		used++
		left, right := p.row[:g.Left()], p.row[g.Left():][:g.Right()]
		edges := 0
		for u, neighbours := range g.Neighbours {
			if len(neighbours) == 0 || !slices.IsSorted(neighbours) {
				t.Fatalf("instance %d: row %d has the neighbours %v", number, left[u], neighbours)
			}
			for _, v := range neighbours {
				if !in.conflict(int(left[u]), int(right[v])) {
					t.Fatalf("instance %d: rows %d and %d do not conflict",
						number, left[u], right[v])
				}
			}
			edges += len(neighbours)
		}
		want := newPlain(in).edges()
		if edges != want {
			t.Fatalf("instance %d: %d conflicts, want %d: %v", number, edges, want, in)
		}
		rows := slices.Sorted(slices.Values(p.row))
		if len(rows) != len(in.y) || slices.Max(rows) != int32(len(rows)-1) ||
			len(slices.Compact(rows)) != len(in.y) {
			t.Fatalf("instance %d: points are the rows %v", number, p.row)
		}
		found += edges
	}
	if n := racetest.Scale(600); used < n/4 || found < n*30 {
		t.Errorf("%d conflicts in %d grids of %d, want more: too easy", found, used, n)
	}
}

// TestGridAtTheBorders puts points on multiples of 2R and next to them, where cells as wide
// as that begin and end in the midst of rounding errors.
func TestGridAtTheBorders(t *testing.T) {
	for number := range uint64(racetest.Scale(300)) {
		rng := rand.New(rand.NewPCG(32, number))
		const n = 2000
		in := &instance{
			x:      mat.NewDense(n, 1, nil),
			y:      make([]int, n),
			radius: math.Ldexp(rng.Float64(), rng.IntN(1000)-500),
		}
		far := float64(rng.Int64N(1 << 18))
		for i := range n {
			v := 2 * in.radius * (far + float64(rng.IntN(2*n-2)))
			in.x.Set(i, 0,
				[]float64{v, math.Nextafter(v, 0), math.Nextafter(v, math.Inf(1))}[rng.IntN(3)])
			in.y[i] = rng.IntN(2)
		}
		p := in.withoutTrees(t)
		g := p.grid(t)
		if g == nil {
			t.Fatalf("instance %d: no grid", number)
		}
		edges := 0
		for _, neighbours := range g.Neighbours {
			edges += len(neighbours)
		}
		if want := newPlain(in).edges(); edges != want {
			t.Fatalf("instance %d: %d conflicts, want %d", number, edges, want)
		}
	}
}

// TestNoGrid: where cells hold many points, columns are many or differences overflow there is none,
// and the answer is that of the trees.
func TestNoGrid(t *testing.T) {
	const n = 2000
	dense := mat.NewDense(n, 2, nil)
	for i := range n {
		dense.Set(i, 0, float64(i%2)*1.5)
		dense.Set(i, 1, float64(i)/1e6)
	}
	wide := mat.NewDense(n, 1, nil)
	wide.Set(0, 0, math.MaxFloat64)
	wide.Set(1, 0, -math.MaxFloat64)
	columns, _ := uniform(n, gridDim+1, 2)
	few, _ := uniform(n, gridDim, 2)
	for name, tt := range map[string]struct {
		x    *mat.Dense
		want bool
	}{
		"dense":    {dense, false},
		"overflow": {wide, false},
		"columns":  {columns, false},
		"few":      {few, true},
	} {
		in := &instance{x: tt.x, y: make([]int, n), radius: 0.5}
		if tt.want {
			in.radius = 0.01
		}
		for i := range in.y {
			in.y[i] = i % 2
		}
		if got := in.withoutTrees(t).grid(t) != nil; got != tt.want {
			t.Errorf("%s: a grid = %v, want %v", name, got, tt.want)
		}
		got, err := in.adversarial().Prune(t.Context(), in.x, in.y)
		if err != nil {
			t.Fatal(err)
		}
		if want := newPlain(in).keep(); !slices.Equal(got, want) {
			t.Errorf("%s: kept %d rows, want %d", name, len(got), len(want))
		}
	}
}

// TestGridAsTrees compares results on many rows, with weights and without.
func TestGridAsTrees(t *testing.T) {
	for dim := 1; dim <= gridDim; dim++ {
		n := racetest.Scale(30_000)
		x, y := uniform(n, dim, 2)
		weights := make([]int, n)
		for i := range weights {
			weights[i] = 1 + i%5
		}
		for _, norm := range []polytope.Norm{polytope.LInf, polytope.L1, polytope.L2} {
			for name, w := range map[string][]int{"equal": nil, "weights": weights} {
				t.Run(fmt.Sprintf("dim=%d/norm=%v/%s", dim, norm, name), func(t *testing.T) {
					a := Adversarial{Radius: math.Pow(2/float64(n), 1/float64(dim)) / 2, Norm: norm}
					r, err := a.Solve(t.Context(), x, y, w)
					if err != nil {
						t.Fatal(err)
					}
					p, err := a.problem(t.Context(), x, y, w)
					if err != nil {
						t.Fatal(err)
					}
					if err := p.buildTrees(t.Context()); err != nil {
						t.Fatal(err)
					}
					want, err := p.solve(t.Context(), 0)
					if err != nil {
						t.Fatal(err)
					}
					if !slices.Equal(r.Keep, ascending(want.keep, n)) || len(r.Keep) == n {
						t.Errorf("kept %d rows, want %d, fewer than all",
							len(r.Keep), len(want.keep))
					}
					if err := a.Verify(t.Context(), x, y, w, r); err != nil {
						t.Error(err)
					}
				})
			}
		}
	}
}

// TestGridWorkers: the graph does not depend on the number of workers.
func TestGridWorkers(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	x, y := uniform(5*nearRows, 2, 2)
	in := &instance{x: x, y: y, radius: 0.01}
	runtime.GOMAXPROCS(1)
	want := in.withoutTrees(t).grid(t)
	for _, workers := range []int{2, 3, 1000} {
		runtime.GOMAXPROCS(workers)
		if got := in.withoutTrees(t).grid(t); !slices.EqualFunc(
			got.Neighbours, want.Neighbours, slices.Equal,
		) {
			t.Errorf("the graph of %d workers differs from that of one", workers)
		}
	}
}
