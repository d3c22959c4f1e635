package lu

import (
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/precise"
)

// dense is a factorisation PA = LU with partial pivoting, for the small basis matrices of the
// simplex methods. Its memory is reused.
type dense struct {
	n    int
	a    []float64 // row-major; L below the diagonal, U on and above it
	perm []int     // row i of PA is row perm[i] of A
	tmp  []float64
}

// resize makes room for an n×n matrix, whose entries the caller then sets in
// row-major order, and returns them.
func (f *dense) resize(n int) []float64 {
	f.n = n
	f.a, f.perm, f.tmp = grow(f.a, n*n), grow(f.perm, n), grow(f.tmp, n)
	return f.a
}

// factor overwrites the entries with their factors. It returns false when the
// matrix is singular.
func (f *dense) factor() bool {
	n := f.n
	for i := range f.perm {
		f.perm[i] = i
	}
	for k := 0; k < n; k++ {
		p, most := k, 0.0
		for i := k; i < n; i++ {
			if a := math.Abs(f.a[i*n+k]); a > most {
				p, most = i, a
			}
		}
		if most == 0 || most != most {
			return false
		}
		if p != k {
			f.swap(p, k)
		}
		pivot := f.a[k*n : (k+1)*n]
		for i := k + 1; i < n; i++ {
			row := f.a[i*n : (i+1)*n]
			m := row[k] / pivot[k]
			row[k] = m
			if m == 0 {
				continue
			}
			rest, right := row[k+1:], pivot[k+1:]
			right = right[:len(rest)]
			for j := range rest {
				rest[j] -= m * right[j]
			}
		}
	}
	return true
}

func (f *dense) swap(i, k int) {
	ri, rk := f.a[i*f.n:(i+1)*f.n], f.a[k*f.n:(k+1)*f.n]
	for j := range ri {
		ri[j], rk[j] = rk[j], ri[j]
	}
	f.perm[i], f.perm[k] = f.perm[k], f.perm[i]
}

// solve overwrites b with the solution of A·y = b.
func (f *dense) solve(b []float64) {
	n := f.n
	for i, p := range f.perm {
		f.tmp[i] = b[p]
	}
	for i := 0; i < n; i++ {
		f.tmp[i] -= precise.Dot(f.a[i*n:i*n+i], f.tmp[:i])
	}
	for i := n - 1; i >= 0; i-- {
		s := f.tmp[i] - precise.Dot(f.a[i*n+i+1:(i+1)*n], f.tmp[i+1:])
		f.tmp[i] = s / f.a[i*n+i]
	}
	copy(b, f.tmp)
}

// solveT overwrites b with the solution of Aᵀ·y = b.
func (f *dense) solveT(b []float64) {
	n := f.n
	copy(f.tmp, b)
	for i := 0; i < n; i++ {
		f.tmp[i] /= f.a[i*n+i]
		t := f.tmp[i]
		row, rest := f.a[i*n+i+1:(i+1)*n], f.tmp[i+1:n]
		rest = rest[:len(row)]
		for j, e := range row {
			rest[j] -= t * e
		}
	}
	for i := n - 1; i > 0; i-- {
		t := f.tmp[i]
		row := f.a[i*n : i*n+i]
		rest := f.tmp[:len(row)]
		for j, e := range row {
			rest[j] -= t * e
		}
	}
	for i, p := range f.perm {
		b[p] = f.tmp[i]
	}
}
