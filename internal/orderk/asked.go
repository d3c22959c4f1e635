package orderk

import (
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/classifier/search"
	"github.com/seed-1a7dc1f9/facet/internal/cellpoint"
	"github.com/seed-1a7dc1f9/facet/internal/neighbors"
	"github.com/seed-1a7dc1f9/facet/internal/nnindex"
)

const (
	// played is how many rows of the side play beside those that are required.
	played = 10
	// fewPivots is up to how many rows of the side the trees are asked for rivals.
	fewPivots = 16
	// askedRivals is how many rivals beside those allowed are near X.
	askedRivals = 32
	// fewPartners is up to how many partners of a pivot make its first nodes.
	fewPartners = 4
	// fewPairs is how many rows of the side play with their mates.
	fewPairs = 3
)

// ask opens the first node where all that is asked is whether there is an answer within a
// radius. One that comes to hand will do, wherever its cell begins: the node comes with it, and
// is opened without looking for another if a smaller radius is asked as well.
func (o *opener) ask(n search.Node, radius float64) (opened search.Opened) {
	if n.Item == 0 {
		if radius >= math.MaxFloat64 {
			if z := o.table.AnswerAnywhere(&o.Query, o.k, o.own, o.rivals); z != nil {
				return o.found(n, z)
			}
		}
		own := o.own.FirstWithin(o.X, o.Required+played, o.few.Horizon(o.Allowed, radius))
		z := o.table.PlayFictitiously(
			&o.Query, o.k, own, o.few.First, radius, neighbors.FewRounds,
		)
		if z != nil {
			return o.found(n, z)
		}
	}
	side := o.gatherSide(radius)
	if len(side) > fewPivots { // there is much to refute
		more := *o.surroundings
		more.near = o.table.Rivals(o.rivals, &o.Query, neighbors.NearRivals+o.Allowed)
		o.surroundings = &more // of the nodes below
	}
	side = o.refute(side, radius)
	if len(side) > fewPivots || o.table.Dim <= neighbors.SlabDims {
		if len(side) >= o.Required {
			o.prepare()
			opened.Children = o.beginWith(o.gatherAround(side, radius), radius)
		}
		return opened
	}
	side = o.pair(side, radius)
	if len(side) < o.Required {
		return opened
	}
	if n.Item == 0 {
		if z := o.playPairs(side, radius); z != nil {
			return o.found(n, z)
		}
	}
	opened.Children = o.beginWith(&candidateSet{
		around: o.surroundings, radius: radius * (1 + neighbors.Spread), side: side, lean: true,
	}, radius)
	return opened
}

// found returns an answer that came to hand.
func (o *opener) found(n search.Node, z []float64) search.Opened {
	n.Item = 1
	return search.Opened{
		Children: append(o.children.nodes[:0], n),
		Answer:   cellpoint.AtHand(&o.Query, z),
	}
}

// pair notes for each row of the side with which others it is not refuted within a radius, and
// leaves out those with too few.
func (o *opener) pair(side []candidate, radius float64) []candidate {
	refuter := o.near.Refuter(o.Allowed, radius*(1+neighbors.Spread))
	for i := range side {
		for j := range side[:i] {
			if !refuter.Refutes(side[i].lines, side[j].lines) {
				side[i].mates, side[j].mates = append(side[i].mates,
					side[j].id), append(side[j].mates, side[i].id)
			}
		}
	}
	return slices.DeleteFunc(side, func(r candidate) bool { return len(r.mates) < o.Required-1 })
}

// playPairs pushes X to the first few rows of the side and their mates in turn.
func (o *opener) playPairs(side []candidate, radius float64) []float64 {
	var own []nnindex.Neighbor
	for i := range side[:min(len(side), fewPairs)] {
		own = own[:0]
		for j := range side {
			if i == j || slices.Contains(side[i].mates, side[j].id) && (j > i || o.Required > 2) {
				own = append(own, nnindex.Neighbor{Squared: side[j].square, ID: side[j].id})
			}
		}
		z := o.table.PlayFictitiously(
			&o.Query, o.k, own, o.near.First, radius, neighbors.ManyRounds,
		)
		if z != nil {
			return z
		}
	}
	return nil
}

// refute leaves out the rows of the side that are refuted within a radius, and notes what may
// refute pairs of the others.
func (o *opener) refute(side []candidate, radius float64) (left []candidate) {
	if o.Prices != nil {
		return side
	}
	refuter := o.near.Refuter(o.Allowed, radius*(1+neighbors.Spread))
	for _, r := range side {
		lines, refuted := refuter.Row(o.table.Row(r.id), r.square)
		if r.lines = lines; !refuted {
			left = append(left, r)
		}
	}
	return left
}
