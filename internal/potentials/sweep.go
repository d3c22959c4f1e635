package potentials

import (
	"math"
	"slices"
)

// Sweeper improves potentials, in memory of its own: one goroutine uses it at a time.
type Sweeper struct {
	// Split is where the last sweep would split the box: both halves lose most.
	Split Split
	// Peaks are, by feature, the slots in which the lead could be largest, as the last sweep
	// saw them.
	Peaks []Span

	bins     [][]bin // by feature, of each entry
	cuts     [][]int32
	prices   [][]int32     // of each bin, if there are any
	barred   [maxBins]bool // bins of a feature in hand in which some tree has no leaf
	marks    []bool
	binOf    []uint8
	profiles []int32 // of each user of a feature in hand, bin after bin
	totals   []int64
	lost     []int64 // below and beyond each cut
	low      [maxBins]int32
	high     [maxBins]int32

	chosen  []int32
	renamed []int32
	left    []int32 // by tree: leaves
	moved   []int32
	paid    []int32 // by leaf
}

// Split is the border behind a slot of a feature; feature −1 if there is none.
type Split struct{ Feature, Slot int32 }

// Sweep makes a block step on every feature, one after the other. Splits are chosen by their
// losses, to each of which a least one is added.
func (s *Sweeper) Sweep(d *Decomposition, least float64) {
	s.Split = Split{-1, 0}
	most := math.Inf(-1)
	for f := range d.features {
		if len(d.features[f].users) == 0 {
			d.features[f].constant = int64(d.price(int32(f), d.box[f]))
			continue
		}
		s.profile(d, f)
		if slot, score := s.weigh(f, least/d.unit); score > most {
			s.Split, most = Split{int32(f), slot}, score
		}
		s.level(d, f)
	}
}

// profile computes, for every tree that uses a feature, the value of its best leaf in each
// bin, without the potentials of the feature, and their sums.
func (s *Sweeper) profile(d *Decomposition, number int) {
	f, bins := &d.features[number], s.bins[number]
	width := len(s.cuts[number])
	s.profiles = resize(s.profiles, width*len(f.users))
	s.totals, s.lost = resize(s.totals, width), resize(s.lost, 2*width)
	clear(s.totals)
	clear(s.lost)
	s.barred = [maxBins]bool{}
	from := int32(0)
	for i, u := range f.users {
		p := s.profiles[i*width : (i+1)*width]
		free := s.reach(d, f.entries[from:u.end], bins[from:u.end], u.tree, p)
		s.close(p, free)
		from = u.end
	}
	if d.cost != nil {
		s.lose(s.prices[number])
	}
}

// reach fills a profile with what entries reach that neither begin with the first bin nor end
// with the last, and low and high with those that do. It returns the value of the best leaf
// that lies in all bins.
func (s *Sweeper) reach(d *Decomposition, entries []entry, bins []bin, tree int32, p []int32) (free int32) {
	last := uint8(len(p) - 1)
	low, high := s.low[:len(p)], s.high[:len(p)]
	for i := range p {
		p[i], low[i], high[i] = unreachable, unreachable, unreachable
	}
	free = unreachable
	l := d.first[tree]
	for i := range entries {
		e, b := &entries[i], bins[i]
		for _, v := range d.values[l:e.leaf] {
			if v > free {
				free = v
			}
		}
		l = e.leaf + 1
		v := d.values[e.leaf] - e.contribution
		switch {
		case b.lo == 0 && b.hi == last:
			free = max(free, v)
		case b.lo == 0:
			low[b.hi] = max(low[b.hi], v)
		case b.hi == last:
			high[b.lo] = max(high[b.lo], v)
		default:
			for j := b.lo; j <= b.hi; j++ {
				p[j] = max(p[j], v)
			}
		}
	}
	for _, v := range d.values[l:d.first[tree+1]] {
		if v > free {
			free = v
		}
	}
	return free
}

