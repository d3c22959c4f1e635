package attack

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/bestfirst"
	"github.com/seed-1a7dc1f9/facet/internal/victim"
)

// ErrUndecided is returned by RobustAt when it does not know: because a limit of the
// options ended the search, or because a cell within the radius is too thin for a
// float64 example of it to be found.
var ErrUndecided = errors.New("not known: a limit ended the search, or float64 has no example in a cell within the radius")

// RobustAt reports whether no input within distance r of x has another label, or
// the target label if the options name one. It searches only cells within r and
// stops at the first example, so it is cheaper than Perturb.
//
// It is true only if proven, for the function that Predict computes on real vectors.
// It is false when an input of another label was found within r, or so little beyond
// that the certified bound of its distance, which is rounded down, does not exceed r
// (|error| ≤ 1e-9·max(1, distance)). Errors are
// those of Perturb, ErrUndecided, and ErrOption for a radius that is negative or
// not finite, or in mode Approx, which proves nothing.
func (a *RegionBased) RobustAt(ctx context.Context, x []float64, r float64) (bool, error) {
	robust, err := a.robustAt(ctx, x, r, nil)
	if err != nil {
		return false, fmt.Errorf("attack: radius %v: %w", r, err)
	}
	return robust, nil
}

// robustAt writes a proof if p is not nil and x is robust.
func (a *RegionBased) robustAt(ctx context.Context, x []float64, r float64, p *proof) (robust bool, err error) {
	defer victim.Caught(&err)
	q, err := a.query(x)
	switch {
	case err != nil:
		return false, err
	case a.Mode != Exact:
		return false, errMode(a.Mode)
	case r == 0:
		return true, nil // x itself has its own label
	}
	if err := checkRadius(r); err != nil {
		return false, err
	}
	if q, err = p.about(q); err != nil {
		return false, err
	}
	found, err := a.search(ctx, q, bestfirst.Limits{Radii: []float64{r}}, p.prepare())
	switch {
	case err != nil:
		return false, err
	case found.Example != nil:
		return false, nil
	case found.Bound <= r:
		return false, ErrUndecided
	}
	return true, p.write(ctx, found, math.Nextafter(r, math.Inf(1)))
}

func errMode(m Mode) error { return fmt.Errorf("%w: mode %v proves nothing", ErrOption, m) }
