package oracle

import "slices"

// artificial is the number of phase 1's variable. Being the smallest number, it
// leaves the basis first when several could.
const artificial = 0

// dictionary is the table of the simplex method for m rows and n variables.
// Variables are numbered: 0 is the artificial one, 1…n are those of the program,
// n+1…n+m the slacks. Row i says
//
//	v[basic[i]] = rows[i][0] − Σ_j rows[i][j+1]·v[nonbasic[j]],
//
// and the last two rows say the same of the objectives c·v and −v[artificial].
type dictionary[T any] struct {
	f               arithmetic[T]
	m, n            int
	rows            [][]T
	basic, nonbasic []int
}

func newDictionary[T any](f arithmetic[T], p program[T]) *dictionary[T] {
	d := &dictionary[T]{f: f, m: len(p.a), n: len(p.c)}
	for j := range d.n {
		d.nonbasic = append(d.nonbasic, 1+j)
	}
	d.nonbasic = append(d.nonbasic, artificial)
	for i, a := range p.a {
		d.basic = append(d.basic, 1+d.n+i)
		d.rows = append(d.rows, d.row(p.b[i], a, -1))
	}
	objective := zeros(f, d.n)
	f.axpy(objective, f.num(-1), p.c)
	d.rows = append(d.rows,
		d.row(f.num(0), objective, 0),
		d.row(f.num(0), zeros(f, d.n), 1))
	return d
}

// row joins a value, the coefficients of the program's variables and that of the
// artificial variable.
func (d *dictionary[T]) row(value T, coefficients []T, last float64) []T {
	return slices.Concat([]T{value}, coefficients, []T{d.f.num(last)})
}

func (d *dictionary[T]) objective() int        { return d.m }
func (d *dictionary[T]) auxiliary() int        { return d.m + 1 }
func (d *dictionary[T]) artificialColumn() int { return d.n + 1 }

// pivot exchanges the basic variable of a row for the nonbasic one of a column.
func (d *dictionary[T]) pivot(r, col int) {
	d.basic[r], d.nonbasic[col-1] = d.nonbasic[col-1], d.basic[r]
	f, pivotRow := d.f, d.rows[r]
	inverse := f.quo(f.num(1), pivotRow[col])
	pivotRow[col] = f.num(1)
	for j := range pivotRow {
		pivotRow[j] = f.mul(pivotRow[j], inverse)
	}
	for i, row := range d.rows {
		if i == r {
			continue
		}
		factor := row[col]
		row[col] = f.num(0)
		f.axpy(row, f.mul(f.num(-1), factor), pivotRow)
	}
}

// point returns the values of the program's variables: nonbasic ones are zero.
func (d *dictionary[T]) point() []T {
	v := zeros(d.f, d.n)
	for i, variable := range d.basic {
		if 1 <= variable && variable <= d.n {
			v[variable-1] = d.rows[i][0]
		}
	}
	return v
}

// dual returns the multipliers of the program's rows: the loss of the objective in row o per unit
// of each slack.
func (d *dictionary[T]) dual(o int) []T {
	y := zeros(d.f, d.m)
	for j, variable := range d.nonbasic {
		if variable > d.n {
			y[variable-d.n-1] = d.rows[o][j+1]
		}
	}
	return y
}
