package trees

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
)

// TestIntervalsPartTheLine: every number lies in the one interval that Interval names, and on the
// low side of the border that an interval ends at just if its interval is no later.
func TestIntervalsPartTheLine(t *testing.T) {
	for number := range uint64(racetest.Scale(1000)) {
		rng := rand.New(rand.NewPCG(number, 4))
		var all []Border
		for range rng.IntN(8) {
			all = append(all, Border{End: float64(rng.IntN(4)), Closed: rng.IntN(2) == 0})
		}
		borders := NewBorders(append([]Border(nil), all...))
		for _, end := range []float64{0, 1, 2, 3} {
			for _, v := range []float64{math.Nextafter(end, -1), end, math.Nextafter(end, 4)} {
				interval := borders.Interval(v)
				for s := range int32(len(borders) + 1) {
					if borders.Values(s, s).Contains(v) != (s == interval) {
						t.Fatalf("%v: %v is in interval %d, Side(%d) = %v",
							borders, v, interval, s, borders.Values(s, s))
					}
				}
				for _, b := range all {
					if low := interval <= borders.Rank(b); b.Low(v) != low ||
						b.Side(low).Contains(v) == b.Side(!low).Contains(v) {
						t.Fatalf("%v: %v is in interval %d, border %v of rank %d has it on its "+
							"low "+
							"side: %v", borders, v, interval, b, borders.Rank(b), b.Low(v))
					}
				}
			}
		}
	}
	if rank := NewBorders([]Border{{End: 0}}).Rank(Border{End: math.Inf(-1)}); rank != -1 {
		t.Errorf("the rank of −∞ is %d, want −1", rank)
	}
}
