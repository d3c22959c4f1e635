package closest

import (
	"math"

	"github.com/seed-1a7dc1f9/facet/polytope"
)

// faces are rows ±u_j ≤ b that the origin satisfies, where coordinates stop. Methods that know
// them as such need none of them in their basis.
type faces struct {
	// how far each coordinate may go upwards and downwards, +Inf where no row says; empty if none
	// does
	allowance [2][]float64
	by        [2][]int32 // the row that says so
	sum       []float64  // Σλ_i a_i of the multipliers that were visited
	plain     bool       // they are rows like others, after a failure
}

// way is the index of a direction.
func way(direction float64) int {
	if direction > 0 {
		return 0
	}
	return 1
}

func (s *faces) none() bool { return len(s.allowance[0]) == 0 || s.plain }

// till returns how far a coordinate may go in a direction.
func (s *faces) till(j int, direction float64) float64 {
	if s.none() {
		return math.Inf(1)
	}
	return s.allowance[way(direction)][j]
}

// note makes row i, of d coordinates, the face of one of them, unless that has one.
func (s *faces) note(i, j, d int, direction, allowance float64) {
	if len(s.allowance[0]) == 0 {
		for w := range s.allowance {
			s.allowance[w], s.by[w] = grow(s.allowance[w], d), grow(s.by[w], d)
			for k := range d {
				s.allowance[w][k] = math.Inf(1)
			}
		}
	}
	if w := way(direction); math.IsInf(s.allowance[w][j], 1) {
		s.allowance[w][j], s.by[w][j] = allowance, int32(i)
	}
}

// isFace reports whether row i is where a coordinate stops.
func (r *rows) isFace(i int) bool {
	j := r.one[i]
	if j < 0 || r.none() {
		return false
	}
	w := way(r.number(i))
	return !math.IsInf(r.allowance[w][j], 1) && int(r.by[w][j]) == i
}

// forget drops the faces from row n on.
func (r *rows) forget(n int) {
	for w, allowance := range r.allowance {
		for i, j := range r.one[n:] {
			if j >= 0 && int(r.by[w][j]) == n+i {
				allowance[j] = math.Inf(1)
			}
		}
		if n == 0 {
			r.allowance[w] = allowance[:0]
		}
	}
}

// summing returns a visitor of rows, which adds them up if there are faces.
func (r *rows) summing(visit func(row int, lambda float64)) func(row int, lambda float64) {
	if r.sum = r.sum[:0]; r.none() {
		return visit
	}
	r.sum = zeros(r.sum, r.d)
	return func(row int, lambda float64) {
		if lambda > 0 {
			r.addTo(r.sum, lambda, row)
		}
		visit(row, lambda)
	}
}

// manyCoordinates is from where on ℓ2 does better without faces among its factors.
const manyCoordinates = 32

// AddFace is Add of the row sign·u_j ≤ b, the face of a box. It takes no time that grows with the
// dimension.
func (p *Program) AddFace(j int, sign, b, err float64) int {
	if len(p.rows.Unit) > 0 {
		return p.Add(p.rows.along(j, sign), b, err)
	}
	if !(b >= 0 && b <= math.MaxFloat64) {
		return p.AddUnit(p.rows.along(j, sign), b, err)
	}
	p.solved = false
	i := p.rows.len()
	p.rows.at, p.rows.one = append(p.rows.at, -1-way(sign)), append(p.rows.one, int32(j))
	p.rows.b, p.rows.err = append(p.rows.b, b), append(p.rows.err, err)
	if p.rows.Norm == polytope.LInf || p.rows.Norm == polytope.L2 && p.d >= manyCoordinates {
		p.rows.note(i, j, p.d, sign, b)
	}
	return i
}

// ViolatesFace is Violated of the row sign·u_j ≤ b.
func (p *Program) ViolatesFace(j int, sign, b float64) bool {
	if len(p.rows.Unit) > 0 {
		return p.Violated(p.rows.along(j, sign), b)
	}
	return sign*p.moved[j]-b > p.tolerance*max(p.size, leastSize, math.Abs(b))
}
