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
	b, err := doubledBisector(a, x, p, q)
	if err <= epsilon*math.Abs(b) {
		return b
	}
	return rationalBisector(a, x, p, q)
}

// bisectorSide is bisector with b good to its sign: whether x is nearer to p.
func bisectorSide(a, x, p, q []float64) (b float64) {
	b, err := doubledBisector(a, x, p, q)
	if err < math.Abs(b) || err == 0 {
		return b
	}
	return rationalBisector(a, x, p, q)
}

// doubledBisector is bisector in twice the precision only. It returns a bound on the
// error of b, +Inf where numbers underflow.
func doubledBisector(a, x, p, q []float64) (b, err float64) {
	var low, lows, size float64
	for j, e := range x {
		dq, eq := twoSum(q[j], -e)
		dp, ep := twoSum(p[j], -e)
		m, em := twoSum(dq, dp)
		d, ed := twoSum(q[j], -p[j])
		a[j] = d
		product := float64(d * m)
		sum, rounded := twoSum(b, product)
		rest := math.FMA(d, m, -product)
		between, across := float64(d*(em+eq+ep)), float64(ed*m)
		b, low = sum, low+(rounded+rest+between+across)
		lows += math.Abs(rounded) + math.Abs(rest) + math.Abs(between) + math.Abs(across)
		size += math.Abs(product)
	}
	if !(size > noUnderflow) {
		return (b + low) / 2, math.Inf(1)
	}
	// The lower half is rounded when it is added up, and what is left out of it is a
	// share ε² of the terms; the sum of the halves is rounded once more.
	err = epsilon * (float64(4*len(x)+8)*lows + float64(4*len(x))*epsilon*size)
	if lows == 0 {
		err = 0
	}
	return (b + low) / 2, err + epsilon/2*math.Abs(b+low)/2
}

const (
	// epsilon is the distance between 1 and the next float64.
	epsilon = 0x1p-52
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
