// Package numpyrand draws the random numbers that numpy's legacy RandomState
// draws from the same seed, so that splits, samples and generated data of
// experiments run in Python can be repeated exactly.
//
// # Exactness
//
// Integers, permutations and Float64 are equal to numpy's bit for bit. Normal
// goes through a logarithm, whose last bit differs between mathematical
// libraries: it agrees with numpy to about one unit in the last place.
//
// The mapping is numpy's: one RandomState method, one method here, consuming
// the same words of the underlying MT19937 in the same order. Draws of different
// kinds may be mixed as in Python.
//
//	RandomState(seed)               New
//	random_sample()                 Float64
//	normal(mean, sd)                Normal
//	randint(low, high)              Randint
//	shuffle(a)                      Shuffle
//	permutation(n)                  Perm
//	choice(n, k, replace=False)     Choice
//
// # Concurrency
//
// A Rand is not safe for concurrent use.
package numpyrand
