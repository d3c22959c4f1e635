package exact

// Sign returns the sign of a number that floating point knows to be v, but for an error of at most
// err. Where that leaves it open, or overflows, exactly computes the sign.
func Sign(v, err float64, exactly func() int) int {
	switch {
	case v > err:
		return 1
	case v < -err:
		return -1
	case v == 0 && err == 0:
		return 0
	}
	return exactly()
}
