package mincut

import (
	"context"
	"fmt"

	"github.com/seed-1a7dc1f9/facet/internal/matching"
)

// Arc is an amount that flows to a right vertex from a left one.
type Arc struct {
	Left   int32
	Amount int64
}

// Flow is what flows into every right vertex, and what is left over.
type Flow struct {
	In     [][]Arc // of right vertices; each left vertex once, amounts > 0
	Supply []int64 // of left vertices, not used
	Demand []int64 // of right vertices, not met
	Value  int64   // what flows
	Phases int     // rounds of augmentation it took to find
}

func newFlow(left, right []int64) *Flow {
	f := &Flow{
		In:     make([][]Arc, len(right)),
		Supply: make([]int64, len(left)),
		Demand: make([]int64, len(right)),
	}
	copy(f.Supply, left)
	copy(f.Demand, right)
	return f
}

// add lets amount more units flow from u to v.
func (f *Flow) add(u, v int32, amount int64) {
	for i := range f.In[v] {
		if a := &f.In[v][i]; a.Left == u {
			a.Amount += amount
			return
		}
	}
	f.In[v] = append(f.In[v], Arc{u, amount})
}

// tidy removes arcs on which nothing flows any more.
func (f *Flow) tidy() {
	for v, arcs := range f.In {
		used := arcs[:0]
		for _, a := range arcs {
			if a.Amount > 0 {
				used = append(used, a)
			}
		}
		f.In[v] = used
	}
}

// CoverOf returns the lightest vertex cover that goes with a largest flow f of g:
// (L∖Z) ∪ (R∩Z), Z being all that the supply left over reaches along edges and
// against the flow. It is the same for every largest flow. It takes O(V) calls of
// Find and Drop. The error is the context's, wrapped, or matching.ErrNotMaximum.
func CoverOf(ctx context.Context, g matching.Graph, f *Flow) (*matching.Cover, error) {
	p := poll{ctx: ctx}
	if err := p.now(); err != nil {
		return nil, err
	}
	c := &matching.Cover{Left: make([]bool, g.Left()), Right: make([]bool, g.Right())}
	var stack []int32 // the left vertices of Z whose neighbours are not all in Z
	for u, supply := range f.Supply {
		c.Left[u] = supply == 0
		if supply > 0 {
			stack = append(stack, int32(u))
		}
	}
	g.Begin(nil)
	for len(stack) > 0 {
		if err := p.step(); err != nil {
			return nil, err
		}
		last := len(stack) - 1
		v := g.Find(stack[last], 0)
		if v == matching.Free {
			stack = stack[:last]
			continue
		}
		g.Drop(v)
		if f.Demand[v] > 0 {
			return nil, matching.ErrNotMaximum
		}
		c.Right[v] = true
		for _, a := range f.In[v] {
			if c.Left[a.Left] {
				c.Left[a.Left] = false
				stack = append(stack, a.Left)
			}
		}
	}
	return c, nil
}

// pollEvery is the number of calls of Find between two looks at the context, as in
// package matching.
const pollEvery = 1 << 3

// poll looks at a context once in a while.
type poll struct {
	ctx   context.Context
	steps int // since the last look
}

func (p *poll) step() error {
	p.steps++
	if p.steps < pollEvery {
		return nil
	}
	return p.now()
}

func (p *poll) now() error {
	p.steps = 0
	if err := p.ctx.Err(); err != nil {
		return fmt.Errorf("min cut: %w", err)
	}
	return nil
}
