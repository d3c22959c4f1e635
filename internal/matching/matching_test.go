package matching

import (
	"context"
	"errors"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"
)

// edge joins a left vertex to a right one.
type edge struct{ u, v int32 }

// build returns the graph of the edges; the neighbours of a left vertex keep
// the order in which the edges come.
func build(left, right int, edges []edge) *Lists {
	neighbours := make([][]int32, left)
	for _, e := range edges {
		neighbours[e.u] = append(neighbours[e.u], e.v)
	}
	return NewLists(neighbours, right)
}

// bruteMatching returns the size of a largest matching: the best choice for
// the left vertices from u on when the right vertices in used are taken.
func bruteMatching(g *Lists, u int32, used uint32) int {
	if int(u) == g.Left() {
		return 0
	}
	best := bruteMatching(g, u+1, used)
	for _, v := range g.Neighbours[u] {
		if used>>v&1 == 0 {
			best = max(best, 1+bruteMatching(g, u+1, used|1<<v))
		}
	}
	return best
}

// bruteCover returns the size of a smallest vertex cover and the union of the
// left sides of all smallest covers: for each set of left vertices, the right
// vertices that the others need.
func bruteCover(g *Lists) (size int, left uint32) {
	size = math.MaxInt
	for chosen := range uint32(1) << g.Left() {
		var needed uint32
		for u := range int32(g.Left()) {
			if chosen>>u&1 == 0 {
				for _, v := range g.Neighbours[u] {
					needed |= 1 << v
				}
			}
		}
		switch s := bits.OnesCount32(chosen) + bits.OnesCount32(needed); {
		case s < size:
			size, left = s, chosen
		case s == size:
			left |= chosen
		}
	}
	return size, left
}

// solve returns a largest matching and its cover, having checked that both are
// what they claim to be.
func solve(t *testing.T, g *Lists) (*Matching, *Cover) {
	t.Helper()
	m, err := Maximum(t.Context(), g)
	if err != nil {
		t.Fatalf("Maximum: %v", err)
	}
	c, err := CoverOf(t.Context(), g, m)
	if err != nil {
		t.Fatalf("CoverOf: %v", err)
	}
	checkMatching(t, g, m)
	checkCover(t, g, c)
	if got := c.size(); got != m.Size {
		t.Errorf("cover has %d vertices, want the %d of the matching", got, m.Size)
	}
	return m, c
}

func (c *Cover) size() int {
	n := 0
	for _, in := range slices.Concat(c.Left, c.Right) {
		if in {
			n++
		}
	}
	return n
}

func checkMatching(t *testing.T, g *Lists, m *Matching) {
	t.Helper()
	size := 0
	for u, v := range m.Left {
		if v == Free {
			continue
		}
		size++
		if !slices.Contains(g.Neighbours[u], v) {
			t.Errorf("matching joins left %d to right %d, which is no edge", u, v)
		}
		if m.Right[v] != int32(u) {
			t.Errorf("Right[%d] = %d, want %d", v, m.Right[v], u)
		}
	}
	if size != m.Size {
		t.Errorf("Size = %d, want the %d partners", m.Size, size)
	}
	for v, u := range m.Right {
		if u != Free && m.Left[u] != int32(v) {
			t.Errorf("Left[%d] = %d, want %d", u, m.Left[u], v)
		}
	}
}

func checkCover(t *testing.T, g *Lists, c *Cover) {
	t.Helper()
	for u := range int32(g.Left()) {
		for _, v := range g.Neighbours[u] {
			if !c.Left[u] && !c.Right[v] {
				t.Errorf("edge %d–%d is not covered", u, v)
			}
		}
	}
}

// randomEdges joins each pair with probability density, in random order and
// with some edges repeated.
func randomEdges(rng *rand.Rand, left, right int, density float64) []edge {
	var edges []edge
	for u := range int32(left) {
		for v := range int32(right) {
			for rng.Float64() < density {
				edges = append(edges, edge{u, v})
				if rng.Float64() < 0.8 {
					break
				}
			}
		}
	}
	rng.Shuffle(len(edges), func(i, j int) { edges[i], edges[j] = edges[j], edges[i] })
	return edges
}

