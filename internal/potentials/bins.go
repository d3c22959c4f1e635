package potentials

import "math/bits"

// bin is the span of runs that an entry meets.
type bin struct{ lo, hi uint8 }

// maxBins is into how many bins the slots of a feature are put, of which each has a bit. Potentials are equal within a
// bin.
const maxBins, binBits = 16, 5

// runs are the last bins of runs of bins: what the entries of a tree reach is equal within a run. They are few, mostly,
// so profiles take few numbers.
type runs uint32

func each(width int) runs           { return 1<<width - 1 }
func span(from, to int) runs        { return 2<<to - 1<<from }
func (r runs) has(i int) bool       { return r>>i&1 != 0 }
func (r runs) len() int             { return bits.OnesCount32(uint32(r)) }
func (r runs) first() int           { return bits.TrailingZeros32(uint32(r)) }
func (r runs) last() int            { return bits.Len32(uint32(r)) - 1 }
func (r runs) tail() runs           { return r & (r - 1) }
func (r runs) before(i uint8) uint8 { return uint8((r & (1<<i - 1)).len()) }

// Prepare puts the slots of a box into bins, for Sweep.
func (s *Sweeper) Prepare(d *Decomposition) {
	s.bins, s.runs = resize(s.bins, len(d.box)), resize(s.runs, len(d.box))
	s.cuts, s.prices = resize(s.cuts, len(d.box)), resize(s.prices, len(d.box))
	s.Peaks = append(s.Peaks[:0], d.box...)
	for f := range d.features {
		s.divide(&d.features[f], d.box[f], f)
		s.charge(d, f)
	}
}

// divide puts the slots of a feature into bins: about as many borders of entries in each.
func (s *Sweeper) divide(f *feature, box Span, number int) {
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
	cuts, seen := s.cuts[number][:0], 0
	for i, m := range s.marks {
		s.binOf[i] = uint8(len(cuts))
		if m {
			seen++
			if borders < maxBins || seen*maxBins/(borders+1) != (seen-1)*maxBins/(borders+1) {
				cuts = append(cuts, box.Lo+int32(i))
			}
		}
	}
	s.cuts[number] = append(cuts, box.Hi)
	s.number(f, box, number)
}

// number makes the runs of each user of a feature, and numbers the bins of its entries by them.
func (s *Sweeper) number(f *feature, box Span, number int) {
	bins, all := resize(s.bins[number], len(f.entries)), resize(s.runs[number], len(f.users))
	last, from := uint8(len(s.cuts[number])-1), int32(0)
	for i, u := range f.users {
		r := runs(1) << last
		for j := from; j < u.end; j++ {
			e := &f.entries[j]
			b := bin{s.binOf[max(e.lo, box.Lo)-box.Lo], s.binOf[min(e.hi, box.Hi)-box.Lo]}
			r |= 1<<b.lo>>1 | 1<<b.hi
			bins[j] = b
		}
		for j := from; j < u.end; j++ {
			b := &bins[j]
			b.lo, b.hi = r.before(b.lo), r.before(b.hi)
		}
		all[i], from = r, u.end
	}
	s.bins[number], s.runs[number] = bins, all
}
