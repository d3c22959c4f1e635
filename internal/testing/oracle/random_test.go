package oracle

import (
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
)

var norms = []Norm{Inf, One, Two}

// problem is an input of Closest.
type problem struct {
	x []float64
	a [][]float64
	b []float64
}

// gridVector has n entries from −3…3.
func gridVector(r *rand.Rand, n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = float64(r.IntN(7) - 3)
	}
	return v
}

// gridProblem has integer data and plenty of degeneracy: zero rows, and rows
// that are copies, multiples or opposites of earlier rows. Half of the problems
// pass near a common point, so that cells of a single point occur.
func gridProblem(r *rand.Rand, maxDim, maxRows int) problem {
	d := 1 + r.IntN(maxDim)
	p := problem{x: gridVector(r, d)}
	centre, tight := gridVector(r, d), r.IntN(2) == 0
	for range r.IntN(maxRows + 1) {
		row, b := gridVector(r, d), float64(r.IntN(7)-3)
		if tight {
			b = floats.Dot(row, centre) + float64(r.IntN(5)/4)
		}
		if n := len(p.a); n > 0 && r.IntN(3) == 0 {
			i, factor := r.IntN(n), float64([]int{1, 2, -1}[r.IntN(3)])
			row, b = times(factor, p.a[i]), factor*p.b[i]+float64(r.IntN(9)/7)
		}
		p.a, p.b = append(p.a, row), append(p.b, b)
	}
	return p
}

// smoothProblem has normally distributed data.
func smoothProblem(r *rand.Rand, d, rows int) problem {
	p := problem{x: normalVector(r, d)}
	for range rows {
		p.a, p.b = append(p.a, normalVector(r, d)), append(p.b, r.NormFloat64()+0.5)
	}
	return p
}

func normalVector(r *rand.Rand, n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = r.NormFloat64()
	}
	return v
}

func times(s float64, v []float64) []float64 {
	return floats.ScaleTo(make([]float64, len(v)), s, v)
}

// gridPoints returns n labelled points on a coarse grid; duplicates are frequent.
func gridPoints(r *rand.Rand, n, d, labelCount int) ([][]float64, []int) {
	x, labels := make([][]float64, n), make([]int, n)
	for i := range x {
		x[i], labels[i] = gridVector(r, d), r.IntN(labelCount)
		if i > 0 && r.IntN(5) == 0 {
			x[i] = x[r.IntN(i)]
		}
	}
	return x, labels
}

// randomBox is now none, now a whole one, now one that fixes a coordinate or
// leaves one open.
func randomBox(r *rand.Rand, d int) Box {
	kind := r.IntN(4)
	if kind == 0 {
		return Box{}
	}
	lo, hi := gridVector(r, d), gridVector(r, d)
	for j := range lo {
		lo[j], hi[j] = min(lo[j], hi[j]), max(lo[j], hi[j])+1
	}
	switch kind {
	case 1:
		hi[0] = lo[0]
	case 2:
		hi[0] = inf
	}
	return Box{lo, hi}
}