func TestAgainstBruteForce(t *testing.T) {
	for instance := range uint64(6000) {
		rng := rand.New(rand.NewPCG(1, instance))
		left, right := rng.IntN(8), rng.IntN(8)
		edges := randomEdges(rng, left, right, rng.Float64())
		g := build(left, right, edges)
		m, c := solve(t, g)
		if want := bruteMatching(g, 0, 0); m.Size != want {
			t.Errorf("Size = %d, want %d", m.Size, want)
		}
		size, union := bruteCover(g)
		if m.Size != size {
			t.Errorf("Size = %d, want the smallest cover's %d", m.Size, size)
		}
		for u, in := range c.Left {
			if want := union>>u&1 == 1; in != want {
				t.Errorf("left %d in cover = %v, want %v: it is in some smallest cover", u, in, want)
			}
		}
		if t.Failed() {
			t.Fatalf("instance %d: left %d, right %d, edges %v", instance, left, right, edges)
		}
	}
}

func TestCoverIgnoresEdgeOrder(t *testing.T) {
	differ := 0
	for instance := range uint64(300) {
		rng := rand.New(rand.NewPCG(2, instance))
		left, right := 1+rng.IntN(40), 1+rng.IntN(40)
		edges := randomEdges(rng, left, right, 3*rng.Float64()/float64(right))
		m, c := solve(t, build(left, right, edges))
		rng.Shuffle(len(edges), func(i, j int) { edges[i], edges[j] = edges[j], edges[i] })
		m2, c2 := solve(t, build(left, right, edges))
		if !slices.Equal(m.Left, m2.Left) {
			differ++
		}
		if !slices.Equal(c.Left, c2.Left) || !slices.Equal(c.Right, c2.Right) {
			t.Fatalf("instance %d: covers of two edge orders differ: %v and %v", instance, c, c2)
		}
	}
	if differ < 50 {
		t.Errorf("only %d of 300 orders changed the matching: the test does not test", differ)
	}
}

func TestSmallGraphs(t *testing.T) {
	tests := []struct {
		name        string
		left, right int
		edges       []edge
		size        int
		coverLeft   []bool
		coverRight  []bool
	}{
		{"no vertices", 0, 0, nil, 0, []bool{}, []bool{}},
		{"no left vertices", 0, 2, nil, 0, []bool{}, []bool{false, false}},
		{"no edges", 2, 1, nil, 0, []bool{false, false}, []bool{false}},
		{"one edge covers from the left", 1, 1, []edge{{0, 0}}, 1, []bool{true}, []bool{false}},
		{"repeated edge", 1, 1, []edge{{0, 0}, {0, 0}}, 1, []bool{true}, []bool{false}},
		{"star on the left", 1, 3, []edge{{0, 0}, {0, 1}, {0, 2}}, 1, []bool{true}, []bool{false, false, false}},
		{"star on the right", 3, 1, []edge{{0, 0}, {1, 0}, {2, 0}}, 1, []bool{false, false, false}, []bool{true}},
		{"greedy must be undone", 2, 2, []edge{{0, 0}, {0, 1}, {1, 0}}, 2, []bool{true, true}, []bool{false, false}},
		{"both kinds", 3, 3, []edge{{0, 0}, {1, 0}, {2, 1}, {2, 2}}, 2, []bool{false, false, true}, []bool{true, false, false}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m, c := solve(t, build(tt.left, tt.right, tt.edges))
			if m.Size != tt.size {
				t.Errorf("Size = %d, want %d", m.Size, tt.size)
			}
			if !slices.Equal(c.Left, tt.coverLeft) || !slices.Equal(c.Right, tt.coverRight) {
				t.Errorf("cover = %v %v, want %v %v", c.Left, c.Right, tt.coverLeft, tt.coverRight)
			}
		})
	}
}

func TestZeroGraph(t *testing.T) {
	var g Lists
	if g.Left() != 0 || g.Right() != 0 || g.Edges() != 0 {
		t.Errorf("Left, Right, Edges = %d, %d, %d, want 0, 0, 0", g.Left(), g.Right(), g.Edges())
	}
	m, _ := solve(t, &g)
	if m.Size != 0 || m.Phases != 0 {
		t.Errorf("Size, Phases = %d, %d, want 0, 0", m.Size, m.Phases)
	}
}

