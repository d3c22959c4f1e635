package polytope

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"

	"github.com/seed-1a7dc1f9/facet/internal/closest"
)

// Native is the default Solver: pure Go, exact linear programs for ℓ∞ and ℓ1 and
// an exact quadratic program for ℓ2, with half-spaces taken up only when the
// point reached violates them. A problem costs a few passes over the half-spaces
// of its region (d·m operations each, m half-spaces in R^d) and, per half-space
// taken up, about d·q + q³ operations with q ≤ d sides active at the optimum.
// Infeasible is reported when the half-spaces contradict each other in exact
// arithmetic, those of Rest taken as they were named, give or take their rounding.
//
// The zero value is ready. It keeps the memory of finished problems for the next
// one.
type Native struct {
	pool sync.Pool
}

// Closest implements Solver.
func (s *Native) Closest(ctx context.Context, p Problem) (Solution, error) {
	if err := p.Check(); err != nil {
		return Solution{}, err
	}
	if p.Region.Box.Empty() || impossible(p.Region.HalfSpaces) {
		return Solution{Status: StatusInfeasible, Distance: math.Inf(1), Bound: math.Inf(1)}, nil
	}
	if len(p.Region.HalfSpaces) == 0 && p.Region.Rest == nil {
		return p.boxOnly(), nil
	}
	w, ok := s.pool.Get().(*lazy)
	if !ok {
		w = &lazy{}
	}
	defer s.pool.Put(w)
	return w.solve(ctx, p)
}

// impossible reports whether some a·z ≤ −∞ makes the region empty.
func impossible(hs []HalfSpace) bool {
	for _, h := range hs {
		if math.IsInf(h.B, -1) {
			return true
		}
	}
	return false
}

// lazy solves one problem at a time by constraint generation.
type lazy struct {
	p        Problem
	programs [3]*closest.Program
	program  *closest.Program
	listed   []listed
	row      []float64 // a side of the box as a row
	origins  []origin  // of the rows of the program
	rest     []float64 // the coefficients of those that Rest named, flat
	overflow bool      // a row is not made of finite numbers
}

// listed is what is remembered of a half-space of the list: a·u ≤ b.
type listed struct {
	b, err, length float64
	taken          bool
}

var kinds = [...]closest.Kind{LInf: closest.Inf, L1: closest.One, L2: closest.Two}

func (w *lazy) load(p Problem) {
	if w.programs[p.Norm] == nil {
		w.programs[p.Norm] = closest.New(kinds[p.Norm])
	}
	w.p, w.program = p, w.programs[p.Norm]
	w.program.Reset(len(p.X))
	w.row = fit(w.row, len(p.X))
	clear(w.row)
	w.listed, w.origins, w.overflow = w.listed[:0], w.origins[:0], false
	w.rest = w.rest[:0]
	for _, h := range p.Region.HalfSpaces {
		v, err := h.Excess(p.X)
		l := listed{b: -v, err: err, length: p.Norm.Dual().Length(h.A)}
		if math.IsInf(h.B, 1) {
			l.taken = true
		} else {
			w.shift(&l)
		}
		w.listed = append(w.listed, l)
	}
}

// shift moves a half-space inwards by the margin, and notes numbers that are too
// large to calculate with.
func (w *lazy) shift(l *listed) {
	if m := w.p.Margin * l.length; m > 0 {
		l.b -= m
		l.err += roundoff * (m*float64(len(w.p.X)+2) + math.Abs(l.b))
	}
	if !finite(l.b) || !finite(l.err) || !finite(l.length) {
		w.overflow = true
	}
}

func finite(v float64) bool { return math.Abs(v) <= math.MaxFloat64 }

