package mincut

import (
	"context"

	"github.com/seed-1a7dc1f9/facet/internal/matching"
)

// unreached is the level of a vertex that the current phase does not walk through.
const unreached int32 = -1

// Maximum returns a largest flow of g between vertices of these weights, which
// are ≥ 0 and whose sum is an int64, by the algorithm of Dinic (1970): every phase
// augments along shortest paths until none of that length is left. It takes O(V)
// phases at worst, each with O(V) calls of Find and Drop beside what the paths
// take. The error is the context's, wrapped.
func Maximum(ctx context.Context, g matching.Graph, left, right []int64) (*Flow, error) {
	f := newFlow(left, right)
	if err := newSearch(ctx, g, f).run(); err != nil {
		return nil, err
	}
	return f, nil
}

// search is the state of one run of the algorithm.
type search struct {
	g    matching.Graph
	flow *Flow
	poll poll

	// left[u] is the number of arcs against the flow on a shortest path from a left
	// vertex with supply, right[v] the level of the left vertex before v.
	left, right []int32
	last        int32 // level of the right vertices at which paths end

	next  []int32 // next[v]: where in In[v] the walk from v goes on
	queue []int32 // left vertices in order of level
	path  []int32 // left vertices of the path that is being walked
	via   []int32 // via[i]: the right vertex between path[i] and path[i+1]

	changed map[Edge]int64 // what was pushed along each edge, less what was taken back; nil: not wanted
}

func newSearch(ctx context.Context, g matching.Graph, f *Flow) *search {
	return &search{
		g:     g,
		flow:  f,
		poll:  poll{ctx: ctx},
		left:  make([]int32, g.Left()),
		right: make([]int32, g.Right()),
		next:  make([]int32, g.Right()),
	}
}

// run makes the flow a largest one.
func (s *search) run() error {
	if err := s.poll.now(); err != nil {
		return err
	}
	for {
		found, err := s.layer()
		if !found || err != nil {
			return err
		}
		if err := s.augment(); err != nil {
			return err
		}
		s.flow.tidy()
		s.flow.Phases++
	}
}

// layer computes the levels breadth first and reports whether there is a path
// to a demand. It stops after the level from which one can be reached.
func (s *search) layer() (found bool, err error) {
	s.seed()
	s.g.Begin(nil)
	for head := 0; head < len(s.queue); head++ {
		u := s.queue[head]
		if found && s.left[u] > s.last {
			break
		}
		met, err := s.expand(u)
		if err != nil {
			return false, err
		}
		if met {
			found, s.last = true, s.left[u]
		}
	}
	return found, nil
}

// seed starts a phase at the left vertices with supply.
func (s *search) seed() {
	s.queue = s.queue[:0]
	for v := range s.right {
		s.right[v] = unreached
	}
	for u, supply := range s.flow.Supply {
		s.left[u] = unreached
		if supply > 0 {
			s.left[u] = 0
			s.queue = append(s.queue, int32(u))
		}
	}
}

// expand gives the neighbours of u that have no level theirs, and reports whether
// one of them has demand.
func (s *search) expand(u int32) (met bool, err error) {
	for {
		if err := s.poll.step(); err != nil {
			return false, err
		}
		v := s.g.Find(u, 0)
		if v == matching.Free {
			return met, nil
		}
		s.g.Drop(v)
		s.right[v] = s.left[u]
		if s.flow.Demand[v] > 0 {
			met = true
			continue
		}
		for _, a := range s.flow.In[v] {
			if s.left[a.Left] == unreached {
				s.left[a.Left] = s.left[u] + 1
				s.queue = append(s.queue, a.Left)
			}
		}
	}
}

// augment empties the layers of paths.
func (s *search) augment() error {
	clear(s.next)
	s.g.Begin(s.right)
	for _, u := range s.queue {
		if s.left[u] > 0 {
			break // those with supply come first
		}
		for s.flow.Supply[u] > 0 {
			reached, err := s.walk(u)
			if err != nil {
				return err
			}
			if !reached {
				break
			}
			s.push()
		}
	}
	return nil
}

// walk looks depth first for a shortest path from root to a demand. What leads
// nowhere is taken out for the rest of the phase: left vertices lose their level,
// right ones are dropped.
//
// Invariant: path[i] and via[i] have level i.
func (s *search) walk(root int32) (reached bool, err error) {
	s.path, s.via = append(s.path[:0], root), s.via[:0]
	for len(s.path) > 0 {
		if err := s.poll.step(); err != nil {
			return false, err
		}
		last := len(s.path) - 1
		v := s.g.Find(s.path[last], int32(last))
		if v == matching.Free {
			s.left[s.path[last]] = unreached
			s.path, s.via = s.path[:last], s.via[:max(last-1, 0)]
			continue
		}
		if s.flow.Demand[v] > 0 {
			s.via = append(s.via, v)
			return true, nil
		}
		if w := s.back(v); w != unreached {
			s.via, s.path = append(s.via, v), append(s.path, w)
			continue
		}
		s.g.Drop(v)
	}
	return false, nil
}

// back returns a left vertex of the next level from which something flows to v.
func (s *search) back(v int32) int32 {
	if s.right[v] >= s.last {
		return unreached
	}
	for arcs := s.flow.In[v]; int(s.next[v]) < len(arcs); s.next[v]++ {
		a := arcs[s.next[v]]
		if a.Amount > 0 && s.left[a.Left] == s.right[v]+1 {
			return a.Left
		}
	}
	return unreached
}

// push lets flow along the path what its ends and the arcs against it allow.
func (s *search) push() {
	f := s.flow
	root, end := s.path[0], s.via[len(s.via)-1]
	amount := min(f.Supply[root], f.Demand[end])
	for _, v := range s.via[:len(s.via)-1] {
		amount = min(amount, f.In[v][s.next[v]].Amount)
	}
	f.Supply[root] -= amount
	f.Demand[end] -= amount
	f.Value += amount
	for i, v := range s.via {
		if v != end {
			f.In[v][s.next[v]].Amount -= amount
		}
		f.add(s.path[i], v, amount)
	}
	if s.changed != nil {
		s.record(amount, end)
	}
}
