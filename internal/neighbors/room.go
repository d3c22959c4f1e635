package classifier

import (
	"math"
	"math/big"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/exact"
	"github.com/seed-1a7dc1f9/facet/internal/nnindex"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// room decides in exact arithmetic whether bisectors, and sides of a domain, leave
// a set with an interior, within the affine hull of the domain. Floating point
// cannot know where rows are equally far from a point, as on a grid.
type room struct {
	c      *KNN
	x      []float64
	domain polytope.Box
	system *exact.System // of displacements from x
}

func (c *KNN) room(x []float64, domain polytope.Box) *room {
	r := &room{c: c, x: x, domain: domain, system: exact.New(c.dim)}
	for j, i := range domain {
		if i.Lo == i.Hi {
			r.system.Fix(j, difference(i.Lo, x[j]))
		}
	}
	return r
}

func difference(a, b float64) *big.Rat {
	d := exact.Float(a)
	return d.Sub(d, exact.Float(b))
}

// before adds that row p is nearer than row q, 2(q−p)·u < ‖q−x‖² − ‖p−x‖².
func (r *room) before(p, q int32) {
	xp, _ := r.c.Row(int(p))
	xq, _ := r.c.Row(int(q))
	a, b := make([]*big.Rat, len(r.x)), new(big.Rat)
	for j, e := range r.x {
		dp, dq := difference(xp[j], e), difference(xq[j], e)
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

// side adds a side of the domain, unless it leaves but one value.
func (r *room) side(j int, upper bool) {
	i := r.domain[j]
	if i.Lo == i.Hi {
		return
	}
	a := exact.Floats(make([]float64, len(r.x)))
	if upper {
		a[j].SetInt64(1)
		r.system.Add(a, difference(i.Hi, r.x[j]))
	} else {
		a[j].SetInt64(-1)
		r.system.Add(a, difference(r.x[j], i.Lo))
	}
}

// sides adds all sides of the domain.
func (r *room) sides() {
	for j, i := range r.domain {
		if !math.IsInf(i.Hi, 1) {
			r.side(j, true)
		}
		if !math.IsInf(i.Lo, -1) {
			r.side(j, false)
		}
	}
}

// sidesAt adds the sides of the domain that x+u lies on but for rounding.
func (r *room) sidesAt(u []float64, size float64) {
	for j, i := range r.domain {
		if u[j] >= i.Hi-r.x[j]-spread*size {
			r.side(j, true)
		}
		if u[j] <= i.Lo-r.x[j]+spread*size {
			r.side(j, false)
		}
	}
}

// mostTies is the number of pairs of rows up to which a tie is decided.
const mostTies = 512

// cell adds that the members come before all other rows, as far as x+u leaves that
// open. It returns false when too much is open.
func (r *room) cell(members []int32, u []float64) bool {
	inside, outside := r.tied(members, u)
	if len(inside)*len(outside) > mostTies {
		return false
	}
	for _, p := range inside {
		for _, q := range outside {
			r.before(p, q)
		}
	}
	return true
}

// tied returns the members and the other rows whose order x+u leaves open: those
// that are no nearer than the nearest other row and no farther than the farthest
// member, but for rounding.
func (r *room) tied(members []int32, u []float64) (inside, outside []int32) {
	near, farthest, blur := r.nearby(members, u)
	least := farthest
	for _, n := range near {
		if !slices.Contains(members, n.ID) {
			least = min(least, n.Squared)
		}
	}
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

// nearby returns the rows no farther from x+u than the members are but for blur,
// and the squared distance of the farthest member.
func (r *room) nearby(members []int32, u []float64) (near []nnindex.Neighbor, farthest, blur float64) {
	for _, m := range members {
		p, _ := r.c.Row(int(m))
		farthest = max(farthest, nnindex.Moved(r.x, u, p))
	}
	blur = r.blur(u, farthest)
	r.visit(r.c.trees, u, farthest+blur, func(id int32, squared float64) {
		near = append(near, nnindex.Neighbor{Squared: squared, ID: id})
	})
	return near, farthest, blur
}

// blur is the difference of squared distances from x+u, the larger of them
// squared, that counts as a tie.
func (r *room) blur(u []float64, squared float64) float64 {
	length := polytope.L2.Length(u)
	return spread * (squared + length*length)
}

// visit calls f for the rows of the trees within a squared distance of x+u.
func (r *room) visit(trees []*nnindex.Tree, u []float64, squared float64, f func(id int32, squared float64)) {
	z, drift := rounded(make([]float64, len(u)), r.x, u)
	reach := math.Sqrt(squared) + drift
	for _, t := range trees {
		if t == nil {
			continue
		}
		t.Within(z, reach*reach*(1+spread), func(i int, _ float64) bool {
			f(t.IDs[i], nnindex.Moved(r.x, u, t.Point(i)))
			return true
		})
	}
}

// against adds that a row at a squared distance from x+u comes before the rows of
// trees, as far as x+u leaves that open.
func (r *room) against(id int32, trees []*nnindex.Tree, u []float64, squared float64) {
	blur := r.blur(u, squared)
	r.visit(trees, u, squared+blur, func(rival int32, _ float64) { r.before(id, rival) })
}

// rounded sets z to x+u in float64 and returns it and, rounded up, how far that is
// off in ℓ2.
func rounded(z, x, u []float64) (_ []float64, drift float64) {
	for j, e := range x {
		var low float64
		z[j], low = twoSum(e, u[j])
		drift += low * low
	}
	return z, math.Sqrt(drift) * (1 + spread)
}

// exists reports whether what was added may leave a set with an interior: whether
// it does, if that is decidable.
func (r *room) exists() bool { return !r.decidable() || r.system.HasInterior() }

// mostDecided bounds rows²·dim of the systems that are decided exactly: a second at
// most.
const mostDecided = 1 << 20

// decidable reports whether that is known in reasonable time.
func (r *room) decidable() bool {
	return r.system.Len()*r.system.Len()*r.c.dim <= mostDecided
}
