package neighbors

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/exact"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// exactBisector returns b of the half-space a·u ≤ b in which x+u is at least as near to p as
// to q, for a = q − p.
func exactBisector(x, p, q []float64) *big.Rat {
	b := new(big.Rat)
	for j, e := range x {
		dp, dq := exact.Difference(p[j], e), exact.Difference(q[j], e)
		b.Add(b, dq.Mul(dq, dq)).Sub(b, dp.Mul(dp, dp))
	}
	return b.Quo(b, big.NewRat(2, 1))
}

// TestBisectorToTheLastDigits compares bisectors with exact ones, where x is far off, where the
// rows are next to each other, where terms cancel, and where they underflow.
func TestBisectorToTheLastDigits(t *testing.T) {
	for number := range uint64(racetest.Scale(1500)) {
		rng := rand.New(rand.NewPCG(number, 980))
		d := 1 + rng.IntN(4)
		x, p, q, a := make([]float64, d), make([]float64, d), make([]float64, d), make([]float64, d)
		offset, unit := math.Ldexp(rng.Float64(), rng.IntN(60)-20), math.Ldexp(1, -rng.IntN(45))
		if rng.IntN(3) == 0 { // numbers whose products underflow
			offset, unit = 0, math.Ldexp(1, -400-rng.IntN(660))
		}
		for j := range x {
			x[j] = offset * rng.NormFloat64()
			p[j] = unit * rng.NormFloat64()
			q[j] = p[j]
			switch rng.IntN(3) {
			case 0:
				q[j] = math.Nextafter(p[j], rng.NormFloat64())
			case 1:
				q[j] = unit * rng.NormFloat64()
			default:
				p[j], q[j] = x[j]+unit, x[j]-unit // cancels
			}
		}
		b := Bisector(a, x, p, q)
		scale := 0.0 // by which a and b are larger
		for j := range a {
			if q[j]-p[j] != 0 {
				scale = a[j] / (q[j] - p[j])
				break
			}
		}
		if scale == 0 {
			continue
		}
		want := exactBisector(x, p, q)
		want.Mul(want, exact.Float(scale))
		near, _ := want.Float64()
		// The differences a are rounded; b belongs to the rows as they are.
		if math.Abs(b-near) > 0x1p-52*math.Abs(near) {
			t.Fatalf("instance %d: b = %v, want %v; x = %v, p = %v, q = %v",
				number, b, near, x, p, q)
		}
		// Rows so close that b would underflow are brought to numbers that do not.
		raised, _ := new(big.Rat).Mul(exactBisector(x, p, q), exact.Float(0x1p500)).Float64()
		if close := polytope.LInf.Distance(p, q) < 0x1p-500; close && raised != 0 && b == 0 {
			t.Fatalf("instance %d: b = 0, which underflows; p = %v, q = %v", number, p, q)
		}
	}
}
