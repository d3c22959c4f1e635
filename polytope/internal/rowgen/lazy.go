// Package rowgen solves closest-point problems of more rows than their solution needs, by lazy
// constraint generation: a program gets the faces of a box, the rows of a list, and those that a
// Separator names, once its last point violates them. testdata/transcript.txt shows it at work, row
// by row; go test -run Transcript -update writes it anew.
package rowgen

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/closest"
	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Engine is a program to which rows are added one by one: a closest.Program, or one that
// another library solves.
type Engine interface {
	// Add appends the row a·u ≤ b, which is copied, and returns its number. err
	// bounds the rounding error of b.
	Add(a []float64, b, err float64) int
	// Violated reports whether the current point lies outside a·u ≤ b by more than
	// rounding. It does not of a row that was added, once Solve is Optimal.
	Violated(a []float64, b float64) bool
	// Solve goes to the shortest point that satisfies the rows, or stops where it is
	// proven that none is shorter than the cutoff.
	Solve(cutoff float64) (closest.Status, error)
	// U returns the current point, 0 at first.
	U() []float64
	// Len returns the number of rows.
	Len() int
}

// boxed is an Engine that knows faces of a box.
type boxed interface {
	AddFace(j int, sign, b, err float64) int
	ViolatesFace(j int, sign, b float64) bool
}

// Separator names rows on demand, as a polytope.Separator does.
type Separator interface {
	Separate(x, u []float64, add func(a []float64, b float64) bool)
}

// Lazy is a problem of more rows than its solution needs (lazy constraint
// generation): faces of a box, a list, and those of a Separator. The engine gets the
// ones that its last point violates, until there are none.
type Lazy struct {
	engine Engine
	box    boxed // the engine, if it is one
	units  geometry.Scaling
	batch  int

	x        []float64
	margin   float64
	faces    []float64 // of the box: u_j ≤ faces[2j], −u_j ≤ faces[2j+1]; +Inf once it is a row
	list     []listed
	rest     Separator
	overflow bool      // some row is not made of finite numbers
	sources  []source  // of the rows of the engine
	named    []float64 // the coefficients of those that rest named, flat
	row      []float64 // a face of the box as a row
	last     []float64 // the point before
	add      func(a []float64, b float64) bool
}

// listed is a row of the list: a·u ≤ b, b = +Inf once it is a row of the engine.
type listed struct {
	a              []float64
	b, err, length float64
}

// source is where a row of the engine comes from: the list, from 0; the Separator
// (where its coefficients end in named); or else the box.
type source struct {
	listed, end int
	b, err      float64
}

// New returns a problem without rows for an engine, which gets up to batch rows
// of the list at a time.
func New(norm polytope.Norm, engine Engine, batch int) *Lazy {
	l := &Lazy{engine: engine, batch: batch}
	l.units.Set(geometry.In(norm))
	l.box, _ = engine.(boxed)
	l.add = l.name
	return l
}

// Price sets the prices in which margins are measured, nil for 1, for as long as the engine
// has them.
func (l *Lazy) Price(prices *polytope.Prices) {
	l.units.Set(geometry.Cost{Norm: l.units.Norm, Prices: prices})
}

// Reset empties the problem, for an engine that is empty too. All rows but the faces
// are moved inwards by the margin. rest names rows around x, which is not used else;
// nil names none.
func (l *Lazy) Reset(x []float64, margin float64, rest Separator) {
	clear(l.list) // lets go of the last problem
	l.x, l.margin, l.rest, l.overflow = x, margin, rest, false
	l.faces, l.list, l.sources, l.named = l.faces[:0], l.list[:0], l.sources[:0], l.named[:0]
	l.row = append(l.row[:0], make([]float64, len(x))...)
}

// Box adds the next coordinate's faces, −below ≤ u_j ≤ above. Without any, there is
// no box.
func (l *Lazy) Box(below, above float64) { l.faces = append(l.faces, above, below) }

// List adds a·u ≤ b to the list, b known up to err, unless b is +Inf. The list keeps a until the
// next Reset.
func (l *Lazy) List(a []float64, b, err float64) {
	r := listed{a, b, err, l.units.DualLength(a)}
	if !math.IsInf(b, 1) {
		l.shift(&r)
	}
	l.list = append(l.list, r)
}

// shift moves a row inwards by the margin, and notes numbers that are too large to
// calculate with.
func (l *Lazy) shift(r *listed) {
	if m := l.margin * r.length; m > 0 {
		r.b -= m
		r.err += precise.Roundoff * (m*float64(len(l.x)+2) + math.Abs(r.b))
	}
	l.overflow = l.overflow || !precise.Finite(r.b) || !precise.Finite(r.err) ||
		!precise.Finite(r.length)
}

