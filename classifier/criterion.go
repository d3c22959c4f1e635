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
			entropy -= float64(p * (ln(p) / math.Ln2))
		}
	}
	return entropy
}

// scores ranks the splits of a node without scikit-learn's arithmetic, which
// takes a logarithm for every class at every threshold. Up to rounding, less
// impurity left is a higher score. potential[k] is what k rows of one class add
// to a side of the split: k·ln k or k²; whole numbers, so that they can be added
// and taken off in any order.
type scores struct {
	criterion Criterion
	potential []int64
	// slack is the difference up to which rounding may have swapped two scores.
	slack float64
}

// newScores prepares for nodes of up to n rows. The slack is twice what rounding
// can do, with u = 2⁻⁵³: scikit-learn's sum over C classes is off by less than
// n·u·(2 + (C+4)·log₂ C), a score by less than n·u·400, and 128·(C+16) is more
// than twice both factors.
func newScores(c Criterion, n, classes int) *scores {
	s := &scores{criterion: c, potential: make([]int64, n+1)}
	scale := 1.0
	if c == Entropy {
		_, exponent := math.Frexp(float64(n) * math.Log(float64(n)+1))
		scale = math.Ldexp(1, potentialBits-exponent)
	}
	for k := range s.potential {
		if c == Gini {
			s.potential[k] = int64(k) * int64(k)
		} else if k > 0 {
			s.potential[k] = int64(float64(k) * math.Log(float64(k)) * scale)
		}
	}
	s.slack = float64(n) * float64(classes+16) * 128 * 0x1p-53 * scale
	return s
}

// potentialBits is how many bits the largest potential of entropy may have.
const potentialBits = 60

// of returns the score of a split into sides of so many rows with these sums of
// potentials.
func (s *scores) of(left, right int, leftSum, rightSum int64) float64 {
	if s.criterion == Gini {
		return float64(leftSum)/float64(left) + float64(rightSum)/float64(right)
	}
	return float64(leftSum - s.potential[left] + rightSum - s.potential[right])
}

// ln returns the logarithm of x, 0 < x ≤ 1, off by less than 0.5001 units in the
// last place. Where class counts are permuted, as those of two features often
// are, the last bit decides which split is the best. That of the C library
// behind scikit-learn is the correctly rounded one for all but one of 1300
// arguments; that of math.Log is another one for each fourteenth, and need not be
// the same on all processors.
func ln(x float64) float64 {
	if x == 1 {
		return 0
	}
	m, exponent := math.Frexp(x)
	i := int(m*lnSteps + 0.5)
	c := float64(i) / lnSteps
	// ln m = ln c + 2·artanh s, where s = (m − c) / (m + c) < 2⁻⁸ and m − c is exact.
	sum := pair{hi: m}.plus(c, 0)
	s := (m - c) / sum.hi
	low := (math.FMA(-s, sum.hi, m-c) - float64(s*sum.lo)) / sum.hi
	q := float64(s * s)
	series := q * math.FMA(q, math.FMA(q, math.FMA(q, 1./9, 1./7), 1./5), 1./3)
	r := lnTable[i]
	r = r.plus(float64(float64(exponent)*ln2Hi), float64(float64(exponent)*ln2Lo))
	r = r.plus(2*s, 2*low+float64(2*s*series))
	return r.hi + r.lo
}

const (
	lnSteps = 128
	ln2Hi   = 0x1.62e42fefa38p-1 // the first 42 bits of ln 2: times an exponent it is exact
	ln2Lo   = math.Ln2 - ln2Hi
)

// lnTable holds ln(i/lnSteps) for i from half of lnSteps on, by way of
// ln(i/(i+1)) = −2·artanh(1/(2i+1)).
var lnTable = func() (t [lnSteps + 1]pair) {
	for i := lnSteps - 1; i >= lnSteps/2; i-- {
		t[i] = t[i+1]
		step := float64(2*i + 1)
		power := step
		for k := 1.0; k <= 11; k += 2 {
			term := 2 / (k * power)
			t[i] = t[i].plus(-term, -math.FMA(-term, k*power, 2)/(k*power))
			power *= step * step
		}
	}
	return t
}()

// pair is a number of twice the precision, hi + lo.
type pair struct{ hi, lo float64 }

// plus adds hi + lo, where lo is much the smaller.
func (a pair) plus(hi, lo float64) pair {
	sum := a.hi + hi
	rest := sum - a.hi
	return pair{sum, (a.hi - (sum - rest)) + (hi - rest) + a.lo + lo}
}
