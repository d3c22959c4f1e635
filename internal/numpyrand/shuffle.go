package numpyrand

import "fmt"

// Shuffle permutes n elements by swap as RandomState.shuffle permutes an array:
// from the last element down, each changes places with one not above it. Fewer than two elements
// stay.
func (r *Rand) Shuffle(n int, swap func(i, j int)) {
	for i := n - 1; i > 0; i-- {
		swap(i, int(r.interval(uint64(i))))
	}
}

// Perm returns the numbers 0..n-1 in shuffled order (permutation).
func (r *Rand) Perm(n int) []int {
	p := make([]int, max(n, 0))
	for i := range p {
		p[i] = i
	}
	r.Shuffle(n, func(i, j int) { p[i], p[j] = p[j], p[i] })
	return p
}

// Choice returns k different numbers of 0..n-1 (choice without replacement):
// the first k of Perm(n), which costs n draws for any k. An error is
// returned unless 0 ≤ k ≤ n, and no number is drawn then.
func (r *Rand) Choice(n, k int) ([]int, error) {
	if k < 0 || k > n {
		return nil, fmt.Errorf("numpyrand: cannot choose %d of %d without replacement", k, n)
	}
	return r.Perm(n)[:k:k], nil
}
