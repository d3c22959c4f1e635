package mincut

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/matching"
)

// instance is a random graph with weights.
type instance struct {
	*matching.Lists
	left, right []int64
}

func newInstance(rng *rand.Rand, left, right int, density float64, heaviest int64) *instance {
	lists := make([][]int32, left)
	for u := range lists {
		for v := range int32(right) {
			if rng.Float64() < density {
				lists[u] = append(lists[u], v)
			}
		}
		rng.Shuffle(len(lists[u]), func(i, j int) { lists[u][i], lists[u][j] = lists[u][j], lists[u][i] })
	}
	weights := func(n int) []int64 {
		w := make([]int64, n)
		for i := range w {
			w[i] = rng.Int64N(heaviest + 1)
		}
		return w
	}
	return &instance{matching.NewLists(lists, right), weights(left), weights(right)}
}

// lightest tries all sets of left vertices.
func (in *instance) lightest() int64 {
	best := int64(math.MaxInt64)
	for chosen := range uint32(1) << in.Left() {
		weight, needed := int64(0), uint32(0)
		for u, w := range in.left {
			if chosen>>u&1 == 1 {
				weight += w
				continue
			}
			for _, v := range in.Neighbours[u] {
				needed |= 1 << v
			}
		}
		for v, w := range in.right {
			weight += w * int64(needed>>v&1)
		}
		best = min(best, weight)
	}
	return best
}

// solve returns a largest flow and its cover, having checked both.
func (in *instance) solve(t *testing.T) (*Flow, *matching.Cover) {
	t.Helper()
	f, err := Maximum(t.Context(), in, in.left, in.right)
	if err != nil {
		t.Fatal(err)
	}
	c, err := CoverOf(t.Context(), in, f)
	if err != nil {
		t.Fatal(err)
	}
	in.checkFlow(t, f)
	weight := int64(0)
	for u, neighbours := range in.Neighbours {
		for _, v := range neighbours {
			if !c.Left[u] && !c.Right[v] {
				t.Errorf("edge %d–%d is not covered", u, v)
			}
		}
		if c.Left[u] {
			weight += in.left[u]
		}
	}
	for v, covered := range c.Right {
		if covered {
			weight += in.right[v]
		}
	}
	if weight != f.Value {
		t.Errorf("cover weighs %d, flow %d", weight, f.Value)
	}
	return f, c
}

func (in *instance) checkFlow(t *testing.T, f *Flow) {
	t.Helper()
	supply, demand, value := slices.Clone(in.left), slices.Clone(in.right), int64(0)
	for v, arcs := range f.In {
		for _, a := range arcs {
			if a.Amount <= 0 || !slices.Contains(in.Neighbours[a.Left], int32(v)) {
				t.Errorf("%d flows from %d to %d", a.Amount, a.Left, v)
			}
			supply[a.Left] -= a.Amount
			demand[v] -= a.Amount
			value += a.Amount
		}
	}
	if !slices.Equal(supply, f.Supply) || !slices.Equal(demand, f.Demand) || value != f.Value {
		t.Errorf("the flow leaves %v, %v of %d, but says %v, %v of %d", supply, demand, value, f.Supply, f.Demand, f.Value)
	}
	if len(supply) > 0 && slices.Min(supply) < 0 || len(demand) > 0 && slices.Min(demand) < 0 {
		t.Errorf("the flow leaves %v, %v", supply, demand)
	}
}

func TestAgainstBruteForce(t *testing.T) {
	for number := range uint64(6000) {
		rng := rand.New(rand.NewPCG(1, number))
		heaviest := []int64{1, 3, 10, 1 << 50}[rng.IntN(4)]
		in := newInstance(rng, rng.IntN(9), rng.IntN(9), rng.Float64(), heaviest)
		f, _ := in.solve(t)
		if want := in.lightest(); f.Value != want {
			t.Errorf("flow of %d, want %d", f.Value, want)
		}
		if t.Failed() {
			t.Fatalf("instance %d: edges %v, weights %v %v", number, in.Neighbours, in.left, in.right)
		}
	}
}

// TestUnitWeights compares flow and cover with the matching and its cover.
func TestUnitWeights(t *testing.T) {
	for number := range uint64(300) {
		rng := rand.New(rand.NewPCG(2, number))
		in := newInstance(rng, 1+rng.IntN(60), 1+rng.IntN(60), rng.Float64()*0.1, 0)
		for u := range in.left {
			in.left[u] = 1
		}
		for v := range in.right {
			in.right[v] = 1
		}
		f, c := in.solve(t)
		m, err := matching.Maximum(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		want, err := matching.CoverOf(t.Context(), in, m)
		if err != nil {
			t.Fatal(err)
		}
		if f.Value != int64(m.Size) || !slices.Equal(c.Left, want.Left) || !slices.Equal(c.Right, want.Right) {
			t.Fatalf("instance %d: flow %d, matching %d, covers %v and %v", number, f.Value, m.Size, c, want)
		}
	}
}

// TestCoverIgnoresOrder shuffles the edges, which changes flows but no cover.
func TestCoverIgnoresOrder(t *testing.T) {
	for number := range uint64(300) {
		rng := rand.New(rand.NewPCG(3, number))
		in := newInstance(rng, 1+rng.IntN(40), 1+rng.IntN(40), rng.Float64()*0.3, 4)
		_, want := in.solve(t)
		for _, list := range in.Neighbours {
			slices.Reverse(list)
		}
		_, got := in.solve(t)
		if !slices.Equal(got.Left, want.Left) || !slices.Equal(got.Right, want.Right) {
			t.Fatalf("instance %d: covers %v and %v", number, got, want)
		}
	}
}

func TestCoverOfRejectsSmallerFlow(t *testing.T) {
	g := matching.NewLists([][]int32{{0}}, 1)
	f := newFlow([]int64{2}, []int64{2})
	if _, err := CoverOf(t.Context(), g, f); !errors.Is(err, matching.ErrNotMaximum) {
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
	in := newInstance(rand.New(rand.NewPCG(4, 0)), 600, 600, 0.01, 9)
	run := func(ctx context.Context) error {
		f, err := Maximum(ctx, in, in.left, in.right)
		if err == nil {
			_, err = CoverOf(ctx, in, f)
		}
		return err
	}
	count := &fuse{Context: t.Context(), n: math.MaxInt}
	if err := run(count); err != nil {
		t.Fatal(err)
	}
	if count.looks < 10 {
		t.Errorf("looked at the context %d times, want at least 10", count.looks)
	}
	for n := 1; n <= count.looks; n += 1 + n/10 {
		if err := run(&fuse{Context: t.Context(), n: n}); !errors.Is(err, context.Canceled) {
			t.Fatalf("cancelled at look %d of %d: error %v", n, count.looks, err)
		}
	}
}
