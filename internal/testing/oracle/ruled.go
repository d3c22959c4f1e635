package oracle

import (
	"math"
	"math/big"
	"slices"

	"gonum.org/v1/gonum/stat/combin"
)

// Ruled asks for the cheapest move from X to a cell, within a box that holds more than one
// value of a coordinate only if it may move. All of it is exact.
type Ruled struct {
	Norm Norm
	X    []float64
	// prices of a unit, +Inf where there is no moving that way; in Two the same or one of them +Inf
	Up, Down []float64
	Lo, Hi   []float64
	// Linear are rules that tie coordinates together: half-spaces that count as the box does.
	Linear []Half
}

// Half is {z : A·z ≤ B} if it is Closed, and otherwise {z : A·z < B}.
type Half struct {
	A      []*big.Rat
	B      *big.Rat
	Closed bool
}

// HalfOf is the half-space of floats.
func HalfOf(a []float64, b float64, closed bool) Half {
	f := rats{}
	return Half{nums(f, a), f.num(b), closed}
}

// KNN returns the cost of reaching a label of the goal, in Two its square; nil if there is none. It
// goes through the sets of k rows, and takes those that count, as CellsKNN.
func (r Ruled) KNN(x [][]float64, labels []int, k int, goal Goal) *big.Rat {
	return r.Vote(x, Plurality(labels), k, goal)
}

// Vote is KNN with another vote.
func (r Ruled) Vote(x [][]float64, vote Vote, k int, goal Goal) *big.Rat {
	var best *big.Rat
	for _, members := range combin.Combinations(len(x), k) {
		if !goal(vote(members)) {
			continue
		}
		var halves []Half
		for _, p := range members {
			for q := range x {
				if !slices.Contains(members, q) {
					c := cell[*big.Rat]{dim: len(r.X)}
					c.bisect(rats{}, x[p], x[q])
					halves = append(halves, Half{c.a[0], c.b[0], p < q})
				}
			}
		}
		best = lesser(best, r.Nearest(halves))
	}
	return best
}

// Least returns the cost of the cheapest of several cells; nil if all are empty.
func (r Ruled) Least(cells [][]Half) *big.Rat {
	var best *big.Rat
	for _, halves := range cells {
		best = lesser(best, r.Nearest(halves))
	}
	return best
}

// lesser returns the lesser of two numbers, nil being the largest.
func lesser(a, b *big.Rat) *big.Rat {
	if a == nil || b != nil && b.Cmp(a) < 0 {
		return b
	}
	return a
}

// Nearest returns the cost of reaching an intersection of half-spaces, in Two its square; nil if
// that is empty.
func (r Ruled) Nearest(halves []Half) *big.Rat {
	if c, _, ok := r.within(halves); !ok || !c.counts(rats{}) {
		return nil
	}
	return r.Closest(halves)
}

// Closest is Nearest for the half-spaces as closed ones.
func (r Ruled) Closest(halves []Half) *big.Rat {
	c, free, ok := r.within(halves)
	if !ok {
		return nil
	}
	var fixed []*big.Rat // costs
	for j := range r.X {
		if !slices.Contains(free, j) {
			fixed = append(fixed, r.cost(j, r.Lo[j]))
		}
	}
	if r.Norm == Two {
		return r.euclidean(c, free, fixed)
	}
	return r.linear(c, free, fixed)
}

// Inside returns a point of the interior, within the box, rounded, nil if it is empty.
func (r Ruled) Inside(halves []Half) []float64 {
	c, free, ok := r.within(halves)
	if !ok {
		return nil
	}
	inside := rounded(c.deepest(rats{}, func(int) bool { return true }))
	if inside == nil {
		return nil
	}
	z := slices.Clone(r.Lo)
	for i, j := range free {
		z[j] = inside[i]
	}
	return z
}

