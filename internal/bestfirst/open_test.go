package bestfirst_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/bestfirst"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// fuse is a search of two workers. Node 0 ends once node 1 has panicked. The two nodes before
// them need both workers at once, and so do its two children.
type fuse struct {
	panicked chan struct{}
	both     [2]sync.WaitGroup
	reused   atomic.Bool
}

func (f *fuse) Roots() []search.Node {
	return []search.Node{{Item: 2}, {Item: 2}, {Bound: 0.25}, {Bound: 1, Order: 1, Item: 1}}
}

func (f *fuse) NewOpener() search.Opener { return &fuseOpener{fuse: f} }

type fuseOpener struct {
	*fuse
	burnt bool
}

func (o *fuseOpener) Open(_ context.Context, n search.Node, _ float64) (search.Opened, error) {
	if o.burnt {
		o.reused.Store(true)
	}
	switch n.Item {
	case 0:
		<-o.panicked
		return search.Opened{
			Children: []search.Node{{Bound: 0.5, Item: 3}, {Bound: 0.5, Item: 3}},
		}, nil
	case 1:
		o.burnt = true
		defer close(o.panicked)
		panic("burnt")
	}
	o.both[n.Item-2].Done()
	o.both[n.Item-2].Wait()
	return search.Opened{}, nil
}

// TestBurntOpener: an opener that panicked is not used again, and the other workers end.
func TestBurntOpener(t *testing.T) {
	f := &fuse{panicked: make(chan struct{})}
	f.both[0].Add(2)
	f.both[1].Add(2)
	_, err := bestfirst.Run(t.Context(), f, bestfirst.Limits{Workers: 2})
	if p, ok := errors.AsType[*polytope.PanicError](err); !ok || p.Value != "burnt" {
		t.Errorf("error %v, want the panic", err)
	}
	if f.reused.Load() {
		t.Error("the opener that panicked was used again")
	}
}

// lender is a search that counts openers, and how often they are released.
type lender struct {
	search.Search
	made, released atomic.Int64
}

func (l *lender) NewOpener() search.Opener {
	l.made.Add(1)
	return lent{l.Search.NewOpener(), l}
}

type lent struct {
	search.Opener
	of *lender
}

func (l lent) Release() { l.of.released.Add(1) }

// TestRelease: each opener is released once, whether the search ends or a limit ends it.
func TestRelease(t *testing.T) {
	for workers := 1; workers <= 4; workers++ {
		for _, nodes := range []int{0, 3} {
			l := &lender{Search: grow(rand.New(rand.NewPCG(1, uint64(workers))))}
			limits := bestfirst.Limits{Workers: workers, Nodes: nodes}
			_, err := bestfirst.Run(t.Context(), l, limits)
			made, released := l.made.Load(), l.released.Load()
			if err != nil || made == 0 || made != released {
				t.Errorf("%d workers, %d nodes: %d openers, %d released, %v",
					workers, nodes, made, released, err)
			}
		}
	}
}
