package orderk

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/nnindex"
	"github.com/seed-1a7dc1f9/facet/internal/search"
)

// diveShare is the binary logarithm of the number of nodes to one from which the
// search dives.
const diveShare = 6

// divesFrom picks nodes evenly, by a hash of their positions in the search.
func divesFrom(n search.Node) bool {
	const golden = 0x9e3779b97f4a7c15
	hash := (math.Float64bits(n.Bound) ^ uint64(n.Order)) * golden
	return hash>>(64-diveShare) == 0
}

// dive opens children of a node, then their children, always the least bound, in search
// of a better answer for the time until the search is over. The children stay.
func (o *opener) dive(ctx context.Context, opened search.Opened, cutoff float64) search.Opened {
	children := slices.Clone(opened.Children)
	answer := opened.Answer
	for below := opened; answer == nil && len(below.Children) > 0; answer = below.Answer {
		first := slices.MinFunc(below.Children, func(a, b search.Node) int {
			return cmp.Or(cmp.Compare(a.Bound, b.Bound), cmp.Compare(a.Order, b.Order))
		})
		var err error
		if below, err = o.open(ctx, first, cutoff, nil); err != nil {
			break // the search comes this way again and then says so
		}
	}
	o.children.nodes = append(o.children.nodes[:0], children...)
	return search.Opened{Children: o.children.nodes, Answer: answer}
}

// diveTo opens the pivot at a point that answers, and the nodes that contain it, down to
// an answer at least as near to X. It returns nil if that does not come before the
// cutoff.
func (o *opener) diveTo(
	ctx context.Context, z []float64, candidates *candidateSet, cutoff float64,
) *search.Answer {
	own := o.own.First(z, o.Required)
	pivot, members := own[len(own)-1], o.table.CellAt(z, o.k).Members
	precedes := func(id int32) bool {
		return nnindex.Neighbor{
			Squared: nnindex.Squared(z, o.table.Row(id)),
			ID:      id,
		}.Compare(pivot) < 0
	}
	var toward []int32
	for _, r := range own[:o.Required-1] {
		toward = append(toward, r.ID)
	}
	isMember := func(id int32) bool { return slices.Contains(members, id) }
	here := func(n search.Node) bool { return contains(n, precedes, isMember) }
	n := search.Node{Order: o.orderOf(pivot.ID), Item: int64(pivot.ID), State: onePivot{candidates}}
	for {
		opened, err := o.open(ctx, n, cutoff, toward)
		if err != nil {
			return nil // the search comes this way again and then says so
		}
		if opened.Answer != nil && opened.Answer.Example != nil {
			return opened.Answer
		}
		i := slices.IndexFunc(opened.Children, here)
		if i < 0 {
			return nil
		}
		n = opened.Children[i]
	}
}

// contains reports whether a point lies in a node that the way to it may meet, or in none of those
// that a branch has made so far: by which rows precede the pivot there, and which are members.
func contains(n search.Node, precedes, isMember func(id int32) bool) bool {
	p, ok := n.State.(*node)
	if !ok {
		return true
	}
	holds := precedes
	switch p.kind {
	case rootNode, partnerNode:
		return true
	case memberNode, outsiderNode:
		holds = isMember
	}
	last := p.kind == outsiderNode
	for _, id := range p.list[:p.at] {
		if holds(id) == last {
			return false
		}
	}
	return holds(p.list[p.at]) == last
}
