package matching

import (
	"context"
	"math"
)

// unreached is the level of a left vertex that the current phase does not walk
// through.
const unreached int32 = -1

// Maximum returns a largest matching of g by the algorithm of Hopcroft and
// Karp (1973): every phase augments along a maximal set of disjoint shortest
// augmenting paths, and O(√V) phases suffice.
//
// It takes O(E·√V) time and O(V) memory beside the graph. The error is the
// context's, wrapped.
func Maximum(ctx context.Context, g *Graph) (*Matching, error) {
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
	g    *Graph
	m    *Matching
	poll poll

	// level[u] is the number of edges of the matching on a shortest alternating
	// path from a free left vertex to the left vertex u.
	level []int32
	last  int32   // level of the left vertices at which augmenting paths end
	next  []int   // next[u]: where in Adjacent the walk from u goes on
	queue []int32 // left vertices in order of level
	path  []int32 // left vertices of the path that is being walked
}

func newSearch(ctx context.Context, g *Graph) *search {
	return &search{
		g:     g,
		m:     newMatching(g),
		poll:  poll{ctx: ctx},
		level: make([]int32, g.Left()),
		next:  make([]int, g.Left()),
		queue: make([]int32, 0, g.Left()),
	}
}

// greedy matches every left vertex to its first free neighbour, which usually
// leaves little for the phases.
func (s *search) greedy() error {
	for u := range int32(s.g.Left()) {
		neighbours := s.g.Neighbours(u)
		for _, v := range neighbours {
			if s.m.Right[v] == Free {
				s.m.join(u, v)
				s.m.Size++
				break
			}
		}
		if err := s.poll.after(len(neighbours)); err != nil {
			return err
		}
	}
	return nil
}

// layer computes the levels breadth first and reports whether there is an
// augmenting path. It stops at the level from which a free right vertex can be
// reached: deeper vertices are on no shortest augmenting path.
func (s *search) layer() (bool, error) {
	s.last = math.MaxInt32
	s.seed()
	for head := 0; head < len(s.queue); head++ {
		u := s.queue[head]
		neighbours := s.g.Neighbours(u)
		for _, v := range neighbours {
			w := s.m.Right[v]
			if w == Free {
				s.last = s.level[u]
				return true, nil
			}
			if s.level[w] == unreached {
				s.reach(w, s.level[u]+1)
			}
		}
		if err := s.poll.after(len(neighbours)); err != nil {
			return false, err
		}
	}
	return false, nil
}

// seed starts a phase at the free left vertices.
func (s *search) seed() {
	s.queue = s.queue[:0]
	for u := range s.level {
		s.level[u] = unreached
		if s.m.Left[u] == Free {
			s.reach(int32(u), 0)
		}
	}
}

func (s *search) reach(u, level int32) {
	s.level[u] = level
	s.next[u] = s.g.Start[u]
	s.queue = append(s.queue, u)
}

// augment enlarges the matching along a maximal set of disjoint shortest
// augmenting paths.
func (s *search) augment() error {
	for _, u := range s.queue {
		if s.level[u] > 0 {
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
// Invariant: path[i] has level i, and path[i+1] is the partner of the right
// vertex that path[i] looked at last. All walks of a phase together look at every
// edge once, since next never goes back.
func (s *search) augmentFrom(root int32) error {
	s.path = append(s.path[:0], root)
	for len(s.path) > 0 {
		if err := s.poll.after(1); err != nil {
			return err
		}
		u := s.path[len(s.path)-1]
		if s.next[u] == s.g.Start[u+1] { // a dead end, for the rest of the phase
			s.path = s.path[:len(s.path)-1]
			continue
		}
		v := s.g.Adjacent[s.next[u]]
		s.next[u]++
		w := s.m.Right[v]
		if w == Free {
			s.flip()
			return nil
		}
		if s.level[u] < s.last && s.level[w] == s.level[u]+1 {
			s.path = append(s.path, w)
		}
	}
	return nil
}

// flip joins every left vertex of the path to the right vertex it looked at
// last. Nobody enters these vertices again in this phase: a right vertex of the
// path is reached only from vertices of its own level.
func (s *search) flip() {
	for _, u := range s.path {
		s.m.join(u, s.g.Adjacent[s.next[u]-1])
	}
	s.m.Size++
}
