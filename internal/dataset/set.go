package dataset

import (
	"fmt"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/numpyrand"
)

// Set holds Rows points of Dim features and their labels.
type Set struct {
	Data   []float64 // row-major, len Rows*Dim
	Rows   int
	Dim    int
	Labels []float64 // as in the file, len Rows
}

// Row returns row i as a part of Data: writing to it changes the set, and
// appending to it does not reach the next row.
func (s *Set) Row(i int) []float64 {
	return s.Data[i*s.Dim : (i+1)*s.Dim : (i+1)*s.Dim]
}

// Select returns a copy of the given rows, in the given order.
func (s *Set) Select(rows []int) *Set {
	out := &Set{
		Data:   make([]float64, 0, len(rows)*s.Dim),
		Rows:   len(rows),
		Dim:    s.Dim,
		Labels: make([]float64, 0, len(rows)),
	}
	for _, i := range rows {
		out.Data = append(out.Data, s.Row(i)...)
		out.Labels = append(out.Labels, s.Labels[i])
	}
	return out
}

// Number returns the labels of each set as numbers from 0, in the order of the labels of all sets
// together.
func Number(sets ...*Set) [][]int {
	var labels []float64
	for _, s := range sets {
		labels = append(labels, s.Labels...)
	}
	slices.Sort(labels)
	labels = slices.Compact(labels)
	numbers := make([][]int, len(sets))
	for i, s := range sets {
		numbers[i] = make([]int, len(s.Labels))
		for row, label := range s.Labels {
			numbers[i][row], _ = slices.BinarySearch(labels, label)
		}
	}
	return numbers
}

// Split shuffles the row numbers 0..n-1 and returns the last test of them as the
// test part and the others as the training part, both in shuffled order. It returns an error, and
// draws no number, unless 0 ≤ test ≤ n.
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
