package potentials

import (
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/boxtree/grid"
)

// Sweeper improves potentials, in memory of its own: one goroutine uses it at a time.
type Sweeper struct {
	// Ended is asked before every step whether nobody needs the result any more; nil for never.
	// Then methods return early.
	Ended func() bool
	peaks grid.Box // see Peak

	bins     [][]bin // by feature, of each entry
	cuts     [][]int32
	prices   []lanes // by feature, of each bin
	marks    []bool
	borders  []int32 // memory of thin
	binOf    []uint8
	profiles []int32 // of each user of a feature in hand
	rests    []int32 // by entry of that: the value of its leaf without it
	step     step

	renamed []int32
	many    []int32 // by tree: leaves that are left
	moved   []int32
	paid    []int32 // by leaf
	kept    []entry // of all features
	keepers []user
}

// Peak returns the cell nearest to another one in which the margin could be largest, as the last
// sweep saw it.
func (s *Sweeper) Peak(from []int32) []int32 {
	cell := make([]int32, len(s.peaks))
	for f, peak := range s.peaks {
		cell[f] = min(max(from[f], peak.Lo), peak.Hi)
	}
	return cell
}

// Sweep makes a block step on every feature, one after the other, and returns where to split the
// box. Splits are chosen by their losses, to each of which a least one is added.
func (s *Sweeper) Sweep(d *Decomposition, least float64) grid.Cut { return s.sweep(d, least, nil) }

func (s *Sweeper) sweep(d *Decomposition, least float64, e *exclusion) grid.Cut {
	split, most := grid.Cut{Feature: -1}, math.Inf(-1)
	e.begin(d)
	for number := range d.features {
		if s.ended() {
			return split
		}
		f := &d.features[number]
		e.without(f)
		if len(f.users) == 0 {
			f.constant = int64(d.price(int32(number), d.box[number]))
		} else {
			s.profile(d, number)
			left := s.outer(e, number, d.unit, d.box[number])
			if interval, score := s.weigh(number, least/d.unit, left); score > most {
				split, most = grid.Cut{Feature: int32(number), After: interval}, score
			}
			s.level(d, number)
		}
		e.with(d, f)
	}
	return split
}

func (s *Sweeper) ended() bool { return s.Ended != nil && s.Ended() }

// profile computes, for every tree that uses a feature, the value of its best leaf in each
// bin, without the potentials of the feature, and their sums.
func (s *Sweeper) profile(d *Decomposition, number int) {
	f := &d.features[number]
	width := lanesFor(len(s.cuts[number]))
	s.profiles = resize(s.profiles, width*len(f.users))
	s.rests = resize(s.rests, len(f.entries))
	s.step = step{
		users: f.users, entries: f.entries, bins: s.bins[number], values: d.values, first: d.first,
		rests: s.rests, profiles: s.profiles, floor: d.floor, width: int32(width),
	}
	s.step.gather()
	if d.cost != nil {
		s.step.add(s.prices[number][:width])
		for i := range s.step.totals {
			s.step.totals[i] += unreachable // that of the prices: one for each user remains
		}
	}
}

// weigh returns the cut of the feature in hand with the largest product of the losses of the trees
// in either half, of those within the box that is left, and notes where the margin is largest.
func (s *Sweeper) weigh(
	number int, least float64, left grid.Span,
) (interval int32, most float64) {
	cuts, k := s.cuts[number], &s.step
	most = math.Inf(-1)
	for i, cut := range cuts[:len(cuts)-1] {
		if cut < left.Lo || cut >= left.Hi {
			continue
		}
		if score := (float64(k.below[i]) + least) * (float64(k.beyond[i+1]) + least); score > most {
			interval, most = cut, score
		}
	}
	peak := 0
	for i := range cuts {
		if (k.totals[i] > k.totals[peak] || k.barred[peak] != 0) && k.barred[i] == 0 {
			peak = i
		}
	}
	s.peaks[number].Hi = cuts[peak]
	if peak > 0 {
		s.peaks[number].Lo = cuts[peak-1] + 1
	}
	return interval, most
}

// level is the block step on a feature: from profiles it makes the potentials with which all
// trees that use it have the same profile.
func (s *Sweeper) level(d *Decomposition, number int) {
	k, n := &s.step, int64(len(d.features[number].users))
	for i, sum := range k.totals[:k.width] { // each tree's part, rounded up
		part := sum / n
		if sum%n > 0 {
			part++
		}
		k.parts[i] = int32(part - unreachable)
	}
	d.features[number].constant = k.level() + n*unreachable
}

// resize returns a slice of n elements of any value in the memory of s.
func resize[T any](s []T, n int) []T { return slices.Grow(s[:0], n)[:n] }
