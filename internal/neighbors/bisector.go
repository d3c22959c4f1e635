package neighbors

import (
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/exact"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
)

// BisectorFunc is Table.Border, or Table.Side where only the sign of b counts.
type BisectorFunc func(a, x []float64, p, q int32) (b float64)

// Border is Bisector of two rows.
func (t *Table) Border(a, x []float64, p, q int32) (b float64) {
	return Bisector(a, x, t.Row(p), t.Row(q))
}

// Side is Bisector of two rows with the sign for b: 1 where x is nearer to p. Where both are
// equally near to x and p comes first, the half-space is all of space.
func (t *Table) Side(a, x []float64, p, q int32) (sign float64) {
	b, err := doubled(a, x, t.Row(p), t.Row(q))
	sign = float64(exact.Sign(b, err, func() int {
		return exact.Margin(x, t.Row(p), t.Row(q)).Sign()
	}))
	if sign == 0 && p < q {
		clear(a)
	}
	return sign
}

// Excludes reports whether the origin does not lie strictly inside {u : a·u ≤ b}. The bisector of
// equal rows does not exclude it.
func Excludes(a []float64, b float64) bool {
	return !(b > 0) && slices.ContainsFunc(a, func(e float64) bool { return e != 0 })
}

// Bisector writes the half-space of the displacements u from x that leave x+u at
// least as near to p as to q, a·u ≤ b, to a and returns b = ½ Σ a_j (p_j + q_j −
// 2x_j), good to the last digits: the terms cancel when p and q are far from x, and
// an error in b moves the bisector the farther the closer p and q are. Where a is
// tiny, both are times a power of two.
//
// b is computed in twice the precision, in which it is exact for integers, and in
// rational arithmetic where even that cancels or underflows.
func Bisector(a, x, p, q []float64) (b float64) {
	b, err := doubled(a, x, p, q)
	if err <= epsilon*math.Abs(b) {
		return b
	}
	return rational(a, x, p, q)
}

// BisectorWithin returns b with a bound on its error, which is larger than Bisector's
// where terms cancel.
func BisectorWithin(a, x, p, q []float64) (b, err float64) {
	if b, err = doubled(a, x, p, q); math.IsInf(err, 1) {
		b = rational(a, x, p, q)
		err = epsilon * math.Abs(b)
	}
	return b, err
}

// doubled is Bisector in twice the precision only. It returns a bound on the
// error of b, +Inf where numbers underflow.
func doubled(a, x, p, q []float64) (b, err float64) {
	var low, lows, size float64
	for j, e := range x {
		dq, eq := precise.TwoSum(q[j], -e)
		dp, ep := precise.TwoSum(p[j], -e)
		m, em := precise.TwoSum(dq, dp)
		d, ed := precise.TwoSum(q[j], -p[j])
		a[j] = d
		product := float64(d * m)
		sum, rounded := precise.TwoSum(b, product)
		rest := math.FMA(d, m, -product)
		between, across := float64(d*(em+eq+ep)), float64(ed*m)
		b, low = sum, low+(rounded+rest+between+across)
		lows += math.Abs(rounded) + math.Abs(rest) + math.Abs(between) + math.Abs(across)
		size += math.Abs(product)
	}
	if !(size > noUnderflow) {
		return (b + low) / 2, math.Inf(1)
	}
	// The lower half is rounded when it is added up, and the part that it lacks is a
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
	// noUnderflow is the size of the terms from which on underflows do not show.
	noUnderflow = 0x1p-900
)

// rational is Bisector in exact arithmetic.
func rational(a, x, p, q []float64) (b float64) {
	most := 0.0
	for j := range x {
		a[j] = q[j] - p[j]
		most = max(most, math.Abs(a[j]))
	}
	scale := 1.0
	if most > 0 && most < 0x1p-500 {
		scale = 0x1p500
	}
	for j := range a {
		a[j] *= scale
	}
	margin := exact.Margin(x, p, q)
	b, _ = margin.Mul(margin, exact.Float(scale/2)).Float64()
	return b
}
