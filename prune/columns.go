package prune

import (
	"cmp"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/rows"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// sampleRows is how many rows of each class the columns are judged by: 16,384
// pairs tell one column in ten thousand from one that separates nothing, at the
// price of 128 rows' share of the work proper.
const sampleRows = 128

// columnsByPower returns the columns in the order of how few pairs of a left
// and a right row they leave in reach, judged by a sample spread evenly over
// both. The choice speeds up the search for conflicts and cannot change what is
// found.
func columnsByPower(t *rows.Table, left, right []int32, r *reach) []int {
	left, right = sample(left), sample(right)
	inReach := make([]int, t.Dim)
	for _, a := range left {
		x := t.Row(int(a))
		for _, b := range right {
			y := t.Row(int(b))
			for j := range inReach {
				if !r.apart(x[j], y[j]) {
					inReach[j]++
				}
			}
		}
	}
	columns := make([]int, t.Dim)
	for j := range columns {
		columns[j] = j
	}
	slices.SortFunc(columns, func(i, j int) int {
		return cmp.Or(cmp.Compare(inReach[i], inReach[j]), cmp.Compare(i, j))
	})
	return columns
}

// sample returns at most sampleRows of the rows, evenly spread.
func sample(rows []int32) []int32 {
	if len(rows) <= sampleRows {
		return rows
	}
	picked := make([]int32, sampleRows)
	for i := range picked {
		picked[i] = rows[i*len(rows)/sampleRows]
	}
	return picked
}

// layout returns in which order the rows' columns are compared, given the
// columns by power, the first of which the window has compared already. Only
// ℓ∞ is free to choose: the rounding of a sum depends on its order.
func layout(columns []int, norm polytope.Norm) []int {
	if norm == polytope.LInf {
		return append(slices.Clone(columns[1:]), columns[0])
	}
	natural := slices.Clone(columns)
	slices.Sort(natural)
	return natural
}

// side is one class: its rows copied in ascending order of one column, the key.
type side struct {
	rows []int32 // row numbers
	keys []float64
	data []float64 // the rows, row-major, columns in the order of the layout
	dim  int
}

func newSide(t *rows.Table, members []int32, key int, layout []int) *side {
	s := &side{
		rows: slices.Clone(members),
		keys: make([]float64, len(members)),
		data: make([]float64, 0, len(members)*t.Dim),
		dim:  t.Dim,
	}
	slices.SortFunc(s.rows, func(a, b int32) int {
		return cmp.Or(cmp.Compare(t.Row(int(a))[key], t.Row(int(b))[key]), cmp.Compare(a, b))
	})
	for i, a := range s.rows {
		row := t.Row(int(a))
		s.keys[i] = row[key]
		for _, j := range layout {
			s.data = append(s.data, row[j])
		}
	}
	return s
}

func (s *side) row(i int) []float64 {
	return s.data[i*s.dim:][:s.dim]
}

// window returns the range of positions whose key is in reach of x.
func (s *side) window(x float64, r *reach) (lo, hi int) {
	lo, _ = slices.BinarySearchFunc(s.keys, x, func(key, x float64) int {
		if key < x && r.apart(x, key) {
			return -1
		}
		return 1
	})
	hi, _ = slices.BinarySearchFunc(s.keys, x, func(key, x float64) int {
		if key > x && r.apart(x, key) {
			return 1
		}
		return -1
	})
	return lo, hi
}
