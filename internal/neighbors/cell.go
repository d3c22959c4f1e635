package classifier

import (
	"iter"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/nnindex"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Cells lists the order-k Voronoi cells in lexicographic order of their sets of
// rows: for each set of k rows, the points whose k nearest neighbours they are.
// There are C(n,k) sets; those that cannot be the nearest anywhere, because they
// hold a later of two equal rows and not the earlier, are left out.
func (c *KNN) Cells() iter.Seq[Cell] {
	return func(yield func(Cell) bool) {
		earlier := c.earlierDuplicates()
		members := make([]int32, c.k)
		for i := range members {
			members[i] = int32(i)
		}
		for {
			if possible(members, earlier) && !yield(c.cell(slices.Clone(members))) {
				return
			}
			if !nextSubset(members, int32(c.Len())) {
				return
			}
		}
	}
}

// CellAt returns the order-k Voronoi cell around x.
func (c *KNN) CellAt(x []float64) (Cell, error) {
	if err := polytope.CheckPoint(x, c.dim); err != nil {
		return Cell{}, err
	}
	s := c.scratch()
	defer c.pool.Put(s)
	members := make([]int32, 0, c.k)
	for _, n := range c.neighbors(s, x) {
		members = append(members, n.ID)
	}
	slices.Sort(members)
	return c.cell(members), nil
}

func (c *KNN) cell(members []int32) Cell {
	label := c.winner(make([]int, c.classes), members)
	return Cell{Label: label, Region: polytope.Polyhedron{Rest: &orderCell{c, members}}}
}

// earlierDuplicates returns for each row the last row before it with the same
// coordinates, −1 if there is none.
func (c *KNN) earlierDuplicates() []int32 {
	earlier := make([]int32, c.Len())
	for i := range earlier {
		earlier[i] = -1
		x, _ := c.Row(i)
		for _, t := range c.trees {
			if t == nil {
				continue
			}
			t.Within(x, 0, func(p int, _ float64) bool {
				if id := t.IDs[p]; id < int32(i) && slices.Equal(t.Point(p), x) {
					earlier[i] = max(earlier[i], id)
				}
				return true
			})
		}
	}
	return earlier
}

func possible(members, earlier []int32) bool {
	for _, m := range members {
		if e := earlier[m]; e >= 0 && !slices.Contains(members, e) {
			return false
		}
	}
	return true
}

// nextSubset advances members to the next subset of 0..n−1 in lexicographic
// order, and returns false after the last.
func nextSubset(members []int32, n int32) bool {
	k := len(members)
	for i := k - 1; i >= 0; i-- {
		if members[i] < n-int32(k-i) {
			members[i]++
			for j := i + 1; j < k; j++ {
				members[j] = members[j-1] + 1
			}
			return true
		}
	}
	return false
}

// orderCell is the family of the k(n−k) bisectors around an order-k Voronoi cell:
// every member at least as near as every other row.
type orderCell struct {
	c       *KNN
	members []int32 // ascending
}

// Contains reports whether the members are the k nearest rows of z.
func (o *orderCell) Contains(z []float64) bool {
	s := o.c.scratch()
	defer o.c.pool.Put(s)
	for _, n := range o.c.neighbors(s, z) {
		if !o.member(n.ID) {
			return false
		}
	}
	return true
}

// Separate names the bisector between the farthest member and the nearest other
// row, the deepest violated one but for its length. When that one is satisfied to
// within rounding, all pairs that could be violated are tried, because the
// bisector of two close rows turns the same rounding into a longer distance.
func (o *orderCell) Separate(x, u []float64, add func([]float64, float64) bool) {
	o.separate(bisector, x, u, add)
}

// StrictlyContains reports whether z is nearer to each member than to each other row.
func (o *orderCell) StrictlyContains(z []float64) bool {
	inside := true
	o.separate(bisectorSide, z, make([]float64, len(z)), func(a []float64, b float64) bool {
		inside = inside && (b > 0 || isZero(a))
		return !inside
	})
	return inside
}

func isZero(v []float64) bool { return !slices.ContainsFunc(v, nonzero) }

func (o *orderCell) separate(half bisects, x, u []float64, add func([]float64, float64) bool) {
	s := o.c.scratch()
	defer o.c.pool.Put(s)
	for j, e := range x {
		s.z[j] = e + u[j]
	}
	reach := 0.0
	var farthest int32
	for _, m := range o.members {
		p, _ := o.c.Row(int(m))
		if d := nnindex.Squared(s.z, p); d >= reach {
			reach, farthest = d, m
		}
	}
	if q := o.nearestOther(s); q >= 0 && o.add(half, s, x, farthest, q, add) {
		return
	}
	o.others(s.z, reach*(1+noise(o.c.dim)), func(q int32) {
		for _, p := range o.members {
			o.add(half, s, x, p, q, add)
		}
	})
}

// HasInterior implements witness.Decider.
func (o *orderCell) HasInterior(box polytope.Box, x, near []float64) bool {
	r := o.c.room(x, box)
	u := appendDifference(nil, near, x)
	r.sidesAt(u, polytope.L2.Length(u))
	return !r.cell(o.members, u) || r.exists()
}

// Empty implements witness.Emptier.
func (o *orderCell) Empty(box polytope.Box) bool {
	if len(o.members)*(o.c.Len()-len(o.members)) > mostTies {
		return false
	}
	r := o.c.room(make([]float64, o.c.dim), box)
	r.sides()
	for _, p := range o.members {
		for q := range int32(o.c.Len()) {
			if !o.member(q) {
				r.before(p, q)
			}
		}
	}
	return !r.exists()
}

// noise bounds the relative error of a squared distance, twice over.
func noise(dim int) float64 { return 0x1p-51 * float64(dim+4) }

// nearestOther returns the nearest row to s.z that is no member, −1 if the k
// nearest are the members.
func (o *orderCell) nearestOther(s *knnScratch) int32 {
	nearest := nnindex.Neighbor{Squared: math.Inf(1), ID: -1}
	for _, n := range o.c.neighbors(s, s.z) {
		if !o.member(n.ID) && n.Compare(nearest) < 0 {
			nearest = n
		}
	}
	return nearest.ID
}

// others visits the rows within a squared distance of z that are no members.
func (o *orderCell) others(z []float64, squared float64, visit func(q int32)) {
	for _, t := range o.c.trees {
		if t == nil {
			continue
		}
		t.Within(z, squared, func(i int, _ float64) bool {
			if !o.member(t.IDs[i]) {
				visit(t.IDs[i])
			}
			return true
		})
	}
}

func (o *orderCell) member(id int32) bool {
	_, ok := slices.BinarySearch(o.members, id)
	return ok
}

// add names the half-space in which row p is at least as near as row q.
func (o *orderCell) add(half bisects, s *knnScratch, x []float64, p, q int32, add func([]float64, float64) bool) bool {
	xp, _ := o.c.Row(int(p))
	xq, _ := o.c.Row(int(q))
	return add(s.a, half(s.a, x, xp, xq))
}

// bisects is bisector, or bisectorSide where only the sign counts.
type bisects func(a, x, p, q []float64) float64
