package neighbors

import (
	"iter"
	"slices"
)

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
		ok := t.Trees.Copies(t.Row(m), func(id int32) bool { return id >= m || slices.Contains(members, id) })
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
