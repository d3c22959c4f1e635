package potentials

import (
	"math"
	"math/bits"
	"slices"
)

// Sweeper improves potentials, in memory of its own: one goroutine uses it at a time.
type Sweeper struct {
	// Split is where the last sweep would split the box: both halves lose most.
	Split Split
	// Peaks are, by feature, the slots in which the lead could be largest, as the last sweep
	// saw them.
	Peaks []Span

	bins     [][]bin  // by feature, of each entry: runs of its user
	runs     [][]runs // by feature, of each user
	cuts     [][]int32
	prices   [][]int32 // of each bin, if there are any
	barred   runs      // bins of a feature in hand in which some tree has no leaf
	marks    []bool
	binOf    []uint8
	profiles []int32 // of each user of a feature in hand, run after run
	totals   []int64
	lost     []int64 // below the end of each bin, and beyond the beginning of each
	parts    [binBits][maxBins]int32
	low      [maxBins]int32
	high     [maxBins]int32

	chosen  []int32
	renamed []int32
	left    []int32 // by tree: leaves
	moved   []int32
	paid    []int32 // by leaf
	kept    []entry // of all features
	keepers []user
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
// run, without the potentials of the feature, and their sums in each bin.
func (s *Sweeper) profile(d *Decomposition, number int) {
	f, bins, all := &d.features[number], s.bins[number], s.runs[number]
	width := len(s.cuts[number])
	s.profiles = resize(s.profiles, width*len(f.users))
	s.totals, s.lost = resize(s.totals, width), resize(s.lost, 2*width)
	clear(s.totals)
	clear(s.lost)
	s.barred = 0
	from, at := int32(0), 0
	for i, u := range f.users {
		p := s.profiles[at : at+all[i].len()]
		free := s.reach(d, f.entries[from:u.end], bins[from:u.end], u.tree, p)
		s.close(p, free)
		s.lose(p, all[i])
		from, at = u.end, at+len(p)
	}
	if d.cost != nil {
		s.lose(s.prices[number], each(width))
	}
	below, beyond := s.lost[:width], s.lost[width:]
	for i := 1; i < width; i++ { // so far they are differences from bin to bin
		s.totals[i] += s.totals[i-1]
		below[i] += below[i-1]
		beyond[width-1-i] += beyond[width-i]
	}
}

// reach fills a profile with what entries reach that neither begin with the first run nor end
// with the last, and low and high with those that do. It returns the value of the best leaf
// that lies in all runs.
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

// close completes a profile by the entries that begin with the first run, those that end with the last
// and the leaves that lie in all of them.
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
	}
}

// lose adds a profile to the totals, and what it loses at each cut: by how much a run differs from the
// one before it, where it begins, and beyond a cut from the one after it, where it ends.
func (s *Sweeper) lose(p []int32, r runs) {
	width := len(s.totals)
	below, beyond := s.lost[:width], s.lost[width:]
	best := p[0]
	for _, v := range p {
		best = max(best, v)
	}
	from, before, lost, most := 0, int32(0), int32(0), p[0]
	rest := r
	for _, v := range p {
		to := rest.first()
		if v == unreachable {
			s.barred |= span(from, to)
		}
		most = max(most, v)
		s.totals[from] += int64(v - before)
		below[from] += int64(best - most - lost)
		before, lost = v, best-most
		from, rest = to+1, rest.tail()
	}
	lost, most = 0, p[len(p)-1]
	for i := len(p) - 1; i >= 0; i-- {
		to := r.last()
		most = max(most, p[i])
		beyond[to] += int64(best - most - lost)
		if lost = best - most; lost == 0 {
			break
		}
		r &^= 1 << to
	}
}

// weigh returns the cut of the feature in hand with the largest product of what the trees lose in
// either half, and notes where the lead is largest.
func (s *Sweeper) weigh(number int, least float64) (slot int32, most float64) {
	cuts, width := s.cuts[number], len(s.totals)
	most = math.Inf(-1)
	for i := range width - 1 {
		if score := (float64(s.lost[i]) + least) * (float64(s.lost[width+i+1]) + least); score > most {
			slot, most = cuts[i], score
		}
	}
	peak := 0
	for i, sum := range s.totals {
		if (sum > s.totals[peak] || s.barred.has(peak)) && !s.barred.has(i) {
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
	f, bins, all := &d.features[number], s.bins[number], s.runs[number]
	s.share(int64(len(f.users)))
	f.constant = 0
	from, at := int32(0), 0
	for i, u := range f.users {
		p := s.profiles[at : at+all[i].len()]
		largest := s.potentials(p, all[i])
		f.constant += int64(largest)
		s.contribute(d, f.entries[from:u.end], bins[from:u.end], p, largest)
		from, at = u.end, at+len(p)
	}
}

// share divides the totals by the number of trees, rounded up: parts[k][i] is the largest part in 2^k
// bins from i on, math.MinInt32 if no input is there.
func (s *Sweeper) share(n int64) {
	for i, sum := range s.totals {
		part := sum / n
		if sum%n > 0 {
			part++
		}
		if s.parts[0][i] = int32(part); s.barred.has(i) {
			s.parts[0][i] = math.MinInt32
		}
	}
	for k := 1; 1<<k <= len(s.totals); k++ {
		for i := range len(s.totals) - 1<<k + 1 {
			s.parts[k][i] = max(s.parts[k-1][i], s.parts[k-1][i+1<<(k-1)])
		}
	}
}

// potentials makes the largest potential in each run of a profile, and returns the largest of all.
func (s *Sweeper) potentials(p []int32, r runs) int32 {
	from, largest := 0, int32(unreachable)
	for i, v := range p {
		to := r.first()
		k := bits.Len(uint(to-from+1)) - 1
		part := max(s.parts[k][from], s.parts[k][to+1-1<<k])
		if p[i] = part - v; part == math.MinInt32 { // no input is there
			p[i] = unreachable
		}
		largest = max(largest, p[i])
		from, r = to+1, r.tail()
	}
	return largest
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
