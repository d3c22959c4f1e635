package neighbors

import (
	"iter"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/nnindex"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Cell is an order-k Voronoi cell, the points whose k nearest rows are its members:
// the family of the k(n−k) bisectors around it, as a polytope.Separator.
type Cell struct {
	table   *Table
	Members []int32 // ascending
}

// NewCell returns the cell of some rows, ascending.
func (t *Table) NewCell(members []int32) Cell {
	return Cell{t, members}
}

// Label returns the label that the members vote for.
func (c *Cell) Label() int { return c.table.VoteOf(c.Members) }

// Contains reports whether the members are the k nearest rows of z.
func (c *Cell) Contains(z []float64) bool {
	s := c.table.scratch()
	defer c.table.pool.Put(s)
	return c.nearestOther(s, z) < 0
}

// Separate names the bisector between the farthest member and the nearest other
// row, the deepest violated one but for its length. When that one is satisfied to
// within rounding, all pairs that could be violated are tried, because the
// bisector of two close rows turns the same rounding into a longer distance.
func (c *Cell) Separate(x, u []float64, add func([]float64, float64) bool) {
	c.separate(c.table.Border, x, u, add)
}

// Holds implements cellpoint.Decider.
func (c *Cell) Holds(z []float64) bool {
	if slices.ContainsFunc(z, func(v float64) bool { return !precise.Finite(v) }) {
		return false // an overflow is no input
	}
	return !c.separate(c.table.Side, z, make([]float64, len(z)), Excludes)
}

// separate names bisectors, and reports whether one was taken.
func (c *Cell) separate(
	half BisectorFunc, x, u []float64, add func([]float64, float64) bool,
) (taken bool) {
	s := c.table.scratch()
	defer c.table.pool.Put(s)
	floats.AddTo(s.z, x, u)
	squared := 0.0
	var farthest int32
	for _, m := range c.Members {
		if d := nnindex.Squared(s.z, c.table.Row(m)); d >= squared {
			squared, farthest = d, m
		}
	}
	if q := c.nearestOther(s, s.z); q >= 0 && add(s.a, half(s.a, x, farthest, q)) {
		return true
	}
	c.table.Trees.Within(s.z,
		squared*(1+precise.Noise(c.table.Dim)), func(q int32, _ []float64) bool {
			if !c.Member(q) {
				for _, p := range c.Members {
					taken = add(s.a, half(s.a, x, p, q)) || taken
				}
			}
			return true
		})
	return taken
}

// Inputs implements cellpoint.Decider.
func (c *Cell) Inputs(
	box polytope.Box, x, near []float64,
) (inputs iter.Seq[[]float64], exists bool) {
	r := c.table.ExactSystem(x, box)
	u := floats.SubTo(make([]float64, len(x)), near, x)
	size := geometry.Length(polytope.L2, u)
	r.FacesAt(u, size)
	if !r.Cell(c.Members, u) {
		return nil, true
	}
	return r.Inputs(u, size), r.Exists()
}

// Empty implements cellpoint.Emptier.
func (c *Cell) Empty(box polytope.Box) bool {
	if len(c.Members)*(c.table.Len()-len(c.Members)) > MostTies {
		return false
	}
	r := c.table.ExactSystem(make([]float64, c.table.Dim), box)
	r.Faces()
	for _, p := range c.Members {
		for q := range int32(c.table.Len()) {
			if !c.Member(q) {
				r.Before(p, q)
			}
		}
	}
	return !r.Exists()
}

// nearestOther returns the nearest row to z that is no member, −1 if the k nearest are
// the members.
func (c *Cell) nearestOther(s *scratch, z []float64) int32 {
	nearest := nnindex.Neighbor{Squared: math.Inf(1), ID: -1}
	for _, n := range c.table.nearest(s, z, len(c.Members)) {
		if !c.Member(n.ID) && n.Compare(nearest) < 0 {
			nearest = n
		}
	}
	return nearest.ID
}

// Member reports whether a row is one of the members.
func (c *Cell) Member(id int32) bool {
	_, ok := slices.BinarySearch(c.Members, id)
	return ok
}

// Cells lists the order-k Voronoi cells in lexicographic order of their members.
// There are C(n,k) sets of k rows; those that are not Possible are left out.
func (t *Table) Cells(k int) iter.Seq[*Cell] {
	return func(yield func(*Cell) bool) {
		members := make([]int32, k)
		for i := range members {
			members[i] = int32(i)
		}
		for {
			if t.Possible(members) && !yield(&Cell{t, slices.Clone(members)}) {
				return
			}
			if !nextSubset(members, int32(t.Len())) {
				return
			}
		}
	}
}

// CellAt returns the order-k Voronoi cell around x.
func (t *Table) CellAt(x []float64, k int) *Cell {
	s := t.scratch()
	defer t.pool.Put(s)
	members := make([]int32, 0, k)
	for _, n := range t.nearest(s, x, k) {
		members = append(members, n.ID)
	}
	slices.Sort(members)
	return &Cell{t, members}
}

// Possible reports whether every earlier row that equals a member is one too;
// otherwise the members are the nearest rows of no point.
func (t *Table) Possible(members []int32) bool {
	for _, m := range members {
		ok := t.Trees.Copies(t.Row(m),
			func(id int32) bool { return id >= m || slices.Contains(members, id) })
		if !ok {
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
