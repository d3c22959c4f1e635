package cart

import "math"

// Criterion measures how mixed the classes of a node are.
type Criterion int

const (
	Entropy Criterion = iota // −Σ p log₂ p
	Gini                     // 1 − Σ p²
)

// Pure is the impurity up to which a node is a leaf.
const Pure = 0x1p-52

// Impurity returns the impurity of n rows with these class counts. The order of
// the operations is scikit-learn's, so that equal splits stay equal.
func (c Criterion) Impurity(counts []float64, n float64) float64 {
	if c == Gini {
		var squares float64
		for _, k := range counts {
			squares += float64(k * k)
		}
		return 1 - squares/(n*n)
	}
	var entropy float64
	for _, k := range counts {
		if k > 0 {
			p := k / n
			entropy -= float64(p * (ln(p) / math.Ln2))
		}
	}
	return entropy
}
