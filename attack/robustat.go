package attack

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/bestfirst"
	"github.com/seed-1a7dc1f9/facet/internal/guard"
)

// Certifier is an upgrade of an Attack that can be asked about radii, not the nearest example.
type Certifier interface {
	// Radii looks for what is known at some radii, which Result.RobustAt then tells for each.
	Radii(ctx context.Context, x []float64, radii ...float64) (Result, error)
}

// Measurer is an upgrade of an Attack whose moves may have prices.
type Measurer interface {
	// Distance returns what it costs to move from x to z.
	Distance(x, z []float64) float64
}

var (
	_ Certifier = (*RegionBased)(nil)
	_ Measurer  = (*RegionBased)(nil)
)

// RobustAt says whether no input within distance r of x has another label, or
// the target label if the options name one. It searches only cells within r and
// stops at the first example, so it is cheaper than Perturb.
//
// It is Robust only if proven, for the function that Predict computes on real vectors and for the
// inputs that Result.Bound is about.
// It is NotRobust when an input of another label was found within r, or so little beyond
// that the certified bound of its distance, which is rounded down, does not exceed r
// (|error| ≤ 1e-9·max(1, distance)). It is Undecided when a limit of the options ended the
// search, or when a cell within the radius is too thin for a float64 example to be found.
// Errors are those of Perturb, and classifier.ErrOption for a radius that is negative or
// not finite, or in mode Approx, which proves nothing.
func (a *RegionBased) RobustAt(ctx context.Context, x []float64, r float64) (Verdict, error) {
	v, err := a.robustAt(ctx, x, r, nil)
	if err != nil {
		return Undecided, fmt.Errorf("attack: radius %v: %w", r, err)
	}
	return v, nil
}

// robustAt writes a proof if p is not nil and x is robust.
func (a *RegionBased) robustAt(
	ctx context.Context, x []float64, r float64, p *recording,
) (v Verdict, err error) {
	defer guard.Recover(&err)
	q, err := a.ask(x)
	switch {
	case err != nil:
		return Undecided, err
	case a.Mode != Exact:
		return Undecided, errMode(a.Mode)
	case r == 0:
		return Robust, nil // x itself has its own label
	}
	if err := checkRadius(r); err != nil {
		return Undecided, err
	}
	if q.Query, err = p.about(a.Classifier, q); err != nil {
		return Undecided, err
	}
	found, err := a.search(ctx, q, bestfirst.Limits{Radii: []float64{r}})
	switch {
	case err != nil:
		return Undecided, err
	case found.Example != nil:
		return NotRobust, nil
	case found.Bound <= r:
		return Undecided, nil
	}
	return Robust, p.write(ctx, found, math.Nextafter(r, math.Inf(1)))
}

// Radii answers for several radii what RobustAt answers for one, in one search, which ends once
// it is known for each of them whether x is robust there. Result.RobustAt tells the verdicts.
// The Example is one of those found, and a nearest one only by chance. Errors are those of
// Perturb, and classifier.ErrOption without radii and for one that is negative or not finite. In
// mode Approx no radius but 0 is found to be robust.
func (a *RegionBased) Radii(ctx context.Context, x []float64, radii ...float64) (Result, error) {
	r, err := a.radii(ctx, x, radii)
	if err != nil {
		return r, fmt.Errorf("attack: %w", err)
	}
	return r, nil
}

func (a *RegionBased) radii(
	ctx context.Context, x []float64, radii []float64,
) (r Result, err error) {
	defer guard.Recover(&err)
	q, err := a.ask(x)
	switch {
	case err != nil:
		return nothing(), err
	case len(radii) == 0:
		return nothing(), fmt.Errorf("%w: no radii", classifier.ErrOption)
	}
	for _, radius := range radii {
		if err := checkRadius(radius); err != nil {
			return nothing(), fmt.Errorf("radius %v: %w", radius, err)
		}
	}
	limits := bestfirst.Limits{Gap: a.Gap, Radii: slices.Sorted(slices.Values(radii))}
	return a.search(ctx, q, limits)
}

func errMode(m Mode) error {
	return fmt.Errorf("%w: mode %v proves nothing", classifier.ErrOption, m)
}
