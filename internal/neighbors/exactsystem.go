package neighbors

import (
	"fmt"
	"iter"
	"math"
	"math/big"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/exact"
	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/nnindex"
	"github.com/seed-1a7dc1f9/facet/internal/rules"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// ErrContradiction is the error of bisectors that contradict each other in floating
// point, but not in exact arithmetic.
var ErrContradiction = fmt.Errorf("%w: bisectors all but contradict each other",
	polytope.ErrNumerical)

// ExactSystem decides in exact arithmetic which inputs bisectors leave, within the faces of a
// domain. Floating point cannot know where rows are equally far from a point, as on a grid.
//
// A bisector says that one row comes before another in the order by (distance, row), so it is open
// where the other one has the smaller number. Inputs with the same neighbours are a half-open
// polyhedron. It exists or it does not, with an interior or without.
type ExactSystem struct {
	table  *Table
	x      []float64
	domain polytope.Box
	system *exact.System // of displacements from x
}

// ExactSystem returns the whole domain, seen from x.
func (t *Table) ExactSystem(x []float64, domain polytope.Box) *ExactSystem {
	s := exact.New(len(x))
	for j, i := range domain {
		if i.Lo == i.Hi {
			s.Fix(j, exact.Difference(i.Lo, x[j]))
		}
	}
	return &ExactSystem{table: t, x: x, domain: domain, system: s}
}

// Before adds that row p comes before row q: 2(q−p)·u < ‖q−x‖² − ‖p−x‖², or at most that if p < q.
func (r *ExactSystem) Before(p, q int32) {
	if a, b := r.bisector(p, q); p < q {
		r.system.AddClosed(a, b)
	} else {
		r.system.Add(a, b)
	}
}

// bisector returns 2(q−p)·u ≤ ‖q−x‖² − ‖p−x‖². Coordinates that stay as in x have no part in it.
func (r *ExactSystem) bisector(p, q int32) (a []*big.Rat, b *big.Rat) {
	xp, xq := r.table.Row(p), r.table.Row(q)
	a = make([]*big.Rat, len(r.x))
	none := new(big.Rat)
	for j, e := range r.x {
		if a[j] = none; xp[j] != xq[j] && (r.domain == nil || r.domain[j].Lo != e ||
			r.domain[j].Hi != e) {
			a[j] = exact.Difference(xq[j], xp[j])
			a[j].Add(a[j], a[j])
		}
	}
	return a, exact.Margin(r.x, xp, xq)
}

// Face adds a face of the domain, unless it leaves but one value.
func (r *ExactSystem) Face(j int, upper bool) {
	i := r.domain[j]
	if i.Lo == i.Hi {
		return
	}
	a := exact.Floats(make([]float64, len(r.x)))
	a[j].SetInt64(1)
	b, open := i.Hi, i.HiOpen
	if !upper {
		a[j].SetInt64(-1)
		b, open = i.Lo, i.LoOpen
	}
	end := exact.Difference(b, r.x[j])
	if end.Mul(end, a[j]); open {
		r.system.Add(a, end)
	} else {
		r.system.AddClosed(a, end)
	}
}

// Faces adds all faces of the domain.
func (r *ExactSystem) Faces() {
	for j, i := range r.domain {
		if !math.IsInf(i.Hi, 1) {
			r.Face(j, true)
		}
		if !math.IsInf(i.Lo, -1) {
			r.Face(j, false)
		}
	}
}

// Linear adds linear rules.
func (r *ExactSystem) Linear(linear []polytope.HalfSpace) {
	for i := range linear {
		h := &linear[i]
		b := rules.Excess(h, r.x)
		if b.Neg(b); h.Open {
			r.system.Add(exact.Floats(h.A), b)
		} else {
			r.system.AddClosed(exact.Floats(h.A), b)
		}
	}
}

// FacesAt adds the faces of the domain that x+u lies on but for rounding.
func (r *ExactSystem) FacesAt(u []float64, size float64) {
	for j, i := range r.domain {
		if u[j] >= i.Hi-r.x[j]-Spread*size {
			r.Face(j, true)
		}
		if u[j] <= i.Lo-r.x[j]+Spread*size {
			r.Face(j, false)
		}
	}
}

// MostTies is the number of pairs of rows up to which a tie is decided.
const MostTies = 512

// Cell adds that the members come before all other rows, as far as x+u leaves that
// open. It returns false when too much is open.
func (r *ExactSystem) Cell(members []int32, u []float64) bool {
	inside, outside := r.tied(members, u)
	if len(inside)*len(outside) > MostTies {
		return false
	}
	for _, p := range inside {
		for _, q := range outside {
			r.Before(p, q)
		}
	}
	return true
}

// tied returns the members and the other rows whose order x+u leaves open: those
// that are no nearer than the nearest other row and no farther than the farthest
// member, but for rounding.
func (r *ExactSystem) tied(members []int32, u []float64) (inside, outside []int32) {
	farthest := 0.0
	for _, m := range members {
		farthest = max(farthest, nnindex.Moved(r.x, u, r.table.Row(m)))
	}
	var near []nnindex.Neighbor
	tolerance, least := r.tolerance(u, farthest), farthest
	r.visit(r.table.Trees, u, farthest+tolerance, func(id int32, squared float64) {
		near = append(near, nnindex.Neighbor{Squared: squared, ID: id})
		if !slices.Contains(members, id) {
			least = min(least, squared)
		}
	})
	for _, n := range near {
		switch {
		case n.Squared < least-tolerance || n.Squared > farthest+tolerance:
		case slices.Contains(members, n.ID):
			inside = append(inside, n.ID)
		default:
			outside = append(outside, n.ID)
		}
	}
	return inside, outside
}

// tolerance is the difference of squared distances from x+u, the larger of them
// squared, that counts as a tie.
func (r *ExactSystem) tolerance(u []float64, squared float64) float64 {
	length := geometry.Length(polytope.L2, u)
	return Spread * (squared + length*length)
}

// visit calls f for the rows of the trees within a squared distance of x+u.
func (r *ExactSystem) visit(
	trees Trees, u []float64, squared float64, f func(id int32, squared float64),
) {
	z := make([]float64, len(u))
	trees.Within(z, Widened(z, r.x, u, squared), func(id int32, p []float64) bool {
		f(id, nnindex.Moved(r.x, u, p))
		return true
	})
}

// Against adds that a row comes before the rows of trees, as far as x+u leaves that
// open.
func (r *ExactSystem) Against(id int32, trees Trees, u []float64) {
	squared := nnindex.Moved(r.x, u, r.table.Row(id))
	r.visit(trees, u, squared+r.tolerance(u, squared), func(rival int32, _ float64) {
		r.Before(id, rival)
	})
}

// Exists reports whether an input may be left: whether one is, if that is decidable.
func (r *ExactSystem) Exists() bool { return !r.Decidable() || r.system.HasSolution() }

// Inputs returns inputs that are left near x+u, rounded, the nearest first. size is that of u.
func (r *ExactSystem) Inputs(u []float64, size float64) iter.Seq[[]float64] {
	return func(yield func([]float64) bool) {
		if r.Decidable() && !math.IsInf(size, 1) {
			r.system.Near(r.x, u, size)(yield)
		}
	}
}

// mostDecided bounds rows²·dim of the systems that are decided exactly: a second at
// most.
const mostDecided = 1 << 20

// Decidable reports whether that is known in reasonable time.
func (r *ExactSystem) Decidable() bool {
	return r.system.Len()*r.system.Len()*r.table.Dim <= mostDecided
}
