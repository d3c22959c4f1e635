package precise

import "math"

// Excess returns a·z − b, and a bound on the rounding error in it. Where the terms cancel it is
// computed in twice the precision. It is the right-hand side of a·(z'−z) ≤ b − a·z.
func Excess(a []float64, b float64, z []float64) (value, err float64) {
	if math.IsInf(b, 0) {
		return -b, 0
	}
	z = z[:len(a)]
	size := math.Abs(b)
	value = -b
	for j, a := range a {
		p := float64(a * z[j])
		value += p
		size += math.Abs(p)
	}
	n := float64(len(a) + 2)
	underflow := n * math.SmallestNonzeroFloat64 // the loss of the products at most
	if math.Abs(value) > cancelled*size {
		return value, n*Roundoff*size + underflow
	}
	value = compensated(a, b, z)
	return value, Roundoff*math.Abs(value) + n*n*Roundoff*Roundoff*size + 2*underflow
}

// cancelled is the share of a sum's terms that must be left for the plain sum to be
// good to thirteen digits.
const cancelled = 1.0 / 64

// compensated returns a·z − b as if computed in twice the precision (Ogita, Rump
// and Oishi, "Accurate sum and dot product", SIAM J. Sci. Comput. 26 (2005),
// algorithm Dot2).
func compensated(a []float64, b float64, z []float64) float64 {
	sum, low := -b, 0.0
	for j, a := range a {
		p := float64(a * z[j])
		low += math.FMA(a, z[j], -p)
		s, rest := TwoSum(sum, p)
		sum, low = s, low+rest
	}
	return sum + low
}
