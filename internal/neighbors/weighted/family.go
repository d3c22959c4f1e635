package weighted

import "math"

// rowFamily is a list of half-spaces a·u ≤ b of displacements, as a polytope.Separator.
type rowFamily struct {
	dim int
	a   []float64 // flat
	b   []float64
}

// rows returns the empty family, in the memory of the opener.
func (o *opener) rows() *rowFamily {
	f := &o.family
	f.dim, f.a, f.b = o.table.Dim, f.a[:0], f.b[:0]
	return f
}

// next returns the coefficients of a new row, all 0, which add completes and drop
// takes back.
func (f *rowFamily) next() []float64 {
	for range f.dim {
		f.a = append(f.a, 0)
	}
	return f.a[len(f.a)-f.dim:]
}

func (f *rowFamily) add(b float64) { f.b = append(f.b, b) }

func (f *rowFamily) drop() { f.a = f.a[:len(f.b)*f.dim] }

func (f *rowFamily) row(i int) []float64 { return f.a[i*f.dim : (i+1)*f.dim] }

// Separate names the deepest row first.
func (f *rowFamily) Separate(_, u []float64, add func([]float64, float64) bool) {
	deepest, most := 0, math.Inf(-1)
	for i, b := range f.b {
		var excess, length float64
		for j, a := range f.row(i) {
			excess += a * u[j]
			length += math.Abs(a)
		}
		if length == 0 {
			length = 1
		}
		if excess = (excess - b) / length; excess > most {
			deepest, most = i, excess
		}
	}
	if add(f.row(deepest), f.b[deepest]) {
		return
	}
	for i, b := range f.b {
		if i != deepest && add(f.row(i), b) {
			return
		}
	}
}
