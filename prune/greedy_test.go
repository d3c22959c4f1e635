package prune

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-1a7dc1f9/facet/classifier"
)

// TestGreedy: the set is separated and maximal, and no more than twice as many
// rows are removed as must be.
func TestGreedy(t *testing.T) {
	worse := 0
	for number := range uint64(1000) {
		rng := rand.New(rand.NewPCG(30, number))
		in, _ := newWeighted(rng, 1+rng.IntN(14), 1+rng.IntN(3))
		keep, err := Greedy{Radius: in.radius, Norm: in.norm}.Prune(t.Context(), in.x, in.y)
		if err != nil {
			t.Fatal(err)
		}
		checkSeparated(t, in, keep)
		least := float64(len(in.y) - heaviestSet(in, nil))
		removed := float64(len(in.y) - len(keep))
		if removed < least || removed > 2*least {
			t.Errorf("%v rows removed, %v must be", removed, least)
		}
		if removed > least {
			worse++
		}
		if t.Failed() {
			t.Fatalf("instance %d: %v", number, in)
		}
	}
	if worse < 20 {
		t.Errorf("%d of 1000 sets are not optimal: too easy", worse)
	}
}

func TestGreedyCancelled(t *testing.T) {
	in := newInstance(rand.New(rand.NewPCG(31, 0)), 50, 2)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := (Greedy{}).Prune(ctx, in.x, in.y); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want context.Canceled", err)
	}
	count := &fuse{Context: t.Context(), n: math.MaxInt64}
	if _, err := (Greedy{}).Prune(count, in.x, in.y); err != nil {
		t.Fatal(err)
	}
	looks := count.looks.Load()
	if least := int64(3 * 50); looks < least { // reading, removing and putting back
		t.Errorf("%d looks at the context, want %d at least", looks, least)
	}
	for n := int64(1); n <= looks; n++ {
		if _, err := (Greedy{}).Prune(
			&fuse{Context: t.Context(), n: n}, in.x, in.y,
		); !errors.Is(err, context.Canceled) {
			t.Fatalf("cancelled at look %d of %d: %v", n, looks, err)
		}
	}
	if _, err := (Greedy{Radius: -1}).Prune(
		t.Context(), in.x, in.y,
	); !errors.Is(err, classifier.ErrOption) {
		t.Errorf("error %v, want classifier.ErrOption", err)
	}
}
