package search_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/search"
)

// fuse is a search of two workers. Node 0 ends once node 1 has panicked. The two nodes before
// them need both workers at once, and so do its two children.
type fuse struct {
	panicked chan struct{}
	both     [2]sync.WaitGroup
	reused   atomic.Bool
}

func (f *fuse) Roots() []classifier.Node {
	return []classifier.Node{{Item: 2}, {Item: 2}, {Bound: 0.25}, {Bound: 1, Order: 1, Item: 1}}
}

func (f *fuse) NewOpener() classifier.Opener { return &fuseOpener{fuse: f} }

type fuseOpener struct {
	*fuse
	burnt bool
}

func (o *fuseOpener) Open(_ context.Context, n classifier.Node, _ float64) (classifier.Opened, error) {
	if o.burnt {
		o.reused.Store(true)
	}
	switch n.Item {
	case 0:
		<-o.panicked
		return classifier.Opened{Children: []classifier.Node{{Bound: 0.5, Item: 3}, {Bound: 0.5, Item: 3}}}, nil
	case 1:
		o.burnt = true
		defer close(o.panicked)
		panic("burnt")
	}
	o.both[n.Item-2].Done()
	o.both[n.Item-2].Wait()
	return classifier.Opened{}, nil
}

// TestBurntOpener: an opener that panicked is not used again, and the other workers end.
func TestBurntOpener(t *testing.T) {
	f := &fuse{panicked: make(chan struct{})}
	f.both[0].Add(2)
	f.both[1].Add(2)
	_, err := search.Run(t.Context(), f, search.Limits{Workers: 2})
	if p, ok := errors.AsType[*classifier.PanicError](err); !ok || p.Value != "burnt" {
		t.Errorf("error %v, want the panic", err)
	}
	if f.reused.Load() {
		t.Error("the opener that panicked was used again")
	}
}
