//go:build lpsolve

package lpsolve

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/closest"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

const (
	// roundoff is the unit roundoff of float64.
	roundoff = 0x1p-53
	// batch is the number of half-spaces of the list taken up at a time.
	batch = 8
	// violated is the violation, relative to the size of the numbers in a
	// row, from which on it counts: lp_solve satisfies rows to 1e-9 before it undoes
	// its own scaling of them.
	violated = 1e-8
	// contradicted is the bound, in units of the largest violation at x,
	// beyond which the rows count as contradictory.
	contradicted = 1e4
)

// lazy solves one problem by constraint generation.
type lazy struct {
	ctx    context.Context
	p      polytope.Problem
	dual   polytope.Norm
	listed []listed
	sides  []bool // the sides of the box that are rows: 2j for the lower one of coordinate j
	rows   []row
	proof  *closest.Program // the rows once more, to certify bounds
	u      []float64
	value  float64
	bound  float64
	unit   float64 // lp_solve's unit of length
	pivots int
	broken bool // a row is not made of finite numbers
}

// row is a·u ≤ b, in units of the problem, with ‖a‖ = 1 in the dual norm.
type row struct {
	a []float64
	b float64
}

// listed is what is remembered of a half-space of the list: a·u ≤ b.
type listed struct {
	b, err, length float64
	taken          bool
}

func newLazy(ctx context.Context, p polytope.Problem) *lazy {
	w := &lazy{ctx: ctx, p: p, dual: p.Norm.Dual(), u: make([]float64, len(p.X)), sides: make([]bool, 2*len(p.Region.Box))}
	w.proof = closest.New(closest.Inf)
	if p.Norm == polytope.L1 {
		w.proof = closest.New(closest.One)
	}
	w.proof.Reset(len(p.X))
	for _, h := range p.Region.HalfSpaces {
		v, err := h.Excess(p.X)
		l := listed{b: -v, err: err, length: w.dual.Length(h.A), taken: math.IsInf(h.B, 1)}
		if !l.taken {
			w.shift(&l)
		}
		w.listed = append(w.listed, l)
	}
	return w
}

// shift moves a half-space inwards by the margin, and notes numbers that are
// too large to calculate with.
func (w *lazy) shift(l *listed) {
	if m := w.p.Margin * l.length; m > 0 {
		l.b -= m
		l.err += roundoff * (m*float64(len(w.p.X)+2) + math.Abs(l.b))
	}
	w.broken = w.broken || !finite(l.b) || !finite(l.err) || !finite(l.length)
}

func finite(v float64) bool { return math.Abs(v) <= math.MaxFloat64 }

func (w *lazy) solve() (polytope.Solution, error) {
	for {
		if w.ctx.Err() != nil {
			return w.unfinished(polytope.StatusStopped), nil
		}
		before := len(w.rows)
		w.separate()
		if w.broken {
			return w.unfinished(polytope.StatusStopped), fmt.Errorf("lpsolve: %w: numbers overflow", polytope.ErrNumerical)
		}
		if len(w.rows) == before {
			return w.optimal(), nil
		}
		if math.IsInf(w.proof.Bound(), 1) { // 0·u ≤ b < 0
			w.bound = math.Inf(1)
			return w.unfinished(polytope.StatusInfeasible), nil
		}
		status, err := w.improve()
		if err != nil || status != polytope.StatusOptimal {
			return w.unfinished(status), err
		}
		if w.p.Cutoff > 0 && w.bound >= w.p.Cutoff {
			return w.unfinished(polytope.StatusCutoff), nil
		}
	}
}

// separate adds sides that the current point violates: every side of the box,
// the deepest few of the list, and what Rest names.
func (w *lazy) separate() {
	for j, i := range w.p.Region.Box {
		w.side(2*j, -1, w.p.X[j]-i.Lo)
		w.side(2*j+1, 1, i.Hi-w.p.X[j])
	}
	w.separateList()
	if w.p.Region.Rest != nil {
		w.p.Region.Rest.Separate(w.p.X, w.u, w.rest)
	}
}

func (w *lazy) side(i int, sign, b float64) {
	if w.sides[i] || math.IsInf(b, 1) || !(sign*w.u[i/2] > b) {
		return
	}
	w.sides[i] = true
	a := make([]float64, len(w.p.X))
	a[i/2] = sign
	l := listed{b: b, err: roundoff * math.Abs(b), length: 1}
	w.broken = w.broken || !finite(b)
	w.take(a, &l)
}

func (w *lazy) separateList() {
	type candidate struct {
		i     int
		depth float64
	}
	var found []candidate
	for i, h := range w.p.Region.HalfSpaces {
		if l := &w.listed[i]; !l.taken && w.excess(h.A, l) {
			found = append(found, candidate{i, (dot(h.A, w.u) - l.b) / l.length})
		}
	}
	slices.SortStableFunc(found, func(p, q candidate) int { return cmp.Compare(q.depth, p.depth) })
	for _, c := range found[:min(batch, len(found))] {
		w.take(w.p.Region.HalfSpaces[c.i].A, &w.listed[c.i])
	}
}

// excess reports whether the current point violates a·u ≤ b.
func (w *lazy) excess(a []float64, l *listed) bool {
	return dot(a, w.u)-l.b > violated*max(l.length*w.value, math.Abs(l.b))
}

func (w *lazy) rest(a []float64, b float64) bool {
	if math.IsInf(b, 1) {
		return false
	}
	l := listed{b: b, err: roundoff * math.Abs(b) * float64(len(a)), length: w.dual.Length(a)}
	w.shift(&l)
	if w.broken || !w.excess(a, &l) {
		return false
	}
	w.take(a, &l)
	return true
}

// take makes a row of a·u ≤ b.
func (w *lazy) take(a []float64, l *listed) {
	l.taken = true
	w.proof.Add(a, l.b, l.err)
	r := row{make([]float64, len(a)), l.b}
	length := l.length
	if length == 0 {
		length = 1
	}
	for j, e := range a {
		r.a[j] = e / length
	}
	r.b /= length
	w.rows = append(w.rows, r)
}

func (w *lazy) optimal() polytope.Solution {
	z := make([]float64, len(w.p.X))
	for j, u := range w.u {
		z[j] = w.p.X[j] + u
	}
	w.p.Region.Box.Closest(z, z)
	return polytope.Solution{
		Status: polytope.StatusOptimal, Point: z, Distance: w.value, Bound: min(w.bound, w.value),
		Rows: len(w.rows), Pivots: w.pivots,
	}
}

func (w *lazy) unfinished(s polytope.Status) polytope.Solution {
	return polytope.Solution{Status: s, Distance: math.Inf(1), Bound: w.bound, Rows: len(w.rows), Pivots: w.pivots}
}

func dot(x, y []float64) float64 {
	var s float64
	for j, e := range x {
		s += e * y[j]
	}
	return s
}
