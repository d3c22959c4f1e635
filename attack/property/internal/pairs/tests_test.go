package pairs

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/boxtree/grid"
	"github.com/seed-1a7dc1f9/facet/internal/exact"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
)

// drawTest draws runs of codes up to a last one, some of them empty, and some of the codes.
func drawTest(rng *rand.Rand) (t test, c codes) {
	last := int32(rng.IntN(9))
	for at := int32(-1); at < last; {
		at = min(last, at+int32(rng.IntN(3)))
		t.runs = append(t.runs, run{at, rng.IntN(2) == 0})
	}
	for at := int32(0); at <= last; at++ {
		if rng.IntN(3) == 0 {
			continue
		}
		if n := len(c); n > 0 && c[n-1].Hi == at-1 {
			c[n-1].Hi = at
		} else {
			c = append(c, grid.Span{Lo: at, Hi: at})
		}
	}
	return t, c
}

// each lists codes one by one.
func (c codes) each() (list []int32) {
	for _, s := range c {
		for at := s.Lo; at <= s.Hi; at++ {
			list = append(list, at)
		}
	}
	return list
}

// sends says where a test sends a code, as its definition says it.
func (t *test) sends(code int32) bool {
	i := slices.IndexFunc(t.runs, func(r run) bool { return code <= r.last })
	return t.runs[i].left
}

// TestSets: sets of codes are parted as tests send them, code by code.
func TestSets(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 31))
	sets := 0
	for range racetest.Count(5000, 100000) {
		test, c := drawTest(rng)
		if len(c) == 0 {
			continue
		}
		all := c.each()
		left, whole := test.way(c)
		same := !slices.ContainsFunc(all, func(code int32) bool {
			return test.sends(code) != test.sends(all[0])
		})
		if whole != same || left != test.sends(all[len(all)-1]) && whole {
			t.Fatalf("%+v sends %v to the left %v, whole %v", test, c, left, whole)
		}
		if whole {
			continue
		}
		sides, cuts := test.split(c)
		both := slices.Concat(sides[0].each(), sides[1].each())
		slices.Sort(both)
		if !slices.Equal(both, all) {
			t.Fatalf("%+v parts %v into %v", test, c, sides)
		}
		for i, side := range sides {
			for _, code := range side.each() {
				before := len(cuts) - slices.IndexFunc(append(cuts, 99),
					func(cut int32) bool { return code <= cut })
				if (len(cuts)-before)%2 != i {
					t.Fatalf("%+v parts %v into %v at %v", test, c, sides, cuts)
				}
			}
		}
		if len(cuts) > 1 {
			sets++
			for i, side := range sides {
				if left, whole := test.way(side); !whole || left == test.sends(all[0]) != (i == 0) {
					t.Fatalf("%+v parts %v into %v", test, c, sides)
				}
			}
		}
	}
	if sets == 0 {
		t.Error("no tests of sets")
	}
}

// TestRoundUp: no float64 below a number is one that is not less, however small the number is.
func TestRoundUp(t *testing.T) {
	least := exact.Float(math.SmallestNonzeroFloat64)
	for _, parts := range []int64{1, 2, 3, 1 << 40} {
		v := new(big.Rat).Quo(least, big.NewRat(parts, 1))
		if f := exact.Up(v); f != math.SmallestNonzeroFloat64 {
			t.Errorf("1/%d of the least number: %v", parts, f)
		}
		if f := exact.Up(v.Neg(v)); parts > 1 && f != 0 {
			t.Errorf("-1/%d of the least number: %v", parts, f)
		}
	}
}
