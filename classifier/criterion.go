package classifier

import "fmt"

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
