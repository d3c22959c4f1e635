// Package boxqp finds the shortest displacement in ℓ2 that satisfies some linear inequalities
// within a box that contains the origin:
//
//	minimise ½‖u‖²  subject to  a_i·u ≤ b_i,  −below_j ≤ u_j ≤ above_j
//
// # Method
//
// With multipliers λ ≥ 0 of the rows alone the best u is −Σλ_i a_i, each coordinate of it moved
// into its interval. So the dual has no more dimensions than there are rows, however many
// coordinates are at sides of the box; it is concave, and quadratic wherever these are the same.
// Dual goes up by Newton's method, which takes the coordinates that are free for all that count,
// and a search along each step. Close to the top the free coordinates stay the same, and steps
// refine the point as far as rounding lets them.
//
// Any λ that it ends with proves a bound; package closest computes that.
package boxqp

import (
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/precise"
)

// Dual is the dual of one problem at a time. Its memory is reused.
type Dual struct {
	Above, Below []float64   // how far coordinates may go, +Inf for any distance
	Rows         [][]float64 // of about length 1
	B            []float64
	Lambda       []float64
	U            []float64

	sum      []float64 // Σλ_i a_i
	change   []float64 // of that by a step
	excess   []float64 // a_i·u − b_i
	delta    []float64 // the step
	gram     []float64 // of the rows in the free coordinates, and its Cholesky factor
	free     []float64 // a row in those
	factored bool      // gram is that of Lambda
}

const (
	// mostSteps is how many steps are taken before the caller is told to try something else.
	mostSteps = 60
	// satisfied is the excess, relative to the numbers that make it up, that counts as none.
	satisfied = 2e-13
	// ridge is added to the diagonal of the Gram matrix, of rows of length 1, so that rows that
	// depend on each other have a step, too.
	ridge = 1e-12
	// searches is how often a step is made longer, or shorter.
	searches = 40
	// flat is the share of the first slope that is none.
	flat = 1e-3
	// steep is the share with which a step may end that others follow, level that with which the
	// only one may.
	steep, level = 0.5, 0.05
)

// Place goes to the point of the multipliers.
func (d *Dual) Place() {
	d.factored = false
	d.sum, d.U = zeros(d.sum, len(d.Above)), zeros(d.U, len(d.Above))
	for i, l := range d.Lambda {
		add(d.sum, l, d.Rows[i])
	}
	for j, s := range d.sum {
		d.U[j] = max(-d.Below[j], min(-s, d.Above[j]))
	}
}

// Solve goes to the optimum from where Lambda is. It reports false if it does not get there, as if
// the rows contradicted each other. Rows that have no part in it end with a multiplier of 0.
func (d *Dual) Solve() bool {
	d.Place()
	for range mostSteps {
		if d.done() {
			return true
		}
		for d.aim() {
		}
		if !d.move() {
			return false
		}
	}
	return false
}

// aim makes delta the step to where the rows that count hold with equality. It reports whether one
// without a multiplier wants less than none, and does not count any more.
func (d *Dual) aim() (again bool) {
	d.factor()
	d.delta = append(d.delta[:0], d.excess...)
	d.solve(d.delta)
	for i, e := range d.delta {
		if e < 0 && d.Lambda[i] == 0 {
			d.excess[i], again = 0, true
		}
	}
	return again
}

// done computes the excess of rows, and reports whether the point is the optimum. Rows without a
// multiplier that are satisfied do not count.
func (d *Dual) done() bool {
	size, done := precise.Length(d.U), true
	d.excess = zeros(d.excess, len(d.Rows))
	for i, a := range d.Rows {
		e := precise.Dot(a, d.U) - d.B[i]
		if d.Lambda[i] == 0 && e <= 0 {
			continue
		}
		d.excess[i] = e
		done = done && math.Abs(e) <= satisfied*max(size, math.Abs(d.B[i]))
	}
	return done
}

// counts reports whether row i has part in a step.
func (d *Dual) counts(i int) bool { return d.Lambda[i] > 0 || d.excess[i] > 0 }

// factor computes the Cholesky factor of the Gram matrix of the rows that count.
func (d *Dual) factor() {
	n := len(d.Rows)
	d.gram = zeros(d.gram, n*n)
	for i := range n {
		if !d.counts(i) {
			d.gram[i*n+i] = 1
			continue
		}
		d.project(d.Rows[i])
		for k := range i + 1 {
			if d.counts(k) {
				d.gram[i*n+k] = precise.Dot(d.free, d.Rows[k])
			}
		}
		d.gram[i*n+i] += ridge
		d.eliminate(i)
	}
	d.factored = true
}

