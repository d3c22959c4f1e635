package bipartite

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
)

// demand returns the unmet demand of right vertices.
func (f *Flow) demand() []int64 {
	list := make([]int64, len(f.right))
	for v := range list {
		list[v] = f.right[v].demand
	}
	return list
}

// solve returns a largest flow, its value and its cover, having checked that both are valid and
// that each proves the other.
func solve(t *testing.T, g *Lists, w Weights) (*Flow, int64, *Cover) {
	t.Helper()
	return solveAs(t, g, g, w)
}

// unpeeled is a graph with a search that starts with any paths of one edge.
type unpeeled struct{ Graph }

// solveAs is solve, with another graph that has the same edges.
func solveAs(t *testing.T, as Graph, g *Lists, w Weights) (*Flow, int64, *Cover) {
	t.Helper()
	f, err := Maximum(t.Context(), as, w)
	if err != nil {
		t.Fatalf("Maximum: %v", err)
	}
	c, err := CoverOf(t.Context(), as, f)
	if err != nil {
		t.Fatalf("CoverOf: %v", err)
	}
	value := checkFlow(t, g, w, f)
	if weight := checkCover(t, g, w, c); weight != value {
		t.Errorf("the cover weighs %d, %d flow", weight, value)
	}
	return f, value, c
}

func checkFlow(t *testing.T, g *Lists, w Weights, f *Flow) (value int64) {
	t.Helper()
	start := newFlow(g, w)
	for e, amount := range f.Edges() {
		if amount <= 0 || !slices.Contains(g.Neighbours[e.Left], e.Right) {
			t.Errorf("%d flows along %v", amount, e)
		}
		start.supply[e.Left] -= amount
		start.right[e.Right].demand -= amount
		value += amount
	}
	if !slices.Equal(start.supply, f.supply) || !slices.Equal(start.demand(), f.demand()) {
		t.Errorf("the flow leaves %v, %v, but says %v, %v",
			start.supply, start.demand(), f.supply, f.demand())
	}
	for _, left := range slices.Concat(f.supply, f.demand()) {
		if left < 0 {
			t.Errorf("the flow leaves %v, %v", f.supply, f.demand())
		}
	}
	return value
}

func checkCover(t *testing.T, g *Lists, w Weights, c *Cover) (weight int64) {
	t.Helper()
	for u, neighbours := range g.Neighbours {
		for _, v := range neighbours {
			if !c.Left[u] && !c.Right[v] {
				t.Errorf("edge %d–%d is not covered", u, v)
			}
		}
	}
	all, covered := newFlow(g, w), slices.Concat(c.Left, c.Right)
	for i, w := range slices.Concat(all.supply, all.demand()) {
		if covered[i] {
			weight += w
		}
	}
	return weight
}

// bruteCover returns the weight of a lightest vertex cover and the union of the
// left sides of all lightest covers: for each set of left vertices, the right
// vertices that the others need.
func bruteCover(g *Lists, w Weights) (lightest int64, left uint32) {
	all := newFlow(g, w)
	lightest = math.MaxInt64
	for chosen := range uint32(1) << g.Left() {
		var needed uint32
		weight := int64(0)
		for u, neighbours := range g.Neighbours {
			if chosen>>u&1 == 1 {
				weight += all.supply[u]
				continue
			}
			for _, v := range neighbours {
				needed |= 1 << v
			}
		}
		for v, demand := range all.demand() {
			weight += demand * int64(needed>>v&1)
		}
		switch {
		case weight < lightest:
			lightest, left = weight, chosen
		case weight == lightest:
			left |= chosen
		}
	}
	return lightest, left
}

func TestAgainstBruteForce(t *testing.T) {
	for instance := range uint64(6000) {
		rng := rand.New(rand.NewPCG(1, instance))
		left, right := rng.IntN(9), rng.IntN(9)
		edges := randomEdges(rng, left, right, rng.Float64())
		w := randomWeights(rng, left, right, []int64{0, 1, 3, 10, 1 << 50}[rng.IntN(5)])
		g := build(left, right, edges)
		_, value, c := solve(t, g, w)
		lightest, union := bruteCover(g, w)
		if value != lightest {
			t.Errorf("%d flow, want the lightest cover's %d", value, lightest)
		}
		for u, in := range c.Left {
			if want := union>>u&1 == 1; in != want {
				t.Errorf("left %d in cover = %v, want %v: it is in some lightest cover",
					u, in, want)
			}
		}
		if t.Failed() {
			t.Fatalf("instance %d: left %d, right %d, edges %v, weights %v",
				instance, left, right, edges, w)
		}
	}
}

func TestCoverIgnoresEdgeOrder(t *testing.T) {
	differ := 0
	for instance := range uint64(600) {
		rng := rand.New(rand.NewPCG(2, instance))
		left, right := 1+rng.IntN(40), 1+rng.IntN(40)
		edges := randomEdges(rng, left, right, 3*rng.Float64()/float64(right))
		w := randomWeights(rng, left, right, []int64{0, 4}[instance%2])
		first := build(left, right, edges)
		f, _, c := solveAs(t, unpeeled{first}, first, w)
		rng.Shuffle(len(edges), func(i, j int) { edges[i], edges[j] = edges[j], edges[i] })
		second := build(left, right, edges)
		f2, _, c2 := solveAs(t, unpeeled{second}, second, w)
		if !slices.Equal(f.supply, f2.supply) {
			differ++
		}
		if !slices.Equal(c.Left, c2.Left) || !slices.Equal(c.Right, c2.Right) {
			t.Fatalf("instance %d: covers of two edge orders differ: %v and %v", instance, c, c2)
		}
	}
	if differ < 100 {
		t.Errorf("only %d of 600 orders changed the flow: the test does not test", differ)
	}
}

