package prooftext

import (
	"math"
	"math/big"

	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// HalfSpace is a·u ≤ β, a term of a combination.
type HalfSpace struct {
	A      []float64 // each off by at most a rounding
	B, Err float64   // β, off by at most Err
	// Exact returns both as they are. It may be asked many times.
	Exact func() (a []*big.Rat, b *big.Rat)
	Name  string // in a proof: "@3", "#0", "+2", "5<7"
	Open  bool   // a·u < β
}

// Combiner makes combinations of half-spaces that no input nearer than a bound satisfies, and
// checks them in exact arithmetic.
type Combiner struct {
	Norm  polytope.Norm
	Bound float64

	sum, err []float64 // Σm·a, and Σ|m·a|, which bounds its rounding error
}

// widths are how many bits the multipliers of a combination get, until they suffice. Beyond 53 they
// are those of weights that are small beside others, because their half-spaces have long normals.
var widths = [...]int{2, 4, 8, 16, 24, 53, 80, 106}

// Combine returns positive integers that are nearly proportional to the weights, of as few bits
// as suffice for the sum of the half-spaces to show that no input nearer than the bound satisfies
// all of them; false when none do. Zero is for a half-space that is not needed. Weights that fall
// short by their rounding are computed anew in exact arithmetic.
func (c *Combiner) Combine(terms []HalfSpace, weights []float64) (multipliers []*big.Int, ok bool) {
	most, ok := largest(weights)
	if !ok {
		return nil, false
	}
	rounded := make([]float64, len(weights))
	for _, width := range widths {
		for i, w := range weights {
			rounded[i] = math.RoundToEven(max(0, w) / most * (math.Ldexp(1, width) - 1))
		}
		if c.proves(terms, rounded) {
			return lowest(integers(rounded)), true
		}
	}
	if !c.nearly(terms, rounded) {
		return nil, false
	}
	return c.solved(terms, weights)
}

// largest returns the largest weight; false if none is positive, or it is no number.
func largest(weights []float64) (most float64, ok bool) {
	for _, w := range weights {
		most = max(most, w)
	}
	return most, most > 0 && most <= math.MaxFloat64
}

// nearly reports whether a combination proves not much less than the bound.
func (c *Combiner) nearly(terms []HalfSpace, multipliers []float64) bool {
	bound := c.Bound
	defer func() { c.Bound = bound }()
	c.Bound *= 1 - 0x1p-20
	sure, proves := c.clearly(terms, multipliers)
	return proves || !sure
}

// Far reports whether a half-space lies at the bound or beyond.
func (c *Combiner) Far(h HalfSpace) bool {
	return c.proves([]HalfSpace{h}, []float64{1})
}

// proves is Proves of integers that float64 holds. It asks exact arithmetic only where floating
// point cannot tell.
func (c *Combiner) proves(terms []HalfSpace, multipliers []float64) bool {
	sure, proves := c.clearly(terms, multipliers)
	return proves || !sure && c.Proves(terms, integers(multipliers))
}

// clearly reports whether a combination proves the bound, if floating point can tell.
func (c *Combiner) clearly(terms []HalfSpace, multipliers []float64) (sure, proves bool) {
	if len(terms) == 0 {
		return false, false
	}
	dim := len(terms[0].A)
	c.sum, c.err = append(c.sum[:0], make([]float64, dim)...), append(c.err[:0],
		make([]float64, dim)...)
	n, sum, err := float64(len(terms)+4), 0.0, 0.0
	for i, m := range multipliers {
		if m == 0 {
			continue
		}
		for j, a := range terms[i].A {
			p := m * a
			c.sum[j] += p
			c.err[j] += math.Abs(p)
		}
		sum -= m * terms[i].B
		err += m * (math.Abs(terms[i].B)*n*0x1p-51 + terms[i].Err*2)
	}
	least := c.err[:dim:dim]
	for j, s := range c.sum {
		e := c.err[j]*n*0x1p-51 + tiny*n
		c.sum[j], least[j] = math.Abs(s)+e, max(0, math.Abs(s)-e)
	}
	grown := 1 + 0x1p-50*float64(dim+4)
	length := geometry.DualLength(c.Norm, c.sum) * grown
	shortest := geometry.DualLength(c.Norm, least) / grown
	// Comparisons with NaN, where numbers overflow, are false.
	if sum+err < c.Bound*shortest && shortest > normal && c.Bound*shortest > normal {
		return true, false
	}
	proves = sum-err >= c.Bound*length && sum > normal && length > normal && c.Bound*length > normal
	return proves, proves
}

// Products below normal lose digits, at most tiny.
const tiny, normal = 0x1p-1070, 0x1p-900

// Proves reports whether, in exact arithmetic, no input nearer than the bound satisfies the sum of
// half-spaces times multipliers.
func (c *Combiner) Proves(terms []HalfSpace, multipliers []*big.Int) bool {
	var sum []*big.Rat
	right, product := new(big.Rat), new(big.Rat)
	open := false
	for i, m := range multipliers {
		if m.Sign() == 0 {
			continue
		}
		open = open || terms[i].Open
		a, b := terms[i].Exact()
		if sum == nil {
			sum = zeros(len(a))
		}
		factor := new(big.Rat).SetInt(m)
		for j, e := range a {
			if e.Sign() != 0 {
				sum[j].Add(sum[j], product.Mul(factor, e))
			}
		}
		right.Add(right, product.Mul(factor, b))
	}
	if length := c.dualLength(sum); length.Sign() != 0 {
		return right.Sign() < 0 && !math.IsInf(c.Bound, 1) && c.reaches(right, length)
	}
	return right.Sign() < 0 || right.Sign() == 0 && open
}

// reaches reports whether −right is at least the bound times the length, which in ℓ2 is squared.
func (c *Combiner) reaches(right, length *big.Rat) bool {
	bound := new(big.Rat).SetFloat64(c.Bound)
	if c.Norm != polytope.L2 {
		return new(big.Rat).Neg(right).Cmp(bound.Mul(bound, length)) >= 0
	}
	bound.Mul(bound, bound)
	return new(big.Rat).Mul(right, right).Cmp(bound.Mul(bound, length)) >= 0
}

// dualLength returns the length of a vector in the dual norm, in ℓ2 its square.
func (c *Combiner) dualLength(v []*big.Rat) *big.Rat {
	length, e := new(big.Rat), new(big.Rat)
	for _, a := range v {
		switch c.Norm {
		case polytope.LInf:
			length.Add(length, e.Abs(a))
		case polytope.L1:
			if e.Abs(a).Cmp(length) > 0 {
				length.Set(e)
			}
		default:
			length.Add(length, e.Mul(a, a))
		}
	}
	return length
}

func zeros(n int) []*big.Rat {
	v := make([]*big.Rat, n)
	for j := range v {
		v[j] = new(big.Rat)
	}
	return v
}

func integers(v []float64) []*big.Int {
	n := make([]*big.Int, len(v))
	for i, e := range v {
		n[i], _ = big.NewFloat(e).Int(nil)
	}
	return n
}

// Proportional returns the lowest integers that are proportional to rational numbers.
func Proportional(v []*big.Rat) []*big.Int {
	common := big.NewInt(1)
	for _, e := range v {
		common.Mul(common,
			new(big.Int).Quo(e.Denom(), new(big.Int).GCD(nil, nil, common, e.Denom())))
	}
	n := make([]*big.Int, len(v))
	for i, e := range v {
		n[i] = new(big.Int).Mul(e.Num(), new(big.Int).Quo(common, e.Denom()))
	}
	return lowest(n)
}

// lowest divides integers by their greatest common divisor.
func lowest(v []*big.Int) []*big.Int {
	common := new(big.Int)
	for _, e := range v {
		common.GCD(nil, nil, common, e)
	}
	for _, e := range v {
		e.Quo(e, common)
	}
	return v
}

// Write appends a combination as a proof has it: each term after a space, none that is
// multiplied by 0.
func Write(to []byte, terms []HalfSpace, multipliers []*big.Int) []byte {
	for i, m := range multipliers {
		switch {
		case m.Sign() == 0:
			continue
		case m.IsInt64() && m.Int64() == 1:
			to = append(to, ' ')
		default:
			to = append(m.Append(append(to, ' '), 10), '*')
		}
		to = append(to, terms[i].Name...)
	}
	return to
}
