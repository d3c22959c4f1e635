package bipartite

import "context"

// unreached is the level of a vertex that the current phase does not walk through.
const unreached int32 = -1

// Maximum returns a largest flow of g by the algorithm of Dinic (1970), which for
// weights of 1 is that of Hopcroft and Karp (1973): every phase augments along
// shortest paths until none of that length is left. O(V) phases suffice, and O(√V) for
// weights of 1. Edges are not walked but looked for, as Efrat, Itai and Katz (2001)
// do: a vertex that a search is done with is dropped from the graph.
//
// A phase takes O(V) calls of Find and Drop and two of Begin, beside those of paths that leave each
// vertex some capacity. The error is the context's, wrapped.
func Maximum(ctx context.Context, g Graph, w Weights) (*Flow, error) {
	f := newFlow(g, w)
	if err := newSearch(ctx, g, f).run(); err != nil {
		return nil, err
	}
	return f, nil
}

// search is the state of one run of the algorithm.
type search struct {
	g    Graph
	flow *Flow
	poll poll

	// left[u] is the number of arcs against the flow on a shortest path from a left
	// vertex with supply, right[v] the level of the left vertex before v.
	left, right []int32

	queue []int32 // left vertices in order of level
	path  []int32 // left vertices of the path that is being walked
	via   []int32 // via[i]: the right vertex between path[i] and path[i+1]
}

func newSearch(ctx context.Context, g Graph, f *Flow) *search {
	return &search{
		g:     g,
		flow:  f,
		poll:  poll{ctx: ctx},
		left:  make([]int32, g.Left()),
		right: make([]int32, g.Right()),
		queue: make([]int32, 0, g.Left()),
	}
}

// run makes the flow a largest one.
func (s *search) run() error {
	if err := s.start(); err != nil {
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
		s.flow.Phases++
	}
}

// start finds paths of one edge, which usually leave little for the phases: by peeling the
// graph, or in any order, as paths in a graph of which all levels are 0.
func (s *search) start() error {
	if p := newPeel(s); p != nil {
		return p.run()
	}
	s.seed()
	clear(s.right)
	return s.augment()
}

// layer computes the levels breadth first and reports whether there is a path to a
// demand. It stops after the level from which one can be reached: deeper vertices are
// on no shortest path, nor are vertices of that level without demand.
func (s *search) layer() (found bool, err error) {
	s.seed()
	s.g.Begin(nil)
	last := int32(0)
	for head := 0; head < len(s.queue); head++ {
		u := s.queue[head]
		if found && s.left[u] > last {
			break
		}
		met, err := s.expand(u)
		if err != nil {
			return false, err
		}
		if met {
			found, last = true, s.left[u]
		}
	}
	for v, level := range s.right {
		if level == last && s.flow.right[v].demand == 0 {
			s.right[v] = unreached
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
	for u, supply := range s.flow.supply {
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
		if v == None {
			return met, nil
		}
		s.g.Drop(v)
		s.right[v] = s.left[u]
		if s.flow.right[v].demand > 0 {
			met = true
			continue
		}
		for at := s.flow.right[v].first; at != None; at = s.flow.arcs[at].next {
			if w := s.flow.arcs[at].left; s.left[w] == unreached {
				s.left[w] = s.left[u] + 1
				s.queue = append(s.queue, w)
			}
		}
	}
}

// augment empties the layers of paths.
func (s *search) augment() error {
	for v := range s.flow.right {
		s.flow.right[v].next = s.flow.right[v].first
	}
	s.g.Begin(s.right)
	for _, u := range s.queue {
		if s.left[u] > 0 {
			break // those with supply come first
		}
		for s.flow.supply[u] > 0 {
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
	s.flow.tidy()
	return nil
}

// walk looks depth first for a shortest path from root to a demand. What leads
// nowhere is taken out for the rest of the phase: left vertices lose their level,
// right ones are dropped.
//
// Invariant: path[i] and via[i] have level i. The neighbours of path[i] have level i at
// most, for else layer would have reached them from path[i], so that asking Find for
// level i or above yields the next layer.
func (s *search) walk(root int32) (reached bool, err error) {
	s.path, s.via = append(s.path[:0], root), s.via[:0]
	for len(s.path) > 0 {
		if err := s.poll.step(); err != nil {
			return false, err
		}
		last := len(s.path) - 1
		v := s.g.Find(s.path[last], int32(last))
		if v == None {
			s.left[s.path[last]] = unreached
			s.path, s.via = s.path[:last], s.via[:max(last-1, 0)]
			continue
		}
		if s.flow.right[v].demand > 0 {
			s.via = append(s.via, v)
			return true, nil
		}
		if w := s.back(v); w != None {
			s.via, s.path = append(s.via, v), append(s.path, w)
		}
	}
	return false, nil
}

// back returns a left vertex of the next level from which something flows to v, and
// drops v if there is none, or none after this walk: that uses up an arc of one unit,
// whether it gets on or not.
func (s *search) back(v int32) int32 {
	arcs := s.flow.arcs
	at := s.flow.right[v].next
	for at != None && (arcs[at].amount == 0 || s.left[arcs[at].left] != s.right[v]+1) {
		at = arcs[at].next
	}
	s.flow.right[v].next = at
	if at == None {
		s.g.Drop(v)
		return None
	}
	if arcs[at].amount == 1 && arcs[at].next == None {
		s.g.Drop(v)
	}
	return arcs[at].left
}

// push sends along the path as much as its ends and the arcs against it allow.
func (s *search) push() {
	f := s.flow
	root, end := s.path[0], s.via[len(s.via)-1]
	amount := min(f.supply[root], f.right[end].demand)
	for _, v := range s.via[:len(s.via)-1] {
		amount = min(amount, f.arcs[f.right[v].next].amount)
	}
	f.supply[root] -= amount
	f.right[end].demand -= amount
	if f.right[end].demand == 0 {
		s.g.Drop(end)
	}
	for i, v := range s.via {
		if v != end {
			f.arcs[f.right[v].next].amount -= amount
		}
		f.add(s.path[i], v, amount)
	}
}