func TestSmallGraphs(t *testing.T) {
	tests := []struct {
		name        string
		left, right int
		edges       []Edge
		size        int64
		coverLeft   []bool
		coverRight  []bool
	}{
		{"no vertices", 0, 0, nil, 0, []bool{}, []bool{}},
		{"no left vertices", 0, 2, nil, 0, []bool{}, []bool{false, false}},
		{"no edges", 2, 1, nil, 0, []bool{false, false}, []bool{false}},
		{"one edge covers from the left", 1, 1, []Edge{{0, 0}}, 1, []bool{true}, []bool{false}},
		{"repeated edge", 1, 1, []Edge{{0, 0}, {0, 0}}, 1, []bool{true}, []bool{false}},
		{"star on the left", 1, 3, []Edge{{0, 0}, {0, 1}, {0, 2}}, 1, []bool{true},
			[]bool{false, false, false}},
		{"star on the right", 3, 1, []Edge{{0, 0}, {1, 0}, {2, 0}}, 1, []bool{false, false, false},
			[]bool{true}},
		{"greedy must be undone", 2, 2, []Edge{{0, 0}, {0, 1}, {1, 0}}, 2, []bool{true, true},
			[]bool{false, false}},
		{"both kinds", 3, 3, []Edge{{0, 0}, {1, 0}, {2, 1}, {2, 2}}, 2, []bool{false, false, true},
			[]bool{true, false, false}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, size, c := solve(t, build(tt.left, tt.right, tt.edges), Weights{})
			if size != tt.size {
				t.Errorf("%d flow, want %d", size, tt.size)
			}
			if !slices.Equal(c.Left, tt.coverLeft) || !slices.Equal(c.Right, tt.coverRight) {
				t.Errorf("cover = %v %v, want %v %v", c.Left, c.Right, tt.coverLeft, tt.coverRight)
			}
		})
	}
}

func TestLongAugmentingPath(t *testing.T) {
	const n = 200_000
	g := ladder(n)
	if f, size, _ := solveAs(t, unpeeled{g}, g, Weights{}); size != n || f.Phases != 1 {
		t.Errorf("%d flow after %d phases, want %d after 1", size, f.Phases, n)
	}
}

// TestPhases holds the search to the reason for O(E·√V): a phase augments along the shortest paths
// and no others, so that paths of k different lengths, in a graph of about k² vertices, take k
// phases in any order; and no graph needs more than 2√s + 2 for a matching of size s.
func TestPhases(t *testing.T) {
	const k = 60
	var lengths []int
	for n := 2; n < k+2; n++ {
		lengths = append(lengths, n)
	}
	for _, name := range []string{"shortest first", "longest first"} {
		g := ladders(lengths)
		if f, _, _ := solveAs(t, unpeeled{g}, g, Weights{}); f.Phases != k {
			t.Errorf("paths of %d lengths, %s: %d phases, want %d", k, name, f.Phases, k)
		}
		slices.Reverse(lengths)
	}
	for instance := range uint64(racetest.Count(6, 20)) {
		rng := rand.New(rand.NewPCG(3, instance))
		g := sparseRandom(rng, 20_000, 2.5)
		f, size, _ := solveAs(t, unpeeled{g}, g, Weights{})
		if limit := 2*math.Sqrt(float64(size)) + 2; float64(f.Phases) > limit {
			t.Errorf("instance %d: %d phases, want at most %g", instance, f.Phases, limit)
		}
	}
}

func TestCoverOfRejectsSmallerFlow(t *testing.T) {
	g := build(2, 2, []Edge{{0, 0}, {0, 1}, {1, 0}})
	f := newFlow(g, Weights{})
	f.add(0, 0, 1)
	f.supply[0], f.right[0].demand = 0, 0
	if _, err := CoverOf(t.Context(), g, f); !errors.Is(err, ErrNotMaximum) {
		t.Errorf("CoverOf = %v, want ErrNotMaximum", err)
	}
}

func TestCancel(t *testing.T) {
	peeled := sparseRandom(rand.New(rand.NewPCG(4, 1)), 5_000, 3)
	random := sparseRandom(rand.New(rand.NewPCG(4, 0)), 2_000, 2*peelDegree+2)
	path := ladder(10_000)
	star := NewLists(make([][]int32, 10_000), 1)
	for u := range star.Neighbours {
		star.Neighbours[u] = []int32{0}
	}
	f, _, _ := solve(t, star, Weights{})
	maximum := func(g Graph) func(context.Context) error {
		return func(ctx context.Context) error { _, err := Maximum(ctx, g, Weights{}); return err }
	}
	tests := []struct {
		name  string
		step  func(context.Context) error
		calls int // of Find, at least
	}{
		{"peeling", maximum(peeled), peeled.Left()},
		{"greedy start", maximum(random), random.Left()},
		// Greedily, to find the levels, and to augment.
		{"long path", maximum(unpeeled{path}), 3 * path.Left()},
		{"cover", func(ctx context.Context) error { _, err := CoverOf(ctx, star, f); return err },
			star.Left() - 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			count := &fuse{Context: t.Context(), n: math.MaxInt}
			if err := tt.step(count); err != nil {
				t.Fatal(err)
			}
			if least := tt.calls / pollEvery; count.looks < least {
				t.Errorf("looked at the context %d times, want at least %d", count.looks, least)
			}
			for n := 1; n <= count.looks; n += 1 + n/10 {
				f := &fuse{Context: t.Context(), n: n}
				if err := tt.step(f); !errors.Is(err, context.Canceled) {
					t.Fatalf("cancelled at look %d: error %v, want context.Canceled", n, err)
				}
				if f.looks != n {
					t.Errorf("cancelled at look %d: %d looks", n, f.looks)
				}
			}
		})
	}
}
