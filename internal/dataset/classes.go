package dataset

import (
	"fmt"
	"slices"
)

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
			return nil, fmt.Errorf("row %d: %w %v: the classes are %v", i, ErrUnknownLabel, label, classes)
		}
		out[i] = c
	}
	return out, nil
}
