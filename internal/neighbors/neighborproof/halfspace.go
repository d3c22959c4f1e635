package neighborproof

import (
	"math"
	"math/big"
	"strconv"

	"github.com/seed-1a7dc1f9/facet/internal/exact"
	"github.com/seed-1a7dc1f9/facet/internal/neighbors"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/internal/prooftext"
)

// pair names a half-space: row before comes before row after or, where before is upper or lower,
// the face of the domain in feature after.
type pair struct{ before, after int32 }

// open reports whether the half-space has no input on its border: where the rows tie, the other one
// comes first.
func (p pair) open() bool { return p.before > p.after }

const (
	upper = -1
	lower = -2
)

// far reports, exactly, whether the half-space in which p comes before q lies at the distance of
// the bound or farther.
func (w *writer) far(p, q int32) bool {
	noise, sp, sq := precise.Noise(w.table.Dim), w.squared[p], w.squared[q]
	reach := w.bound * neighbors.DualDistance(w.Cost, w.table.Row(p), w.table.Row(q))
	return exact.Sign((sp-sq)/2-reach, noise*(sp+sq+reach)+underflow, func() int {
		if w.refuter.Far(w.halfSpace(pair{p, q}, "")) {
			return 1
		}
		return -1
	}) > 0
}

// underflow bounds the error of a squared distance where squares underflow.
const underflow = 0x1p-1050

// halfSpace returns a half-space, as a term of combinations.
func (w *writer) halfSpace(t pair, name string) prooftext.HalfSpace {
	h := prooftext.HalfSpace{A: make([]float64, w.table.Dim), Name: name, Open: t.open()}
	h.B, h.Err = w.fill(h.A, t)
	h.Exact = func() ([]*big.Rat, *big.Rat) { return w.exactly(t) }
	return h
}

// fill writes a half-space a·u ≤ b, b known up to err, to a. b is not a number where float64 has
// no such thing.
func (w *writer) fill(a []float64, t pair) (b, err float64) {
	if t.before < 0 {
		clear(a)
		a[t.after] = 1
		b = w.Domain[t.after].Hi - w.X[t.after]
		if t.before == lower {
			a[t.after], b = -1, w.X[t.after]-w.Domain[t.after].Lo
		}
		return b, precise.Roundoff * math.Abs(b)
	}
	p, q := w.table.Row(t.before), w.table.Row(t.after)
	b, err = neighbors.BisectorWithin(a, w.X, p, q)
	for j := range a {
		if a[j] != q[j]-p[j] {
			b = math.NaN() // scaled, because it is tiny
		}
		a[j] *= 2
	}
	return 2 * b, 2 * err
}

// exactly returns a half-space in exact arithmetic.
func (w *writer) exactly(t pair) (a []*big.Rat, b *big.Rat) {
	a, b = exact.Floats(make([]float64, w.table.Dim)), new(big.Rat)
	switch j := t.after; t.before {
	case upper:
		a[j].SetInt64(1)
		return a, exact.Difference(w.Domain[j].Hi, w.X[j])
	case lower:
		a[j].SetInt64(-1)
		return a, exact.Difference(w.X[j], w.Domain[j].Lo)
	}
	p, q := w.table.Row(t.before), w.table.Row(t.after)
	for j, e := range w.X {
		dp, dq := exact.Difference(p[j], e), exact.Difference(q[j], e)
		sum := new(big.Rat).Add(dq, dp)
		dq.Sub(dq, dp)
		b.Add(b, sum.Mul(sum, dq))
		a[j].Add(dq, dq)
	}
	return a, b
}

// name returns the name of a half-space in a proof.
func (t *tree) name(p pair) string {
	switch p.before {
	case upper:
		return "+" + strconv.Itoa(int(p.after))
	case lower:
		return "-" + strconv.Itoa(int(p.after))
	case t.pivot:
		return "<" + strconv.Itoa(int(p.after))
	}
	if p.after == t.pivot {
		return strconv.Itoa(int(p.before)) + "<"
	}
	return strconv.Itoa(int(p.before)) + "<" + strconv.Itoa(int(p.after))
}
