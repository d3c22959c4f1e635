package oblique

import "github.com/seed-1a7dc1f9/facet/internal/prooftext"

// divided is the search's record of a node that it has divided: the border, and the leaves as it
// had found them.
type divided struct {
	at       border
	measured []measured
}

// openedNode is a node that was divided.
type openedNode struct {
	*node
	divided
}

// border is the one behind an elementary interval of a direction.
type border struct{ direction, end int32 }

// measured is a leaf whose distance within the region of a node was found.
type measured struct {
	leaf  int32
	bound float64
}

// borderOf returns the border that cuts the interval near, at one end of them, from others.
func borderOf(all, near interval) border {
	if near.lo == all.lo {
		return border{near.direction, near.hi}
	}
	return border{near.direction, near.lo - 1}
}

// half names a node by its parent and the side of the border on which it lies. A root
// has no parent.
type half struct {
	parent *node
	item   int64
	low    bool
}

// nearer returns the nodes that were divided though bounded below a bound.
func nearer(heard *prooftext.Recording, bound float64) map[half]*openedNode {
	type key struct {
		*node
		item int64
	}
	at, nodes := map[key]border{}, map[half]*openedNode{}
	for _, e := range heard.Splits {
		at[key{e.State.(*node), e.Item}] = e.Said.(divided).at
	}
	for _, e := range heard.Splits {
		if e.Bound < bound {
			n := &openedNode{e.State.(*node), e.Said.(divided)}
			low := n.parent != nil && n.interval.hi == at[key{n.parent, e.Item}].end
			nodes[half{n.parent, e.Item, low}] = n
		}
	}
	return nodes
}
