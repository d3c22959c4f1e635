package closest

import (
	"cmp"
	"slices"
)

// Basis is the set of active rows at an optimum, and the coordinates that they determine. A program
// goes on from that optimum with it. The rows are those of the program that it was taken from.
type Basis struct {
	active []int32
	basic  []int32
	sign   []int8
	lambda []float64 // in ℓ2, where there are faces
}

// Basis returns the basis of the current point, for a program with the same
// rows, and perhaps more behind them, to Restore. It costs O(d) memory.
func (p *Program) Basis() Basis { return p.method.save() }

// Restore goes to the optimum that b was taken from, without a pivot. The rows
// that the program had then must come first, in the same order. A basis that
// rounding has made singular leaves the program at the origin, from where Solve
// takes longer and arrives at the same point.
func (p *Program) Restore(b Basis) {
	if len(b.active) == 0 {
		return
	}
	p.method.load(b)
	if err := p.method.solve(); err != nil {
		p.method.reset(p.d)
		return
	}
	p.place()
	p.solved = false
}

// Rewind drops all rows but the first n, and goes to the optimum that b was taken from when
// there were n.
func (p *Program) Rewind(n int, b Basis) {
	p.rows.cut(n)
	p.start()
	p.solved = false
	p.Restore(b)
}

func (v *vertex) save() Basis {
	b := Basis{active: narrow(v.active), basic: narrow(v.basic), sign: make([]int8, len(v.sign))}
	for j, s := range v.sign {
		b.sign[j] = int8(cmp.Compare(s, 0))
	}
	return b
}

func (v *vertex) load(b Basis) {
	v.active, v.basic, v.failed = widen(v.active, b.active), widen(v.basic, b.basic), -1
	for j, s := range b.sign {
		v.sign[j] = float64(s)
	}
}

func (m *linf) load(b Basis) {
	m.vertex.load(b)
	m.stops = 0
	for j, s := range m.sign {
		m.toward[j], m.at[j], m.sign[j] = 0, 0, m.unit(j, max(-1, min(s, 1)))
		if s == 2 || s == -2 {
			m.halt(j)
		}
	}
}

func (m *l2) save() Basis {
	b := Basis{active: narrow(m.active)}
	if !m.rows.none() {
		b.lambda = slices.Clone(m.lambda)
	}
	return b
}

func (m *l2) load(b Basis) {
	if len(b.lambda) > 0 && !m.rows.none() {
		m.active, m.lambda = widen(m.active, b.active), append(m.lambda[:0], b.lambda...)
		m.taken = false
		return
	}
	m.before = widen(m.before, b.active)
	m.rebuild()
}

func narrow(v []int) []int32 {
	w := make([]int32, len(v))
	for i, e := range v {
		w[i] = int32(e)
	}
	return w
}

func widen(dst []int, v []int32) []int {
	dst = slices.Grow(dst[:0], len(v))
	for _, e := range v {
		dst = append(dst, int(e))
	}
	return dst
}
