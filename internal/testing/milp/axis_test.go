//go:build lpsolve

package milp

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// around returns finite numbers near to the given ones.
func around(numbers ...float64) []float64 {
	near := []float64{0, 1, -1, 1e300, -1e300}
	for _, v := range numbers {
		for _, w := range []float64{
			v, math.Nextafter(v, math.Inf(1)), math.Nextafter(v, math.Inf(-1)), v * (1 + 1e-8),
			v * (1 - 1e-8),
			float64(math.Nextafter32(float32(v), 2e38)),
			float64(math.Nextafter32(float32(v), -2e38)),
		} {
			if !math.IsInf(w, 0) && !math.IsNaN(w) {
				near = append(near, w)
			}
		}
	}
	return near
}

// TestAxis: every float64 of the domain lies in one interval, on the side of every
// border where its interval lies, and not nearer to x than the interval.
func TestAxis(t *testing.T) {
	for number := range uint64(racetest.Scale(2000)) {
		rng := rand.New(rand.NewPCG(number, 98))
		v := drawNumber(rng)
		var some []trees.Border
		for range rng.IntN(6) {
			some = append(some, trees.Border{End: v(), Closed: rng.IntN(2) == 0})
		}
		domain := polytope.Line()
		if rng.IntN(2) == 0 {
			domain = polytope.Interval{
				Lo:     -0.25,
				Hi:     0.3,
				LoOpen: rng.IntN(2) == 0,
				HiOpen: rng.IntN(2) == 0,
			}
		}
		x := v()
		borders := trees.NewBorders(some)
		a := newAxis(borders, domain, x)
		checkAxis(t, a, x)
		numbers := []float64{x, -0.25, 0.3}
		for _, b := range borders {
			numbers = append(numbers, b.End)
		}
		for _, w := range around(numbers...) {
			if domain.Contains(w) {
				checkNumber(t, a, borders, x, w)
			}
		}
	}
}

// checkAxis checks that distances grow from home, and that home is x's own
// interval.
func checkAxis(t *testing.T, a axis, x float64) {
	t.Helper()
	for i, s := range a.intervals {
		inner := a.intervals[max(min(i, a.home), min(i+1, a.home))]
		if i > a.home {
			inner = a.intervals[i-1]
		}
		if s.away < inner.away || (s.at == x && i != a.home) {
			t.Fatalf("axis %+v of %v: interval %d", a, x, i)
		}
	}
}

// checkNumber finds the interval of w.
func checkNumber(t *testing.T, a axis, borders trees.Borders, x, w float64) {
	t.Helper()
	i := 0
	for i+1 < len(a.intervals) && separated(borders, a.intervals[i].at, w) {
		i++
	}
	if separated(borders, a.intervals[i].at, w) || math.Abs(x-w) < math.Abs(x-a.intervals[i].at) ||
		math.Abs(x-w) < a.intervals[i].away {
		t.Fatalf("axis %+v of %v: %v lies in no interval", a, x, w)
	}
	for _, b := range borders {
		if b.Low(w) != (i < a.left(b)) {
			t.Fatalf("axis %+v: %v lies in interval %d, %d intervals lie left of %+v",
				a, w, i, a.left(b), b)
		}
	}
}

func separated(borders trees.Borders, v, w float64) bool {
	for _, b := range borders {
		if b.Low(v) != b.Low(w) {
			return true
		}
	}
	return false
}

func TestWithin(t *testing.T) {
	a := axis{
		intervals: []interval{{away: 5}, {away: 2}, {away: 1}, {away: 0}, {away: 0}, {away: 3}},
		home:      3,
	}
	tests := []struct {
		radius   float64
		lo, size int
	}{{0, 3, 2}, {1, 2, 3}, {2.5, 1, 4}, {3, 1, 5}, {9, 0, 6}}
	for _, test := range tests {
		got := a.within(test.radius)
		if len(got.intervals) != test.size || got.intervals[0] != a.intervals[test.lo] ||
			got.home != a.home-test.lo {
			t.Errorf("within %v: %+v", test.radius, got)
		}
	}
	if left := a.part(0, 2); left.home != 1 {
		t.Errorf("home of the part left of home is %d, want 1", left.home)
	}
	if right := a.part(4, 6); right.home != 0 {
		t.Errorf("home of the part right of home is %d, want 0", right.home)
	}
}

func TestRadii(t *testing.T) {
	a := axis{}
	for i := range 40 {
		a.intervals = append(a.intervals, interval{away: float64(i)})
	}
	got := space{a}.radii(polytope.LInf)
	for i, want := range []float64{8, 16, 32, 39} {
		if len(got) != 4 || got[i] != want {
			t.Fatalf("radii %v", got)
		}
	}
	if got := (space{a, a}).radii(polytope.L1); got[len(got)-1] != 78 {
		t.Errorf("the last ℓ1 radius of %v is not 78", got)
	}
}