// ladder is a path whose only perfect matching differs from the greedy one in
// every edge, so that one augmenting path runs through all 2n vertices.
func ladder(n int) *Lists {
	neighbours := make([][]int32, n)
	for u := range int32(n) {
		if int(u)+1 < n {
			neighbours[u] = append(neighbours[u], u+1)
		}
		neighbours[u] = append(neighbours[u], u)
	}
	return NewLists(neighbours, n)
}

func TestLongAugmentingPath(t *testing.T) {
	const n = 200_000
	m, _ := solve(t, ladder(n))
	if m.Size != n || m.Phases != 1 {
		t.Errorf("Size, Phases = %d, %d, want %d, 1", m.Size, m.Phases, n)
	}
}

// ladders returns the graph made of ladders of these lengths, side by side.
func ladders(lengths []int) *Lists {
	var neighbours [][]int32
	for _, n := range lengths {
		first := int32(len(neighbours))
		for _, row := range ladder(n).Neighbours {
			for i := range row {
				row[i] += first
			}
			neighbours = append(neighbours, row)
		}
	}
	return NewLists(neighbours, len(neighbours))
}

// TestPhases holds the search to what makes it O(E·√V): a phase augments along
// the shortest paths and no others, so that paths of k different lengths, in a
// graph of about k² vertices, take k phases in whatever order they come; and no
// graph needs more than 2√s + 2 for a matching of size s.
func TestPhases(t *testing.T) {
	const k = 60
	var lengths []int
	for n := 2; n < k+2; n++ {
		lengths = append(lengths, n)
	}
	for _, name := range []string{"shortest first", "longest first"} {
		if m, _ := solve(t, ladders(lengths)); m.Phases != k {
			t.Errorf("paths of %d lengths, %s: %d phases, want %d", k, name, m.Phases, k)
		}
		slices.Reverse(lengths)
	}
	for instance := range uint64(20) {
		rng := rand.New(rand.NewPCG(3, instance))
		m, _ := solve(t, sparseRandom(rng, 20_000, 2.5))
		if limit := 2*math.Sqrt(float64(m.Size)) + 2; float64(m.Phases) > limit {
			t.Errorf("instance %d: %d phases, want at most %g", instance, m.Phases, limit)
		}
	}
}

// sparseRandom returns a graph of n left and n right vertices with degree·n
// random edges.
func sparseRandom(rng *rand.Rand, n int, degree float64) *Lists {
	neighbours := make([][]int32, n)
	for u := range neighbours {
		for range int(degree + rng.Float64()) {
			neighbours[u] = append(neighbours[u], rng.Int32N(int32(n)))
		}
	}
	return NewLists(neighbours, n)
}

func TestCoverOfRejectsSmallerMatching(t *testing.T) {
	g := build(2, 2, []edge{{0, 0}, {0, 1}, {1, 0}})
	m := newMatching(g)
	m.join(0, 0)
	m.Size = 1
	if _, err := CoverOf(t.Context(), g, m); !errors.Is(err, ErrNotMaximum) {
		t.Errorf("CoverOf = %v, want ErrNotMaximum", err)
	}
}

// fuse is a context that is cancelled at its n-th look.
type fuse struct {
	context.Context
	looks, n int
}

func (f *fuse) Err() error {
	f.looks++
	if f.looks >= f.n {
		return context.Canceled
	}
	return nil
}

func TestCancel(t *testing.T) {
	random := sparseRandom(rand.New(rand.NewPCG(4, 0)), 5_000, 8)
	path := ladder(10_000)
	star := NewLists(make([][]int32, 10_000), 1)
	for u := range star.Neighbours {
		star.Neighbours[u] = []int32{0}
	}
	m, _ := solve(t, star)
	maximum := func(g *Lists) func(context.Context) error {
		return func(ctx context.Context) error { _, err := Maximum(ctx, g); return err }
	}
	tests := []struct {
		name  string
		step  func(context.Context) error
		calls int // of Find, at least
	}{
		{"greedy start", maximum(random), random.Left()},
		// Greedily, to find the levels, and to augment.
		{"long path", maximum(path), 3 * path.Left()},
		{"cover", func(ctx context.Context) error { _, err := CoverOf(ctx, star, m); return err }, star.Left() - 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			count := &fuse{Context: t.Context(), n: math.MaxInt}
			if err := tt.step(count); err != nil {
				t.Fatal(err)
			}
			if least := 1 + tt.calls/pollEvery; count.looks < least {
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
