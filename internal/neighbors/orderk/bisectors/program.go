package bisectors

import (
	"context"
	"fmt"
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/cellpoint"
	"github.com/seed-1a7dc1f9/facet/internal/closest"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/polytope"
	"github.com/seed-1a7dc1f9/facet/polytope/native"
)

// Program minimises ‖u‖ under constraints that are added one by one.
type Program interface {
	// Start takes constraints, and the basis of a program that began with them.
	Start(rows []Constraint, from closest.Basis)
	Add(c Constraint)
	// Solve finds the shortest u, unless the bound passes the cutoff before.
	Solve(ctx context.Context, cutoff float64) (Solution, error)
	// Ahead bounds the distance with one more constraint from below.
	Ahead(c Constraint) float64
	Basis() closest.Basis
}

// Of returns the program that a query asks for. Distances are near size.
func Of(q *search.Query, size float64) Program {
	if _, ok := q.Solver.(native.Solver); ok {
		return NewWarm(q, size)
	}
	return &cold{q: q, point: make([]float64, len(q.X))}
}

// Warm is a closest.Program that continues from the basis of another one. Its numbers are
// multiplied by scale, a power of two that brings distances near 1, so that its tolerance of
// rounding does not depend on the unit of the data.
type Warm struct {
	closest *closest.Program
	q       *search.Query
	scale   float64
	u       []float64
	started int // rows of the program when constraints began to be added
	// Of Needed:
	lambda []float64
	needed []int
}

// NewWarm returns a program for distances near size.
func NewWarm(q *search.Query, size float64) *Warm {
	w := &Warm{
		q:       q,
		closest: closest.New(q.Norm),
		scale:   1,
		u:       make([]float64, len(q.X)),
	}
	w.closest.Price(q.Prices)
	w.closest.Rounded = true // differences of rows
	if size > 0 {
		_, exponent := math.Frexp(size)
		w.scale = math.Ldexp(1, -exponent)
	}
	return w
}

// Start implements Program.
func (w *Warm) Start(rows []Constraint, from closest.Basis) {
	w.closest.Reset(len(w.u))
	if w.q.Prices == nil { // where there are, faces are added once they are violated
		for j, i := range w.q.Domain {
			w.addFace(j, 1, i.Hi-w.q.X[j])
			w.addFace(j, -1, w.q.X[j]-i.Lo)
		}
	}
	for _, c := range rows {
		w.Add(c)
	}
	w.closest.Restore(from)
	w.started = w.closest.Len()
}

// addFace adds a face of the domain.
func (w *Warm) addFace(j int, sign, b float64) {
	if precise.Finite(b) {
		w.closest.AddFace(j, sign, b*w.scale, precise.Roundoff*math.Abs(b)*w.scale)
	}
}

// Add implements Program.
func (w *Warm) Add(c Constraint) { w.closest.AddUnit(c.A, c.B*w.scale, c.Err*w.scale) }

// Solve implements Program. The next one overwrites its solution.
func (w *Warm) Solve(_ context.Context, cutoff float64) (Solution, error) {
	status, err := w.closest.Solve(math.Nextafter(cutoff*w.scale, math.Inf(1)))
	if err != nil {
		err = fmt.Errorf("%w: %w", polytope.ErrNumerical, err)
	}
	for j, u := range w.closest.U() {
		w.u[j] = u / w.scale
	}
	return Solution{
		Status: status,
		U:      w.u,
		Value:  w.closest.Value() / w.scale,
		Bound:  w.closest.Bound() / w.scale,
	}, err
}

// Ahead implements Program.
func (w *Warm) Ahead(c Constraint) float64 {
	return w.closest.Ahead(c.A, c.B*w.scale, c.Err*w.scale) / w.scale
}

// Basis implements Program.
func (w *Warm) Basis() closest.Basis { return w.closest.Basis() }

// Needed returns which of the constraints added after Start, by their numbers, show by themselves
// that no displacement within a cutoff satisfies all. It returns false if none do, as far as it can
// be shown. The next call overwrites the numbers.
func (w *Warm) Needed(cutoff float64) (constraints []int, proven bool) {
	w.lambda = append(w.lambda[:0], make([]float64, w.closest.Len())...)
	w.needed = w.needed[:0]
	w.closest.Multipliers(func(row int, l float64) {
		if w.lambda[row] = l; l > 0 && row >= w.started {
			w.needed = append(w.needed, row-w.started)
		}
	})
	return w.needed, w.closest.Proves(w.lambda) > cutoff*w.scale
}

// cold asks a Solver.
type cold struct {
	q     *search.Query
	rows  []Constraint
	point []float64
}

func (c *cold) Start(rows []Constraint, _ closest.Basis) { c.rows = append(c.rows[:0], rows...) }

func (c *cold) Add(row Constraint)       { c.rows = append(c.rows, row) }
func (c *cold) Ahead(Constraint) float64 { return 0 }
func (c *cold) Basis() closest.Basis     { return closest.Basis{} }

func (c *cold) Solve(ctx context.Context, cutoff float64) (Solution, error) {
	p := c.q.Cost.Problem(c.q.X, polytope.Polyhedron{Rest: c})
	p.Cutoff = math.Nextafter(cutoff, math.Inf(1))
	sol, err := cellpoint.Ask(ctx, c.q.Solver, p)
	s := Solution{U: c.point, Value: sol.Distance, Bound: sol.Bound}
	switch sol.Status {
	case polytope.StatusInfeasible:
		s.Status = closest.Infeasible
	case polytope.StatusCutoff:
		s.Status = closest.Cutoff
	}
	for j, z := range sol.Point {
		c.point[j] = z - c.q.X[j]
	}
	return s, err
}

// Separate names the constraint that a displacement violates most.
func (c *cold) Separate(_, u []float64, add func([]float64, float64) bool) {
	deepest, most := -1, 0.0
	for i, r := range c.rows {
		if v := precise.Dot(r.A, u) - r.B; v > most {
			deepest, most = i, v
		}
	}
	if deepest >= 0 {
		add(c.rows[deepest].A, c.rows[deepest].B)
	}
}
