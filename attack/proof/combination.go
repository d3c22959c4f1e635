package proof

import (
	"math"
	"math/big"
)

// half is a half-space, λ times: row p at least as near as row q; or one side of a test; or, with
// neither, a side of the domain.
type half struct {
	times   *big.Int // λ; nil: 1
	p, q    int32
	test    *test
	left    bool
	feature int32
	side    float64 // 1 for the upper side of the domain, −1 for the lower one, 0 for neither
}

// weight returns λ, rounded.
func (h *half) weight() float64 {
	if h.times == nil {
		return 1
	}
	v, _ := new(big.Float).SetInt(h.times).Float64()
	return v
}

// domainSide reads "+F" or "-F".
func (c *checker) domainSide(word string) half {
	h := half{feature: int32(c.below(word[1:], c.m.dim)), side: 1}
	low, high := c.limits(int(h.feature))
	if word[0] == '-' {
		h.side, high = -1, -low
	}
	if math.IsInf(high, 1) {
		c.fail("the domain has no such side")
	}
	return h
}

// estimate adds λ·a of a half-space to sum, and returns λ·β, a bound on its rounding error, and
// λ·‖a‖₁ or more.
func (c *checker) estimate(h *half, sum []float64) (beta, off, size float64) {
	w, d := h.weight(), float64(c.m.dim)
	switch {
	case h.side != 0:
		low, high := c.limits(int(h.feature))
		x := c.X[h.feature]
		sum[h.feature] += w * h.side
		if beta = high - x; h.side < 0 {
			beta = x - low
		}
		return w * beta, w * (math.Abs(beta)) * 0x1p-50, w
	case h.test != nil:
		return c.estimateTest(h, w, sum)
	}
	p, q := c.m.table.row(h.p), c.m.table.row(h.q)
	for j, x := range c.X {
		a := q[j] - p[j]
		u, v := q[j]-x, p[j]-x
		beta += float64(a * (u + v))
		off += math.Abs(a) * (math.Abs(u) + math.Abs(v))
		size += math.Abs(a)
		sum[j] += float64(2 * w * a)
	}
	if size == 0 && h.p > h.q {
		beta = -1
	}
	// Each product has three roundings, the sum of d of them d more.
	return w * beta, w * off * (d + 8) * 0x1p-52, 2 * w * size * (1 + d*0x1p-52)
}

func (c *checker) estimateTest(h *half, w float64, sum []float64) (beta, off, size float64) {
	if h.left {
		beta = h.test.t
	} else {
		w, beta = -w, h.test.t
	}
	off = math.Abs(beta)
	if h.test.weights == nil {
		f := h.test.feature
		beta -= h.test.sign * c.X[f]
		off += math.Abs(c.X[f])
		sum[f] += w * h.test.sign
		size = 1
	}
	for j, e := range h.test.weights {
		product := float64(e * c.X[j])
		beta -= product
		off += math.Abs(product)
		size += math.Abs(e)
		sum[j] += float64(w * e)
	}
	d := float64(c.m.dim)
	return w * beta, math.Abs(w) * off * (d + 8) * 0x1p-52, math.Abs(w) * size * (1 + d*0x1p-52)
}

// contradicts reports whether nothing nearer than the bound lies in all half-spaces, as their sum
// proves.
func (c *checker) contradicts(terms []half) bool {
	if proven, sure := c.filter(terms); sure {
		return proven
	}
	return c.exactly(terms)
}

// filter decides where rounding leaves no doubt.
func (c *checker) filter(terms []half) (proven, sure bool) {
	clear(c.total)
	var beta, off, size, weight float64
	for i := range terms {
		b, o, s := c.estimate(&terms[i], c.total)
		beta, off, size = beta+b, off+o+math.Abs(b)*0x1p-52, size+s
		weight += terms[i].weight()
	}
	count := float64(len(terms) + len(c.total) + 16)
	// What underflows is less than this.
	tiny := (weight + 1) * count * 0x1p-1000
	off += math.Abs(beta)*count*0x1p-52 + off*count*0x1p-52 + tiny
	length := c.norm.dual().length(c.total)
	blur := size*count*0x1p-51 + tiny
	if c.norm == norm2 {
		blur += 0x1p-500 // squares underflow earlier
	}
	if !(weight < 0x1p100 && size < 0x1p400 && math.Abs(beta) < 0x1p400 && c.Bound < 0x1p400) {
		return false, false
	}
	switch {
	case -beta-off >= c.Bound*(length+blur)*(1+0x1p-50) && -beta-off > 0:
		return true, true
	case beta > off, length > blur && -beta+off < c.Bound*(length-blur)*(1-0x1p-50):
		return false, true
	}
	return false, false
}

// exactly decides without rounding.
func (c *checker) exactly(terms []half) bool {
	total, beta := make([]*dyadic, c.m.dim), &dyadic{}
	for j := range total {
		total[j] = &dyadic{}
	}
	proper := false // some term has a ≠ 0 in a feature that is not fixed
	for i := range terms {
		h := &terms[i]
		weight := exactly(1)
		if h.times != nil {
			weight = &dyadic{}
			weight.m.Set(h.times)
		}
		a, b := c.halfSpace(h)
		for j, e := range a {
			if e == nil || e.sign() == 0 {
				continue
			}
			low, high := c.limits(j)
			proper = proper || low < high
			b.sub(e.copy().times(exactly(c.X[j])))
			total[j].add(e.times(weight))
		}
		beta.add(b.times(weight))
	}
	length := c.norm.dual().power(total)
	switch {
	case length.sign() == 0:
		return beta.sign() < 0 || (beta.sign() == 0 && proper)
	case beta.sign() >= 0 || c.bound == nil:
		return false
	}
	beta.m.Neg(&beta.m)
	return c.norm.raise(beta).cmp(length.times(c.norm.raise(c.bound.copy()))) >= 0
}

// halfSpace returns a·z ≤ b without rounding. Elements of a that are nil are 0.
func (c *checker) halfSpace(h *half) (a []*dyadic, b *dyadic) {
	a, b = make([]*dyadic, c.m.dim), &dyadic{}
	switch {
	case h.side != 0:
		low, high := c.limits(int(h.feature))
		a[h.feature] = exactly(h.side)
		if h.side < 0 {
			high = -low
		}
		return a, exactly(high)
	case h.test != nil:
		sign := 1.0
		if !h.left {
			sign = -1
		}
		if h.test.weights == nil {
			a[h.test.feature] = exactly(sign * h.test.sign)
		}
		for j, w := range h.test.weights {
			a[j] = exactly(sign * w)
		}
		return a, exactly(sign * h.test.t)
	}
	p, q := c.m.table.row(h.p), c.m.table.row(h.q)
	same := true
	for j := range p {
		if p[j] == q[j] {
			continue
		}
		same = false
		a[j] = difference(q[j], p[j])
		a[j].e++
		b.add(exactly(q[j]).times(exactly(q[j]))).sub(exactly(p[j]).times(exactly(p[j])))
	}
	if same && h.p > h.q {
		b = exactly(-1)
	}
	return a, b
}
