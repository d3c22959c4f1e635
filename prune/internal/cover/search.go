package cover

import (
	"context"
	"slices"
)

// Answer is the heaviest independent set found, and a bound.
type Answer struct {
	Keep    []int32 // heavier than asked for, ascending; nil: none was found
	Optimal bool    // no independent set is heavier than Keep, or than asked for
	Bound   int64   // the largest weight of an independent set, by the cliques
	Cliques []Clique
	Effort  int // vertices of all nodes of the search
}

// Heaviest looks for the heaviest independent set among those heavier than least, in the
// graph with these weights and these rows of its adjacency matrix, which is symmetric, until
// the nodes it has opened have effort vertices together. When that or the context ends the
// search early it returns the best set found till then. It takes time exponential in the
// number of vertices at worst.
func Heaviest(
	ctx context.Context, weights []int64, rows [][]uint64, least int64, effort int,
) *Answer {
	g := &graph{weight: weights, row: make([]set, len(rows))}
	for v, row := range rows {
		g.row[v] = row
	}
	m := merge(g)
	everything := newSet(len(m.weight))
	for v := range m.weight {
		everything.add(v)
	}
	a := &Answer{}
	cliques := newUnmerge(m, g.weight)
	s := &search{graph: m.graph, poll: poll{ctx: ctx}, most: effort}
	a.Bound = m.pack(&s.poll, everything, cliques.add)
	a.Cliques = cliques.out
	if groups := s.improve(everything, least); groups != nil {
		a.Keep = m.expand(groups)
	}
	a.Optimal, a.Effort = !s.stopped, s.effort
	return a
}

// search is the state of one branch and bound.
type search struct {
	*graph
	poll
	effort, most int
	stopped      bool // something was left out
}

// stop reports whether the search must end, and remembers it.
func (s *search) stop() bool {
	if s.effort >= s.most || s.ctx.Err() != nil {
		s.stopped = true
	}
	return s.stopped
}

// improve returns the heaviest independent subset of p that weighs more than
// least, or nil if there is none. When the search is stopped it may return a
// lighter one that does, or nil. It changes p.
func (s *search) improve(p set, least int64) []int32 {
	if s.stop() {
		return nil
	}
	s.effort += 1 + p.size()
	taken := s.take(p)
	least -= s.sum(taken)
	parts := s.components(p)
	if len(parts) == 0 {
		if least >= 0 {
			return nil
		}
		return append([]int32{}, taken...) // the empty set is not none
	}
	bounds := make([]int64, len(parts))
	for i, part := range parts {
		bounds[i] = s.pack(&s.poll, part, func([]int32, int64) {})
		least -= bounds[i]
	}
	for i, part := range parts { // least: how much all may lose against their bounds
		if least >= 0 {
			return nil
		}
		best := s.branch(part, least+bounds[i])
		if best == nil {
			return nil
		}
		least += bounds[i] - s.sum(best)
		taken = append(taken, best...)
	}
	return taken
}

// branch is improve for a connected set: the heaviest subset without its most
// hindering vertex or with it.
func (s *search) branch(p set, least int64) []int32 {
	v := s.pivot(p)
	without := p.clone()
	without.remove(v)
	with := without.clone()
	with.subtract(s.row[v])
	best := s.improve(with, least-s.weight[v])
	if best != nil {
		best = append(best, int32(v))
		least = s.sum(best)
	}
	if better := s.improve(without, least); better != nil {
		best = better
	}
	return best
}

// pivot returns the vertex with the heaviest neighbourhood in p, of those looked at
// before the context ended.
func (s *search) pivot(p set) int {
	best, heaviest := -1, int64(-1)
	common := make(set, len(p))
	for v := range p.all() {
		if s.ended() && best >= 0 {
			break // the next node stops
		}
		copy(common, p)
		common.intersect(s.row[v])
		if w := s.total(common); w > heaviest {
			best, heaviest = v, w
		}
	}
	return best
}

// take removes vertices that are no lighter than their neighbours in p together,
// with these neighbours, until there is none, and returns them: some heaviest
// independent set holds them. When the context ends some may be left.
func (s *search) take(p set) []int32 {
	var taken []int32
	for again := true; again; {
		again = false
		for v := range p.all() {
			if s.ended() {
				return taken
			}
			if p.has(v) && s.outweighs(v, p) {
				taken = append(taken, int32(v))
				p.remove(v)
				p.subtract(s.row[v])
				again = true
			}
		}
	}
	return taken
}

// outweighs reports whether v is no lighter than its neighbours in p together.
func (s *search) outweighs(v int, p set) bool {
	left := s.weight[v]
	for i, w := range s.row[v] {
		if w &= p[i]; w == 0 {
			continue
		}
		for u := range (set{w}).all() {
			if left -= s.weight[i<<6+u]; left < 0 {
				return false
			}
		}
	}
	return true
}

// components splits p, which it empties, into its connected parts, the small ones
// first.
func (s *search) components(p set) []set {
	var parts []set
	fresh := make(set, len(p))
	for v := p.first(); v >= 0; v = p.first() {
		part := make(set, len(p))
		p.remove(v)
		stack := []int{v}
		for len(stack) > 0 {
			u := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			part.add(u)
			copy(fresh, p)
			fresh.intersect(s.row[u])
			for w := range fresh.all() {
				p.remove(w)
				stack = append(stack, w)
			}
		}
		parts = append(parts, part)
	}
	slices.SortStableFunc(parts, func(a, b set) int { return a.size() - b.size() })
	return parts
}
