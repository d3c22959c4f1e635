package closest

import (
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// rows are the inequalities a·u ≤ b with ‖a‖_q = 1, flat and row-major.
type rows struct {
	d int
	// where each row begins in a; −1 or −2 for a face of a box, upwards or downwards, which is not
	// there
	at  []int
	a   []float64
	b   []float64
	err []float64 // bound on the error of b, from its own computation
	// the column of a row with a single number in it, such as a face of a box; else −1
	one []int32
	geometry.Scaling
	faces
	face     []float64 // see along
	original []float64 // the rows before they were scaled, where that rounds
}

func (r *rows) len() int { return len(r.b) }

// row returns row i. That of a face is overwritten by the next.
func (r *rows) row(i int) []float64 {
	if r.at[i] >= 0 {
		return r.dense(i)
	}
	return r.along(int(r.one[i]), r.number(i))
}

// dense is row of one that is not known as a face.
func (r *rows) dense(i int) []float64 { return r.a[r.at[i] : r.at[i]+r.d : r.at[i]+r.d] }

// number returns the only number of a row.
func (r *rows) number(i int) float64 {
	if at := r.at[i]; at >= 0 {
		return r.a[at+int(r.one[i])]
	}
	return float64(2*r.at[i] + 3)
}

// along returns the row of one number.
func (r *rows) along(j int, number float64) []float64 {
	r.face = zeros(r.face, r.d)
	r.face[j] = number
	return r.face
}

// cut leaves the first n rows.
func (r *rows) cut(n int) {
	if len(r.allowance[0]) > 0 {
		r.forget(n)
	}
	for _, at := range r.at[n:] {
		if at >= 0 {
			r.a = r.a[:at]
			break
		}
	}
	r.at, r.b, r.err, r.one = r.at[:n], r.b[:n], r.err[:n], r.one[:n]
	if len(r.original) > 0 {
		r.original = r.original[:n*r.d]
	}
}

// add appends a row and returns its number.
func (r *rows) add(a []float64, b, err float64) int {
	i := len(r.b)
	r.at, r.a, r.b, r.err = append(r.at, len(r.a)), append(r.a, a...), append(r.b, b), append(r.err,
		err)
	if len(r.Unit) > 0 {
		r.original = append(r.original, a...)
		r.Scale(r.dense(i))
	}
	r.one = append(r.one, single(r.dense(i)))
	return i
}

// single returns the index of the only number that is not zero, −1 if there are more or none.
func single(a []float64) int32 {
	one := int32(-1)
	for j, e := range a {
		if e != 0 && one >= 0 {
			return -1
		}
		if e != 0 {
			one = int32(j)
		}
	}
	return one
}

func (r *rows) slack(i int, u []float64) float64 { return r.b[i] - r.dot(i, u) }

// dot returns row i times u, which is finite.
func (r *rows) dot(i int, u []float64) float64 {
	if j := r.one[i]; j >= 0 {
		return r.number(i) * u[j]
	}
	return precise.Dot(r.dense(i), u)
}

// divide divides row i by its length.
func (r *rows) divide(i int, length float64) {
	row := r.dense(i)
	for j := range row {
		row[j] /= length
	}
	if len(r.Unit) > 0 {
		for j := range r.d {
			r.original[i*r.d+j] /= length
		}
	}
}

// addTo adds row i, times a number, to v.
func (r *rows) addTo(v []float64, times float64, i int) {
	if j := r.one[i]; j >= 0 {
		v[j] += times * r.number(i)
		return
	}
	row := r.dense(i)
	v = v[:len(row)]
	for j, e := range row {
		v[j] += times * e
	}
}

// Add appends the row a·u ≤ b, which is copied, and returns its number. err
// bounds the rounding error of b itself; certified bounds allow for it. A row of
// zeros with b < 0 makes the program infeasible.
func (p *Program) Add(a []float64, b, err float64) int {
	scale := p.DualLength(a)
	if scale == 0 {
		scale = 1
		if b < -err {
			p.bound = math.Inf(1)
		}
	}
	p.broken = p.broken || !precise.Finite(scale)
	b /= scale
	i := p.AddUnit(a, b, err/scale+precise.Roundoff*math.Abs(b))
	p.rows.divide(i, scale)
	return i
}

// AddUnit is Add for a row of dual length 1, such as Row returns where there are no prices,
// which is taken over bit by bit.
func (p *Program) AddUnit(a []float64, b, err float64) int {
	p.solved = false
	p.broken = p.broken || !precise.Finite(b)
	return p.rows.add(a, b, err)
}

// Row returns row i divided by its dual length: a·u ≤ b, b known up to err. a
// must not be changed and is valid until the next row is added.
func (p *Program) Row(i int) (a []float64, b, err float64) {
	return p.rows.row(i), p.rows.b[i], p.rows.err[i]
}

// Price sets the prices of displacements, nil for 1, until the next call. They begin to count at
// the next Reset, for as many coordinates as there are prices. Prices that differ by direction need
// ℓ∞ or ℓ1; one that is +Inf in a single direction needs a row that closes it.
func (p *Program) Price(prices *polytope.Prices) {
	p.rows.Set(geometry.Cost{Norm: p.rows.Norm, Prices: prices})
}
