package proof

import (
	"math"
	"math/big"
	"slices"
	"strings"
)

// num is a number within off of v or, where x is not nil, x itself. A decision is computed in
// floating point first and, if that leaves it in doubt, exactly: all numbers of an operation are of
// one mode. x has room for 2^15 binary digits: those of a float64 lie between 2^1024 and 2^-1074,
// and the longest products, in combinations in ℓ2, are of four and of two multipliers of 1000
// decimal digits, 4·2098 + 2·3322 digits, and less than 100 more for sums.
type num struct {
	v, off float64
	x      *big.Float
}

// mode is how to compute.
type mode int

const (
	rounded mode = iota
	exactly
)

// num returns v, to be computed with. It may be infinite.
func (m mode) num(v float64) num {
	if m == rounded {
		return num{v: v}
	}
	return num{x: new(big.Float).SetPrec(1 << 15).SetFloat64(v)}
}

// known returns a number that is known exactly.
func (m mode) known(a num) num {
	if m == rounded {
		v, _ := a.x.Float64()
		return near(v, 0)
	}
	return a
}

// near returns the result of one operation that gave v, and whose operands are off by so much in
// it. Off itself is rounded at most six times, less than 2^-50 of it; a result that underflows is
// off by less than 2^-1000, and one that overflows infinitely.
func near(v, off float64) num {
	return num{v: v, off: (off+math.Abs(v)*0x1p-53)*(1+0x1p-50) + 0x1p-1000}
}

func (a num) plus(b num) num {
	if a.x == nil {
		return near(a.v+b.v, a.off+b.off)
	}
	return num{x: new(big.Float).Add(a.x, b.x)}
}

func (a num) minus(b num) num {
	if a.x == nil {
		return near(a.v-b.v, a.off+b.off)
	}
	return num{x: new(big.Float).Sub(a.x, b.x)}
}

func (a num) times(b num) num {
	if a.x == nil {
		return near(a.v*b.v, math.Abs(a.v)*b.off+math.Abs(b.v)*a.off+a.off*b.off)
	}
	return num{x: new(big.Float).Mul(a.x, b.x)}
}

func (a num) abs() num {
	if a.x == nil {
		return num{v: math.Abs(a.v), off: a.off}
	}
	return num{x: new(big.Float).Abs(a.x)}
}

// max returns the greater one, which is off by no more than the worse of both.
func (a num) max(b num) num {
	switch {
	case a.x == nil:
		return num{v: max(a.v, b.v), off: max(a.off, b.off)}
	case a.x.Cmp(b.x) < 0:
		return b
	}
	return a
}

// sign returns −1, 0 or 1, and whether that is sure.
func (a num) sign() (s int, sure bool) {
	switch {
	case a.x != nil:
		return a.x.Sign(), true
	case a.v < 0:
		return -1, -a.v > a.off
	}
	return 1, a.v > a.off
}

// signOf returns the sign of a computation: exactly, unless floating point is sure of it.
func signOf(compute func(m mode) num) int {
	s, sure := compute(rounded).sign()
	if !sure {
		s, _ = compute(exactly).sign()
	}
	return s
}

func finite(v float64) bool { return math.Abs(v) <= math.MaxFloat64 }

// norm is ℓ∞, ℓ1 or ℓ2, by its name in the file: inf, 1 or 2.
type norm string

func (n norm) dual() norm {
	switch n {
	case "inf":
		return "1"
	case "1":
		return "inf"
	}
	return n
}

// raise returns |v|, or its square for ℓ2.
func (n norm) raise(v num) num {
	if n == "2" {
		return v.times(v)
	}
	return v.abs()
}

// join adds a coordinate that is raised to a length, of which ℓ2 has the square.
func (n norm) join(length, v num) num {
	if n == "inf" {
		return length.max(v)
	}
	return length.plus(v)
}

// move returns the cost of moving the j-th coordinate from x to z, raised.
func (n norm) move(z, x float64, prices [][2]float64, j int, m mode) num {
	v := m.num(z).minus(m.num(x))
	switch {
	case prices == nil:
	case z > x:
		v = v.times(m.num(prices[j][0]))
	default:
		v = v.times(m.num(prices[j][1]))
	}
	return n.raise(v)
}

