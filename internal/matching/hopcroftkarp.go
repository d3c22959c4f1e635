package matching

import "context"

// unreached is the level of a vertex that the current phase does not walk through.
const unreached int32 = -1

// Maximum returns a largest matching of g by the algorithm of Hopcroft and
// Karp (1973): every phase augments along a maximal set of disjoint shortest
// augmenting paths, and O(√V) phases suffice. Edges are not walked but looked
// for, as Efrat, Itai and Katz (2001) do: a vertex that a search has seen is
// dropped from the graph, so that no phase finds a vertex twice.
//
// A phase takes O(V) calls of Find and Drop and two of Begin. Beside the graph
// it takes O(V) memory. The error is the context's, wrapped.
func Maximum(ctx context.Context, g Graph) (*Matching, error) {
	s := newSearch(ctx, g)
	if err := s.poll.now(); err != nil {
		return nil, err
	}
	if err := s.greedy(); err != nil {
		return nil, err
	}
	for {
		found, err := s.layer()
		if err != nil {
			return nil, err
		}
		if !found {
			return s.m, nil
		}
		if err := s.augment(); err != nil {
			return nil, err
		}
		s.m.Phases++
	}
}

// search is the state of one run of the algorithm.
type search struct {
	g    Graph
	m    *Matching
	poll poll

	// left[u] is the number of edges of the matching on a shortest alternating
	// path from a free left vertex to the left vertex u, right[v] the level of the
	// left vertex before v on a shortest one to the right vertex v.
	left, right []int32

	queue []int32 // left vertices in order of level
	path  []int32 // left vertices of the path that is being walked
	via   []int32 // via[i]: the right vertex between path[i] and path[i+1]
}

func newSearch(ctx context.Context, g Graph) *search {
	return &search{
		g:     g,
		m:     newMatching(g),
		poll:  poll{ctx: ctx},
		left:  make([]int32, g.Left()),
		right: make([]int32, g.Right()),
		queue: make([]int32, 0, g.Left()),
	}
}

// greedy matches every left vertex to the first free neighbour that is found,
// which usually leaves little for the phases.
func (s *search) greedy() error {
	s.g.Begin(nil)
	for u := range int32(s.g.Left()) {
		if err := s.poll.step(); err != nil {
			return err
		}
		if v := s.g.Find(u, 0); v != Free {
			s.g.Drop(v)
			s.m.join(u, v)
			s.m.Size++
		}
	}
	return nil
}

// layer computes the levels breadth first and reports whether there is an
// augmenting path. It stops after the level from which a free right vertex can
// be reached: deeper vertices are on no shortest augmenting path.
func (s *search) layer() (found bool, err error) {
	s.seed()
	s.g.Begin(nil)
	for head := 0; head < len(s.queue); head++ {
		u := s.queue[head]
		if found && s.left[u] > s.left[s.queue[head-1]] {
			s.forget(s.queue[head:])
			break
		}
		free, err := s.expand(u)
		if err != nil {
			return false, err
		}
		found = found || free
	}
	return found, nil
}

// seed starts a phase at the free left vertices.
func (s *search) seed() {
	s.queue = s.queue[:0]
	for v := range s.right {
		s.right[v] = unreached
	}
	for u, v := range s.m.Left {
		if v == Free {
			s.left[u] = 0
			s.queue = append(s.queue, int32(u))
		}
	}
}

// expand gives the neighbours of u that have no level theirs, and reports whether
// one of them is free.
func (s *search) expand(u int32) (free bool, err error) {
	for {
		if err := s.poll.step(); err != nil {
			return false, err
		}
		v := s.g.Find(u, 0)
		if v == Free {
			return free, nil
		}
		s.g.Drop(v)
		s.right[v] = s.left[u]
		w := s.m.Right[v]
		if w == Free {
			free = true
			continue
		}
		s.left[w] = s.left[u] + 1
		s.queue = append(s.queue, w)
	}
}

// forget takes the right vertices before these left ones off the phase: they are
// on the last level, and only the free vertices there end a path.
func (s *search) forget(beyond []int32) {
	for _, w := range beyond {
		s.right[s.m.Left[w]] = unreached
	}
}

// augment enlarges the matching along a maximal set of disjoint shortest
// augmenting paths.
func (s *search) augment() error {
	s.g.Begin(s.right)
	for _, u := range s.queue {
		if s.left[u] > 0 {
			break // the free vertices come first
		}
		if err := s.augmentFrom(u); err != nil {
			return err
		}
	}
	return nil
}

// augmentFrom looks depth first for a shortest augmenting path from the free
// left vertex root and, if there is one, augments along it.
//
// Invariant: path[i] has level i. Its neighbours have level i at most, for else
// layer would have reached them from path[i], so that asking Find for level i or
// above yields the next layer. All walks of a phase together see a right vertex
// once.
func (s *search) augmentFrom(root int32) error {
	s.path, s.via = append(s.path[:0], root), s.via[:0]
	for len(s.path) > 0 {
		if err := s.poll.step(); err != nil {
			return err
		}
		last := len(s.path) - 1
		v := s.g.Find(s.path[last], int32(last))
		if v == Free { // a dead end, for the rest of the phase
			s.path, s.via = s.path[:last], s.via[:max(last-1, 0)]
			continue
		}
		s.g.Drop(v)
		s.via = append(s.via, v)
		w := s.m.Right[v]
		if w == Free {
			s.flip()
			return nil
		}
		s.path = append(s.path, w)
	}
	return nil
}

// flip joins every left vertex of the path to the right vertex after it.
func (s *search) flip() {
	for i, u := range s.path {
		s.m.join(u, s.via[i])
	}
	s.m.Size++
}
