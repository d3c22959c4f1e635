package grid

import (
	"math/rand/v2"
	"testing"
)

// TestKeepOfACut: a cut keeps the intervals up to it, or those behind it, in each word of a set.
func TestKeepOfACut(t *testing.T) {
	const count = 200
	for cut := int32(-1); cut < count; cut++ {
		for _, left := range []bool{true, false} {
			s := newSet(count - 1)
			s.Fill()
			new(Grid).Keep(s, &Node{Cut: cut}, left)
			for i := range int32(count) {
				if s.Has(i) != ((i <= cut) == left) {
					t.Fatalf("cut %d, left %v: interval %d is kept: %v", cut, left, i, s.Has(i))
				}
			}
		}
	}
}

// TestNext: the next interval of a set is the first that it has, if that lies before the end.
func TestNext(t *testing.T) {
	const count = 200
	rng := rand.New(rand.NewPCG(46, 4))
	for range 300 {
		s, rare := newSet(count-1), 1+rng.IntN(100)
		for i := range int32(count) {
			if rng.IntN(rare) == 0 {
				s.Put(i)
			}
		}
		s.Put(7)
		s.Take(7)
		for from := range int32(count) {
			end := from + rng.Int32N(count+1-from)
			want := from
			for want < end && !s.Has(want) {
				want++
			}
			if got := s.Next(from, end); got != want || s.Has(7) {
				t.Fatalf("%v: the first from %d to %d is %d, want %d", s, from, end, got, want)
			}
		}
	}
}
