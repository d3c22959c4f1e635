package cart

import "math"

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
