package cover

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// random returns a graph of n vertices, some with the same neighbours.
func random(rng *rand.Rand, n int, density float64, heaviest int64) *graph {
	weights := make([]int64, n)
	for v := range weights {
		weights[v] = rng.Int64N(heaviest + 1)
	}
	g := newGraph(weights)
	for u := range n {
		for v := range u {
			if rng.Float64() < density {
				g.join(u, v)
			}
		}
		if u > 0 && rng.IntN(4) == 0 {
			for v := range g.row[rng.IntN(u)].clone().all() {
				if v != u {
					g.join(u, v)
				}
			}
		}
	}
	return g
}

// bruteForce tries all sets.
func bruteForce(g *graph) int64 {
	var best int64
	for bits := range uint64(1) << len(g.weight) {
		s := set{bits}
		independent := true
		for v := range s.all() {
			independent = independent && g.row[v][0]&bits == 0
		}
		if independent {
			best = max(best, g.total(s))
		}
	}
	return best
}

func (g *graph) check(t *testing.T, a *Answer) {
	t.Helper()
	for _, u := range a.Keep {
		for _, v := range a.Keep {
			if g.row[u].has(int(v)) {
				t.Errorf("%d and %d of the set are adjacent", u, v)
			}
		}
	}
	left, bound := slices.Clone(g.weight), int64(0)
	for _, w := range g.weight {
		bound += w
	}
	for _, c := range a.Cliques {
		bound -= int64(len(c.Vertices)-1) * c.Amount
		for i, u := range c.Vertices {
			left[u] -= c.Amount
			for _, v := range c.Vertices[:i] {
				if !g.row[u].has(int(v)) {
					t.Errorf("%d and %d of a clique are not adjacent", u, v)
				}
			}
			if left[u] < 0 || c.Amount <= 0 {
				t.Errorf("cliques use more of %d than it weighs", u)
			}
		}
	}
	if bound != a.Bound {
		t.Errorf("the cliques prove %d, not %d", bound, a.Bound)
	}
}

// join adds the edge between two different vertices.
func (g *graph) join(u, v int) {
	g.row[u].add(v)
	g.row[v].add(u)
}

func (g *graph) heaviest(ctx context.Context, least int64, effort int) *Answer {
	rows := make([][]uint64, len(g.row))
	for v, row := range g.row {
		rows[v] = row
	}
	return Heaviest(ctx, g.weight, rows, least, effort)
}

func TestAgainstBruteForce(t *testing.T) {
	for number := range uint64(4000) {
		rng := rand.New(rand.NewPCG(1, number))
		g := random(rng, rng.IntN(13), rng.Float64(), []int64{1, 4, 1 << 40}[rng.IntN(3)])
		best := bruteForce(g)
		for _, least := range []int64{-1, best - 1, best} {
			a := g.heaviest(t.Context(), least, 1<<20)
			g.check(t, a)
			if !a.Optimal || a.Bound < best {
				t.Errorf("Optimal, Bound = %v, %d, best %d", a.Optimal, a.Bound, best)
			}
			if found := a.Keep != nil; found != (least < best) {
				t.Errorf("heavier than %d of %d: found = %v", least, best, found)
			}
			if a.Keep != nil && g.sum(a.Keep) != best {
				t.Errorf("set of %d, want %d", g.sum(a.Keep), best)
			}
		}
		if t.Failed() {
			t.Fatalf("instance %d: %v %v", number, g.weight, g.row)
		}
	}
}

// TestMultipartite: groups of which only one can be kept are one vertex each.
func TestMultipartite(t *testing.T) {
	const n = 400
	weights := make([]int64, n)
	for v := range weights {
		weights[v] = 1
	}
	g := newGraph(weights)
	for u := range n {
		for v := range u {
			if u%7 != v%7 {
				g.join(u, v)
			}
		}
	}
	a := g.heaviest(t.Context(), 0, 100)
	g.check(t, a)
	if want := (n + 6) / 7; len(a.Keep) != want || a.Bound != int64(want) || a.Effort > 100 {
		t.Errorf("%d vertices, bound %d, effort %d, want %d, %d, 100 at most",
			len(a.Keep), a.Bound, a.Effort, want, want)
	}
}

