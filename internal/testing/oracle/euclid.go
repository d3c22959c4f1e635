package oracle

import "math/big"

// euclid finds shortest vectors in ℓ2. All vectors are pairs: the value, and
// its coefficient of ε.
type euclid struct {
	dim  int
	rows []Row
	// The current point is −Σ λ_i a_i over the active rows, u/den.
	active []int
	u      [2][]*big.Int
	den    *big.Int
}

// nearest is that of a Solver.
//
// From active set to active set the length grows, as long as a row is broken; the
// next set is found among all subsets of the last and the broken row.
func (e *euclid) nearest(cutoff *big.Rat) *big.Rat {
	e.place(nil, [2][]*big.Int{}, big.NewInt(1))
	for {
		cost := e.cost()
		if cutoff != nil && cost.Cmp(cutoff) >= 0 {
			return nil
		}
		broken := e.broken()
		if broken < 0 {
			return cost
		}
		if !e.take(broken) {
			return nil
		}
	}
}

// point returns u.
func (e *euclid) point() []*big.Rat {
	u := make([]*big.Rat, e.dim)
	for j, v := range e.u[0] {
		u[j] = new(big.Rat).SetFrac(v, e.den)
	}
	return u
}

func (e *euclid) cost() *big.Rat {
	var square big.Int
	Dot(&square, e.u[0], e.u[0])
	return new(big.Rat).SetFrac(&square, new(big.Int).Mul(e.den, e.den))
}

// broken returns the row that is broken most, −1 if none is.
func (e *euclid) broken() int {
	best, worst := -1, new(big.Int)
	for i := range e.rows {
		if main, small := e.slack(i); lexSign(main, small) < 0 &&
			(best < 0 || main.Cmp(worst) < 0) {
			best, worst = i, main
		}
	}
	return best
}

// slack returns den·(b − ε − a·u) of row i.
func (e *euclid) slack(i int) (main, small *big.Int) {
	var product big.Int
	r := e.rows[i]
	main = new(big.Int).Mul(r.B, e.den)
	main.Sub(main, Dot(&product, r.A, e.u[0]))
	small = new(big.Int).Mul(e.den, big.NewInt(r.small()))
	small.Sub(small, Dot(&product, r.A, e.u[1]))
	return main, small
}

func lexSign(main, small *big.Int) int {
	if s := main.Sign(); s != 0 {
		return s
	}
	return small.Sign()
}

// take makes row h hold together with the active ones, and tells whether it can.
func (e *euclid) take(h int) bool {
	all := append([]int{h}, e.active...)
	for set := 1; set < 1<<len(all); set += 2 {
		var subset []int
		for i, r := range all {
			if set>>i&1 == 1 {
				subset = append(subset, r)
			}
		}
		if len(subset) <= e.dim && e.tryActive(subset, all) {
			return true
		}
	}
	return false
}

// tryActive goes to the shortest vector at which the subset holds with equality, if
// its multipliers are not negative and all of the rows hold.
func (e *euclid) tryActive(subset, all []int) bool {
	multipliers, det := e.multipliers(subset)
	if det.Sign() == 0 {
		return false
	}
	for i := range subset {
		if lexSign(multipliers[0][i], multipliers[1][i]) < 0 {
			return false
		}
	}
	was := *e
	e.place(subset, multipliers, det)
	for _, r := range all {
		if lexSign(e.slack(r)) < 0 {
			*e = was
			return false
		}
	}
	return true
}

// place sets the point.
func (e *euclid) place(subset []int, multipliers [2][]*big.Int, det *big.Int) {
	var product big.Int
	e.active, e.den = subset, det
	for part := range e.u {
		e.u[part] = make([]*big.Int, e.dim)
		for j := range e.dim {
			e.u[part][j] = new(big.Int)
			for i, r := range subset {
				e.u[part][j].Sub(e.u[part][j], product.Mul(multipliers[part][i], e.rows[r].A[j]))
			}
		}
	}
}

// multipliers solves A·Aᵀ·λ = −b: λ·det and the determinant, by Cramer's rule.
func (e *euclid) multipliers(subset []int) (out [2][]*big.Int, det *big.Int) {
	k := len(subset)
	gram, b, ones := make([][]*big.Int, k), make([]*big.Int, k), make([]*big.Int, k)
	for i, r := range subset {
		gram[i] = make([]*big.Int, k)
		for j, s := range subset {
			gram[i][j] = Dot(new(big.Int), e.rows[r].A, e.rows[s].A)
		}
		b[i], ones[i] = new(big.Int).Neg(e.rows[r].B), big.NewInt(-e.rows[r].small())
	}
	det = determinant(gram)
	for part, side := range [][]*big.Int{b, ones} {
		for j := range k {
			out[part] = append(out[part], determinant(withColumn(gram, j, side)))
		}
	}
	return out, det
}

// withColumn returns m with column j replaced.
func withColumn(m [][]*big.Int, j int, column []*big.Int) [][]*big.Int {
	out := make([][]*big.Int, len(m))
	for i := range m {
		out[i] = append([]*big.Int(nil), m[i]...)
		out[i][j] = column[i]
	}
	return out
}

// determinant expands along the first row.
func determinant(m [][]*big.Int) *big.Int {
	switch len(m) {
	case 0:
		return big.NewInt(1)
	case 1:
		return new(big.Int).Set(m[0][0])
	}
	total, term := new(big.Int), new(big.Int)
	for j := range m {
		minor := make([][]*big.Int, 0, len(m)-1)
		for _, r := range m[1:] {
			minor = append(minor, append(append([]*big.Int(nil), r[:j]...), r[j+1:]...))
		}
		term.Mul(m[0][j], determinant(minor))
		if j%2 == 0 {
			total.Add(total, term)
		} else {
			total.Sub(total, term)
		}
	}
	return total
}
