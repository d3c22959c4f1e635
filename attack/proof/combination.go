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
		factor, term, multiplied := strings.Cut(c.word(), "*")
		if !multiplied {
			factor, term = "1", factor
		}
		times, ok := new(big.Int).SetString(factor, 10)
		c.demand(ok && times.Sign() > 0 && len(factor) <= 1000 && factor[0] != '+', "%.40q is no positive integer of at most 1000 digits", factor)
		c.demand(term != "", "a term is missing")
		h := half{q: make([]float64, c.m.dim)}
		switch term[0] {
		case '+', '-':
			f := c.below(term[1:], c.m.dim)
			low, high := c.limits(f)
			h.q[f], h.t = 1, high
			if term[0] == '-' {
				h.q[f], h.t = -1, -low
			}
			c.demand(finite(h.t), "the domain has no such side")
		default:
			h = named(term)
		}
		h.times = times
		terms = append(terms, h)
	}
	proven := c.contradict(terms...)
	if !proven {
		c.at = 0
	}
	c.demand(proven, "the combination does not show that nothing nearer than the bound is left")
}

// add adds λ·a of the half-space a·u ≤ β of displacements u from x to sum, and returns λ·β.
func (h *half) add(x []float64, sum []num, mode int) num {
	weight, two, beta := lift(1, mode), lift(2, mode), lift(h.t, mode)
	if h.times != nil && mode == rounded {
		weight.v, _ = new(big.Float).SetInt(h.times).Float64()
		weight = near(weight.v, 0)
	} else if h.times != nil {
		weight.x.SetInt(h.times)
	}
	for j, q := range h.q {
		a, origin := lift(q, mode), lift(x[j], mode)
		if h.p == nil {
			beta = beta.minus(a.times(origin))
		} else {
			p := lift(h.p[j], mode)
			beta = beta.plus(a.minus(p).times(a.minus(origin).plus(p.minus(origin))))
			a = a.minus(p).times(two)
		}
		sum[j] = sum[j].plus(a.times(weight))
	}
	return beta.times(weight)
}

// contradict reports whether nothing nearer than the bound lies in all half-spaces, as their sum A·u ≤ B proves.
func (c *checker) contradict(terms ...half) bool {
	for mode := rounded; ; mode++ {
		sum, b := c.total, num{}
		clear(sum)
		for i := range terms {
			b = b.plus(terms[i].add(c.X, sum, mode))
		}
		length, margin := num{}, lift(-1, mode)
		for _, a := range sum {
			length = c.norm.dual().join(length, c.norm.raise(a))
		}
		if !math.IsInf(c.Bound, 1) {
			margin = c.norm.raise(b).minus(c.norm.raise(lift(c.Bound, mode)).times(length))
		}
		side, sideSure := b.sign()
		size, sizeSure := length.sign()
		excess, excessSure := margin.sign()
		switch {
		case !sideSure || side < 0 && !(sizeSure && excessSure):
		case size != 0:
			return side < 0 && excess >= 0
		default: // computed exactly
			return side < 0 || side == 0 && c.proper(terms)
		}
	}
}

// proper reports whether some term is about a feature whose sides of the domain differ.
func (c *checker) proper(terms []half) bool {
	for _, h := range terms {
		for j, q := range h.q {
			if low, high := c.limits(j); low < high && (h.p == nil && q != 0 || h.p != nil && q != h.p[j]) {
				return true
			}
		}
	}
	return false
}
