package oracle

import "math"

// Box is the domain {z : Lo ≤ z ≤ Hi}; infinite bounds are none, and the zero
// Box is the whole space.
//
// A cell counts within a box if its interior meets the box. For a box with
// interior that is to say that the part of the cell within the box has interior;
// for a box that fixes some coordinates it is the same within the others.
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