// mostStill is how often rows that a point violates may leave it where it is: of the
// smallest numbers the engine may take a violation for rounding.
const mostStill = 10

// Solve solves the problem. Errors are the context's, and those that wrap
// polytope.ErrNumerical.
func (l *Lazy) Solve(ctx context.Context, cutoff float64) (closest.Status, error) {
	for still := 0; ; {
		if err := ctx.Err(); err != nil {
			return closest.Optimal, err
		}
		before := l.engine.Len()
		l.last = append(l.last[:0], l.engine.U()...)
		l.separate()
		if l.overflow {
			return closest.Optimal, fmt.Errorf("%w: numbers overflow", polytope.ErrNumerical)
		}
		if l.engine.Len() == before {
			return closest.Optimal, nil
		}
		if status, err := l.engine.Solve(cutoff); status != closest.Optimal || err != nil {
			return status, err
		}
		if !slices.Equal(l.last, l.engine.U()) {
			still = 0
		} else if still++; still == mostStill {
			return closest.Optimal, fmt.Errorf("%w: rows that a point violates leave it there",
				polytope.ErrNumerical)
		}
	}
}

// separate adds rows that the current point violates: every face of the box, the
// deepest ones of the list and, when there are none, those of the Separator, which may have to look
// at all training rows for that.
func (l *Lazy) separate() {
	u, before := l.engine.U(), l.engine.Len()
	for k, b := range l.faces {
		l.separateFace(u, k, b)
	}
	for range l.batch {
		if !l.separateList(u) {
			break
		}
	}
	if l.rest != nil && l.engine.Len() == before {
		l.rest.Separate(l.x, u, l.add)
	}
}

func (l *Lazy) separateFace(u []float64, k int, b float64) {
	j, sign := k/2, 1-2*float64(k%2)
	if !(sign*u[j] > b) {
		return
	}
	if !precise.Finite(b) {
		l.overflow = true
		return
	}
	if !l.addFace(j, sign, b) {
		return
	}
	l.sources = append(l.sources, source{listed: -1})
	l.faces[k] = math.Inf(1)
}

// addFace adds a face to the engine if the current point violates it.
func (l *Lazy) addFace(j int, sign, b float64) bool {
	if l.box != nil {
		violated := l.box.ViolatesFace(j, sign, b)
		if violated {
			l.box.AddFace(j, sign, b, 2*precise.Roundoff*math.Abs(b))
		}
		return violated
	}
	l.row[j] = sign
	violated := l.engine.Violated(l.row, b)
	if violated {
		l.engine.Add(l.row, b, precise.Roundoff*math.Abs(b))
	}
	l.row[j] = 0
	return violated
}

// separateList adds the deepest violated row of the list, and reports whether there
// is one.
func (l *Lazy) separateList(u []float64) bool {
	deepest, most := -1, 0.0
	for i := range l.list {
		r := &l.list[i]
		if math.IsInf(r.b, 1) {
			continue
		}
		v := -r.b
		for j, a := range r.a {
			v += float64(a * u[j])
		}
		if v > most*r.length && l.engine.Violated(r.a, r.b) {
			deepest, most = i, v/r.length
		}
	}
	if deepest < 0 {
		return false
	}
	r := &l.list[deepest]
	l.take(r.a, r.b, r.err, source{listed: deepest})
	r.b = math.Inf(1)
	return true
}

// name takes a row that the Separator names.
func (l *Lazy) name(a []float64, b float64) bool {
	if math.IsInf(b, 1) {
		return false
	}
	r := listed{
		b:      b,
		err:    precise.Roundoff * math.Abs(b) * float64(len(a)),
		length: l.units.DualLength(a),
	}
	l.shift(&r)
	if l.overflow || !l.engine.Violated(a, r.b) {
		return false
	}
	l.named = append(l.named, a...)
	l.take(a, r.b, r.err, source{listed: -1, end: len(l.named), b: r.b, err: r.err})
	return true
}

func (l *Lazy) take(a []float64, b, err float64, from source) {
	l.engine.Add(a, b, err)
	l.sources = append(l.sources, from)
}

// Source returns where a row of the engine comes from: its number in the list, or −1.
// Then a·u ≤ b, b known up to err, is the row of the Separator, the margin taken off; a is nil for
// a face of the box.
func (l *Lazy) Source(row int) (listed int, a []float64, b, err float64) {
	s := l.sources[row]
	if s.end > 0 {
		a = l.named[s.end-len(l.x) : s.end]
	}
	return s.listed, a, s.b, s.err
}
