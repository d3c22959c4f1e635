package boxtree

import (
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/boxtree/grid"
	"github.com/seed-1a7dc1f9/facet/internal/boxtree/potentials"
	"github.com/seed-1a7dc1f9/facet/internal/search"
)

// step is a change of potentials: they were restricted to inputs within a distance, and swept.
type step struct {
	within float64
	root   bool // as the first ones of a path
}

// stop returns when sweeping ends that does not lose the goal.
func (s step) stop(m *grid.Metric, goal float64) potentials.Stop {
	far := m.Scaled(s.within)
	stop := potentials.Stop{Goal: goal, Near: far, Far: far, Sweeps: mostSweeps, Root: s.root}
	if s.root {
		stop.Sweeps = rootSweeps
	}
	return stop
}

// A node is swept at most so often, the first one of a target oftener.
const mostSweeps, rootSweeps = 16, 30

// keep returns p for the queue, where the potentials are in the cache of its node, so that it can
// do without.
func keep(n *search.Node, p node) *node {
	if r := p.relaxation; r != nil {
		n.Cache = &search.Cache{Bytes: r.Bytes(), Value: r.Decomposition}
		own := *r
		own.Decomposition = nil
		p.relaxation = &own
	}
	return &p
}

// recall returns the relaxation of a node with its potentials; nil if it has none. It changes the
// region.
func (o *opener) recall(n search.Node, p *node) *relaxation {
	if p.relaxation == nil {
		return nil
	}
	own := *p.relaxation
	if n.Cache != nil {
		own.Decomposition = n.Cache.Value.(*potentials.Decomposition)
	} else {
		own.Decomposition = o.again(p)
	}
	return &own
}

// again computes the potentials of a node as they were, from those of the node that it was split
// from, or the first ones of its path. Cutoffs do not matter: had one ended a sweep early, the node
// would not wait.
func (o *opener) again(p *node) *potentials.Decomposition {
	var (
		d   *potentials.Decomposition
		box grid.Box
	)
	margin := p.relaxation.margin
	if p.parent != nil && p.parent.relaxation != nil {
		d = o.again(p.parent)
		box = slices.Clone(d.Box())
		box[p.cut.Feature] = p.half(box[p.cut.Feature])
	} else {
		o.region.node = nil // potentials may have restricted it
		o.region.load(p)
		d, box = o.decompose(p.choices, margin), o.region.box
	}
	for _, s := range p.relaxation.steps {
		d = o.within(d, box, margin, s.within)
		d, _ = o.sweeper.Tighten(d, s.stop(&p.choices.metric, o.goal(margin)))
		box = d.Box()
	}
	return d
}
