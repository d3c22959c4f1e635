package proof

import (
	"math"
	"math/big"
	"strings"
)

// half is a half-space of inputs z, λ times. Without p it is q·z ≤ t: one side of a test, or of the domain. With p
// it is row p at least as near as row q: 2(q − p)·z ≤ ‖q‖² − ‖p‖² + t, where t is 0, or −1 if nothing is.
type half struct {
	times *big.Int // λ; nil: 1
	p, q  []float64
	t     float64
}

// refute reads a combination of the half-spaces that terms name, and of the domain's sides, and makes sure that
// nothing nearer than the bound lies in all of them.
func (c *checker) refute(named func(term string) half) {
	var terms []half
	for len(terms) == 0 || c.more {
		factor, term := c.multiplied()
		var h half
		if strings.HasPrefix(term, "+") || strings.HasPrefix(term, "-") {
			h = c.domainSide(term)
		} else {
			h = named(term)
		}
		h.times = factor
		terms = append(terms, h)
	}
	if !c.contradict(terms...) {
		c.at = 0
		c.fail("the combination does not show that nothing nearer than the bound is left")
	}
}

// domainSide returns the half-space of "+F" or "-F".
func (c *checker) domainSide(term string) half {
	f := c.below(term[1:], c.m.dim)
	low, high := c.limits(f)
	sign := 1.0
	if term[0] == '-' {
		sign, high = -1, -low
	}
	if math.IsInf(high, 1) {
		c.fail("the domain has no such side")
	}
	h := half{q: make([]float64, c.m.dim), t: high}
	h.q[f] = sign
	return h
}

// contradict reports whether nothing nearer than the bound lies in all half-spaces, as their sum
// A·u ≤ B of displacements u proves. Floating point decides where its error leaves no doubt.
func (c *checker) contradict(terms ...half) bool {
	sum := make([]float64, c.m.dim)
	var b, off, size, weight float64
	for i := range terms {
		beta, error, length, factor := terms[i].estimate(c.X, sum)
		b, off, size, weight = b+beta, off+error+math.Abs(beta)*0x1p-52, size+length, weight+factor
	}
	count := float64(len(terms) + len(sum) + 16)
	// What underflows is less than tiny, but for squares.
	tiny := (weight + 1) * count * 0x1p-1000
	off += math.Abs(b)*count*0x1p-52 + off*count*0x1p-52 + tiny
	length, blur := c.norm.dual().sum(sum), size*count*0x1p-51+tiny
	if c.norm == "2" {
		length, blur = math.Sqrt(length), blur+0x1p-500
	}
	switch usual := weight < 0x1p100 && size < 0x1p400 && math.Abs(b) < 0x1p400 && c.Bound < 0x1p400; {
	case usual && -b-off > 0 && -b-off >= c.Bound*(length+blur)*(1+0x1p-50):
		return true
	case usual && (b > off || length > blur && -b+off < c.Bound*(length-blur)*(1-0x1p-50)):
		return false
	}
	return c.exactlyContradict(terms)
}

// estimate adds λ·a of the half-space a·u ≤ β of displacements u from x to sum, and returns λ·β, a bound on its
// rounding error, λ·‖a‖₁ or more, and λ.
func (h *half) estimate(x, sum []float64) (beta, off, size, weight float64) {
	weight = 1
	if h.times != nil {
		weight, _ = new(big.Float).SetInt(h.times).Float64()
	}
	beta, off = h.t, math.Abs(h.t)
	scale := weight
	if h.p != nil {
		scale = 2 * weight
	}
	for j, q := range h.q {
		a, middle, most := q, -x[j], math.Abs(x[j])
		if h.p != nil {
			u, v := q-x[j], h.p[j]-x[j]
			a, middle, most = q-h.p[j], u+v, math.Abs(u)+math.Abs(v)
		}
		beta += float64(a * middle)
		off += math.Abs(a) * most
		size += math.Abs(a)
		sum[j] += float64(scale * a)
	}
	// Each product has three roundings, the sum of d of them d more.
	d := float64(len(x))
	return weight * beta, weight * off * (d + 8) * 0x1p-52, scale * size * (1 + d*0x1p-52), weight
}

// exactlyContradict is contradict without rounding.
func (c *checker) exactlyContradict(terms []half) bool {
	total, b := make([]number, c.m.dim), exact(0)
	for j := range total {
		total[j] = exact(0)
	}
	proper := false // some term has a ≠ 0 in a feature that is not fixed
	for _, h := range terms {
		weight, beta := exact(1), exact(h.t)
		if h.times != nil {
			weight.SetInt(h.times)
		}
		for j, q := range h.q {
			x, a := exact(c.X[j]), exact(q)
			middle := minus(exact(0), x)
			if h.p != nil {
				p := exact(h.p[j])
				a, middle = minus(a, p), minus(plus(a, p), plus(x, x))
			}
			if a.Sign() == 0 {
				continue
			}
			low, high := c.limits(j)
			proper = proper || low < high
			beta = plus(beta, times(a, middle))
			if h.p != nil {
				a = plus(a, a)
			}
			total[j] = plus(total[j], times(a, weight))
		}
		b = plus(b, times(beta, weight))
	}
	length := c.norm.dual().power(total)
	if length.Sign() == 0 {
		return b.Sign() < 0 || (b.Sign() == 0 && proper)
	}
	return b.Sign() < 0 && c.norm.raise(b).Cmp(times(length, c.norm.raise(exact(c.Bound)))) >= 0
}
