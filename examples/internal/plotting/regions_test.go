package plotting

import (
	"context"
	"errors"
	"math"
	"testing"
)

// TestRegionsOfThreeLabels paints the labels over each other: the areas seen are
// those of the three sectors.
func TestRegionsOfThreeLabels(t *testing.T) {
	r, err := newRegions(t.Context(), square, 3, func(x, y float64) int {
		switch {
		case y < 0:
			return 0
		case x < 0.2:
			return 1
		}
		return 2
	})
	if err != nil {
		t.Fatal(err)
	}
	for l, want := range []float64{4, 2, 0.8} {
		if got := area(r.above[l]); math.Abs(got-want) > 2e-3 {
			t.Errorf("area of the labels from %d on = %v, want %v", l, got, want)
		}
	}
}

func TestRegionsStop(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := newRegions(ctx, square, 2, func(x, y float64) int { return 0 })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want %v", err, context.Canceled)
	}
}
