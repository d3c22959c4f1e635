package neighbors

import (
	"fmt"
	"math"
	"math/big"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/exact"
	"github.com/seed-1a7dc1f9/facet/internal/nnindex"
	"github.com/seed-1a7dc1f9/facet/internal/rules"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// ErrContradiction is the error of bisectors that contradict each other in floating
// point, but not in exact arithmetic.
var ErrContradiction = fmt.Errorf("%w: bisectors all but contradict each other",
	polytope.ErrNumerical)

// ExactSystem decides in exact arithmetic whether an input counts where bisectors hold, within the
// sides of a domain. Floating point cannot know where rows are equally far from a point, as on a
// grid.
//
// An input counts if those with the same neighbours have an interior, within the affine hull of
// the domain, wherever they lie: an end of the domain is an input like any other. So bisectors that
// leave no interior leave nothing, but those that leave one need only touch the domain, at an
// input where ties go as they say.
type ExactSystem struct {
	table  *Table
	x      []float64
	domain polytope.Box
	system *exact.System // of displacements from x
	pairs  [][2]int32    // of rows, the first of which comes before the second
	sides  []side
	linear bool      // rules were added
	u      []float64 // a displacement with some of the sides on it, see SidesAt
	size   float64
}

// side is a side of the domain.
type side struct {
	feature int
	upper   bool
}

// ExactSystem returns the whole domain, seen from x.
func (t *Table) ExactSystem(x []float64, domain polytope.Box) *ExactSystem {
	return &ExactSystem{table: t, x: x, domain: domain, system: withinHull(x, domain)}
}

// withinHull returns the displacements from x within the affine hull of a domain.
func withinHull(x []float64, domain polytope.Box) *exact.System {
	s := exact.New(len(x))
	for j, i := range domain {
		if i.Lo == i.Hi {
			s.Fix(j, exact.Difference(i.Lo, x[j]))
		}
	}
	return s
}

// Before adds that row p is nearer than row q, 2(q−p)·u < ‖q−x‖² − ‖p−x‖². Where p is known to be a
// neighbour and q to be none, the order of the rows parts them on a tie.
func (r *ExactSystem) Before(p, q int32, parted bool) {
	a, b := r.bisector(p, q)
	if p < q && r.system.Ties(a, b) {
		return // the order of the rows decides
	}
	r.pairs = append(r.pairs, [2]int32{p, q})
	if parted && p > q {
		r.system.Add(a, b)
	} else {
		r.system.AddClosed(a, b)
	}
}

// bisector returns 2(q−p)·u ≤ ‖q−x‖² − ‖p−x‖². Of coordinates that stay as in x it tells nothing
// but that.
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
	return a, exact.Lead(r.x, xp, xq)
}

// Side adds a side of the domain, unless it leaves but one value.
func (r *ExactSystem) Side(j int, upper bool) {
	if i := r.domain[j]; i.Lo != i.Hi {
		r.sides = append(r.sides, side{j, upper})
		r.addSide(r.system, j, upper, upper && i.HiOpen || !upper && i.LoOpen)
	}
}

// addSide adds a side of the domain to a system, its end or not.
func (r *ExactSystem) addSide(s *exact.System, j int, upper, open bool) {
	a := exact.Floats(make([]float64, len(r.x)))
	var b *big.Rat
	if upper {
		a[j].SetInt64(1)
		b = exact.Difference(r.domain[j].Hi, r.x[j])
	} else {
		a[j].SetInt64(-1)
		b = exact.Difference(r.x[j], r.domain[j].Lo)
	}
	if open {
		s.Add(a, b)
	} else {
		s.AddClosed(a, b)
	}
}

// Sides adds all sides of the domain.
func (r *ExactSystem) Sides() {
	for j, i := range r.domain {
		if !math.IsInf(i.Hi, 1) {
			r.Side(j, true)
		}
		if !math.IsInf(i.Lo, -1) {
			r.Side(j, false)
		}
	}
}

