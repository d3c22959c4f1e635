package cellpoint

import "math"

// Beyond returns the cutoff to give a solver. It lies a little beyond the search's, so
// that what a solver does not cut off has one bound, which the search compares itself:
// the bounds that a solver proves on its way may lie some rounding errors above the one
// it ends with.
func Beyond(cutoff float64) float64 {
	return max(cutoff*(1+1e-6), math.Nextafter(cutoff, math.Inf(1)))
}
