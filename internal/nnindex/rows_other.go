//go:build !amd64 || purego

package nnindex

// SquaredRows sets out to the squared distances of x from len(out) rows, which lie one
// after the other. They are those of Squared, to the last bit.
func SquaredRows(x, rows, out []float64) { squaredRows(x, rows, out) }

// AbsoluteRows sets out to the sums of |x_j − y_j| for len(out) rows y, which lie one
// after the other. They are those of Absolute, to the last bit.
func AbsoluteRows(x, rows, out []float64) { absoluteRows(x, rows, out) }

// toBox returns the squared distance from q to a box that is not short.
func toBox(lo, hi, q []float64) float64 { return gaps(lo, hi, q) }

// widenRows makes a box hold rows, which lie one after the other.
func widenRows(lo, hi, rows []float64) { widenEach(lo, hi, rows) }
