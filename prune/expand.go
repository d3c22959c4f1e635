package prune

import (
	"context"

	"github.com/seed-1a7dc1f9/facet/internal/bipartite"
)

// expand finds a good separated set: starting from nothing it goes through the
// labels, and for each takes the heaviest set that can be made of that label's
// points and those of the other labels that it holds. That is a problem with two
// labels. It ends when no label gains, so that the set is maximal but for points
// without weight, or when the context is done.
func (p *problem) expand(ctx context.Context, doubled graph) []bool {
	keep := make([]bool, len(p.row))
	e := &expansion{
		problem: p,
		graph:   doubled,
		weight:  p.units.of(p.row),
		keep:    keep,
		left:    make([]int64, len(keep)),
		right:   make([]int64, len(keep)),
	}
	for i, idle := 0, 0; idle < len(p.clouds); i++ {
		gained, err := e.try(ctx, p.clouds[i%len(p.clouds)])
		if err != nil {
			break
		}
		idle++
		if gained {
			idle = 0
		}
	}
	return e.keep
}

// expansion is the state of expand.
type expansion struct {
	*problem
	graph       graph
	weight      []int64
	keep        []bool
	left, right []int64 // weights of the two sides; 0: out
}

// try improves the set by the points of one label, and reports whether it did.
func (e *expansion) try(ctx context.Context, c *cloud) (gained bool, err error) {
	var before int64
	for i, w := range e.weight {
		own := int32(i) >= c.first && int32(i) < c.first+c.size()
		e.left[i], e.right[i] = 0, 0
		if own {
			e.left[i] = w
		} else if e.keep[i] {
			e.right[i] = w
		}
		if e.keep[i] {
			before += w
		}
	}
	f, err := bipartite.Maximum(ctx, e.graph, bipartite.Weights{Left: e.left, Right: e.right})
	if err != nil {
		return false, err
	}
	cover, err := bipartite.CoverOf(ctx, e.graph, f)
	if err != nil {
		return false, err
	}
	var after int64
	for i := range e.weight {
		if e.kept(cover, i) {
			after += e.weight[i]
		}
	}
	if after <= before {
		return false, nil
	}
	for i := range e.keep {
		e.keep[i] = e.kept(cover, i)
	}
	return true, nil
}

// kept reports whether the cover leaves point i.
func (e *expansion) kept(c *bipartite.Cover, i int) bool {
	return e.left[i] > 0 && !c.Left[i] || e.right[i] > 0 && !c.Right[i]
}
