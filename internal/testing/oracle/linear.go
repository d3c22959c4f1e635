package oracle

import "slices"

// closestLinear solves the ℓ∞ and ℓ1 problem as a linear program. With
// z = x + v − w and v, w ≥ 0, the rows become a·v − a·w ≤ b − a·x. In ℓ∞ one
// more variable t ≥ v_j, w_j is to be small, in ℓ1 the sum of all v_j + w_j:
// neither v_j nor w_j need be larger than the positive or negative part of
// z_j − x_j, so that these are the norms.
func closestLinear[T any](f arithmetic[T], norm Norm, x []T, a [][]T, b []T) ([]T, bool) {
	d := len(x)
	p := program[T]{}
	for i, row := range a {
		p.a = append(p.a, split(f, row))
		p.b = append(p.b, f.sub(b[i], f.dot(row, x)))
	}
	if norm == One {
		p.c = slices.Repeat([]T{f.num(-1)}, 2*d)
	} else {
		p = boundAll(f, p, 2*d)
	}
	out := f.maximise(p)
	if out.status != optimal {
		return nil, false
	}
	z := slices.Clone(x)
	f.axpy(z, f.num(1), out.v[:d])
	f.axpy(z, f.num(-1), out.v[d:2*d])
	return z, true
}

// boundAll adds a last variable t that no other variable may exceed, and makes
// −t the objective.
func boundAll[T any](f arithmetic[T], p program[T], n int) program[T] {
	for i := range p.a {
		p.a[i] = append(p.a[i], f.num(0))
	}
	for j := range n {
		row := zeros(f, n+1)
		row[j], row[n] = f.num(1), f.num(-1)
		p.a, p.b = append(p.a, row), append(p.b, f.num(0))
	}
	p.c = zeros(f, n+1)
	p.c[n] = f.num(-1)
	return p
}

// split returns the coefficients (a, −a) of v and w in a·(v − w).
func split[T any](f arithmetic[T], a []T) []T {
	out := slices.Concat(a, zeros(f, len(a)))
	f.axpy(out[len(a):], f.num(-1), a)
	return out
}
