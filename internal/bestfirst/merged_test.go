package bestfirst_test

import (
	"context"
	"math/rand/v2"
	"reflect"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/seed-1a7dc1f9/facet/internal/bestfirst"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
)

// merging is a fake whose nodes are merged into one, which knows the first answer.
type merging struct {
	*fake
	patience int

	mu     sync.Mutex
	merged []search.Node
	best   *search.Answer
}

func (m *merging) Patience() int { return m.patience }

func (m *merging) Merged(first search.Node, best *search.Answer) search.Node {
	m.best = best
	return search.Node{Bound: first.Bound, State: m}
}

func (m *merging) NewOpener() search.Opener { return mergingOpener{m.fake.NewOpener(), m} }

type mergingOpener struct {
	search.Opener
	of *merging
}

func (o mergingOpener) Open(
	ctx context.Context, n search.Node, cutoff float64,
) (search.Opened, error) {
	if n.State == nil {
		return o.Opener.Open(ctx, n, cutoff)
	}
	o.of.mu.Lock()
	defer o.of.mu.Unlock()
	o.of.merged = append(o.of.merged, n)
	a := o.of.first()
	if a == nil || o.of.best != nil && !bestfirst.Before(
		a.Bound, a.Order, o.of.best.Bound, o.of.best.Order,
	) {
		return search.Opened{}, nil
	}
	return search.Opened{Answer: a}, nil
}

// TestMerged: up to their patience searches open the nodes that one worker does, one at a time,
// then a node in place of all others.
func TestMerged(t *testing.T) {
	merged := 0
	for number := range uint64(racetest.Scale(150)) {
		synctest.Test(t, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(number, 12))
			f := grow(rng)
			want := f.first()
			all := f.run(t, t.Context(), bestfirst.Limits{Workers: 1}).Nodes
			inOrder := f.opened
			f.during = unsettled(rng)
			for _, workers := range []int{1, 3} {
				for patience := 1; patience <= all; patience++ {
					f.opened, f.cutoffs = nil, nil
					m := &merging{fake: f, patience: patience}
					r, err := bestfirst.Run(t.Context(), m, bestfirst.Limits{Workers: workers})
					if err != nil || f.misuse != nil {
						t.Fatal(err, f.misuse)
					}
					if err := checkResult(r, want); err != nil || !r.Complete {
						t.Fatalf("instance %d, %d workers, patience %d: %v, complete = %v",
							number, workers, patience, err, r.Complete)
					}
					if !reflect.DeepEqual(f.opened, inOrder[:patience]) ||
						r.Nodes != min(all, patience+1) || len(m.merged) != r.Nodes-patience {
						t.Fatalf("instance %d, %d workers, patience %d of %d: %d nodes, "+
							"%d merged: %+v, want %+v", number, workers, patience, all, r.Nodes,
							len(m.merged), f.opened, inOrder[:patience])
					}
					merged += len(m.merged)
				}
			}
		})
	}
	if merged == 0 {
		t.Error("nothing was merged")
	}
}
