package neighbors

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
	"sort"

	"github.com/seed-1a7dc1f9/facet/internal/nnindex"
)

// SlabDims is the number of dimensions up to which few rows share a slab with a point.
const SlabDims = 3

// Slab holds the rows of a candidate set by one coordinate. Those near a point lie
// between two hyperplanes, which in few dimensions leave out most others.
type Slab struct {
	axis, dim int
	along     []float64 // that coordinate of the displacements from X to the rows, ascending
	to        []float64 // the displacements, flat, in the same order
	index     []int32   // of the rows in the set
}

// Hits are rows of a set near a point: a bit for each, and its squared distance.
type Hits struct {
	bits    []uint64
	squared []float64
	slab    []float64 // squared distances of the rows between the two hyperplanes
}

// NewSlab orders rows by the coordinate in which they lie farthest apart. It returns nil
// in many dimensions.
func NewSlab(to []float64, dim int) *Slab {
	if dim > SlabDims {
		return nil
	}
	s := &Slab{dim: dim, axis: widest(to, dim), index: make([]int32, len(to)/dim)}
	for i := range s.index {
		s.index[i] = int32(i)
	}
	slices.SortStableFunc(s.index, func(p, q int32) int {
		return cmp.Compare(to[int(p)*dim+s.axis], to[int(q)*dim+s.axis])
	})
	for _, i := range s.index {
		row := to[int(i)*dim : (int(i)+1)*dim]
		s.along, s.to = append(s.along, row[s.axis]), append(s.to, row...)
	}
	return s
}

// widest returns the coordinate in which rows lie farthest apart.
func widest(to []float64, dim int) (axis int) {
	most := 0.0
	for j := range dim {
		lo, hi := math.Inf(1), math.Inf(-1)
		for i := j; i < len(to); i += dim {
			lo, hi = min(lo, to[i]), max(hi, to[i])
		}
		if hi-lo > most {
			axis, most = j, hi-lo
		}
	}
	return axis
}

// Visit visits the rows within a squared distance of X+u in the order of the set, until
// visit returns false. It works in h.
func (s *Slab) Visit(
	h *Hits, u []float64, limit float64, visit func(index int, squared float64) bool,
) {
	n := len(s.index)
	h.bits, h.squared = slices.Grow(h.bits[:0], n/64+1)[:n/64+1], slices.Grow(h.squared[:0], n)[:n]
	clear(h.bits)
	middle, width := u[s.axis], math.Sqrt(limit)*(1+Spread)
	first := sort.Search(n, func(i int) bool { return s.along[i]-middle >= -width })
	last := first +
		sort.Search(n-first, func(i int) bool { return s.along[first+i]-middle > width })
	h.slab = slices.Grow(h.slab[:0], n)[:last-first]
	nnindex.SquaredRows(u, s.to[first*s.dim:], h.slab)
	for i, squared := range h.slab {
		if squared <= limit {
			at := s.index[first+i]
			h.bits[at/64] |= 1 << (at % 64)
			h.squared[at] = squared
		}
	}
	for w, word := range h.bits {
		for ; word != 0; word &= word - 1 {
			if i := 64*w + bits.TrailingZeros64(word); !visit(i, h.squared[i]) {
				return
			}
		}
	}
}
