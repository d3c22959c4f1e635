package oracle

import (
	"math"
	"math/big"
	"slices"
)

// Ruled asks for the cheapest move from X to a cell, within a box.
type Ruled struct {
	Norm Norm
	X    []float64
	// prices of a unit, +Inf where there is no moving that way; in Two the same or one of them +Inf
	Up, Down []float64
	Lo, Hi   []float64
	// Linear are rules that tie coordinates together: half-spaces that count as the box does.
	Linear []Half
	// Inset is how far, in ℓ∞, to stay inside the other half-spaces.
	Inset float64
}

// Half is {z : A·z ≤ B} if it is Closed, and otherwise {z : A·z < B}.
type Half struct {
	A      []*big.Rat
	B      *big.Rat
	Closed bool
}

// HalfOf is the half-space of floats.
func HalfOf(a []float64, b float64, closed bool) Half { return Half{rats(a), rat(b), closed} }

// Unpriced asks about moves that cost 1 each way, within a box.
func Unpriced(norm Norm, x []float64, box Box) Ruled {
	for j, lo := range box.Lo {
		if !(lo <= box.Hi[j]) {
			panic("oracle: no box")
		}
	}
	r := Ruled{Norm: norm, X: x, Lo: box.Lo, Hi: box.Hi}
	if len(box.Lo) == 0 {
		r.Lo = slices.Repeat([]float64{math.Inf(-1)}, len(x))
		r.Hi = slices.Repeat([]float64{math.Inf(1)}, len(x))
	}
	r.Up = slices.Repeat([]float64{1}, len(x))
	r.Down = slices.Clone(r.Up)
	return r
}

// Closest returns the distance from x to the polyhedron {z : a_i·z ≤ b_i for all
// i}: +Inf and false if that is empty.
func Closest(norm Norm, x []float64, a [][]float64, b []float64) (dist float64, feasible bool) {
	exact, feasible := ClosestRat(norm, x, a, b)
	return Float(norm, exact), feasible
}

// ClosestRat is Closest without rounding. In ℓ2 it returns the square of the
// distance, which unlike the distance is rational, and nil if the polyhedron is empty.
func ClosestRat(
	norm Norm, x []float64, a [][]float64, b []float64,
) (dist *big.Rat, feasible bool) {
	dist = Unpriced(norm, x, Box{}).Nearest(halvesOf(a, b))
	return dist, dist != nil
}

// halvesOf are the half-spaces of a polyhedron.
func halvesOf(a [][]float64, b []float64) (halves []Half) {
	if len(a) != len(b) {
		panic("oracle: not as many right-hand sides as rows")
	}
	for i, row := range a {
		halves = append(halves, HalfOf(row, b[i], true))
	}
	return halves
}

// Nearest returns what it costs to reach an intersection of half-spaces, in Two its square; nil if
// that is empty.
func (r Ruled) Nearest(halves []Half) *big.Rat { return r.Below(halves, nil) }

// Below is Nearest, and nil where that is no less than cutoff; nil is no cutoff.
func (r Ruled) Below(halves []Half, cutoff *big.Rat) *big.Rat {
	cost, _ := r.to(halves, cutoff)
	return cost
}

// Inside returns a point of the interior, within the box, rounded, nil if it is empty.
func (r Ruled) Inside(halves []Half) []float64 {
	inner := slices.Clone(halves)
	for i := range inner {
		inner[i].Closed = false
	}
	if r.Nearest(inner) == nil {
		return nil
	}
	for r.Inset = 1; ; r.Inset /= 2 {
		if _, at := r.to(inner, nil); at != nil {
			return rounded(at)
		}
	}
}

// to is nearest of half-spaces.
func (r Ruled) to(halves []Half, cutoff *big.Rat) (cost *big.Rat, z []*big.Rat) {
	rows := r.fixed()
	for _, h := range halves {
		rows = append(rows, r.inside(r.row(h)))
	}
	return r.nearest(new(Solver), rows, cutoff)
}

// inside moves a row inwards.
func (r Ruled) inside(row Row) Row {
	if r.Inset == 0 {
		return row
	}
	size, a := new(big.Int), make([]*big.Rat, len(row.A))
	for j, e := range row.A {
		a[j] = new(big.Rat).SetInt(e)
		size.Add(size, new(big.Int).Abs(e))
	}
	by := new(big.Rat).SetInt(size)
	return RowOf(a, by.Sub(new(big.Rat).SetInt(row.B), by.Mul(by, rat(r.Inset))), row.Firm)
}

// nearest returns what it costs to reach all rows and the nearest point of their closure, nil if
// there is none or it costs no less than cutoff; nil is no cutoff.
func (r Ruled) nearest(s *Solver, rows []Row, cutoff *big.Rat) (cost *big.Rat, z []*big.Rat) {
	if cost = s.Nearest(r.Norm, rows, len(r.X), r.prices(), cutoff); cost == nil {
		return nil, nil
	}
	z = rats(r.X)
	for j, u := range s.Point() {
		z[j].Add(z[j], u)
	}
	return cost, z
}

// row is a half-space about moves.
func (r Ruled) row(h Half) Row {
	if len(h.A) != len(r.X) {
		panic("oracle: a half-space of another dimension")
	}
	b := new(big.Rat).Set(h.B)
	for j, x := range rats(r.X) {
		b.Sub(b, x.Mul(x, h.A[j]))
	}
	return RowOf(h.A, b, h.Closed)
}

// fixed returns what holds of all moves: the sides of the box, the ways that there are, and the
// linear rules.
func (r Ruled) fixed() (rows []Row) {
	for j, x := range r.X {
		hi, lo := r.Hi[j], r.Lo[j]
		if math.IsInf(r.Up[j], 1) {
			hi = min(hi, x)
		}
		if math.IsInf(r.Down[j], 1) {
			lo = max(lo, x)
		}
		if !math.IsInf(hi, 1) {
			rows = append(rows, side(len(r.X), j, 1, new(big.Rat).Sub(rat(hi), rat(x))))
		}
		if !math.IsInf(lo, -1) {
			rows = append(rows, side(len(r.X), j, -1, new(big.Rat).Sub(rat(x), rat(lo))))
		}
	}
	for _, h := range r.Linear {
		rows = append(rows, r.row(h))
	}
	return rows
}

// prices returns the prices, nil if all are 1. One that is +Inf is forbidden by the box, and is
// that of the other way.
func (r Ruled) prices() (all []Price) {
	plain := true
	for j, up := range r.Up {
		down := r.Down[j]
		switch {
		case math.IsInf(up, 1) && math.IsInf(down, 1):
			up, down = 1, 1
		case math.IsInf(up, 1):
			up = down
		case math.IsInf(down, 1):
			down = up
		}
		plain = plain && up == 1 && down == 1
		all = append(all, Price{rat(up), rat(down)})
	}
	if plain {
		return nil
	}
	return all
}
