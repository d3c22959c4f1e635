package weighted_test

import "math/big"

// poly is a polynomial, the constant first, without a leading 0.
type poly []*big.Rat

func (p poly) trimmed() poly {
	for len(p) > 0 && p[len(p)-1].Sign() == 0 {
		p = p[:len(p)-1]
	}
	return p
}

func (p poly) at(z *big.Rat) *big.Rat {
	v := new(big.Rat)
	for i := len(p) - 1; i >= 0; i-- {
		v.Mul(v, z).Add(v, p[i])
	}
	return v
}

// plus returns p + factor·q.
func (p poly) plus(q poly, factor *big.Rat) poly {
	sum := make(poly, max(len(p), len(q)))
	for i := range sum {
		sum[i] = new(big.Rat)
		if i < len(p) {
			sum[i].Set(p[i])
		}
		if i < len(q) {
			sum[i].Add(sum[i], new(big.Rat).Mul(q[i], factor))
		}
	}
	return sum.trimmed()
}

func (p poly) times(q poly) poly {
	product := make(poly, len(p)+len(q)-1)
	for i := range product {
		product[i] = new(big.Rat)
	}
	for i, a := range p {
		for j, b := range q {
			product[i+j].Add(product[i+j], new(big.Rat).Mul(a, b))
		}
	}
	return product
}

// mod returns the quotient and the rest of p divided by q.
func (p poly) mod(q poly) (quotient, rest poly) {
	rest = p
	for len(rest) >= len(q) {
		shift := len(rest) - len(q)
		factor := new(big.Rat).Quo(rest[len(rest)-1], q[len(q)-1])
		term := make(poly, shift+1)
		for i := range term {
			term[i] = new(big.Rat)
		}
		term[shift].Set(factor)
		quotient = quotient.plus(term, big.NewRat(1, 1))
		rest = rest.plus(term.times(q), big.NewRat(-1, 1))
	}
	return quotient, rest
}

func (p poly) derivative() poly {
	var d poly
	for i := 1; i < len(p); i++ {
		d = append(d, new(big.Rat).Mul(p[i], big.NewRat(int64(i), 1)))
	}
	return d
}

// sturm returns the Sturm sequence of p without its multiple roots.
func (p poly) sturm() []poly {
	g, h := p, p.derivative()
	for len(h) > 0 {
		_, rest := g.mod(h)
		g, h = h, rest
	}
	p, _ = p.mod(g)
	chain := []poly{p, p.derivative()}
	for {
		_, rest := chain[len(chain)-2].mod(chain[len(chain)-1])
		if len(rest) == 0 {
			return chain
		}
		chain = append(chain, rest.times(poly{big.NewRat(-1, 1)}))
	}
}

// changes counts the changes of sign of a Sturm sequence.
func changes(chain []poly, z *big.Rat) int {
	n, last := 0, 0
	for _, p := range chain {
		if s := p.at(z).Sign(); s != 0 {
			if s == -last {
				n++
			}
			last = s
		}
	}
	return n
}

// bisect returns a narrow interval around the only root in (lo, hi], where lo is none.
func (p poly) bisect(lo, hi *big.Rat, halvings int) [2]*big.Rat {
	left := p.at(lo).Sign()
	for range halvings {
		m := middleOf(lo, hi)
		switch p.at(m).Sign() {
		case 0:
			return [2]*big.Rat{m, m}
		case left:
			lo = m
		default:
			hi = m
		}
	}
	return [2]*big.Rat{lo, hi}
}

// roots returns narrow intervals around the roots of p in (lo, hi].
func (p poly) roots(lo, hi *big.Rat) (roots [][2]*big.Rat) {
	if len(p) < 2 {
		return nil
	}
	chain := p.sturm()
	var split func(lo, hi *big.Rat, before, after, depth int)
	split = func(lo, hi *big.Rat, before, after, depth int) {
		if before == after {
			return
		}
		if after == before-1 && chain[0].at(lo).Sign() != 0 {
			roots = append(roots, chain[0].bisect(lo, hi, depth))
			return
		}
		if depth == 0 {
			roots = append(roots, [2]*big.Rat{lo, hi})
			return
		}
		m := middleOf(lo, hi)
		between := changes(chain, m)
		split(lo, m, before, between, depth-1)
		split(m, hi, between, after, depth-1)
	}
	split(lo, hi, changes(chain, lo), changes(chain, hi), 90)
	return roots
}
