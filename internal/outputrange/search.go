package outputrange

import (
	"context"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/classifier/search"
	"github.com/seed-1a7dc1f9/facet/internal/bestfirst"
	"github.com/seed-1a7dc1f9/facet/internal/potentials"
	"github.com/seed-1a7dc1f9/facet/internal/slots"
)

// finder is the search of one end: that of the largest sum, of gains that are those of the
// trees times a sign.
type finder struct {
	region
	model  *Model
	sign   float64
	gains  [][]float64 // by tree and node
	most   int         // nodes
	memory int         // for the potentials in the queue, in bytes

	queue   bestfirst.Queue // of parts, the largest bound first
	nodes   int
	bytes   int       // of the potentials in the queue
	best    float64   // the largest sum known, −Inf if none
	example []float64 // that has it
	// the largest bound of what was given up: it holds real numbers, but no float64
	floor float64
	whole *potentials.Decomposition

	sweeper potentials.Sweeper
	chosen  []int32 // the best leaf of each tree
	meeting slots.Box
	sums    []float64
}

// part is a box of slots in which the search has yet to look closer.
type part struct {
	box        slots.Box
	bound      float64
	split      slots.Cut
	depth      int
	potentials *potentials.Decomposition // nil if there are none, or they were not kept
}

func (m *Model) newFinder(q Query) (*finder, error) {
	r, err := newRegion(&m.grid, &q)
	if err != nil {
		return nil, err
	}
	s := &finder{
		region: r, model: m, sign: 1, gains: m.gains[0], most: q.Nodes,
		memory: mostBytes, best: math.Inf(-1), floor: math.Inf(-1),
		chosen: make([]int32, m.ensemble.Len()),
	}
	if q.Least {
		s.sign, s.gains = -1, m.gains[1]
	}
	return s, nil
}

// run searches, and returns a bound on all sums.
func (s *finder) run(ctx context.Context) (bound float64) {
	s.climb(slices.Clone(s.At))
	s.whole = s.relax(ctx)
	root := &part{box: slices.Clone(s.Domain), bound: math.Inf(1)}
	s.add(root, s.whole)
	for len(s.queue) > 0 {
		p := s.queue.Pop().State.(*part)
		if p.potentials != nil {
			s.bytes -= p.potentials.Bytes()
		}
		if p.bound <= s.best {
			break
		}
		if ctx.Err() != nil || (s.most > 0 && s.nodes >= s.most) {
			return max(p.bound, s.best, s.floor)
		}
		s.nodes++
		s.open(p)
	}
	return max(s.best, s.floor)
}

// open looks at both halves of a part.
func (s *finder) open(p *part) {
	of := p.potentials
	if of == nil {
		of = s.whole
	}
	f := p.split.Feature
	for _, half := range [...]slots.Span{
		{Lo: p.box[f].Lo, Hi: p.split.Slot}, {Lo: p.split.Slot + 1, Hi: p.box[f].Hi},
	} {
		child := &part{box: slices.Clone(p.box), bound: p.bound, depth: p.depth + 1}
		child.box[f] = half
		s.add(child, of)
	}
}

// add puts a part in the queue, unless it is solved or has nothing to offer.
func (s *finder) add(p *part, of *potentials.Decomposition) {
	if !s.look(p, of) {
		return
	}
	if p.potentials != nil {
		if s.bytes+p.potentials.Bytes() > s.memory {
			p.potentials = nil // made again from those of the whole
		} else {
			s.bytes += p.potentials.Bytes()
		}
	}
	s.queue.Push(search.Node{Bound: -p.bound, Order: -int64(s.nodes), State: p})
}

// mostBytes is how much memory the potentials of parts in the queue may take.
const mostBytes = 1 << 29

// look bounds a part, and says where to split it; false if it need not be opened.
func (s *finder) look(p *part, of *potentials.Decomposition) bool {
	if !s.within(p.box) {
		return false
	}
	sum, ok := s.choose(p.box)
	if p.bound = min(p.bound, sum); !ok || p.bound <= s.best {
		return false
	}
	b := s.meet(p.box)
	var open bool
	if p.split, open = torn(b); !open {
		return s.solve(p, b)
	}
	if of == nil {
		return true
	}
	if !s.tighten(p, of) {
		return false
	}
	if p.depth%climbEvery == 0 {
		cell := make([]int32, len(p.box))
		for f, peak := range s.sweeper.Peaks {
			cell[f] = min(max(s.At[f], peak.Lo), peak.Hi)
		}
		if s.climb(cell); p.bound <= s.best {
			return false
		}
	}
	return true
}

// climbEvery is how many parts lie in each other from one to the next in which a large sum is
// looked for.
const climbEvery = 8

// solve solves a part by a box in which all best leaves meet. It returns true if it is to be split
// first: the box lies beyond the ball, or has no float64 in it.
func (s *finder) solve(p *part, b slots.Box) bool {
	if !s.within(b) {
		p.split, _ = s.farthest(b, p.box)
		return true
	}
	if s.take(b) {
		return false
	}
	var rest bool
	if p.split, rest = p.box.Outside(b); !rest && s.inhabited(b) {
		s.floor = max(s.floor, p.bound)
	}
	return rest
}

// take takes up the sum of a box of one cell, or of several in which all trees add the same. It
// returns false if no input of the region was found in it.
func (s *finder) take(b slots.Box) bool {
	z, ok := s.inside(b)
	if !ok {
		return false
	}
	var sum [1]float64
	s.model.ensemble.Score(z, sum[:])
	if gain := s.sign * sum[0]; gain > s.best {
		s.best, s.example = gain, z
	}
	return true
}
