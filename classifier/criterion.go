package classifier

import (
	"fmt"
	"math"
)

// Criterion measures how mixed the classes of a node are.
type Criterion int

const (
	Entropy Criterion = iota // −Σ p log₂ p
	Gini                     // 1 − Σ p²
)

// ParseCriterion reads "entropy" or "gini".
func ParseCriterion(s string) (Criterion, error) {
	for _, c := range []Criterion{Entropy, Gini} {
		if s == c.String() {
			return c, nil
		}
	}
	return 0, fmt.Errorf("classifier: %w: criterion %q: use entropy or gini", ErrOption, s)
}

// String returns the name that ParseCriterion reads.
func (c Criterion) String() string {
	switch c {
	case Entropy:
		return "entropy"
	case Gini:
		return "gini"
	}
	return fmt.Sprintf("Criterion(%d)", int(c))
}

func (c Criterion) check() error {
	if c != Entropy && c != Gini {
		return fmt.Errorf("%w: criterion %d", ErrOption, int(c))
	}
	return nil
}

// impurity returns the impurity of n rows with these class counts. The order of
// the operations is scikit-learn's, so that equal splits stay equal.
func (c Criterion) impurity(counts []float64, n float64) float64 {
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
			entropy -= float64(p * (math.Log(p) / math.Ln2))
		}
	}
	return entropy
}
