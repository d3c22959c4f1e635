package boxqp

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/precise"
)

// draw returns a problem of n rows in d dimensions that some point of the box satisfies.
func draw(r *rand.Rand, d, n int) *Dual {
	q := &Dual{}
	inside := make([]float64, d)
	for j := range d {
		q.Above = append(q.Above, float64(r.IntN(4))/2) // some may not move at all
		q.Below = append(q.Below, float64(r.IntN(4))/2)
		if r.IntN(5) == 0 {
			q.Above[j] = math.Inf(1)
		}
		inside[j] = r.Float64()*(min(q.Above[j], 3)+q.Below[j]) - q.Below[j]
	}
	for i := range n {
		a := make([]float64, d)
		for j := range a {
			a[j] = r.NormFloat64()
		}
		if i > 0 && r.IntN(4) == 0 {
			copy(a, q.Rows[i-1]) // rows that depend on each other
		}
		length := precise.Length(a)
		for j := range a {
			a[j] /= length
		}
		q.add(a, precise.Dot(a, inside)+float64(r.IntN(3))/4)
	}
	return q
}

func (d *Dual) add(a []float64, b float64) {
	d.Rows, d.B, d.Lambda = append(d.Rows, a), append(d.B, b), append(d.Lambda, 0)
}

// length returns ‖u‖ of the multipliers, and the length that they prove.
func (d *Dual) length() (primal, proven float64) {
	value := 0.0
	for i, l := range d.Lambda {
		value += l * (precise.Dot(d.Rows[i], d.U) - d.B[i])
	}
	squared := precise.Dot(d.U, d.U)
	return math.Sqrt(squared), math.Sqrt(max(0, squared+2*value))
}

// TestSolve: the point satisfies the rows, and its multipliers, none of them negative, prove its
// length.
func TestSolve(t *testing.T) {
	tight := 0
	for number := range uint64(2000) {
		r := rand.New(rand.NewPCG(number, 5))
		q := draw(r, 1+r.IntN(12), 1+r.IntN(6))
		if !q.Solve() {
			t.Errorf("instance %d: no solution", number)
			continue
		}
		for i, a := range q.Rows {
			if e := precise.Dot(a, q.U) - q.B[i]; e > 1e-12*(1+math.Abs(q.B[i])) ||
				q.Lambda[i] < 0 {
				t.Errorf("instance %d: row %d is violated by %g, multiplier %g",
					number, i, e, q.Lambda[i])
			}
		}
		for j, u := range q.U {
			if u > q.Above[j] || u < -q.Below[j] {
				t.Errorf("instance %d: u_%d = %g beyond its sides", number, j, u)
			}
		}
		primal, proven := q.length()
		if math.Abs(primal-proven) > 1e-9*(1+primal) {
			t.Errorf("instance %d: length %v, proven %v", number, primal, proven)
		}
		if primal > 0 {
			tight++
		}
	}
	if tight < 1000 {
		t.Errorf("the origin is the answer in all but %d instances", tight)
	}
}

// TestNothing: where no point of the box satisfies the rows there is no solution.
func TestNothing(t *testing.T) {
	q := &Dual{Above: []float64{1, 1}, Below: []float64{0, 0}}
	q.add([]float64{-math.Sqrt(0.5), -math.Sqrt(0.5)}, -2)
	if q.Solve() {
		t.Errorf("u = %v", q.U)
	}
}

// TestAhead: the multipliers after a step ahead prove no more than the optimum with the row, and
// all of it where no coordinate meets a side and no multiplier ends.
func TestAhead(t *testing.T) {
	all := 0
	for number := range uint64(1000) {
		r := rand.New(rand.NewPCG(number, 6))
		q := draw(r, 2+r.IntN(12), 2+r.IntN(5))
		last := len(q.Rows) - 1
		a, b := q.Rows[last], q.B[last]
		q.Rows, q.B, q.Lambda = q.Rows[:last], q.B[:last], q.Lambda[:last]
		if !q.Solve() || precise.Dot(a, q.U) <= b {
			continue
		}
		_, before := q.length()
		rho := make([]float64, last)
		step := q.Ahead(a, b, rho)
		q.Rows, q.B, q.Lambda = q.Rows[:last+1], q.B[:last+1], append(q.Lambda, step)
		for i, e := range rho {
			if q.Lambda[i] -= step * e; q.Lambda[i] < -1e-12 {
				t.Errorf("instance %d: multiplier %g", number, q.Lambda[i])
			}
			q.Lambda[i] = max(0, q.Lambda[i])
		}
		q.Place()
		_, ahead := q.length()
		if !q.Solve() {
			t.Fatalf("instance %d: no solution", number)
		}
		optimum, _ := q.length()
		if ahead < before-1e-9 || ahead > optimum+1e-9 {
			t.Errorf("instance %d: %v ahead, %v before, optimum %v", number, ahead, before, optimum)
		}
		if ahead > optimum-1e-9 {
			all++
		}
	}
	if all < 20 {
		t.Errorf("the optimum was %d times ahead", all)
	}
}