// Linear adds linear rules: as with sides, an input on the border of one is like any other.
func (r *ExactSystem) Linear(linear []polytope.HalfSpace) {
	for i := range linear {
		h := &linear[i]
		b := rules.Excess(h, r.x)
		if b.Neg(b); h.Open {
			r.system.Add(exact.Floats(h.A), b)
		} else {
			r.system.AddClosed(exact.Floats(h.A), b)
		}
		r.linear = true
	}
}

// SidesAt adds the sides of the domain that x+u lies on but for rounding.
func (r *ExactSystem) SidesAt(u []float64, size float64) {
	r.u, r.size = u, size
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
func (r *ExactSystem) Cell(members []int32, u []float64) bool {
	inside, outside := r.tied(members, u)
	if len(inside)*len(outside) > MostTies {
		return false
	}
	for _, p := range inside {
		for _, q := range outside {
			r.Before(p, q, true)
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
func (r *ExactSystem) blur(u []float64, squared float64) float64 {
	length := polytope.L2.Length(u)
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
	r.visit(trees, u, squared+r.blur(u, squared), func(rival int32, _ float64) {
		r.Before(id, rival, true)
	})
}

// Exists reports whether an input that counts may be left: whether one is, if that is decidable.
func (r *ExactSystem) Exists() bool { return !r.Decidable() || r.Counts() }

// Counts reports whether one is, however long that takes.
func (r *ExactSystem) Counts() bool {
	return r.system.HasInterior() || r.touches()
}

// touches reports whether bisectors that leave an interior leave an input of the domain.
func (r *ExactSystem) touches() bool {
	if len(r.sides) == 0 && !r.linear || !r.system.HasSolution() {
		return false
	}
	s := withinHull(r.x, r.domain) // without the sides
	for _, p := range r.pairs {
		s.Add(r.bisector(p[0], p[1]))
	}
	return s.HasInterior()
}

// Face returns the face of the domain on which the inputs lie that are left, the domain itself
// where they have an interior within it or that is not decidable; false if none is left. Of another
// face than the domain it returns an input near x+u (SidesAt), rounded, too.
func (r *ExactSystem) Face() (face polytope.Box, input []float64, exists bool) {
	if !r.Decidable() || r.system.HasInterior() {
		return r.domain, nil, true
	}
	if !r.touches() {
		return nil, nil, false
	}
	face = slices.Clone(r.domain)
	for _, end := range r.sides {
		s := r.system.Clone()
		if r.addSide(s, end.feature, end.upper, true); s.HasSolution() {
			continue
		}
		if i := &face[end.feature]; end.upper {
			i.Lo = i.Hi
		} else {
			i.Hi = i.Lo
		}
	}
	return face, r.inputIn(face), true
}

// inputIn returns an input of a face near x+u, nil if there is none.
func (r *ExactSystem) inputIn(face polytope.Box) []float64 {
	if math.IsInf(r.size, 1) {
		return nil
	}
	s := r.system.Clone()
	a, one := exact.Floats(make([]float64, len(r.x))), big.NewRat(1, 1)
	spread := exact.Float(Spread * r.size)
	for j, i := range face {
		if i.Lo == i.Hi {
			continue
		}
		middle, none := exact.Float(r.u[j]), a[j]
		a[j] = one
		s.AddClosed(a, new(big.Rat).Add(middle, spread))
		a[j] = new(big.Rat).Neg(one)
		s.AddClosed(a, new(big.Rat).Sub(spread, middle))
		a[j] = none
	}
	z := s.Solution()
	if z == nil {
		return nil
	}
	input := make([]float64, len(z))
	for j, e := range z {
		input[j], _ = new(big.Rat).Add(e, exact.Float(r.x[j])).Float64()
	}
	return input
}

// mostDecided bounds rows²·dim of the systems that are decided exactly: a second at
// most.
const mostDecided = 1 << 20

// Decidable reports whether that is known in reasonable time.
func (r *ExactSystem) Decidable() bool {
	return r.system.Len()*r.system.Len()*r.table.Dim <= mostDecided
}
