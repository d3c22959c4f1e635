package robust

import "math"

// exponential is the exponential loss of the best values of leaves. Every leaf has a prior weight
// of each label besides its rows, so that few rows, and sure ones, say little.
type exponential struct{ prior float64 }

// leaf returns the loss of a leaf with the value ½·log(p/n) of its weights of the labels 0 and 1.
func (e exponential) leaf(rows []float64) float64 { return e.loss(rows[0], rows[1]) }

func (e exponential) loss(n, p float64) float64 {
	return 2 * math.Sqrt((n+e.prior)*(p+e.prior))
}

// split takes the better of the two orders of the values. Where the best values of an order lie in
// the other one, those of that order are as good as one leaf, which is no split.
func (e exponential) split(left, between, right []float64) float64 {
	loss := math.Inf(1)
	// left value ≤ right value
	n0, p0, n1, p1 := left[0], left[1]+between[1], right[0]+between[0], right[1]
	if (p0+e.prior)*(n1+e.prior) <= (p1+e.prior)*(n0+e.prior) {
		loss = e.loss(n0, p0) + e.loss(n1, p1)
	}
	// left value ≥ right value
	n0, p0, n1, p1 = left[0]+between[0], left[1], right[0], right[1]+between[1]
	if (p0+e.prior)*(n1+e.prior) >= (p1+e.prior)*(n0+e.prior) {
		loss = min(loss, e.loss(n0, p0)+e.loss(n1, p1))
	}
	return loss
}
