package potentials

import (
	"slices"
	"sort"

	"github.com/seed-1a7dc1f9/facet/internal/boxtree/grid"
)

// bin is the span of bins that an entry meets.
type bin struct{ lo, hi uint8 }

// Into plainBins bins at most the intervals of a feature are put, and into maxBins where distances
// cost: potentials are equal within a bin, and so are prices, which differ from interval to
// interval.
const plainBins, maxBins = 16, 32

// bins is into how many the intervals of a feature are put at most.
func (d *Decomposition) bins() int {
	if d.cost != nil {
		return maxBins
	}
	return plainBins
}

// lanesFor returns how wide a step of so many bins is. The last bin fills the rest of the lanes.
func lanesFor(bins int) int {
	if bins > maxBins/2 {
		return maxBins
	}
	return maxBins / 2
}

// Prepare puts the intervals of a box into bins, for Sweep.
func (s *Sweeper) Prepare(d *Decomposition) {
	s.bins, s.cuts, s.prices = resize(s.bins, len(d.box)), resize(s.cuts,
		len(d.box)), resize(s.prices, len(d.box))
	s.peaks = append(s.peaks[:0], d.box...)
	for f := range d.features {
		if s.ended() {
			return
		}
		s.divide(d, f)
		s.charge(d, f)
	}
}

// divide puts the intervals of a feature into bins: about as many borders of entries in each,
// unless distance costs something.
func (s *Sweeper) divide(d *Decomposition, number int) {
	f, box := &d.features[number], d.box[number]
	width := box.Hi - box.Lo + 1
	s.marks = resize(s.marks, int(width))
	clear(s.marks)
	for i := range f.entries {
		e := &f.entries[i]
		if e.lo > box.Lo {
			s.marks[e.lo-1-box.Lo] = true
		}
		if e.hi < box.Hi {
			s.marks[e.hi-box.Lo] = true
		}
	}
	s.marks[width-1] = false
	borders := 0
	for _, m := range s.marks {
		if m {
			borders++
		}
	}
	most := d.bins()
	if d.cost != nil && borders >= most {
		borders = s.thin(d, number)
	}
	s.binOf = resize(s.binOf, int(width))
	cuts, seen, whole := s.cuts[number][:0], 0, max(borders+1, most)
	for i, m := range s.marks {
		s.binOf[i] = uint8(len(cuts))
		if m {
			if seen += most; seen >= whole {
				cuts, seen = append(cuts, box.Lo+int32(i)), seen-whole
			}
		}
	}
	s.cuts[number] = append(cuts, box.Hi)
	bins, last := resize(s.bins[number], len(f.entries)), uint8(lanesFor(len(cuts)+1)-1)
	for i := range f.entries {
		e := &f.entries[i]
		bins[i] = bin{s.binOf[max(e.lo, box.Lo)-box.Lo], s.binOf[min(e.hi, box.Hi)-box.Lo]}
		if int(bins[i].hi) == len(cuts) { // the last one
			bins[i].hi = last
		}
	}
	s.bins[number] = bins
}

// thin leaves as many borders of a feature as there are bins for. The price of a bin is that of its
// nearest interval, so that in a wide one trees pay less than the farther intervals cost. Answers
// lie where prices are low: the borders there are kept, and of the others some, evenly.
func (s *Sweeper) thin(d *Decomposition, number int) (borders int) {
	box, all := d.box[number], s.borders[:0]
	for i, m := range s.marks {
		if m {
			all = append(all, box.Lo+int32(i))
		}
	}
	s.borders = all
	before := func(i int) float64 {
		return d.cost(int32(number), grid.Span{Lo: box.Lo, Hi: all[i]})
	}
	beyond := func(i int) float64 {
		return d.cost(int32(number), grid.Span{Lo: all[i] + 1, Hi: box.Hi})
	}
	lo := sort.Search(len(all), func(i int) bool { return beyond(i) >= before(i) })
	hi := lo
	for hi-lo < nearBorders {
		if hi == len(all) || (lo > 0 && before(lo-1) <= beyond(hi)) {
			lo--
		} else {
			hi++
		}
	}
	clear(s.marks)
	for _, after := range all[lo:hi] {
		s.marks[after-box.Lo] = true
	}
	rest := slices.Delete(all, lo, hi)
	const farBorders = maxBins - 1 - nearBorders
	for i := range farBorders {
		s.marks[rest[(2*i+1)*len(rest)/(2*farBorders)]-box.Lo] = true
	}
	return maxBins - 1
}

// nearBorders is how many of the borders between bins are the nearest ones.
const nearBorders = maxBins / 2