func (w *lazy) solve(ctx context.Context, p Problem) (Solution, error) {
	w.load(p)
	defer func() { w.p = Problem{} }()
	cutoff := math.Inf(1)
	if p.Cutoff > 0 {
		cutoff = p.Cutoff
	}
	for {
		if ctx.Err() != nil {
			return w.unfinished(StatusStopped), nil
		}
		before := w.program.Len()
		w.separate()
		if w.overflow {
			return w.unfinished(StatusStopped), fmt.Errorf("polytope: %w: numbers overflow", ErrNumerical)
		}
		if w.program.Len() == before {
			return w.optimal(), nil
		}
		status, err := w.program.Solve(cutoff)
		switch {
		case errors.Is(err, closest.ErrNumerical):
			return w.unfinished(StatusStopped), fmt.Errorf("polytope: %w after %d pivots on %d half-spaces", ErrNumerical, w.program.Pivots(), w.program.Len())
		case err != nil:
			return w.unfinished(StatusStopped), err
		case status == closest.Infeasible:
			return w.infeasible()
		case status == closest.Cutoff:
			return w.unfinished(StatusCutoff), nil
		}
	}
}

// separate adds sides that the current point violates: every side of the box, the
// deepest violated half-space of the list, and what Rest names.
func (w *lazy) separate() {
	w.separateBox()
	w.separateList()
	if w.p.Region.Rest != nil {
		w.p.Region.Rest.Separate(w.p.X, w.program.U(), w.addRest)
	}
}

func (w *lazy) separateBox() {
	u := w.program.U()
	for j, i := range w.p.Region.Box {
		x := w.p.X[j]
		if b := i.Hi - x; u[j] > b {
			w.addSide(j, 1, b)
		}
		if b := x - i.Lo; -u[j] > b {
			w.addSide(j, -1, b)
		}
	}
}

func (w *lazy) addSide(j int, sign, b float64) {
	if !finite(b) {
		w.overflow = true
		return
	}
	w.row[j] = sign
	if w.program.Violated(w.row, b) {
		w.program.Add(w.row, b, roundoff*math.Abs(b))
		w.origins = append(w.origins, origin{})
	}
	w.row[j] = 0
}

func (w *lazy) separateList() {
	u := w.program.U()
	deepest, most := -1, 0.0
	for i, h := range w.p.Region.HalfSpaces {
		l := &w.listed[i]
		if l.taken {
			continue
		}
		v := -l.b
		for j, a := range h.A {
			v += a * u[j]
		}
		if v > most*l.length && w.program.Violated(h.A, l.b) {
			deepest, most = i, v/l.length
		}
	}
	if deepest >= 0 {
		l := &w.listed[deepest]
		l.taken = true
		w.program.Add(w.p.Region.HalfSpaces[deepest].A, l.b, l.err)
		w.origins = append(w.origins, origin{listed: deepest + 1})
	}
}

func (w *lazy) addRest(a []float64, b float64) bool {
	if math.IsInf(b, 1) {
		return false
	}
	l := listed{b: b, err: roundoff * math.Abs(b) * float64(len(a)), length: w.p.Norm.Dual().Length(a)}
	w.shift(&l)
	if w.overflow || !w.program.Violated(a, l.b) {
		return false
	}
	w.program.Add(a, l.b, l.err)
	w.rest = append(w.rest, a...)
	w.origins = append(w.origins, origin{rest: len(w.rest), b: l.b, err: l.err})
	return true
}

func (w *lazy) optimal() Solution {
	z := make([]float64, len(w.p.X))
	for j, u := range w.program.U() {
		z[j] = w.p.X[j] + u
	}
	w.p.Region.Box.Closest(z, z)
	return Solution{
		Status: StatusOptimal, Point: z, Distance: w.program.Value(), Bound: min(w.program.Bound(), w.program.Value()),
		Rows: w.program.Len(), Pivots: w.program.Pivots(),
	}
}

func (w *lazy) unfinished(s Status) Solution {
	return Solution{
		Status: s, Distance: math.Inf(1), Bound: w.program.Bound(),
		Rows: w.program.Len(), Pivots: w.program.Pivots(),
	}
}
