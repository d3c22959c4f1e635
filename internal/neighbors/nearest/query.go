package nearest

import (
	"math"
	"sync"

	"gonum.org/v1/gonum/floats"

	"github.com/seed-1a7dc1f9/facet/internal/neighbors"
	"github.com/seed-1a7dc1f9/facet/internal/nnindex"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/internal/search"
)

// New returns the search for the nearest answer to a query.
func New(table *neighbors.Table, q search.Query) search.Search {
	if len(q.Linear) > 0 {
		q.Any = false // an answer that comes to hand may break them
	}
	s := &query{Query: q, table: table}
	s.candidates, s.rivals = table.SupportAndRivals(q)
	return s
}

// surroundings are the rivals near X.
type surroundings struct {
	near     neighbors.Rivals
	toNear   []float64 // displacements from X to those, flat
	known    float64   // no rival but those lies nearer to X than this
	foreseen float64   // on the way to a candidate an answer begins here

	nearest nnindex.Nearest // memory of foresee
}

// surround returns the rivals near X, which are found in the room of who first asks for them.
func (s *query) surround(room *surroundings) *surroundings {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.around == nil {
		s.survey(room)
		s.around = room
	}
	return s.around
}

func (s *query) survey(a *surroundings) {
	a.near.Find(s.table, s.rivals, &s.Query, nearRivals)
	n, d := a.near.Len(), s.table.Dim
	a.known = math.Inf(1)
	if n == nearRivals {
		a.known = math.Sqrt(a.near.First[n-1].Squared) * (1 - precise.Noise(d))
	}
	a.toNear = resize(a.toNear, n*d)
	for i := range n {
		floats.SubTo(a.toNear[i*d:(i+1)*d], a.near.Row(i), s.X)
	}
	a.foreseen = s.foresee(a)
}

// resize returns n numbers, in the memory of some if there is enough.
func resize(memory []float64, n int) []float64 {
	if cap(memory) < n {
		return make([]float64, n)
	}
	return memory[:n]
}

// nearRivals is how many rivals bound a candidate before a program is solved for it, and are asked
// by it first. Others seldom bound it farther; to find them takes longer than they save.
const nearRivals = 32

// query is the search of one query. It does not change once made, but for the rivals that surround
// finds.
type query struct {
	search.Query
	table              *neighbors.Table
	candidates, rivals neighbors.Trees
	mu                 sync.Mutex    // guards around
	around             *surroundings // in the room of an opener, nil before
}

// waysTried is how many candidates are asked how far an answer lies on the way to them.
const waysTried = 2

// foresee finds how far an answer lies on the way to one of the nearest candidates, as far as the
// near rivals tell, unless any answer will do.
func (s *query) foresee(a *surroundings) float64 {
	foreseen := math.Inf(1)
	if s.Domain != nil || len(s.Linear) > 0 || s.Any {
		return foreseen
	}
	for _, n := range s.candidates.FirstIn(&a.nearest, s.X, waysTried, math.Inf(1)) {
		p, share := s.table.Row(n.ID), 0.0
		for i, r := range a.near.First {
			excess := n.Squared - r.Squared
			if excess <= 0 {
				break
			}
			share = max(share, excess/(excess+nnindex.Squared(p, a.near.Row(i))))
		}
		foreseen = min(foreseen,
			share*s.Cost.Distance(s.X, p)*(1+neighbors.Spread))
	}
	return foreseen
}

const (
	// nearShare is where the first horizon lies, as a share of the distance foreseen: the way to a
	// candidate is seldom the shortest one.
	nearShare = 0.6
	// horizonStep is how many times farther each horizon lies than the one before; lastHorizon is
	// that of the last one, in units of the distance foreseen. Beyond it no rows wait.
	horizonStep, lastHorizon = 2, 64
)

// horizon returns up to which bound rows have their turn when a node of a bound is opened. Those
// that are bounded beyond it wait together, and are nodes of their own only if the search gets that
// far.
func (a *surroundings) horizon(bound float64) float64 {
	if !(bound < lastHorizon*a.foreseen) {
		return math.Inf(1)
	}
	h := nearShare * a.foreseen
	for h < bound {
		h *= horizonStep
	}
	return h
}

// The State of a node; without one it is the candidate in row Item, bounded by the nearest rival.
type (
	// below is the candidates below node Item of a k-d tree.
	below struct{ *nnindex.Tree }
	// beyond is the candidates of leaf Item of a k-d tree that are bounded beyond a horizon.
	beyond struct{ *nnindex.Tree }
	// bounded is the candidate in row Item, bounded by the near rivals. Of those that confine it
	// within a domain so many have been tried.
	bounded int
	// asked is all candidates, where a radius is all that is asked.
	asked struct{}
)

// Roots returns the roots of the candidates' trees. Orders are rows; a tree node
// takes the smallest order there is.
func (s *query) Roots() []search.Node {
	var roots []search.Node
	if s.Any {
		return append(roots, search.Node{State: asked{}})
	}
	for _, t := range s.candidates {
		roots = append(roots, search.Node{State: below{t}})
	}
	return roots
}

// openers are those of searches that have ended, which keep their memory.
var openers = sync.Pool{New: func() any { return new(opener) }}

func (s *query) NewOpener() search.Opener {
	o := openers.Get().(*opener)
	o.query = s
	return o
}

// Release implements search.Releaser.
func (o *opener) Release() {
	o.mu.Lock()
	o.around = nil // which another opener may have had room for
	o.mu.Unlock()
	o.query, o.surroundings, o.cell.query, o.cell.surroundings = nil, nil, nil, nil
	o.room.near.Forget()
	openers.Put(o)
}

// prepare makes the cell and finds the rivals near X, with which nodes are opened.
func (o *opener) prepare() {
	if o.surroundings != nil {
		return
	}
	o.surroundings = o.surround(&o.room)
	d, n := o.table.Dim, o.near.Len()
	o.memory = resize(o.memory, 5*d+2*n)
	m, c := o.memory, &o.cell
	c.query, c.surroundings, c.vicinity.radius = o.query, o.surroundings, -1
	c.a, c.z, c.to, c.start, c.from = m[:d], m[d:2*d], m[2*d:3*d], m[3*d:4*d], m[4*d:5*d]
	c.lengths, c.squared = m[5*d:5*d+n], m[5*d+n:]
}
