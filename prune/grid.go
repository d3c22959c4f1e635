package prune

import (
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/rows"
)

// gridDim is the number of columns up to which points are looked up in a grid: there
// a cell has 26 neighbours at most.
const gridDim = 3

// gridSide is the greatest number of cells along a side, and 1/gridSide of its width
// is by how much a cell is wider than the distance, at least.
const gridSide = 1 << 20

// grid divides the space that the rows of a table lie in into cubes, each of which is
// so wide that points within the distance of each other lie in the same one or in neighbours.
type grid struct {
	low   []float64      // where the first cell begins
	side  float64        // of a cell
	cells [gridDim]int32 // along each side; those of the columns come last, 1 before them
}

// newGrid returns a grid with at most two cells per row, or nil if the rows have too
// many columns, or lie so far apart that differences overflow. It takes O(n) time.
func newGrid(t *rows.Table, r *ball) *grid {
	if t.Dim > gridDim {
		return nil
	}
	g := &grid{}
	var width []float64
	widest := 0.0
	for j := range t.Dim {
		lo, hi := t.Data[j], t.Data[j]
		for i := j; i < len(t.Data); i += t.Dim {
			lo, hi = min(lo, t.Data[i]), max(hi, t.Data[i])
		}
		g.low, width = append(g.low, lo), append(width, hi-lo)
		widest = max(widest, hi-lo)
	}
	if math.IsInf(widest, 1) {
		return nil
	}
	most := float64(min(2*t.Len, math.MaxInt32))
	g.side = max(r.distance*(1+1.0/gridSide), widest/gridSide, 0x1p-1000)
	for g.divide(width) > most {
		g.side *= 1.25
	}
	return g
}

// divide covers the width with cells, and returns their number.
func (g *grid) divide(width []float64) float64 {
	all := 1.0
	g.cells = [gridDim]int32{1, 1, 1}
	for j, w := range width {
		n := math.Floor(w/g.side) + 1
		g.cells[gridDim-len(width)+j] = int32(n)
		all *= n
	}
	return all
}

// count returns the number of cells.
func (g *grid) count() int { return int(g.cells[0]) * int(g.cells[1]) * int(g.cells[2]) }

// cell returns the number of the cell that a row is in. Those of points within the distance of each
// other differ by 1 at most along each side: their quotients differ by at most
// 1 − 1/(gridSide+1), and are rounded by less than 2^−31.
func (g *grid) cell(row []float64) int32 {
	number, cells := int32(0), g.cells[gridDim-len(row):]
	for j, e := range row {
		number = number*cells[j] + int32((e-g.low[j])/g.side)
	}
	return number
}

// run is some points with consecutive numbers.
type run struct{ first, end int32 }

// appendAround appends the points in a cell and in those next to it, given the first
// point of each cell. Cells next to each other in the last column make one run.
func (g *grid) appendAround(dst []run, cell int32, starts []int32) []run {
	x, y, z := cell/g.cells[2]/g.cells[1], cell/g.cells[2]%g.cells[1], cell%g.cells[2]
	from, to := max(z-1, 0), min(z+1, g.cells[2]-1)
	for i := max(x-1, 0); i <= min(x+1, g.cells[0]-1); i++ {
		for j := max(y-1, 0); j <= min(y+1, g.cells[1]-1); j++ {
			row := (i*g.cells[1] + j) * g.cells[2]
			if s := (run{starts[row+from], starts[row+to+1]}); s.first < s.end {
				dst = append(dst, s)
			}
		}
	}
	return dst
}

// sorted is some rows of a table in the order of the cells they are in.
type sorted struct {
	row    []int32   // of the table
	cell   []int32   // of each row
	starts []int32   // starts[c]: the first row in cell c or after it
	points []float64 // the rows themselves, one after the other
}

// sort sorts rows of a table by cell, those of one cell by number. It takes O(n) time.
func (g *grid) sort(t *rows.Table, members []int32) *sorted {
	s := &sorted{
		row:    make([]int32, len(members)),
		cell:   make([]int32, len(members)),
		starts: make([]int32, g.count()+2),
		points: make([]float64, len(members)*t.Dim),
	}
	cells := make([]int32, len(members))
	next := s.starts[1:] // next[c]: where the next row of cell c goes
	for i, row := range members {
		cells[i] = g.cell(t.Row(int(row)))
		s.starts[cells[i]+2]++
	}
	for c := range next[1:] {
		next[c+1] += next[c]
	}
	for i, row := range members {
		to := int(next[cells[i]])
		next[cells[i]]++
		s.row[to], s.cell[to] = row, cells[i]
		copy(s.points[to*t.Dim:], t.Row(int(row)))
	}
	return s
}
