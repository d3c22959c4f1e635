package numpyrand

import "gonum.org/v1/gonum/mathext/prng"

// Rand is numpy's RandomState. Make one with New: the zero value is an
// unseeded twister, which yields only zeros.
type Rand struct {
	twister prng.MT19937

	// Normal numbers come in pairs; the second waits here for the next call.
	spare    float64
	hasSpare bool
}

// New returns the generator numpy.random.RandomState(seed) starts as.
func New(seed uint32) *Rand {
	r := new(Rand)
	r.twister.Seed(uint64(seed))
	return r
}

// Uint32 returns the next word of the twister.
func (r *Rand) Uint32() uint32 {
	return r.twister.Uint32()
}

// Uint64 returns the next two words, the first one in the upper half. With it
// a Rand is a math/rand/v2 Source.
func (r *Rand) Uint64() uint64 {
	return r.twister.Uint64()
}

// Float64 returns a number in [0, 1), a multiple of 2⁻⁵³, made of the upper 27
// and 26 bits of two words (random_sample).
func (r *Rand) Float64() float64 {
	a, b := r.Uint32()>>5, r.Uint32()>>6
	return float64(uint64(a)<<26|uint64(b)) / (1 << 53)
}