// project writes a row in the free coordinates to free.
func (d *Dual) project(a []float64) {
	d.free = append(d.free[:0], a...)
	for j, s := range d.sum {
		if -s > d.Above[j] || s > d.Below[j] {
			d.free[j] = 0
		}
	}
}

// eliminate makes row i of the Gram matrix one of the factor.
func (d *Dual) eliminate(i int) {
	n := len(d.Rows)
	row := d.gram[i*n : i*n+i+1]
	for k := range i {
		other := d.gram[k*n : k*n+k+1]
		row[k] = (row[k] - precise.Dot(row[:k], other[:k])) / other[k]
	}
	row[i] = math.Sqrt(max(row[i]-precise.Dot(row[:i], row[:i]), ridge))
}

// solve overwrites v with the solution of a system with the Gram matrix.
func (d *Dual) solve(v []float64) {
	n := len(d.Rows)
	for i := range v {
		v[i] = (v[i] - precise.Dot(d.gram[i*n:i*n+i], v[:i])) / d.gram[i*n+i]
	}
	for i := n - 1; i >= 0; i-- {
		v[i] /= d.gram[i*n+i]
		add(v[:i], -v[i], d.gram[i*n:i*n+i])
	}
}

// move goes along delta, as long as the dual grows and no multiplier falls below 0. It reports
// false if it does not grow.
func (d *Dual) move() bool {
	d.change = zeros(d.change, len(d.sum))
	offset, most := 0.0, math.Inf(1)
	for i, e := range d.delta {
		add(d.change, e, d.Rows[i])
		offset += e * d.B[i]
		if e < 0 {
			most = min(most, d.Lambda[i]/-e)
		}
	}
	step := d.search(offset, most, steep)
	if !(step > 0) {
		return false
	}
	for i, e := range d.delta {
		if d.Lambda[i] = max(0, d.Lambda[i]+step*e); step == most &&
			d.Lambda[i] <= -step*e*0x1p-50 {
			d.Lambda[i] = 0
		}
	}
	d.Place()
	return true
}

// search returns how far to go along the change, at most so far: until the slope, which falls, is a
// fraction of the first one, and not below 0 but for a small one.
func (d *Dual) search(offset, most, share float64) float64 {
	first, _ := d.slope(0, offset)
	if !(first > 0) {
		return 0
	}
	step := min(1, most)
	slope, bend := d.slope(step, offset)
	for i := 0; i < searches && slope > first*share && step < most; i++ {
		step = min(2*step, step+slope/bend, most)
		slope, bend = d.slope(step, offset)
	}
	for i := 0; i < searches && slope < -first*flat; i++ {
		far := step
		if step += slope / bend; !(step > 0 && step < far) {
			step = far / 2
		}
		slope, bend = d.slope(step, offset)
	}
	return step
}

// slope returns the slope of the dual at a step, and how fast it falls.
func (d *Dual) slope(step, offset float64) (slope, bend float64) {
	slope = -offset
	for j, c := range d.change {
		u := -d.sum[j] - step*c
		switch {
		case u > d.Above[j]:
			u = d.Above[j]
		case u < -d.Below[j]:
			u = -d.Below[j]
		default:
			bend += c * c
		}
		slope += c * u
	}
	return slope, bend
}

// Ahead writes to rho how multipliers fall as that of one more row a·u ≤ b grows, and returns how
// far that is to grow for a bound on the distance with that row.
func (d *Dual) Ahead(a []float64, b float64, rho []float64) (step float64) {
	if !d.factored {
		d.excess = zeros(d.excess, len(d.Rows))
		d.factor()
	}
	d.project(a)
	for i, row := range d.Rows {
		rho[i] = precise.Dot(d.free, row)
	}
	d.solve(rho)
	d.change = append(d.change[:0], a...)
	offset, most := b, math.Inf(1)
	for i, e := range rho {
		add(d.change, -e, d.Rows[i])
		offset -= e * d.B[i]
		if e > 0 {
			most = min(most, d.Lambda[i]/e)
		}
	}
	return d.search(offset, most, level)
}

func add(v []float64, times float64, row []float64) {
	v = v[:len(row)]
	for j, e := range row {
		v[j] += times * e
	}
}

// zeros returns n zeros, in the memory of v when that suffices.
func zeros(v []float64, n int) []float64 { return append(v[:0], make([]float64, n)...) }
