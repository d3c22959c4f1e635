package nnindex

import "math"

// short is the dimension below which squares are added up one after the other.
// From there on four partial sums, of j = 0, 4, 8, … and so on, keep the
// processor busy. Every squared distance of this package is added up in that
// order.
const short = 8

// Squared returns Σ(x_j − y_j)².
func Squared(x, y []float64) float64 {
	return Below(x, y, math.Inf(1))
}

// Below returns Squared(x, y), or a number above limit as soon as the sum has
// passed it.
func Below(x, y []float64, limit float64) float64 {
	if len(x) < short {
		return plain(x, y)
	}
	var s0, s1, s2, s3 float64
	for len(x) >= 8 && len(y) >= 8 {
		a, b := x[:8], y[:8]
		d0, d1, d2, d3 := a[0]-b[0], a[1]-b[1], a[2]-b[2], a[3]-b[3]
		e0, e1, e2, e3 := a[4]-b[4], a[5]-b[5], a[6]-b[6], a[7]-b[7]
		s0 = s0 + float64(d0*d0) + float64(e0*e0)
		s1 = s1 + float64(d1*d1) + float64(e1*e1)
		s2 = s2 + float64(d2*d2) + float64(e2*e2)
		s3 = s3 + float64(d3*d3) + float64(e3*e3)
		if sum := (s0 + s1) + (s2 + s3); sum > limit {
			return sum
		}
		x, y = x[8:], y[8:]
	}
	if len(x) >= 4 && len(y) >= 4 {
		a, b := x[:4], y[:4]
		d0, d1, d2, d3 := a[0]-b[0], a[1]-b[1], a[2]-b[2], a[3]-b[3]
		s0 += float64(d0 * d0)
		s1 += float64(d1 * d1)
		s2 += float64(d2 * d2)
		s3 += float64(d3 * d3)
		x, y = x[4:], y[4:]
	}
	return (s0 + s1) + (s2 + s3) + plain(x, y)
}

// squaredRows is SquaredRows in Go, without a call for each short row.
func squaredRows(x, rows, out []float64) {
	switch {
	case len(x) == 2:
		squaredPairs(x[0], x[1], rows[:2*len(out)], out)
		return
	case len(x) >= short:
		for i := range out {
			out[i] = Squared(x, rows[i*len(x):(i+1)*len(x)])
		}
		return
	}
	for len(out) >= 4 {
		squaredFour(x, rows[:4*len(x)], out)
		rows, out = rows[4*len(x):], out[4:]
	}
	for i := range out {
		out[i] = plain(x, rows[i*len(x):(i+1)*len(x)])
	}
}

// squaredFour is squaredRows of four short rows, whose sums do not wait for one another.
func squaredFour(x, rows, out []float64) {
	n := len(x)
	a, b, c, d := rows[:n], rows[n:2*n], rows[2*n:3*n], rows[3*n:4*n]
	var s0, s1, s2, s3 float64
	for j, e := range x {
		d0, d1, d2, d3 := e-a[j], e-b[j], e-c[j], e-d[j]
		s0 += float64(d0 * d0)
		s1 += float64(d1 * d1)
		s2 += float64(d2 * d2)
		s3 += float64(d3 * d3)
	}
	out[0], out[1], out[2], out[3] = s0, s1, s2, s3
}

// squaredPairs is squaredRows in the plane.
func squaredPairs(x, y float64, rows, out []float64) {
	for i := 0; len(rows) >= 2 && i < len(out); i++ {
		dx, dy := x-rows[0], y-rows[1]
		out[i] = float64(dx*dx) + float64(dy*dy)
		rows = rows[2:]
	}
}

// Absolute returns Σ|x_j − y_j|, summed over the even j and the odd ones.
func Absolute(x, y []float64) float64 {
	y = y[:len(x)]
	var even, odd float64
	for j := 1; j < len(x); j += 2 {
		even += math.Abs(x[j-1] - y[j-1])
		odd += math.Abs(x[j] - y[j])
	}
	if n := len(x); n%2 == 1 {
		even += math.Abs(x[n-1] - y[n-1])
	}
	return even + odd
}

// absoluteRows is AbsoluteRows in Go.
func absoluteRows(x, rows, out []float64) {
	for i := range out {
		out[i] = Absolute(x, rows[i*len(x):(i+1)*len(x)])
	}
}

// Moved returns the squared distance of y from x+u, a point that need not be a
// float64: where x is large against the distances at hand, rounding x+u would
// move it by more than they differ.
func Moved(x, u, y []float64) float64 {
	u, y = u[:len(x)], y[:len(x)]
	var sum float64
	for j, e := range x {
		d := (y[j] - e) - u[j]
		sum += float64(d * d)
	}
	return sum
}

func plain(x, y []float64) float64 {
	y = y[:len(x)]
	var sum float64
	for j, e := range x {
		d := e - y[j]
		sum += float64(d * d)
	}
	return sum
}

// ToBox returns the squared distance from q to the bounding box of a node. It is
// at most Squared(q, p) for every point p of the node.
func (t *Tree) ToBox(node int, q []float64) float64 {
	lo, hi := t.Box(node)
	if len(lo) < short {
		return plainBox(lo, hi, q)
	}
	return toBox(lo, hi, q[:len(lo)])
}

// gaps is toBox in Go, in the order of Squared.
func gaps(lo, hi, q []float64) float64 {
	var s0, s1, s2, s3 float64
	for len(lo) >= 4 && len(hi) >= 4 && len(q) >= 4 {
		s0 += gap(lo[0], hi[0], q[0])
		s1 += gap(lo[1], hi[1], q[1])
		s2 += gap(lo[2], hi[2], q[2])
		s3 += gap(lo[3], hi[3], q[3])
		lo, hi, q = lo[4:], hi[4:], q[4:]
	}
	return (s0 + s1) + (s2 + s3) + plainBox(lo, hi, q)
}

func plainBox(lo, hi, q []float64) float64 {
	hi, q = hi[:len(lo)], q[:len(lo)]
	var sum float64
	for j, l := range lo {
		sum += gap(l, hi[j], q[j])
	}
	return sum
}

// gap returns the squared distance from v to the interval from lo to hi. At most
// one of the two differences is positive, and which is anybody's guess, so there
// are no branches.
func gap(lo, hi, v float64) float64 {
	d := positive(lo-v) + positive(v-hi)
	return float64(d * d)
}

// positive returns v, or 0 if v is negative.
func positive(v float64) float64 {
	bits := math.Float64bits(v)
	return math.Float64frombits(bits &^ uint64(int64(bits)>>63))
}
