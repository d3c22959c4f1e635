package lu

import "slices"

// Matrix is the factorised matrix of a basis. The row of a side of a box whose coordinate is
// basic has a single number: hundreds of them are solved one by one, and only the rest
// is factorised.
type Matrix struct {
	n       int
	singles []place
	rows    []int     // the others
	a       []float64 // n entries of each of them
	cols    []int     // columns without a single
	taken   []bool    // the other columns
	dense   dense
	part, y []float64
}

// place is that of the only number of a row, and the number.
type place struct {
	row, col int
	value    float64
}

// Reset empties an n×n matrix, whose rows are then added in order.
func (m *Matrix) Reset(n int) {
	m.n, m.y, m.taken = n, grow(m.y, n), grow(m.taken, n)
	clear(m.taken)
	m.singles, m.rows, m.cols, m.a = m.singles[:0], m.rows[:0], m.cols[:0], m.a[:0]
	m.dense.resize(0)
}

// Single adds the next row, with a number in one column. It returns false when there is one
// in that column.
func (m *Matrix) Single(col int, value float64) bool {
	if m.taken[col] {
		return false
	}
	m.taken[col] = true
	m.singles = append(m.singles, place{len(m.singles) + len(m.rows), col, value})
	return true
}

// Row adds the next row, and returns its entries to be set.
func (m *Matrix) Row() []float64 {
	m.rows = append(m.rows, len(m.singles)+len(m.rows))
	at := len(m.a)
	m.a = slices.Grow(m.a, m.n)[:at+m.n]
	return m.a[at:]
}

// Factor factorises the matrix. It returns false when it is singular.
func (m *Matrix) Factor() bool {
	if len(m.singles) == 0 {
		copy(m.dense.resize(m.n), m.a)
		return m.dense.factor()
	}
	for c, taken := range m.taken {
		if !taken {
			m.cols = append(m.cols, c)
		}
	}
	k := len(m.rows)
	m.part = grow(m.part, k)
	dense := m.dense.resize(k)
	for i := range k {
		for j, c := range m.cols {
			dense[i*k+j] = m.a[i*m.n+c]
		}
	}
	return m.dense.factor()
}

// Solve overwrites b with the solution of A·y = b.
func (m *Matrix) Solve(b []float64) {
	if len(m.singles) == 0 {
		m.dense.solve(b)
		return
	}
	for _, s := range m.singles {
		m.y[s.col] = b[s.row] / s.value
	}
	for i, r := range m.rows {
		m.part[i] = b[r]
		for _, s := range m.singles {
			m.part[i] -= m.a[i*m.n+s.col] * m.y[s.col]
		}
	}
	m.dense.solve(m.part)
	for j, c := range m.cols {
		m.y[c] = m.part[j]
	}
	copy(b, m.y)
}

// SolveT overwrites b with the solution of Aᵀ·y = b.
func (m *Matrix) SolveT(b []float64) {
	if len(m.singles) == 0 {
		m.dense.solveT(b)
		return
	}
	for j, c := range m.cols {
		m.part[j] = b[c]
	}
	m.dense.solveT(m.part)
	for i, r := range m.rows {
		m.y[r] = m.part[i]
	}
	for _, s := range m.singles {
		v := b[s.col]
		for i := range m.rows {
			v -= m.a[i*m.n+s.col] * m.part[i]
		}
		m.y[s.row] = v / s.value
	}
	copy(b, m.y)
}

// grow returns v with length n, keeping its memory when that suffices.
func grow[E any](v []E, n int) []E {
	if cap(v) < n {
		return make([]E, n, 2*n)
	}
	return v[:n]
}
