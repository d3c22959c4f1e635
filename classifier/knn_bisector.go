package classifier

import (
	"math"
	"math/big"

	"github.com/seed-1a7dc1f9/facet/internal/exact"
)

// bisector writes the half-space of the displacements u from x that leave x+u at
// least as near to p as to q, a·u ≤ b, to a and returns b = ½ Σ a_j (p_j + q_j −
// 2x_j), good to the last digits: the terms cancel when p and q are far from x, and
// an error in b moves the bisector the farther the closer p and q are. Where a is
// tiny, both are times a power of two.
//
// b is computed in twice the precision, in which it is exact for integers, and in
// rational arithmetic where even that cancels or underflows.
func bisector(a, x, p, q []float64) (b float64) {
	var low, lows, size float64
	for j, e := range x {
		dq, eq := twoSum(q[j], -e)
		dp, ep := twoSum(p[j], -e)
		m, em := twoSum(dq, dp)
		d, ed := twoSum(q[j], -p[j])
		a[j] = d
		product := float64(d * m)
		sum, err := twoSum(b, product)
		rest := math.FMA(d, m, -product)
		between, across := float64(d*(em+eq+ep)), float64(ed*m)
		b, low = sum, low+(err+rest+between+across)
		lows += math.Abs(err) + math.Abs(rest) + math.Abs(between) + math.Abs(across)
		size += math.Abs(product)
	}
	if size > noUnderflow && math.Abs(b+low) >= cancelled*lows {
		return (b + low) / 2
	}
	return rationalBisector(a, x, p, q)
}

const (
	// cancelled is how many times the terms of the lower half of a sum in twice the
	// precision must be left for it to be good to the last digits: rounding takes some
	// d·2⁻⁵¹ of them, and that is d·2⁻⁵⁶ of what is left.
	cancelled = 0x1p5
	// noUnderflow is the size of the terms from which on nothing that underflows
	// shows.
	noUnderflow = 0x1p-900
)

// rationalBisector is bisector in rational arithmetic.
func rationalBisector(a, x, p, q []float64) (b float64) {
	sum, d, m := new(big.Rat), new(big.Rat), new(big.Rat)
	most := 0.0
	for j := range x {
		a[j] = q[j] - p[j]
		most = max(most, math.Abs(a[j]))
	}
	scale := 1.0
	if most > 0 && most < 0x1p-500 {
		scale = 0x1p500
	}
	for j, e := range x {
		a[j] *= scale
		d.Sub(exact.Float(q[j]), exact.Float(p[j]))
		m.Add(exact.Float(q[j]), exact.Float(p[j]))
		m.Sub(m, exact.Float(e))
		m.Sub(m, exact.Float(e))
		sum.Add(sum, m.Mul(m, d))
	}
	sum.Mul(sum, exact.Float(scale/2))
	b, _ = sum.Float64()
	return b
}

// twoSum returns x + y rounded, and the rounding error (Knuth, "The Art of Computer
// Programming", volume 2, section 4.2.2).
func twoSum(x, y float64) (sum, err float64) {
	sum = x + y
	z := sum - x
	return sum, (x - (sum - z)) + (y - z)
}
