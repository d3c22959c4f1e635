package oracle

import "slices"

// cell is a polyhedron {z : a·z ≤ b}. Its first rows are bisectors of training
// points, the rest are sides of a box.
type cell[T any] struct {
	dim       int
	a         [][]T
	b         []T
	bisectors int
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
