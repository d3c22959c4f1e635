package nnindex

import (
	"cmp"
	"context"
	"errors"
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
	const n, dim = 2*run + 1, 2
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

// TestSort compares sorting in parts, and their merging, with sorting at once; half of
// the coordinates are equal to others.
func TestSort(t *testing.T) {
	for _, grid := range []bool{false, true} {
		const n = 3*run + 17
		data, _ := randomPoints(rand.New(rand.NewPCG(7, 1)), n, 1, grid)
		got, want := numbers(n), numbers(n)
		slices.Reverse(got)
		b := builder{Tree: &Tree{Dim: 1}, ctx: t.Context(), data: data}
		if err := b.sort(got, 0); err != nil {
			t.Fatal(err)
		}
		slices.SortStableFunc(want, func(p, q int32) int { return cmp.Compare(data[p], data[q]) })
		if !slices.Equal(got, want) {
			t.Errorf("grid %v: not the order of coordinates and numbers", grid)
		}
	}
}
