package closest

// vertex is what the two simplex methods have in common: the active rows, the
// coordinates that these determine, and the factorised basis between them.
type vertex struct {
	rows   *rows
	sign   []float64 // of each coordinate; what it means is the method's
	basic  []int     // coordinates that the active rows determine
	active []int
	basis  lu
	primal []float64
	lambda []float64
	rho    []float64 // how λ falls as the entering multiplier grows
	alpha  []float64 // how the gradient grows with it
	grad   []float64 // Σλ_i a_ij
	failed int       // the row that contradicts the active ones, −1 if none
}

func (v *vertex) reset(d int) {
	v.sign = append(v.sign[:0], make([]float64, d)...)
	v.alpha = append(v.alpha[:0], make([]float64, d)...)
	v.grad = append(v.grad[:0], make([]float64, d)...)
	v.basic, v.active, v.primal, v.lambda = v.basic[:0], v.active[:0], v.primal[:0], v.lambda[:0]
	v.failed = -1
	v.basis.resize(0)
}

// forget takes back a failed repair, which has changed no more than failed.
func (v *vertex) forget() { v.failed = -1 }

// gradients adds Σλ_i a_i to grad and takes Σρ_i a_i from alpha.
func (v *vertex) gradients() {
	for i, r := range v.active {
		l, p := v.lambda[i], v.rho[i]
		alpha := v.alpha
		for j, e := range v.rows.row(r) {
			v.grad[j] += l * e
			alpha[j] -= p * e
		}
	}
}

// contradiction visits the multipliers that a failed repair ends with.
func (v *vertex) contradiction(visit func(row int, lambda float64)) {
	for i, r := range v.active {
		visit(r, -v.rho[i])
	}
	visit(v.failed, 1)
}

// unperturbed visits the multipliers that solve λᵀM = rho.
func (v *vertex) unperturbed(visit func(row int, lambda float64)) {
	v.basis.solveT(v.rho)
	for i, r := range v.active {
		visit(r, v.rho[i])
	}
}