// close completes a profile by the entries that begin with the first bin, those that end with the last
// and the leaves that lie in all of them, and adds it.
func (s *Sweeper) close(p []int32, free int32) {
	low, high := s.low[:len(p)], s.high[:len(p)]
	most := free
	for i := len(p) - 1; i >= 0; i-- {
		most = max(most, low[i])
		p[i] = max(p[i], most)
	}
	most = free
	for i := range p {
		most = max(most, high[i])
		p[i] = max(p[i], most)
		if p[i] == unreachable {
			s.barred[i] = true
		}
	}
	s.lose(p)
}

// lose adds a profile, and what it loses at each cut.
func (s *Sweeper) lose(p []int32) {
	best := p[0]
	for i, v := range p {
		best = max(best, v)
		s.totals[i] += int64(v)
	}
	below, beyond := s.lost[:len(p)], s.lost[len(p):]
	most := p[0]
	for i := 0; i < len(p)-1; i++ {
		if most = max(most, p[i]); most == best {
			break
		}
		below[i] += int64(best - most)
	}
	most = p[len(p)-1]
	for i := len(p) - 1; i > 0; i-- {
		if most = max(most, p[i]); most == best {
			break
		}
		beyond[i-1] += int64(best - most)
	}
}

// weigh returns the cut of the feature in hand with the largest product of what the trees lose in
// either half, and notes where the lead is largest.
func (s *Sweeper) weigh(number int, least float64) (slot int32, most float64) {
	cuts, width := s.cuts[number], len(s.totals)
	most = math.Inf(-1)
	for i := range width - 1 {
		if score := (float64(s.lost[i]) + least) * (float64(s.lost[width+i]) + least); score > most {
			slot, most = cuts[i], score
		}
	}
	peak := 0
	for i, sum := range s.totals {
		if (sum > s.totals[peak] || s.barred[peak]) && !s.barred[i] {
			peak = i
		}
	}
	s.Peaks[number].Hi = cuts[peak]
	if peak > 0 {
		s.Peaks[number].Lo = cuts[peak-1] + 1
	}
	return slot, most
}

// level is the block step on a feature: from profiles it makes the potentials with which all
// trees that use it have the same profile.
func (s *Sweeper) level(d *Decomposition, number int) {
	f, bins := &d.features[number], s.bins[number]
	width, n := len(s.totals), int64(len(f.users))
	for i, sum := range s.totals { // each tree's part, rounded up
		s.totals[i] = sum / n
		if sum%n > 0 {
			s.totals[i]++
		}
	}
	f.constant = 0
	from := int32(0)
	for i, u := range f.users {
		p := s.profiles[i*width : (i+1)*width]
		for j, part := range s.totals {
			if p[j] = int32(part) - p[j]; s.barred[j] { // no input is there
				p[j] = unreachable
			}
		}
		largest := slices.Max(p)
		f.constant += int64(largest)
		s.contribute(d, f.entries[from:u.end], bins[from:u.end], p, largest)
		from = u.end
	}
}

// contribute gives the leaves of a tree what its potentials add to them.
func (s *Sweeper) contribute(d *Decomposition, entries []entry, bins []bin, p []int32, largest int32) {
	low, high := s.low[:len(p)], s.high[:len(p)]
	most := p[0]
	for i, v := range p {
		most = max(most, v)
		low[i] = most
	}
	most = p[len(p)-1]
	for i := len(p) - 1; i >= 0; i-- {
		most = max(most, p[i])
		high[i] = most
	}
	last := uint8(len(p) - 1)
	for i := range entries {
		e, b := &entries[i], bins[i]
		switch {
		case b.lo == 0:
			most = low[b.hi]
		case b.hi == last:
			most = high[b.lo]
		default:
			most = p[b.lo]
			for _, v := range p[b.lo+1 : b.hi+1] {
				most = max(most, v)
			}
		}
		now := max(most-largest, d.floor)
		d.values[e.leaf] += now - e.contribution
		e.contribution = now
	}
}

// resize returns a slice of n elements of any value in the memory of s.
func resize[T any](s []T, n int) []T { return slices.Grow(s[:0], n)[:n] }
