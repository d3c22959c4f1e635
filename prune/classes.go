package prune

import (
	"fmt"
	"maps"
	"slices"
)

// byLabel returns the rows of each label, ascending, the largest label first.
func byLabel(y []int, rows int) ([][]int32, error) {
	if len(y) != rows {
		return nil, fmt.Errorf("prune: %w: %d labels, %d rows", ErrLength, len(y), rows)
	}
	members := make(map[int][]int32)
	for i, label := range y {
		if label < 0 {
			return nil, fmt.Errorf("prune: row %d: %w: %d", i, ErrLabel, label)
		}
		members[label] = append(members[label], int32(i))
	}
	labels := slices.Sorted(maps.Keys(members))
	slices.Reverse(labels)
	lists := make([][]int32, len(labels))
	for i, label := range labels {
		lists[i] = members[label]
	}
	return lists, nil
}
