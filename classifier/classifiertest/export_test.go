package classifiertest

import "github.com/seed-1a7dc1f9/facet/classifier"

// CheckWith is Test with fewer points, drawn by a seed.
func CheckWith(c classifier.Decomposable, points int, seed uint64, inputs ...[]float64) error {
	return test(c, settings{points, seed, inputs})
}
