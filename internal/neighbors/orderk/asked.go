package orderk

import (
	"context"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/cellpoint"
	"github.com/seed-1a7dc1f9/facet/internal/neighbors"
	"github.com/seed-1a7dc1f9/facet/internal/search"
)

const (
	// played is how many supporting rows play beside those that are required.
	played = 10
	// fewSifted is up to how many supporting rows nobody plays before they are refuted: more in
	// larger tables, in which it takes longer to find those that play.
	fewSifted, siftedShare = 8, 1.0 / 256
	// fewPivots is up to how many supporting rows few rivals refute.
	fewPivots = 16
	// mostTogether is up to how many supporting rows are decided together, before a search.
	mostTogether = 100
	// mostDecided is how many programs are solved for that.
	mostDecided = 256
	// askedRivals is how many rivals beside those allowed are near X.
	askedRivals = 32
)

// ask opens the first node where all that is asked is whether there is an answer within a
// radius. One that comes to hand will do, wherever its cell begins.
func (o *opener) ask(
	ctx context.Context, n search.Node, radius float64,
) (opened search.Opened) {
	if radius >= math.MaxFloat64 {
		if z := o.table.AnswerAnywhere(&o.Query, o.k, o.own, o.rivals); z != nil {
			return o.found(n, z)
		}
	}
	most := max(fewSifted, int(siftedShare*float64(o.table.Len())))
	supporting, all := o.gatherSupporting(radius, most)
	if !all { // much may answer
		own := o.own.FirstWithin(o.X, o.Required+played, o.few.Horizon(o.Allowed, radius))
		z := o.table.PlayFictitiously(
			&o.Query, o.k, own, o.few.First, radius, neighbors.FewRounds,
		)
		if z != nil {
			return o.found(n, z)
		}
		supporting, _ = o.gatherSupporting(radius, math.MaxInt)
	}
	if len(supporting) > fewPivots { // there is much to refute
		o.lookFarther()
	}
	supporting = o.refute(supporting, radius)
	if len(supporting) < o.Required {
		return opened
	}
	o.prepare()
	if len(supporting) <= mostTogether {
		if d := o.newDecision(mostDecided); d != nil {
			switch d.decide(ctx, supporting, radius) {
			case refuted:
				return opened
			case answered:
				return o.found(n, d.answer)
			}
			supporting = keep(supporting, d.open)
		}
	}
	opened.Children = o.beginWith(o.gatherAround(supporting, radius), radius)
	return opened
}

// lookFarther finds more rivals near X, for the nodes below.
func (o *opener) lookFarther() {
	more := *o.surroundings
	more.near = o.table.Rivals(o.rivals, &o.Query, neighbors.NearRivals+o.Allowed)
	o.surroundings = &more
}

// found returns an answer that came to hand.
func (o *opener) found(n search.Node, z []float64) search.Opened {
	return search.Opened{Answer: cellpoint.Answer(&o.Query, n, z)}
}

// refute leaves out the supporting rows that are refuted within a radius, and notes lines that may
// refute sets of the others.
func (o *opener) refute(supporting []candidate, radius float64) (left []candidate) {
	if o.Prices != nil {
		return supporting
	}
	refuter := o.near.Refuter(o.Allowed, radius*(1+neighbors.Spread))
	for _, r := range supporting {
		lines, refuted := refuter.Row(o.table.Row(r.id), r.square)
		if r.lines = lines; !refuted {
			left = append(left, r)
		}
	}
	return left
}

// keep returns those of the supporting rows that are listed.
func keep(supporting []candidate, ids []int32) []candidate {
	return slices.DeleteFunc(slices.Clone(supporting), func(r candidate) bool {
		return !slices.Contains(ids, r.id)
	})
}