// within returns the cell of half-spaces in the coordinates that are free; false if the others
// leave it empty.
func (r Ruled) within(halves []Half) (c cell[*big.Rat], free []int, ok bool) {
	f := rats{}
	for j, x := range r.X {
		lo, hi := r.Lo[j], r.Hi[j]
		switch {
		case lo > hi, lo > x && math.IsInf(r.Up[j], 1), hi < x && math.IsInf(r.Down[j], 1):
			return c, nil, false
		case lo < hi:
			free = append(free, j)
		}
	}
	c.dim = len(free)
	for _, h := range halves {
		a, b := r.restricted(h, free)
		if !isZero(f, a) {
			c.a, c.b, c.open = append(c.a, a), append(c.b, b), append(c.open, !h.Closed)
		} else if b.Sign() < 0 || b.Sign() == 0 && !h.Closed {
			return c, nil, false
		}
	}
	c.bisectors = len(c.a)
	for i, j := range free {
		hi, lo := r.Hi[j], r.Lo[j]
		if math.IsInf(r.Up[j], 1) {
			hi = min(hi, r.X[j])
		}
		if math.IsInf(r.Down[j], 1) {
			lo = max(lo, r.X[j])
		}
		c.side(f, i, 1, hi)
		c.side(f, i, -1, -lo)
	}
	for _, h := range r.Linear {
		if a, b := r.restricted(h, free); !isZero(f, a) {
			c.a, c.b = append(c.a, a), append(c.b, b)
		} else if b.Sign() < 0 {
			return c, nil, false
		}
	}
	return c, free, true
}

// restricted returns a half-space in the coordinates that are free.
func (r Ruled) restricted(h Half, free []int) (a []*big.Rat, b *big.Rat) {
	f := rats{}
	b = h.B
	for j := range r.X {
		if slices.Contains(free, j) {
			a = append(a, h.A[j])
		} else {
			b = f.sub(b, f.mul(h.A[j], f.num(r.Lo[j])))
		}
	}
	return a, b
}

// cost returns the cost of moving coordinate j to z.
func (r Ruled) cost(j int, z float64) *big.Rat {
	f := rats{}
	move := f.sub(f.num(z), f.num(r.X[j]))
	switch move.Sign() {
	case 0:
		return move
	case 1:
		return f.mul(move, f.num(r.Up[j]))
	}
	return abs(f, f.mul(move, f.num(r.Down[j])))
}

// price returns one of two prices, or the other if it is +Inf.
func price(p, other float64) float64 {
	switch {
	case !math.IsInf(p, 1):
		return p
	case !math.IsInf(other, 1):
		return other
	}
	return 1
}

// linear solves the linear program with a variable for each direction of each coordinate.
func (r Ruled) linear(c cell[*big.Rat], free []int, fixed []*big.Rat) *big.Rat {
	f, n := rats{}, 2*len(free)
	prices := make([]*big.Rat, n)
	x := make([]*big.Rat, len(free))
	for i, j := range free {
		prices[i], prices[len(free)+
			i] = f.num(price(r.Up[j], r.Down[j])), f.num(price(r.Down[j], r.Up[j]))
		x[i] = f.num(r.X[j])
	}
	p := program[*big.Rat]{c: zeros(f, n+1)}
	add := func(row []*big.Rat, b *big.Rat) { p.a, p.b = append(p.a, row), append(p.b, b) }
	for i, a := range c.a {
		add(append(split(f, a), f.num(0)), f.sub(c.b[i], f.dot(a, x)))
	}
	base := f.num(0)
	for _, e := range fixed {
		base = f.add(base, e)
	}
	for i := range n {
		if r.Norm == One {
			p.c[i] = f.mul(f.num(-1), prices[i])
			continue
		}
		row := zeros(f, n+1)
		row[i], row[n] = prices[i], f.num(-1)
		add(row, f.num(0))
	}
	if r.Norm == Inf {
		p.c[n], base = f.num(-1), f.num(0)
		for _, e := range fixed {
			row := zeros(f, n+1)
			row[n] = f.num(-1)
			add(row, f.mul(f.num(-1), e))
		}
	}
	out := f.maximise(p)
	if out.status != optimal {
		return nil
	}
	return f.sub(base, f.dot(p.c, out.v))
}

// euclidean looks for the nearest point in coordinates multiplied by their prices.
func (r Ruled) euclidean(c cell[*big.Rat], free []int, fixed []*big.Rat) *big.Rat {
	f := rats{}
	x := make([]*big.Rat, len(free))
	scale := make([]*big.Rat, len(free))
	for i, j := range free {
		scale[i] = f.num(price(r.Up[j], r.Down[j]))
		x[i] = f.mul(scale[i], f.num(r.X[j]))
	}
	for _, a := range c.a {
		for i := range a {
			a[i] = f.quo(a[i], scale[i])
		}
	}
	z := nearestCell(f, Two, x, []cell[*big.Rat]{c})
	if z == nil {
		return nil
	}
	squared := cost(f, Two, z, x)
	for _, e := range fixed {
		squared = f.add(squared, f.mul(e, e))
	}
	return squared
}
