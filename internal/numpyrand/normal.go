package numpyrand

import "math"

// Normal returns a number of the normal distribution with the given mean and
// standard deviation (normal).
func (r *Rand) Normal(mean, stddev float64) float64 {
	return mean + float64(stddev*r.gauss())
}

// gauss is Marsaglia's polar method. Of each pair numpy returns the number made from the second
// coordinate first and keeps the other for the next call, through all other draws in between.
func (r *Rand) gauss() float64 {
	if r.hasSpare {
		r.hasSpare = false
		return r.spare
	}
	x, y, square := r.insideDisc()
	f := math.Sqrt(-2 * math.Log(square) / square)
	r.spare, r.hasSpare = f*x, true
	return f * y
}

// insideDisc returns a point of the open unit disc without its centre, and its
// squared length.
func (r *Rand) insideDisc() (x, y, square float64) {
	for {
		x = float64(2*r.Float64()) - 1
		y = float64(2*r.Float64()) - 1
		square = float64(x*x) + float64(y*y)
		if square < 1 && square != 0 {
			return x, y, square
		}
	}
}
