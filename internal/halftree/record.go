package halftree

import "sync"

// record is what a search remembers for its proof: the nodes that it divided, and where.
type record struct {
	mu   sync.Mutex
	logs []*[]openedNode // one for each opener
}

// openedNode is a node that was divided at a border.
type openedNode struct {
	*node
	item    int64
	bound   float64 // that of its parts at least
	at      border
	settled []settled
}

// border is that behind a slot of a direction.
type border struct{ direction, slot int32 }

// settled is a leaf whose distance within the region of a node was found.
type settled struct {
	leaf  int32
	bound float64
}

// borderOf returns the border that cuts the slots near, at one end of them, from others.
func borderOf(all, near slots) border {
	if near.lo == all.lo {
		return border{near.direction, near.hi}
	}
	return border{near.direction, near.lo - 1}
}

// Record implements prooftext.Prover.
func (s *voteSearch) Record() { s.record = &record{} }

// log returns where an opener remembers what it divides, nil if nobody wants to know.
func (r *record) log() *[]openedNode {
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.logs = append(r.logs, new([]openedNode))
	return r.logs[len(r.logs)-1]
}

// half names a node by its parent and the side of the border on which it lies. A root
// has no parent.
type half struct {
	parent *node
	item   int64
	low    bool
}

// nearer returns the nodes that were divided though bounded below a bound.
func (r *record) nearer(bound float64) map[half]*openedNode {
	type key struct {
		*node
		item int64
	}
	divided, nodes := map[key]border{}, map[half]*openedNode{}
	for _, log := range r.logs {
		for _, n := range *log {
			divided[key{n.node, n.item}] = n.at
		}
	}
	for _, log := range r.logs {
		for i := range *log {
			if n := &(*log)[i]; n.bound < bound {
				low := n.parent != nil && n.slots.hi == divided[key{n.parent, n.item}].slot
				nodes[half{n.parent, n.item, low}] = n
			}
		}
	}
	return nodes
}
