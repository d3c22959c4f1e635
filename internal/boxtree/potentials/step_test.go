package potentials

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

// randomStep returns a step of a few trees, some of them with many leaves.
func randomStep(rng *rand.Rand) *step {
	width := maxBins >> rng.IntN(2)
	k := &step{first: []int32{0}, floor: unreachable / 8, width: int32(width)}
	for range 1 + rng.IntN(6) {
		tree, leaves := int32(len(k.first)-1), 1+rng.IntN(1+rng.IntN(40))
		for l := range leaves {
			k.values = append(k.values, rng.Int32N(1<<20)-1<<19)
			if rng.IntN(3) == 0 || l == 0 {
				lo := rng.IntN(width)
				k.entries = append(k.entries, entry{
					leaf:         int32(len(k.values) - 1),
					contribution: -rng.Int32N(1 << 10),
				})
				k.bins = append(k.bins, bin{uint8(lo), uint8(lo + rng.IntN(width-lo))})
			}
		}
		k.first = append(k.first, int32(len(k.values)))
		k.users = append(k.users, user{tree, int32(len(k.entries))})
	}
	k.rests, k.profiles = make([]int32, len(k.entries)), make([]int32, width*len(k.users))
	return k
}

// copied returns a copy of k with memory of its own.
func (k *step) copied() *step {
	c := *k
	c.entries, c.values = slices.Clone(k.entries), slices.Clone(k.values)
	c.rests, c.profiles = slices.Clone(k.rests), slices.Clone(k.profiles)
	return &c
}

// A processor that calculates in lanes has the results of the same steps in Go.
func TestStep(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	barred := 0
	for i := range 2000 {
		k := randomStep(rng)
		plain := k.copied()
		k.gather()
		plain.gatherPlain()
		if !reflect.DeepEqual(k, plain) {
			t.Fatalf("step %d: of %+v\ngathered %+v, want %+v",
				i, k.entries, k.profiles, plain.profiles)
		}
		for j, sum := range k.totals[:k.width] {
			k.parts[j] = int32(sum/int64(len(k.users)) - unreachable)
			if k.barred[j] != 0 {
				barred++
			}
		}
		plain.parts = k.parts
		if got, want := k.level(), plain.levelPlain(); got != want || !reflect.DeepEqual(k, plain) {
			t.Fatalf("step %d: %d and %+v, want %d and %+v", i, got, k.values, want, plain.values)
		}
	}
	if barred == 0 {
		t.Error("every tree had a leaf in every bin")
	}
}
