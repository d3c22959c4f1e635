package mincut

import (
	"context"

	"github.com/seed-1a7dc1f9/facet/internal/matching"
)

// Weights are what vertices weigh beside what they weigh in the units before, which are
// 2^Shift times as large.
type Weights struct {
	Left, Right []int64
	Shift       int
}

// Edge joins a left vertex to a right one.
type Edge struct{ Left, Right int32 }

// plenty stands for every amount that is as large or larger, in a flow that is refined.
const plenty = 1 << 61

// Refine makes f, a largest flow for weights in larger units, a largest one for these weights
// added, and returns by how much it changed along each edge, in the units of w. A vertex
// has less than one larger unit of w, and both sides together at most plenty/4. From
// then on amounts in f are in these units up to plenty, and Value is of no use.
//
// This is the scaling of capacities of Gabow (1985). The weights added, now and later, allow
// less than plenty/2 to flow in all. An amount of plenty or more is therefore never used up,
// and need not be known.
func (f *Flow) Refine(ctx context.Context, g matching.Graph, w Weights) (changed map[Edge]int64, err error) {
	rescale(f.Supply, w.Left, w.Shift)
	rescale(f.Demand, w.Right, w.Shift)
	for _, arcs := range f.In {
		for i := range arcs {
			arcs[i].Amount = smaller(arcs[i].Amount, w.Shift)
		}
	}
	s := newSearch(ctx, g, f)
	s.changed = make(map[Edge]int64)
	f.Value = 0 // what is added does not overflow
	if err := s.run(); err != nil {
		return nil, err
	}
	return s.changed, nil
}

func rescale(amounts, added []int64, shift int) {
	for i := range amounts {
		amounts[i] = smaller(amounts[i], shift) + added[i]
	}
}

// smaller returns an amount in units 2^shift smaller.
func smaller(amount int64, shift int) int64 {
	if amount > plenty>>shift {
		return plenty
	}
	return amount << shift
}

// record notes what push did.
func (s *search) record(amount int64, end int32) {
	for i, v := range s.via {
		if v != end {
			s.changed[Edge{s.flow.In[v][s.next[v]].Left, v}] -= amount
		}
		s.changed[Edge{s.path[i], v}] += amount
	}
}
