package exact

import (
	"math/big"
	"slices"
)

// dictionary expresses the basic variables in terms of the others:
//
//	det·basic_i = cells[i][last] − Σ_j cells[i][j]·nonbasic_j
//
// Variables are t (number 0), the coordinates of u (1 … dim) that the rows mention, both
// free, and the slacks of the rows (from dim+1), which are at least 0. All numbers are integers:
// those of a dictionary are minors of the first one, so that each division is
// exact (J. Edmonds, "Systems of distinct representatives and linear algebra",
// 1967). Free variables that have become basic never leave.
type dictionary struct {
	dim      int
	det      *big.Int
	cells    [][]*big.Int
	basic    []int
	nonbasic []int
	top      int // the row of t
}

// newDictionary starts at u = 0 and the largest t that the rows then allow.
func newDictionary(s *System) *dictionary {
	d := &dictionary{dim: s.dim, det: big.NewInt(1)}
	d.nonbasic = append(d.nonbasic, 0)
	for j := range s.dim {
		matters := func(row []*big.Int) bool { return row[j].Sign() != 0 }
		if slices.ContainsFunc(s.rows, matters) {
			d.nonbasic = append(d.nonbasic, j+1)
		}
	}
	tightest := 0
	for i, row := range s.rows {
		cells := []*big.Int{big.NewInt(1)}
		for _, variable := range d.nonbasic[1:] {
			cells = append(cells, new(big.Int).Set(row[variable-1]))
		}
		d.cells = append(d.cells, append(cells, new(big.Int).Set(row[s.dim])))
		d.basic = append(d.basic, s.dim+1+i)
		if row[s.dim].Cmp(s.rows[tightest][s.dim]) < 0 {
			tightest = i
		}
	}
	d.top = tightest
	d.pivot(tightest, 0)
	return d
}

// height returns the sign of t.
func (d *dictionary) height() int { return d.value(d.top).Sign() }

func (d *dictionary) value(row int) *big.Int { return d.cells[row][len(d.nonbasic)] }

func (d *dictionary) free(variable int) bool { return variable <= d.dim }

// entering returns the column of the first variable (Bland's rule) that makes t
// grow, and the direction in which it does; −1 if there is none.
func (d *dictionary) entering() (column, sign int) {
	column = -1
	for j, variable := range d.nonbasic {
		s := -d.cells[d.top][j].Sign()
		if s == 0 || (s < 0 && !d.free(variable)) {
			continue
		}
		if column < 0 || variable < d.nonbasic[column] {
			column, sign = j, s
		}
	}
	return column, sign
}

// leaving returns the row whose slack is the first to reach 0 when the variable
// of the column moves; of several the first variable (Bland's rule); −1 if none
// does.
func (d *dictionary) leaving(column, sign int) int {
	best := -1
	left, right := new(big.Int), new(big.Int)
	for i, row := range d.cells {
		if d.free(d.basic[i]) || row[column].Sign()*sign <= 0 {
			continue
		}
		if best < 0 {
			best = i
			continue
		}
		// value_i/|cell_i| against value_best/|cell_best|
		left.Mul(d.value(i), d.cells[best][column])
		right.Mul(d.value(best), row[column])
		order := left.CmpAbs(right)
		if order < 0 || (order == 0 && d.basic[i] < d.basic[best]) {
			best = i
		}
	}
	return best
}

// pivot exchanges the variables of a row and a column.
func (d *dictionary) pivot(r, c int) {
	pivot := d.cells[r][c]
	product := new(big.Int)
	for i, row := range d.cells {
		if i == r {
			continue
		}
		for j, e := range row {
			if j != c {
				e.Mul(e, pivot)
				e.Sub(e, product.Mul(row[c], d.cells[r][j]))
				e.Quo(e, d.det)
			}
		}
		row[c].Neg(row[c])
	}
	d.cells[r][c], d.det = d.det, pivot
	d.basic[r], d.nonbasic[c] = d.nonbasic[c], d.basic[r]
	if d.det.Sign() < 0 {
		d.negate()
	}
}

// negate makes the determinant positive.
func (d *dictionary) negate() {
	d.det = new(big.Int).Neg(d.det)
	for _, row := range d.cells {
		for _, e := range row {
			e.Neg(e)
		}
	}
}
