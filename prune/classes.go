package prune

import "fmt"

// twoClasses returns the rows of the smaller and of the larger label, each
// ascending. When there is only one label, larger is empty.
func twoClasses(y []int, rows int) (smaller, larger []int32, err error) {
	if len(y) != rows {
		return nil, nil, fmt.Errorf("prune: %w: %d labels, %d rows", ErrLength, len(y), rows)
	}
	for i, label := range y {
		if label < 0 {
			return nil, nil, fmt.Errorf("prune: row %d: %w: %d", i, ErrLabel, label)
		}
	}
	least, greatest := y[0], y[0]
	for _, label := range y {
		least, greatest = min(least, label), max(greatest, label)
	}
	for i, label := range y {
		switch label {
		case least:
			smaller = append(smaller, int32(i))
		case greatest:
			larger = append(larger, int32(i))
		default:
			return nil, nil, fmt.Errorf("prune: row %d has label %d beside labels %d and %d: %w",
				i, label, least, greatest, ErrClasses)
		}
	}
	return smaller, larger, nil
}