// compare compares ‖z − x‖, at prices, with b + more·max(1, b).
func (n norm) compare(z, x []float64, prices [][2]float64, b, more float64) int {
	return signOf(func(m mode) num {
		length := m.num(0)
		for j := range x {
			length = n.join(length, n.move(z[j], x[j], prices, j, m))
		}
		limit := m.num(b)
		if more > 0 {
			limit = limit.plus(m.num(more).times(m.num(max(1, b))))
		}
		return length.minus(n.raise(limit))
	})
}

// half is a half-space of inputs z, λ times. Without p it is q·z ≤ t: one side of a test; with a
// sign sign·z_f ≤ t, one of the domain. With p it is row p before row q: 2(q − p)·z ≤ ‖q‖² − ‖p‖².
type half struct {
	times *big.Int // λ; nil: 1
	f     int
	sign  float64 // 0, or 1 or −1
	p, q  []float64
	t     float64
	open  bool // no input on its border lies in it
}

// refute reads a combination of the half-spaces that terms name, and of the domain's faces, and
// makes sure that no input nearer than the bound lies in all of them.
func (c *checker) refute(named func(term string) half) {
	var terms []half
	seen := map[string]bool{"": true}
	for len(terms) == 0 || c.more {
		factor, term, multiplied := strings.Cut(c.word(), "*")
		if !multiplied {
			factor, term = "1", factor
		}
		c.demand(factor != "" && len(factor) <= longestNumber && factor[0] != '0' &&
			strings.Trim(factor, "0123456789") == "",
			"%.40q is no positive integer of at most 1000 digits", factor)
		c.demand(!seen[term], "the term %.40q is missing, or there twice", term)
		seen[term] = true
		var h half
		if term[0] == '+' || term[0] == '-' {
			h = c.face(term)
		} else {
			h = named(term)
		}
		if factor != "1" {
			h.times, _ = new(big.Int).SetString(factor, 10)
		}
		terms = append(terms, h)
	}
	proven := c.contradict(terms...)
	if !proven {
		c.at = 0
	}
	c.demand(proven, "the combination does not show that nothing nearer than the bound is left")
}

// face returns a face of the domain, "+F" or "-F".
func (c *checker) face(term string) half {
	f := c.below(term[1:], c.m.dim)
	low, high := c.limits(f)
	h := half{f: f, sign: 1, t: high}
	if term[0] == '-' {
		h.sign, h.t = -1, -low
	}
	c.demand(finite(h.t), "the domain has no such side")
	return h
}

// add adds λ·a of the half-space a·u ≤ β of displacements u from x to sum, and returns λ·β.
func (h *half) add(x []float64, sum []num, m mode) num {
	weight, two, beta := m.num(1), m.num(2), m.num(h.t)
	if h.times != nil {
		weight = m.known(num{x: new(big.Float).SetPrec(1 << 15).SetInt(h.times)})
	}
	if h.sign != 0 {
		beta = beta.minus(m.num(h.sign * x[h.f]))
		sum[h.f] = sum[h.f].plus(m.num(h.sign).times(weight))
	}
	for j, q := range h.q {
		a, origin := m.num(q), m.num(x[j])
		if h.p == nil {
			beta = beta.minus(a.times(origin))
		} else {
			p := m.num(h.p[j])
			beta = beta.plus(a.minus(p).times(a.minus(origin).plus(p.minus(origin))))
			a = a.minus(p).times(two)
		}
		sum[j] = sum[j].plus(a.times(weight))
	}
	return beta.times(weight)
}

// contradict reports whether no input nearer than the bound lies in all half-spaces, as their sum
// A·u ≤ B proves.
func (c *checker) contradict(terms ...half) bool {
	for m := rounded; ; m++ {
		sum, b, length, margin := c.total, m.num(0), m.num(0), m.num(-1)
		for j := range sum {
			sum[j] = length
		}
		for i := range terms {
			b = b.plus(terms[i].add(c.X, sum, m))
		}
		for _, a := range sum {
			length = c.norm.dual().join(length, c.norm.raise(a))
		}
		if !math.IsInf(c.Bound, 1) {
			margin = c.norm.raise(b).minus(c.norm.raise(m.num(c.Bound)).times(length))
		}
		side, sideSure := b.sign()
		size, sizeSure := length.sign()
		excess, excessSure := margin.sign()
		switch {
		case !sideSure || side < 0 && !(sizeSure && excessSure):
		case size != 0:
			return side < 0 && excess >= 0
		default: // computed exactly
			return side < 0 ||
				side == 0 && slices.ContainsFunc(terms, func(h half) bool { return h.open })
		}
	}
}
