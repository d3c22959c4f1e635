package dataset

import "fmt"

// The limits keep a short or hostile file from claiming the whole memory. They
// leave room for the largest sets of the paper, MNIST with 70,000 × 784 values
// and covtype with 581,012 × 54.
const (
	// MaxValues is the largest number of values of one set: 2²⁷, 1 GiB of
	// float64.
	MaxValues = 1 << 27

	// MaxFeatures is the largest number of features.
	MaxFeatures = 1 << 20

	// maxLine is the longest line of a text file in bytes: 16 for each of
	// MaxFeatures.
	maxLine = 16 * MaxFeatures
)

// checkSize returns an error unless rows × features is a size that may be
// allocated and holds at least one value.
func checkSize(rows, features int) error {
	switch {
	case rows <= 0:
		return fmt.Errorf("%w: there are no rows", ErrEmpty)
	case features <= 0:
		return fmt.Errorf("%w: the rows have no features", ErrEmpty)
	case features > MaxFeatures:
		return fmt.Errorf("%w: %d features, at most %d are allowed", ErrTooLarge, features, MaxFeatures)
	case rows > MaxValues/features:
		return fmt.Errorf("%w: %d rows of %d features, at most %d values are allowed", ErrTooLarge, rows, features, MaxValues)
	}
	return nil
}
