package closest

// perturbation returns the deterministic relative cost perturbation of coordinate
// j: between 1 and 2 times perturbed in size, the sign at random.
func perturbation(j int) float64 {
	h := uint64(j+1) * 0x9E3779B97F4A7C15
	h ^= h >> 29
	h *= 0xBF58476D1CE4E5B9
	h ^= h >> 32
	e := perturbed * (1 + float64(h>>12)/(1<<52))
	if h&1 == 0 {
		return -e
	}
	return e
}

// perturbed is small enough that d = 1000 coordinates together move the optimum
// by less than 1e-9 of itself, and large against the 1e-16 of rounding.
const perturbed = 1e-13

// negligible is the size, relative to the multipliers it is made of, below which
// a pivot is rounding error.
const negligible = 1e-11
