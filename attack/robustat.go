package attack

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/attack/internal/regions"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/bestfirst"
	"github.com/seed-1a7dc1f9/facet/internal/guard"
	"github.com/seed-1a7dc1f9/facet/internal/prooftext"
	"github.com/seed-1a7dc1f9/facet/internal/query"
)

// RobustAt says at which radii x is robust: no input within one has another label, or the target
// label if the options name one. Result.Verdict tells for each. It searches only cells within a
// radius, and ends with the first answer, so it is cheaper than Perturb; of several radii it asks
// about that in the middle of those that neither an example within them nor a bound beyond them
// decides. The Example is the nearest of those found, and a nearest one of all only by chance.
//
// The verdict is Holds only if proven, for the function that Predict computes on real vectors and
// for the inputs that Result.Bound is about. It is Refuted when an input of another label was
// found within the radius (|error| ≤ 1e-9·max(1, distance)). It is Undecided when a limit of the
// options ended the search, or when a cell within the radius is too thin for a float64 example to
// be found. While others are undecided a radius takes half of the time and the nodes that are
// left. A proof is about the largest radius at which x is robust. Gap plays no part, and mode
// Approx finds no radius but 0 to be robust.
//
// Errors are those of Perturb, and classifier.ErrOption without radii and for one that is negative
// or not finite.
func (a *RegionBased) RobustAt(
	ctx context.Context, x []float64, radii ...float64,
) (Result, error) {
	r, err := a.robustAt(ctx, x, radii)
	if err != nil {
		return r, fmt.Errorf("attack: %w", err)
	}
	return r, nil
}

func (a *RegionBased) robustAt(
	ctx context.Context, x []float64, radii []float64,
) (r Result, err error) {
	defer guard.Recover(&err)
	r = noClaim()
	q, p, err := a.pose(ctx, x)
	if err != nil {
		return r, err
	}
	if radii, err = sorted(radii); err != nil || len(radii) == 0 {
		return r, err
	}
	s := questions{attack: a, query: q, proof: p, open: slices.Clone(radii), found: regions.None()}
	inner, cancel := query.Within(ctx, a.Timeout)
	defer cancel()
	err = s.run(inner)
	if r = a.result(s.found); err != nil {
		return r, err
	}
	for _, radius := range slices.Backward(radii) {
		if r.Verdict(radius) == Holds {
			return r, p.write(ctx, r, math.Nextafter(radius, math.Inf(1)))
		}
	}
	return r, nil
}

// questions are those about radii, one after the other.
type questions struct {
	attack *RegionBased
	query  query.Query
	proof  *recording
	open   []float64      // radii that are not decided, ascending
	found  regions.Answer // with the nearest example and the greatest bound of all questions
}

// run asks about the radius in the middle of those that are open until there is none, or a limit is
// reached. That ctx is cancelled is an error.
func (s *questions) run(ctx context.Context) error {
	for len(s.open) > 0 && ctx.Err() == nil {
		left := s.attack.MaxNodes - s.found.Nodes
		if s.attack.MaxNodes > 0 && left <= 0 {
			break
		}
		if err := s.ask(ctx, s.open[(len(s.open)-1)/2], left); err != nil {
			return err
		}
	}
	return query.OrCanceled(ctx, nil)
}

// ask asks about a radius. It takes half of the time and of the nodes that are left, where others
// are open.
func (s *questions) ask(ctx context.Context, radius float64, nodes int) error {
	if len(s.open) > 1 {
		inner, cancel := query.Half(ctx)
		defer cancel()
		ctx, nodes = inner, (nodes+1)/2
	}
	var heard *prooftext.Recording
	if s.proof != nil {
		heard = &prooftext.Recording{}
		s.query.Trace = heard
	}
	found, err := s.attack.find(ctx, &s.query, bestfirst.Limits{Radius: radius, Nodes: nodes})
	if err != nil {
		return err
	}
	if s.proof != nil && found.Bound > s.found.Bound {
		s.proof.heard = heard
	}
	s.found.Join(found)
	s.open = slices.DeleteFunc(s.open, func(r float64) bool {
		return r == radius || r < s.found.Bound || r >= s.found.Distance
	})
	return nil
}

// sorted returns radii in ascending order, without 0: there x itself has its own label.
func sorted(radii []float64) ([]float64, error) {
	if len(radii) == 0 {
		return nil, fmt.Errorf("%w: no radii", classifier.ErrOption)
	}
	for _, r := range radii {
		if !(r >= 0) || math.IsInf(r, 1) {
			return nil, fmt.Errorf("%w: radius %v is not a finite number ≥ 0",
				classifier.ErrOption, r)
		}
	}
	radii = slices.DeleteFunc(slices.Clone(radii), func(r float64) bool { return r == 0 })
	slices.Sort(radii)
	return radii, nil
}

var errMode = fmt.Errorf("%w: mode approx proves nothing", classifier.ErrOption)
