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

// toBox returns the squared distance from q to a box.
func toBox(lo, hi, q []float64) float64 {
	if len(q) < short || !cpu.X86.HasAVX {
		return gaps(lo, hi, q)
	}
	_, _ = lo[:len(q)], hi[:len(q)]
	return toBoxAVX(&q[0], &lo[0], &hi[0], len(q))
}

// squaredRowsAVX is squaredRows for dim ≥ 4 and n rows, four rows at a time.
//
//go:noescape
func squaredRowsAVX(x, rows *float64, dim, n int, out *float64)

// toBoxAVX is gaps for dim ≥ 4.
//
//go:noescape
func toBoxAVX(q, lo, hi *float64, dim int) float64
