package weighted

import (
	"cmp"
	"math"
	"slices"
	"sync"

	"github.com/seed-1a7dc1f9/facet/internal/neighbors"
	"github.com/seed-1a7dc1f9/facet/internal/nnindex"
)

// Model is a distance-weighted k-nearest-neighbour classifier. It does not change, and
// may be used by many goroutines.
type Model struct {
	table  *neighbors.Table
	k      int
	groups grouping
	pool   sync.Pool // *scratch
}

// scratch is the memory of one prediction.
type scratch struct {
	nearest nnindex.Nearest
	sums    []float64 // by label
}

// New returns the classifier by the k nearest rows of a table.
func New(table *neighbors.Table, k int) *Model {
	m := &Model{table: table, k: k}
	m.groups = group(table.Len(),
		func(i, j int32) int { return slices.Compare(table.Row(i), table.Row(j)) })
	m.pool.New = func() any { return &scratch{sums: make([]float64, table.Classes)} }
	return m
}

// Predict returns the label with the largest sum of weights 1/distance over the k rows
// nearest to x, the smaller one of a tie. Where some of the rows are at distance 0
// these alone count, with weight 1.
func (m *Model) Predict(x []float64) int {
	s := m.pool.Get().(*scratch)
	defer m.pool.Put(s)
	s.nearest.Reset(m.k, math.Inf(1))
	m.table.Trees.Nearest(x, &s.nearest)
	members := s.nearest.Sorted()
	clear(s.sums)
	for _, n := range members {
		weight := 1.0
		if members[0].Squared > 0 {
			weight = 1 / math.Sqrt(n.Squared)
		} else if n.Squared > 0 {
			break
		}
		s.sums[m.table.Labels[n.ID]] += weight
	}
	return slices.Index(s.sums, slices.Max(s.sums))
}

// grouping divides the rows into groups of those at one point.
type grouping struct {
	rows [][]int32 // of each group, ascending
	of   []int32   // the group of each row
}

// group groups n rows by those that compare as equal.
func group(n int, compare func(i, j int32) int) grouping {
	order := make([]int32, n)
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(i, j int32) int { return cmp.Or(compare(i, j), cmp.Compare(i, j)) })
	g := grouping{of: make([]int32, n)}
	for first := 0; first < n; {
		end := first
		for ; end < n && compare(order[first], order[end]) == 0; end++ {
			g.of[order[end]] = int32(len(g.rows))
		}
		g.rows = append(g.rows, order[first:end:end])
		first = end
	}
	return g
}