// TestLimits stops after more and more effort: sets only get heavier, and none is
// called the heaviest before it is.
func TestLimits(t *testing.T) {
	g := random(rand.New(rand.NewPCG(2, 0)), 60, 0.15, 9)
	full := g.heaviest(t.Context(), 0, 1<<20)
	best := g.sum(full.Keep)
	if !full.Optimal || full.Effort < 500 {
		t.Fatalf("optimal %v after an effort of %d, want true after 500 at least",
			full.Optimal, full.Effort)
	}
	last := int64(0)
	for effort := 0; effort < full.Effort+10; effort += 7 {
		a := g.heaviest(t.Context(), 0, effort)
		g.check(t, a)
		w := g.sum(a.Keep)
		if w < last || effort >= full.Effort && !a.Optimal || a.Optimal && w != best ||
			a.Bound < best {
			t.Fatalf("effort %d of %d: set of %d after %d, best %d, optimal %v, bound %d",
				effort, full.Effort, w, last, best, a.Optimal, a.Bound)
		}
		last = w
	}
}

// fuse is a context that is cancelled at its n-th look.
type fuse struct {
	context.Context
	looks, n int
}

func (f *fuse) Err() error {
	if f.looks++; f.looks >= f.n {
		return context.Canceled
	}
	return nil
}

// TestCancelled cancels at every look in turn. There must be more than one a node: packing
// cliques, choosing a vertex and taking others each look at all vertices, which may be
// thousands.
func TestCancelled(t *testing.T) {
	g := random(rand.New(rand.NewPCG(2, 0)), 60, 0.15, 9)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if a := g.heaviest(ctx, 0, 1<<20); a.Optimal || a.Keep != nil || a.Effort != 0 {
		t.Errorf("cancelled: %+v", a)
	}
	const n = 10 * pollEvery
	g = random(rand.New(rand.NewPCG(3, 0)), n, 0.2, 9)
	count := &fuse{Context: t.Context(), n: math.MaxInt}
	full := g.heaviest(count, 0, 4*n)
	if least := 4 * n / pollEvery; count.looks < least {
		t.Errorf("%d looks at the context, want %d at least", count.looks, least)
	}
	for look := 1; look <= count.looks; look++ {
		a := g.heaviest(&fuse{Context: t.Context(), n: look}, 0, 4*n)
		g.check(t, a)
		if a.Optimal || g.sum(a.Keep) > full.Bound || a.Bound < full.Bound {
			t.Fatalf("cancelled at look %d: optimal %v, set of %d, bound %d, in full %d",
				look, a.Optimal, g.sum(a.Keep), a.Bound, full.Bound)
		}
	}
}

// TestStepsEnd: each step of a node that goes through all vertices stops where the context
// ends.
func TestStepsEnd(t *testing.T) {
	g := newGraph([]int64{1, 1, 5})
	g.join(0, 1)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s := &search{graph: g, poll: poll{ctx: ctx, steps: pollEvery}}
	all := func() set { p := newSet(3); p.add(0); p.add(1); p.add(2); return p }
	if bound := s.pack(
		&s.poll, all(), func([]int32, int64) { t.Error("a clique was packed") },
	); bound != 7 {
		t.Errorf("bound %d, want that of single vertices, 7", bound)
	}
	if taken := s.take(all()); taken != nil {
		t.Errorf("took %v", taken)
	}
	s.join(1, 2) // whose neighbourhood is the heaviest
	if v := s.pivot(all()); v != 0 {
		t.Errorf("pivot %d, want the first, 0", v)
	}
}
