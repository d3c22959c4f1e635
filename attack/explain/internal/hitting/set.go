package hitting

import (
	"math/bits"
	"slices"
)

// Set is a set of small numbers. Sets that are compared have the same capacity.
type Set []uint64

// NewSet returns an empty set for numbers below n.
func NewSet(n int) Set { return make(Set, (n+63)/64) }

// Add adds a number.
func (s Set) Add(i int) { s[i/64] |= 1 << (i % 64) }

// Remove takes a number out.
func (s Set) Remove(i int) { s[i/64] &^= 1 << (i % 64) }

// Has reports whether a number is in the set.
func (s Set) Has(i int) bool { return s[i/64]&(1<<(i%64)) != 0 }

// Meets reports whether two sets have a number in common.
func (s Set) Meets(o Set) bool {
	for i, w := range s {
		if w&o[i] != 0 {
			return true
		}
	}
	return false
}

// Contains reports whether all of o is in s.
func (s Set) Contains(o Set) bool {
	for i, w := range s {
		if o[i]&^w != 0 {
			return false
		}
	}
	return true
}

// Union returns the members of either set.
func (s Set) Union(o Set) Set {
	u := slices.Clone(s)
	for i, w := range o {
		u[i] |= w
	}
	return u
}

// Less returns the members of s that are not in o.
func (s Set) Less(o Set) Set {
	u := slices.Clone(s)
	for i, w := range o {
		u[i] &^= w
	}
	return u
}

// Len returns how many numbers are in the set.
func (s Set) Len() int {
	n := 0
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

// Members lists the numbers, ascending.
func (s Set) Members() []int {
	members := []int{}
	for i, w := range s {
		for ; w != 0; w &= w - 1 {
			members = append(members, 64*i+bits.TrailingZeros64(w))
		}
	}
	return members
}
