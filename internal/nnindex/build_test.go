package nnindex

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

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

// TestBuildCancelled cancels at some looks at the context, of which there must be as
// many as the work is long: one in patience values. Bounding alone looks at n·d of
// them on each of twelve levels.
func TestBuildCancelled(t *testing.T) {
	const n, dim = 1<<16 + 1, 2
	data, _ := randomPoints(rand.New(rand.NewPCG(6, 1)), n, dim, false)
	count := &fuse{Context: t.Context(), n: math.MaxInt}
	if _, err := Build(count, data, dim, numbers(n)); err != nil {
		t.Fatal(err)
	}
	if least := 12 * n * dim / patience; count.looks < least {
		t.Errorf("%d looks at the context, want %d at least", count.looks, least)
	}
	for _, look := range []int{1, count.looks / 2, count.looks} {
		tree, err := Build(&fuse{Context: t.Context(), n: look}, data, dim, numbers(n))
		if tree != nil || !errors.Is(err, context.Canceled) {
			t.Fatalf("cancelled at look %d of %d: %v, want context.Canceled",
				look, count.looks, err)
		}
	}
}

// TestPick demands that the first keys are those that sorting puts there; half of the coordinates
// are equal to others.
func TestPick(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	for trial := range 3000 {
		n := 1 + rng.IntN(60)
		if trial%10 == 0 {
			n = manyKeys + rng.IntN(2*manyKeys)
		}
		keys := make([]key, n)
		for i, id := range rng.Perm(n) {
			keys[i] = key{float64(rng.IntN(1 + n/(1+trial%7))), int32(id), int32(i)}
		}
		want := slices.Clone(keys)
		slices.SortFunc(want, key.compare)
		middle := rng.IntN(n)
		b := builder{Tree: &Tree{Dim: 1}, ctx: t.Context()}
		if err := b.pick(keys, middle); err != nil {
			t.Fatal(err)
		}
		slices.SortFunc(keys[:middle], key.compare)
		if !slices.Equal(keys[:middle], want[:middle]) {
			t.Fatalf("trial %d: the first %d of %d keys are on the wrong side", trial, middle, n)
		}
	}
}

// TestLeafOrder demands that the points of each leaf are in the order along the axis that was
// halved above it, so that results that depend on it, such as ties of pruning, do not change.
func TestLeafOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 1))
	for trial := range 200 {
		n, dim := 40+rng.IntN(400), 1+rng.IntN(4)
		data, _ := randomPoints(rng, n, dim, trial%2 == 0)
		tree := build(t, data, dim, numbers(n))
		for i, node := range tree.Nodes {
			if lo, hi := tree.Box(i); node.Left != 0 {
				axis := widest(lo, hi)
				for child := node.Left; child <= node.Left+1; child++ {
					checkOrder(t, tree, tree.Nodes[child], axis)
				}
			}
		}
		for i, id := range tree.IDs {
			if !slices.Equal(tree.Point(i), data[int(id)*dim:(int(id)+1)*dim]) {
				t.Fatalf("trial %d: point %d is not row %d", trial, i, id)
			}
		}
	}
}

// TestBoxes demands that each box is that of its points, to the last bit, and that there are as
// many nodes as room is made for, unless points are equal.
func TestBoxes(t *testing.T) {
	rng := rand.New(rand.NewPCG(10, 1))
	for trial := range 300 {
		n, dim, equal := 1+rng.IntN(700), 1+rng.IntN(12), trial%3 == 0
		data, _ := randomPoints(rng, n, dim, equal)
		tree := build(t, data, dim, numbers(n))
		if most := nodesOf(n, leafSize(dim)); len(tree.Nodes) != most &&
			!(equal && len(tree.Nodes) < most) {
			t.Errorf("trial %d: %d nodes of %d points, want %d", trial, len(tree.Nodes), n, most)
		}
		for i, node := range tree.Nodes {
			lo, hi := tree.Box(i)
			for j := range dim {
				least, most := math.Inf(1), math.Inf(-1)
				for p := int(node.First); p < int(node.End); p++ {
					least, most = min(least, tree.Point(p)[j]), max(most, tree.Point(p)[j])
				}
				if lo[j] != least || hi[j] != most {
					t.Fatalf("trial %d, node %d, coordinate %d: from %v to %v, want %v to %v",
						trial, i, j, lo[j], hi[j], least, most)
				}
			}
		}
	}
}

// widest returns the first of the widest sides of a box.
func widest(lo, hi []float64) int {
	axis := 0
	for j := range lo {
		if hi[j]-lo[j] > hi[axis]-lo[axis] {
			axis = j
		}
	}
	return axis
}

// checkOrder checks a leaf; other nodes may have any order.
func checkOrder(t *testing.T, tree *Tree, n Node, axis int) {
	t.Helper()
	for i := int(n.First) + 1; n.Left == 0 && i < int(n.End); i++ {
		p := key{value: tree.Point(i - 1)[axis], id: tree.IDs[i-1]}
		if q := (key{value: tree.Point(i)[axis], id: tree.IDs[i]}); !p.less(q) {
			t.Fatalf("points %d and %d of %d are not in order along %d",
				i-1, i, len(tree.IDs), axis)
		}
	}
}

func BenchmarkBuild(b *testing.B) {
	for _, size := range []struct{ n, dim int }{
		{1_000, 5}, {1_000, 25}, {10_000, 10}, {100_000, 5}, {100_000, 25}, {1_000_000, 5},
		{10_000, 784},
	} {
		b.Run(fmt.Sprintf("%dx%d", size.n, size.dim), func(b *testing.B) {
			data, _ := randomPoints(rand.New(rand.NewPCG(8, 1)), size.n, size.dim, false)
			ids := numbers(size.n)
			for b.Loop() {
				build(b, data, size.dim, ids)
			}
			b.ReportMetric(float64(size.n)*float64(b.N)/b.Elapsed().Seconds(), "points/s")
		})
	}
}
