package dataset

import (
	"fmt"

	"github.com/seed-1a7dc1f9/facet/internal/numpyrand"
)

// Split shuffles the row numbers 0..n-1 and returns the last test of them as the
// test part and the others as the training part, both in shuffled order. It
// returns an error, and draws nothing, unless 0 ≤ test ≤ n.
func Split(n, test int, rng *numpyrand.Rand) (trainRows, testRows []int, err error) {
	if test < 0 || test > n {
		return nil, nil, fmt.Errorf("cannot split %d test rows off %d rows", test, n)
	}
	rows := rng.Perm(n)
	cut := n - test
	return rows[:cut:cut], rows[cut:], nil
}

// Attacked returns the positions of the test points that the paper attacks: of
// those classified correctly, shuffled, the first n. There may be fewer; the
// paper then leaves the cell empty. The generator is the one that made the
// split, in the state Split left it in.
func Attacked(correct []bool, n int, rng *numpyrand.Rand) []int {
	var positions []int
	for i, ok := range correct {
		if ok {
			positions = append(positions, i)
		}
	}
	rng.Shuffle(len(positions), func(i, j int) {
		positions[i], positions[j] = positions[j], positions[i]
	})
	return positions[:min(max(n, 0), len(positions))]
}
