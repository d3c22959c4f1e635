package neighbors

import (
	"fmt"
	"math"
	"math/big"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/exact"
	"github.com/seed-1a7dc1f9/facet/internal/nnindex"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// ErrContradiction is the error of bisectors that contradict each other in floating
// point, but not in exact arithmetic.
var ErrContradiction = fmt.Errorf("%w: bisectors all but contradict each other", polytope.ErrNumerical)

// Room decides in exact arithmetic whether bisectors, and sides of a domain, leave
// a set with an interior, within the affine hull of the domain. Floating point
// cannot know where rows are equally far from a point, as on a grid.
type Room struct {
	table  *Table
	x      []float64
	domain polytope.Box
	system *exact.System // of displacements from x
}

// Room returns the whole domain, seen from x.
func (t *Table) Room(x []float64, domain polytope.Box) *Room {
	r := &Room{table: t, x: x, domain: domain, system: exact.New(t.Dim)}
	for j, i := range domain {
		if i.Lo == i.Hi {
			r.system.Fix(j, exact.Difference(i.Lo, x[j]))
		}
	}
	return r
}

// Before adds that row p is nearer than row q, 2(q−p)·u < ‖q−x‖² − ‖p−x‖².
func (r *Room) Before(p, q int32) {
	xp, xq := r.table.Row(p), r.table.Row(q)
	a, b := make([]*big.Rat, len(r.x)), new(big.Rat)
	for j, e := range r.x {
		dp, dq := exact.Difference(xp[j], e), exact.Difference(xq[j], e)
		sum := new(big.Rat).Add(dq, dp)
		a[j] = dq.Sub(dq, dp)
		b.Add(b, sum.Mul(sum, a[j]))
		a[j] = new(big.Rat).Add(a[j], a[j])
	}
	if p < q && r.system.Ties(a, b) {
		return // the order of the rows decides
	}
	r.system.Add(a, b)
}

// Side adds a side of the domain, unless it leaves but one value.
func (r *Room) Side(j int, upper bool) {
	i := r.domain[j]
	if i.Lo == i.Hi {
		return
	}
	a := exact.Floats(make([]float64, len(r.x)))
	if upper {
		a[j].SetInt64(1)
		r.system.Add(a, exact.Difference(i.Hi, r.x[j]))
	} else {
		a[j].SetInt64(-1)
		r.system.Add(a, exact.Difference(r.x[j], i.Lo))
	}
}

// Sides adds all sides of the domain.
func (r *Room) Sides() {
	for j, i := range r.domain {
		if !math.IsInf(i.Hi, 1) {
			r.Side(j, true)
		}
		if !math.IsInf(i.Lo, -1) {
			r.Side(j, false)
		}
	}
}

// SidesAt adds the sides of the domain that x+u lies on but for rounding.
func (r *Room) SidesAt(u []float64, size float64) {
	for j, i := range r.domain {
		if u[j] >= i.Hi-r.x[j]-Spread*size {
			r.Side(j, true)
		}
		if u[j] <= i.Lo-r.x[j]+Spread*size {
			r.Side(j, false)
		}
	}
}

// MostTies is the number of pairs of rows up to which a tie is decided.
const MostTies = 512

// Cell adds that the members come before all other rows, as far as x+u leaves that
// open. It returns false when too much is open.
func (r *Room) Cell(members []int32, u []float64) bool {
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
func (r *Room) tied(members []int32, u []float64) (inside, outside []int32) {
	farthest := 0.0
	for _, m := range members {
		farthest = max(farthest, nnindex.Moved(r.x, u, r.table.Row(m)))
	}
	var near []nnindex.Neighbor
	blur, least := r.blur(u, farthest), farthest
	r.visit(r.table.Trees, u, farthest+blur, func(id int32, squared float64) {
		near = append(near, nnindex.Neighbor{Squared: squared, ID: id})
		if !slices.Contains(members, id) {
			least = min(least, squared)
		}
	})
	for _, n := range near {
		switch {
		case n.Squared < least-blur || n.Squared > farthest+blur:
		case slices.Contains(members, n.ID):
			inside = append(inside, n.ID)
		default:
			outside = append(outside, n.ID)
		}
	}
	return inside, outside
}

// blur is the difference of squared distances from x+u, the larger of them
// squared, that counts as a tie.
func (r *Room) blur(u []float64, squared float64) float64 {
	length := polytope.L2.Length(u)
	return Spread * (squared + length*length)
}

// visit calls f for the rows of the trees within a squared distance of x+u.
func (r *Room) visit(trees Trees, u []float64, squared float64, f func(id int32, squared float64)) {
	z := make([]float64, len(u))
	trees.Within(z, Widened(z, r.x, u, squared), func(id int32, p []float64) bool {
		f(id, nnindex.Moved(r.x, u, p))
		return true
	})
}

// Against adds that a row comes before the rows of trees, as far as x+u leaves that
// open.
func (r *Room) Against(id int32, trees Trees, u []float64) {
	squared := nnindex.Moved(r.x, u, r.table.Row(id))
	r.visit(trees, u, squared+r.blur(u, squared), func(rival int32, _ float64) { r.Before(id, rival) })
}

// Exists reports whether what was added may leave a set with an interior: whether
// it does, if that is decidable.
func (r *Room) Exists() bool { return !r.Decidable() || r.HasInterior() }

// HasInterior reports whether it does, however long that takes.
func (r *Room) HasInterior() bool { return r.system.HasInterior() }

// mostDecided bounds rows²·dim of the systems that are decided exactly: a second at
// most.
const mostDecided = 1 << 20

// Decidable reports whether that is known in reasonable time.
func (r *Room) Decidable() bool {
	return r.system.Len()*r.system.Len()*r.table.Dim <= mostDecided
}
