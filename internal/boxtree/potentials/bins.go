package potentials

import "github.com/seed-1a7dc1f9/facet/internal/boxtree/grid"

// bin is the span of bins that an entry meets.
type bin struct{ lo, hi uint8 }

// maxBins is into how many bins the intervals of a feature are put. Potentials are equal within a
// bin. Where there are fewer, the last one fills the rest of the lanes.
const maxBins = 16

// Prepare puts the intervals of a box into bins, for Sweep.
func (s *Sweeper) Prepare(d *Decomposition) {
	s.bins, s.cuts, s.prices = resize(s.bins, len(d.box)), resize(s.cuts,
		len(d.box)), resize(s.prices, len(d.box))
	s.Peaks = append(s.Peaks[:0], d.box...)
	for f := range d.features {
		s.divide(&d.features[f], d.box[f], f)
		s.charge(d, f)
	}
}

// divide puts the intervals of a feature into bins: about as many borders of entries in each.
func (s *Sweeper) divide(f *feature, box grid.Span, number int) {
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
	s.binOf = resize(s.binOf, int(width))
	cuts, seen, whole := s.cuts[number][:0], 0, max(borders+1, maxBins)
	for i, m := range s.marks {
		s.binOf[i] = uint8(len(cuts))
		if m {
			if seen += maxBins; seen >= whole {
				cuts, seen = append(cuts, box.Lo+int32(i)), seen-whole
			}
		}
	}
	s.cuts[number] = append(cuts, box.Hi)
	bins := resize(s.bins[number], len(f.entries))
	for i := range f.entries {
		e := &f.entries[i]
		bins[i] = bin{s.binOf[max(e.lo, box.Lo)-box.Lo], s.binOf[min(e.hi, box.Hi)-box.Lo]}
		if int(bins[i].hi) == len(cuts) { // the last one
			bins[i].hi = maxBins - 1
		}
	}
	s.bins[number] = bins
}
