package oracle

import "math/big"

// tableau is a dictionary of the dual simplex method,
//
//	den·basic_i = t[i][n] + ε·t[i][n+1] − Σ_j t[i][j]·nonbasic_j,
//
// whose last row is the objective. Pivots keep it in integers (Edmonds, Bareiss):
// every entry is a minor of the first dictionary.
type tableau struct {
	m, n            int
	t               [][]big.Int
	den             big.Int
	basic, nonbasic []int
	left, right     big.Int
}

// bland is the number of pivots after which the smallest index is taken instead of
// the most negative row, so that the method ends.
const bland = 30

// reset makes room for m rows and n columns of zeros.
func (t *tableau) reset(m, n int) {
	for len(t.t) < m+1 {
		t.t = append(t.t, nil)
	}
	for i := range m + 1 {
		for len(t.t[i]) < n+2 {
			t.t[i] = append(t.t[i], big.Int{})
		}
		for j := range n + 2 {
			t.t[i][j].SetInt64(0)
		}
	}
	t.m, t.n = m, n
	t.den.SetInt64(1)
	t.basic, t.nonbasic = t.basic[:0], t.nonbasic[:0]
	for j := range n {
		t.nonbasic = append(t.nonbasic, j)
	}
	for i := range m {
		t.basic = append(t.basic, n+i)
	}
}

// nearest is that of a Solver, in Inf or One.
func (t *tableau) nearest(norm Norm, rows []Row, dim int, cutoff *big.Rat) *big.Rat {
	if norm == Inf {
		t.cube(rows, dim)
	} else {
		t.crossPolytope(rows, dim)
	}
	for i, r := range rows {
		t.t[i][t.n].Set(r.B)
		t.t[i][t.n+1].SetInt64(r.small())
	}
	for step := 0; ; step++ {
		if cutoff != nil && t.reaches(cutoff) {
			return nil
		}
		r := t.leaving(step >= bland)
		if r < 0 {
			return new(big.Rat).SetFrac(&t.t[t.m][t.n], &t.den)
		}
		s := t.entering(r)
		if s < 0 {
			return nil
		}
		t.pivot(r, s)
	}
}

// cube writes the program in t = ‖u‖ and v = u + t·1: v ≥ 0, v ≤ 2t.
func (t *tableau) cube(rows []Row, dim int) {
	t.reset(len(rows)+dim, dim+1)
	for i, r := range rows {
		for j, e := range r.A {
			t.t[i][j+1].Set(e)
			t.t[i][0].Sub(&t.t[i][0], e)
		}
	}
	for j := range dim {
		t.t[len(rows)+j][0].SetInt64(-2)
		t.t[len(rows)+j][j+1].SetInt64(1)
	}
	t.t[t.m][0].SetInt64(-1)
}

// crossPolytope writes the program in u = p − q with p, q ≥ 0.
func (t *tableau) crossPolytope(rows []Row, dim int) {
	t.reset(len(rows), 2*dim)
	for i, r := range rows {
		for j, e := range r.A {
			t.t[i][j].Set(e)
			t.t[i][dim+j].Neg(e)
		}
	}
	for j := range 2 * dim {
		t.t[t.m][j].SetInt64(-1)
	}
}

// reaches tells whether the objective is at least the cutoff.
func (t *tableau) reaches(cutoff *big.Rat) bool {
	t.left.Mul(&t.t[t.m][t.n], cutoff.Denom())
	t.right.Mul(&t.den, cutoff.Num())
	return t.left.Cmp(&t.right) >= 0
}

// leaving returns a row whose variable is negative, or −1.
func (t *tableau) leaving(smallest bool) int {
	best := -1
	for i := range t.m {
		if t.sign(i) >= 0 {
			continue
		}
		if best < 0 || (smallest && t.basic[i] < t.basic[best]) ||
			(!smallest && t.t[i][t.n].Cmp(&t.t[best][t.n]) < 0) {
			best = i
		}
	}
	return best
}

// sign is that of basic variable i for all small ε > 0.
func (t *tableau) sign(i int) int {
	if s := t.t[i][t.n].Sign(); s != 0 {
		return s
	}
	return t.t[i][t.n+1].Sign()
}

// entering returns the column that keeps the objective's coefficients in order, of
// several that of the smallest index; −1 if row r cannot be mended.
func (t *tableau) entering(r int) int {
	best, z := -1, t.t[t.m]
	for j := range t.n {
		if t.t[r][j].Sign() >= 0 {
			continue
		}
		if best < 0 {
			best = j
			continue
		}
		t.left.Mul(&z[j], &t.t[r][best])
		t.right.Mul(&z[best], &t.t[r][j])
		if c := t.left.Cmp(&t.right); c < 0 || (c == 0 && t.nonbasic[j] < t.nonbasic[best]) {
			best = j
		}
	}
	return best
}

// pivot exchanges the basic variable of row r with the nonbasic one of column s,
// where the entry is negative.
func (t *tableau) pivot(r, s int) {
	var p, is big.Int
	p.Set(&t.t[r][s])
	for i := range t.m + 1 {
		if i == r {
			continue
		}
		is.Set(&t.t[i][s])
		for j := range t.n + 2 {
			if j == s {
				continue
			}
			t.left.Mul(&t.t[i][j], &p)
			t.right.Mul(&is, &t.t[r][j])
			t.left.Sub(&t.left, &t.right)
			t.t[i][j].Quo(&t.left, &t.den)
			t.t[i][j].Neg(&t.t[i][j])
		}
		t.t[i][s].Set(&is)
	}
	for j := range t.n + 2 {
		t.t[r][j].Neg(&t.t[r][j])
	}
	t.t[r][s].Neg(&t.den)
	t.den.Neg(&p)
	t.basic[r], t.nonbasic[s] = t.nonbasic[s], t.basic[r]
}

// point returns u.
func (t *tableau) point(norm Norm) []*big.Rat {
	v := make([]*big.Rat, t.n)
	for j := range v {
		v[j] = new(big.Rat)
	}
	for i, variable := range t.basic {
		if variable < t.n {
			v[variable].SetFrac(&t.t[i][t.n], &t.den)
		}
	}
	if norm == Inf {
		for _, u := range v[1:] {
			u.Sub(u, v[0])
		}
		return v[1:]
	}
	dim := t.n / 2
	for j, p := range v[:dim] {
		p.Sub(p, v[dim+j])
	}
	return v[:dim]
}
