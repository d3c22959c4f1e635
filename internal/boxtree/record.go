package boxtree

import (
	"slices"
	"sync"

	"github.com/seed-1a7dc1f9/facet/internal/slots"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// record is what a search remembers for its proof.
type record struct {
	mu   sync.Mutex
	logs []*log // one for each opener
}

// log is what an opener remembers: the parts that it opened, which know themselves how they hang
// together, and the bounds of boxes without an answer that no proof can tell from one.
type log struct {
	opened   []openedPart
	doubtful []float64
	relaxed  []int // leads that parts began potentials for
}

// openedPart is a part that was split, and the bound that it had when it was.
type openedPart struct {
	*part
	bound  float64
	target int32
}

// Record implements prooftext.Prover.
func (s *boxSearch) Record() { s.record = &record{} }

// log returns where an opener remembers what it opens, nil if nobody wants to know.
func (r *record) log() *log {
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.logs = append(r.logs, new(log))
	return r.logs[len(r.logs)-1]
}

// piece names one half of a part: below its split or beyond it. The halves of no part are the
// whole of each target.
type piece struct {
	parent *part
	beyond bool
	target int32
}

// nearer returns the parts that were opened because they were bounded below a bound, by the
// halves that they are.
func (r *record) nearer(bound float64) map[piece]*part {
	parts := map[piece]*part{}
	for _, log := range r.logs {
		for _, p := range log.opened {
			if p.bound < bound {
				parts[piece{p.parent, p.beyond, p.target}] = p.part
			}
		}
	}
	return parts
}

// relaxed returns the first lead of a target that a part began potentials for; false if none.
func (r *record) relaxed(t target) (lead int, ok bool) {
	lead = t.last
	for _, log := range r.logs {
		for _, l := range log.relaxed {
			if l >= t.first {
				lead = min(lead, l)
			}
		}
	}
	return lead, lead < t.last
}

// evaluated reports whether a proof can tell that a box that meets one leaf of each tree
// within the ball does not answer.
func (o *opener) evaluated(b slots.Box, t target) bool {
	leaf := func(tree int) []float64 { return o.model.Value(tree, o.leaf(b, tree)) }
	lost := func(l trees.Lead) bool { return o.model.Lost(&l, leaf) }
	return o.model.Loses(o.leads[t.first].Label, o.sums(b)) || slices.ContainsFunc(o.leads[t.first:t.last], lost)
}

// doubts reports whether a box bounded below a bound is doubtful.
func (r *record) doubts(bound float64) bool {
	below := func(b float64) bool { return b < bound }
	return slices.ContainsFunc(r.logs, func(l *log) bool { return slices.ContainsFunc(l.doubtful, below) })
}
