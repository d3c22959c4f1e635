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

// Classes returns the distinct labels of all sets together, in increasing
// order: class c is the label Classes(…)[c].
func Classes(sets ...*Set) []float64 {
	var labels []float64
	for _, s := range sets {
		labels = append(labels, s.Labels...)
	}
	slices.Sort(labels)
	return slices.Compact(labels)
}

// ClassIndices returns the position in classes of each label. The classes, in
// any order, must be distinct. The error about a label that is not among them
// wraps ErrUnknownLabel and names its row.
func ClassIndices(labels, classes []float64) ([]int, error) {
	index := make(map[float64]int, len(classes))
	for c, label := range classes {
		if _, again := index[label]; again {
			return nil, fmt.Errorf("label %v is listed twice among the classes %v", label, classes)
		}
		index[label] = c
	}
	out := make([]int, len(labels))
	for i, label := range labels {
		c, known := index[label]
		if !known {
			return nil, fmt.Errorf("row %d: %w %v: the classes are %v",
				i, ErrUnknownLabel, label, classes)
		}
		out[i] = c
	}
	return out, nil
}

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
