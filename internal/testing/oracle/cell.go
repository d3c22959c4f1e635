package oracle

import (
	"math"
	"slices"
)

// cell is a polyhedron {z : a·z ≤ b}. Its first rows are bisectors of training
// points, the rest are sides of a box.
type cell[T any] struct {
	dim       int
	a         [][]T
	b         []T
	bisectors int
	open      []bool // of the bisectors, those whose border belongs to other cells
}

// orderedCell returns the set of the points z to which each member is at least
// as near as each of the other training points. It returns false if an equal
// training point with a smaller index keeps a member from ever being chosen.
func orderedCell[T any](f arithmetic[T], x [][]float64, members []int) (cell[T], bool) {
	c := cell[T]{dim: len(x[0])}
	for q := range x {
		if slices.Contains(members, q) {
			continue
		}
		for _, p := range members {
			if !slices.Equal(x[p], x[q]) {
				c.bisect(f, x[p], x[q])
				c.open = append(c.open, q < p)
			} else if q < p {
				return c, false
			}
		}
	}
	return c, true
}

// bisect adds the row 2(q−p)·z ≤ ‖q‖²−‖p‖²: z is at least as near to p as to q.
// The right-hand side is computed as (q−p)·(q+p), which cancels less.
func (c *cell[T]) bisect(f arithmetic[T], p, q []float64) {
	difference, sum, row := nums(f, q), nums(f, q), zeros(f, c.dim)
	f.axpy(difference, f.num(-1), nums(f, p))
	f.axpy(sum, f.num(1), nums(f, p))
	f.axpy(row, f.num(2), difference)
	c.a, c.b = append(c.a, row), append(c.b, f.dot(difference, sum))
	c.bisectors++
}

// Box is the domain {z : Lo ≤ z ≤ Hi}; infinite bounds are none, and the zero
// Box is the whole space.
//
// Cells are half-open: ties go to the training point with the smaller index, and a cell counts if
// it holds a point of the box.
type Box struct {
	Lo, Hi []float64
}

// contains tells whether z is in the box.
func (b Box) contains(z []float64) bool {
	for j := range b.Lo {
		if z[j] < b.Lo[j] || z[j] > b.Hi[j] {
			return false
		}
	}
	return true
}

// confine adds the sides of the box to the cell.
func (c *cell[T]) confine(f arithmetic[T], box Box) {
	for j := range box.Lo {
		c.side(f, j, 1, box.Hi[j])
		c.side(f, j, -1, -box.Lo[j])
	}
}

// side adds the row sign·z_j ≤ bound, unless the bound is infinite.
func (c *cell[T]) side(f arithmetic[T], j int, sign, bound float64) {
	if math.IsInf(bound, 1) {
		return
	}
	row := zeros(f, c.dim)
	row[j] = f.num(sign)
	c.a, c.b = append(c.a, row), append(c.b, f.num(bound))
}

// counts tells whether a cell holds a point that satisfies the open bisectors strictly.
func (c *cell[T]) counts(f arithmetic[T]) bool {
	return c.deepest(f, func(i int) bool { return c.open[i] }) != nil
}

// deepest returns a point of the cell that satisfies some bisectors strictly, nil if
// there is none. A linear program looks for the point that does so by the largest
// margin s: a·z + s‖a‖₁ ≤ b for these bisectors, which is to say that the cube of
// radius s around z is on the right side of them. (Any other norm of a would
// decide as well; this one is rational.) Other rows get no margin, and
// s ≤ 1 keeps the program bounded. As in closestLinear, z = v − w.
func (c *cell[T]) deepest(f arithmetic[T], strict func(bisector int) bool) []T {
	p := program[T]{c: zeros(f, 2*c.dim+1)}
	p.c[2*c.dim] = f.num(1)
	for i, a := range c.a {
		a, b := f.scale(a, c.b[i])
		margin := f.num(0)
		if i < c.bisectors && strict(i) {
			margin = cost(f, One, a, zeros(f, c.dim))
		}
		p.a, p.b = append(p.a, append(split(f, a), margin)), append(p.b, b)
	}
	p.a, p.b = append(p.a, p.c), append(p.b, f.num(1))
	out := f.maximise(p)
	if out.status != optimal || f.sign(out.v[2*c.dim]) <= 0 {
		return nil
	}
	z := slices.Clone(out.v[:c.dim])
	f.axpy(z, f.num(-1), out.v[c.dim:2*c.dim])
	return z
}
