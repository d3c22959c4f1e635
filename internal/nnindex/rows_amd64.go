//go:build !purego

package nnindex

import "golang.org/x/sys/cpu"

// SquaredRows sets out to the squared distances of x from len(out) rows, which lie one
// after the other. They are those of Squared, to the last bit.
func SquaredRows(x, rows, out []float64) {
	if len(x) < short || len(out) == 0 || !cpu.X86.HasAVX {
		squaredRows(x, rows, out)
		return
	}
	_ = rows[:len(x)*len(out)]
	squaredRowsAVX(&x[0], &rows[0], len(x), len(out), &out[0])
}

// AbsoluteRows sets out to the sums of |x_j − y_j| for len(out) rows y, which lie one
// after the other. They are those of Absolute, to the last bit.
func AbsoluteRows(x, rows, out []float64) {
	fours := len(out) &^ 3
	if len(x) < 2 || fours == 0 || !cpu.X86.HasAVX {
		fours = 0
	} else {
		_ = rows[:len(x)*fours]
		absoluteRowsAVX(&x[0], &rows[0], len(x), fours, &out[0])
	}
	absoluteRows(x, rows[len(x)*fours:], out[fours:])
}

// toBox returns the squared distance from q to a box that is not short.
func toBox(lo, hi, q []float64) float64 {
	if !cpu.X86.HasAVX {
		return gaps(lo, hi, q)
	}
	_, _ = lo[:len(q)], hi[:len(q)]
	return toBoxAVX(&q[0], &lo[0], &hi[0], len(q))
}

// widenRows makes a box hold rows, which lie one after the other.
func widenRows(lo, hi, rows []float64) {
	if len(lo) < 4 || len(rows) == 0 || !cpu.X86.HasAVX {
		widenEach(lo, hi, rows)
		return
	}
	_ = hi[:len(lo)]
	widenRowsAVX(&lo[0], &hi[0], &rows[0], len(lo), len(rows)/len(lo))
}

// widenRowsAVX is widenRows for dim ≥ 4 and n ≥ 1 rows, two rows at a time.
//
//go:noescape
func widenRowsAVX(lo, hi, rows *float64, dim, n int)

// squaredRowsAVX is squaredRows for dim ≥ 4 and n rows, four rows at a time.
//
//go:noescape
func squaredRowsAVX(x, rows *float64, dim, n int, out *float64)

// absoluteRowsAVX is absoluteRows for dim ≥ 2 and four rows, or a multiple.
//
//go:noescape
func absoluteRowsAVX(x, rows *float64, dim, n int, out *float64)

// toBoxAVX is gaps for dim ≥ 4.
//
//go:noescape
func toBoxAVX(q, lo, hi *float64, dim int) float64
