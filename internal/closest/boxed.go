package closest

import (
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/closest/boxqp"
)

// boxed takes the place of ℓ2's factors where there are faces.
type boxed struct {
	box   boxqp.Dual
	taken bool // box has the active rows
}

// take gives the active rows to box.
func (m *l2) take() {
	m.taken = true
	b := &m.box
	b.Above, b.Below = m.rows.allowance[0], m.rows.allowance[1]
	b.Rows, b.B, b.Lambda = b.Rows[:0], b.B[:0], append(b.Lambda[:0], m.lambda...)
	for _, r := range m.active {
		b.Rows, b.B = append(b.Rows, m.rows.row(r)), append(b.B, m.rows.b[r])
	}
}

// repairBoxed goes to the optimum with row r, which is active from then on if it is no face.
func (m *l2) repairBoxed(r int) error {
	if !m.rows.isFace(r) && !slices.Contains(m.active, r) {
		m.active, m.lambda = append(m.active, r), append(m.lambda, 0)
	}
	m.take()
	if !m.box.Solve() {
		return errFaces
	}
	copy(m.u, m.box.U)
	active := m.active
	m.active, m.lambda = m.active[:0], m.lambda[:0]
	for i, l := range m.box.Lambda {
		if l > 0 {
			m.active, m.lambda = append(m.active, active[i]), append(m.lambda, l)
		}
	}
	m.taken = false
	return nil
}

func (m *l2) stepped(r int, step float64, visit func(row int, lambda float64)) {
	visiting := m.rows.summing(visit)
	if r >= 0 {
		m.dual.stepped(r, step, visiting)
	} else {
		for i, a := range m.active {
			visiting(a, m.lambda[i])
		}
	}
	for j, g := range m.rows.sum {
		if rest := math.Abs(g) - m.rows.till(j, -g); rest > 0 {
			visit(int(m.rows.by[way(-g)][j]), rest)
		}
	}
}
