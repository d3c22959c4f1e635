package attack

import (
	"errors"
	"fmt"
	"math"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/rules"
)

// Reaches returns how far moves of cost ≤ radius in ℓ∞ bring each feature, for training that is
// robust to the moves that Options.Features allow: classifier.TreeOptions.Reach, or that of
// BoostedOptions. Limits that are parts of |x_j|, and grids of values, are left out, so that a
// reach may be longer than some moves, and never shorter. A member of a one-hot group reaches 1
// from 0, and back, if its price allows it. Of categories, and of values that may become missing,
// the error wraps errors.ErrUnsupported where the radius pays for a change: codes have no
// distances.
func Reaches(features []Feature, radius float64) ([]classifier.Reach, error) {
	if err := rules.Check(given(features), len(features)); err != nil {
		return nil, fmt.Errorf("%w: %w", classifier.ErrOption, err)
	}
	if !(radius >= 0) || math.IsInf(radius, 1) {
		return nil, fmt.Errorf("%w: radius %v", classifier.ErrOption, radius)
	}
	reaches := make([]classifier.Reach, len(features))
	for j, f := range features {
		up, down := priced(f.Up), priced(f.Down)
		switch {
		case f.Frozen:
		case f.Categorical || f.Missing != KeepMissing:
			if up <= radius {
				return nil, fmt.Errorf("feature %d may change to codes, or become missing, within "+
					"%v, which training knows no distance for: %w",
					j, radius, errors.ErrUnsupported)
			}
		case f.Group > 0:
			if up <= radius || cheapest(features, f.Group) <= radius {
				reaches[j] = classifier.Reach{Down: 1, Up: 1}
			}
		default:
			reaches[j] = classifier.Reach{
				Down: limited(radius/down, f.MaxDown),
				Up:   limited(radius/up, f.MaxUp),
			}
		}
	}
	return reaches, nil
}

// priced returns a price, of which 0 stands for 1.
func priced(price float64) float64 {
	if price == 0 {
		return 1
	}
	return price
}

// cheapest returns the least price in a one-hot group: another member that becomes the 1 sends this
// one to 0.
func cheapest(features []Feature, group int) float64 {
	least := math.Inf(1)
	for _, f := range features {
		if f.Group == group && !f.Frozen {
			least = min(least, priced(f.Up))
		}
	}
	return least
}

// limited returns a distance within a limit, of which 0 is none.
func limited(distance, most float64) float64 {
	if most > 0 {
		return min(distance, most)
	}
	return distance
}
