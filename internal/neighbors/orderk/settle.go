package orderk

import (
	"context"
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/neighbors"
	"github.com/seed-1a7dc1f9/facet/internal/search"
)

const (
	// fewRequired is up to how many required rows nodes take less than programs for sets of rows.
	fewRequired = 2
	// patience is how many nodes are opened before sets are decided about: half as many for each
	// row that is required.
	patience = 1 << 12
	// mostSettled is how many programs are solved for that.
	mostSettled = 1 << 13
	// settled is the share of the distance of an answer up to which no other answers if its set of
	// rows is refuted within it, too. An example may lie as much farther (bestfirst.Tolerance).
	settled = 1 - 1e-12
)

// merged is the State of a node in place of all that wait.
type merged struct {
	best *search.Answer // so far, nil for none
}

// Patience implements search.Merger.
func (s *query) Patience() int { return s.patience }

// Merged implements search.Merger.
func (s *query) Merged(first search.Node, best *search.Answer) search.Node {
	return search.Node{Bound: first.Bound, State: &merged{best}}
}

// settle opens a node in place of all that wait: it decides about the sets of supporting rows
// within the distance of the best answer, which it replaces by better ones. Rows of sets that are
// not decided are searched.
func (o *opener) settle(
	ctx context.Context, n search.Node, best *search.Answer, cutoff float64,
) (opened search.Opened) {
	o.surroundings = o.surround()
	o.prepare()
	radius := cutoff
	if o.Any {
		o.lookFarther()
	} else if opened.Answer, _ = o.firstWithin(ctx, cutoff, improved); opened.Answer != nil {
		radius = min(cutoff, opened.Answer.Bound) * settled
	} else if best != nil {
		radius = cutoff * settled
	}
	candidates := o.gather(radius)
	for d := o.newDecision(mostSettled); ; {
		candidates.supporting = o.refute(candidates.supporting, radius)
		if d.decide(ctx, candidates.supporting, radius) != answered {
			candidates.supporting = keep(candidates.supporting, d.open)
			break
		}
		if o.Any {
			return o.found(n, d.answer)
		}
		better := o.improveTo(ctx, d.answer, candidates)
		if better == nil || !(better.Bound < radius) {
			break
		}
		opened.Answer, radius = better, better.Bound*settled
	}
	switch {
	case opened.Answer != nil:
		opened.Answer.Bound = radius
	case best != nil && !o.Any: // there may be others at the distance of the best
		opened.Answer = &search.Answer{Bound: radius, Order: n.Order, Distance: math.Inf(1)}
	}
	opened.Children = o.beginWith(candidates, radius)
	return opened
}

// improveTo returns an answer at least as near as a point that answers, nil if it finds none.
func (o *opener) improveTo(
	ctx context.Context, z []float64, candidates *candidateSet,
) *search.Answer {
	z = o.improve(ctx, z)
	return o.diveTo(ctx, z, candidates, o.Cost.Distance(o.X, z)*(1+neighbors.Spread))
}
