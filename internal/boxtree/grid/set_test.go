package grid

import "testing"

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
