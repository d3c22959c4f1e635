package precise

import "math"

// Exp returns e^v, rounded correctly unless it is subnormal or lies within 2⁻⁹⁰ of the middle
// of two float64, on every processor the same. It never decreases as v grows, which math.Exp may.
func Exp(v float64) float64 {
	switch {
	case v != v:
		return v
	case v > 710:
		return math.Inf(1)
	case v < -746:
		return 0
	}
	// ln 2 in three parts: products with the first are exact.
	const (
		ln2High   = 0x1.62e42fefa3800p-1
		ln2Middle = 0x1.ef35793c76730p-45
		ln2Low    = 0x1.f97b57a079a19p-103
	)
	k := math.RoundToEven(v / math.Ln2)
	high, low := TwoSum(v, -float64(k*ln2High))
	r := double{high, low}.add(double{k, 0}.times(double{-ln2Middle, -ln2Low}))
	s := double{r.high * (1.0 / halvings), r.low * (1.0 / halvings)}
	power := double{1.0 / 11, 0} // Horner's rule for (e^s − 1)/s
	for n := 10.0; n > 0; n-- {
		power = power.times(s).add(double{1, 0}).times(inverse(n))
	}
	e := power.times(s) // e^s − 1, whose square is 2e + e²
	for i := 1; i < halvings; i *= 2 {
		e = double{2 * e.high, 2 * e.low}.add(e.times(e))
	}
	return math.Ldexp(double{1, 0}.add(e).high, int(k))
}

// halvings is the divisor of exponents before the series.
const halvings = 256

// double is a sum of two float64, the second less than half a unit of the first.
type double struct{ high, low float64 }

func (a double) add(b double) double {
	sum, err := TwoSum(a.high, b.high)
	lows, lost := TwoSum(a.low, b.low)
	sum, err = TwoSum(sum, err+lows)
	sum, err = TwoSum(sum, err+lost)
	return double{sum, err}
}

func (a double) times(b double) double {
	product := float64(a.high * b.high)
	err := math.FMA(a.high, b.high, -product)
	err += float64(a.high*b.low) + float64(a.low*b.high)
	product, err = TwoSum(product, err)
	return double{product, err}
}

// inverse returns 1/n.
func inverse(n float64) double {
	high := 1 / n
	return double{high, -math.FMA(high, n, -1) / n}
}
