package cart_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/cart"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
)

// exactLn returns ln x to 150 bits. x is a fraction of 1/2 or more times a power of
// two.
func exactLn(x float64) *big.Float {
	fraction, exponent := math.Frexp(x)
	half := lnOf(0.5)
	return half.Sub(lnOf(fraction), half.Mul(half, big.NewFloat(float64(exponent))))
}

// lnOf returns ln m = 2·artanh((m−1)/(m+1)) for 1/2 ≤ m ≤ 1 by the series of
// artanh.
func lnOf(m float64) *big.Float {
	number := func(v float64) *big.Float { return new(big.Float).SetPrec(150).SetFloat64(v) }
	s := number(m - 1) // exact
	s.Quo(s, number(1).Add(number(1), number(m)))
	square, power, sum := number(0).Mul(s, s), s.Mul(s, number(2)), number(0)
	for k := 1.0; k < 100; k += 2 {
		sum.Add(sum, number(0).Quo(power, number(k)))
		power.Mul(power, square)
	}
	return sum
}

// TestLnIsRoundedCorrectly: the logarithm that decides between equally good splits
// is the float64 next to the true one.
func TestLnIsRoundedCorrectly(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	draws := []func() float64{
		func() float64 { n := 1 + rng.IntN(5000); return float64(1+rng.IntN(n)) / float64(n) },
		func() float64 { return 1 - rng.Float64()/100 },
		func() float64 { return math.Ldexp(1-rng.Float64(), -rng.IntN(60)) },
	}
	for i := range racetest.Scale(6000) {
		x := draws[i%len(draws)]()
		want, _ := exactLn(x).Float64()
		if got := cart.Ln(x); got != want {
			t.Errorf("Ln(%v) = %v, want %v", x, got, want)
		}
	}
	if got := cart.Ln(1); got != 0 {
		t.Errorf("Ln(1) = %v, want 0", got)
	}
}

// TestLnIsTheCLibrarys: values of glibc 2.36, where math.Log is off by one unit in
// the last place on amd64.
func TestLnIsTheCLibrarys(t *testing.T) {
	for _, test := range []struct{ k, n, want float64 }{
		{4, 13, -1.1786549963416462},
		{5, 13, -0.9555114450274363},
		{5, 14, -1.0296194171811581},
		{8, 15, -0.6286086594223742},
	} {
		if got := cart.Ln(test.k / test.n); got != test.want {
			t.Errorf("Ln(%v/%v) = %v, want %v", test.k, test.n, got, test.want)
		}
	}
}

// removed is the proxy for the impurity that a split removes, as scikit-learn
// computes it.
func removed(c cart.Criterion, left, right []int) float64 {
	impurity := func(counts []int) (n, impurity float64) {
		floats := make([]float64, len(counts))
		for c, k := range counts {
			floats[c] = float64(k)
			n += floats[c]
		}
		return n, c.Impurity(floats, n)
	}
	leftN, leftImpurity := impurity(left)
	rightN, rightImpurity := impurity(right)
	return -float64(rightN*rightImpurity) - float64(leftN*leftImpurity)
}

// TestScoresAreProxies: scores farther apart than the slack are ordered as the
// proxies are, on splits of one node of which many are nearly or exactly as good
// as others.
func TestScoresAreProxies(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	apart, near := 0, 0
	for trial := range racetest.Scale(10000) {
		c := cart.Criterion(trial % 2)
		classes := 2 + rng.IntN(4)
		total := make([]int, classes)
		n := 0
		for k := range total {
			total[k] = 1 + rng.IntN(1<<rng.IntN(11))
			n += total[k]
		}
		first, second := make([]int, classes), make([]int, classes)
		for k := range first {
			first[k] = rng.IntN(total[k] + 1)
			second[k] = first[k]
			switch rng.IntN(4) {
			case 0: // a step away
				second[k] = min(total[k], first[k]+1)
			case 1: // the mirror image
				second[k] = total[k] - first[k]
			}
		}
		a, slack := score(c, first, total, n)
		b, _ := score(c, second, total, n)
		if math.IsNaN(a) || math.IsNaN(b) {
			continue // a side is empty
		}
		difference := removed(c, first, others(first, total)) - removed(c, second,
			others(second, total))
		switch {
		case a > b+slack && !(difference > 0), b > a+slack && !(difference < 0):
			t.Fatalf("trial %d: %v of %v or %v: scores %v and %v, proxies differ by %v",
				trial, total, first, second, a, b, difference)
		case a > b+slack, b > a+slack:
			apart++
		default:
			near++
		}
	}
	if apart < 100 || near < 100 {
		t.Errorf("%d scores were apart, %d near, want 100 of each", apart, near)
	}
}

// others returns the rest of the class counts.
func others(counts, total []int) []int {
	rest := make([]int, len(total))
	for c := range rest {
		rest[c] = total[c] - counts[c]
	}
	return rest
}

// score returns a split's score and the slack, NaN when a side is empty.
func score(c cart.Criterion, left, total []int, n int) (score, slack float64) {
	size := 0
	for _, k := range left {
		size += k
	}
	if size == 0 || size == n {
		return math.NaN(), 0
	}
	return c.Score(left, others(left, total), n)
}
