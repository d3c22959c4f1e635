package grid

import (
	"math"
	"math/bits"

	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// Set holds intervals of one feature: interval s is bit s%64 of word s/64.
type Set []uint64

// newSet returns the empty set of intervals 0 to last.
func newSet(last int) Set { return make(Set, last/64+1) }

// Has reports whether an interval is in the set.
func (s Set) Has(interval int32) bool { return s[interval>>6]>>(interval&63)&1 != 0 }

// within returns word w of the set, without the intervals outside a span.
func (s Set) within(w int32, span Span) uint64 {
	word := s[w]
	if w == span.Lo>>6 {
		word &= ^uint64(0) << (span.Lo & 63)
	}
	if w == span.Hi>>6 {
		word &= ^uint64(0) >> (63 - span.Hi&63)
	}
	return word
}

// Hull returns the first and the last interval of the set in a span; an empty span, with Lo > Hi,
// if there is none.
func (s Set) Hull(span Span) Span {
	if span.Lo > span.Hi {
		return span
	}
	hull := Span{span.Hi + 1, span.Lo - 1}
	for w := span.Lo >> 6; w <= span.Hi>>6; w++ {
		if word := s.within(w, span); word != 0 {
			hull.Lo = w<<6 + int32(bits.TrailingZeros64(word))
			break
		}
	}
	for w := span.Hi >> 6; w >= span.Lo>>6; w-- {
		if word := s.within(w, span); word != 0 {
			hull.Hi = w<<6 + 63 - int32(bits.LeadingZeros64(word))
			break
		}
	}
	return hull
}

// hullOutside is Hull of the intervals that are not in the set.
func (s Set) hullOutside(span Span) Span {
	other := make(Set, len(s))
	other.Fill()
	other.Keep(s, false)
	return other.Hull(span)
}

// Meets reports whether an interval of a span, which is not empty, is in the set.
func (s Set) Meets(span Span) bool {
	for w := span.Lo >> 6; w <= span.Hi>>6; w++ {
		if s.within(w, span) != 0 {
			return true
		}
	}
	return false
}

// Count returns how many intervals of a span, which is not empty, are in the set.
func (s Set) Count(span Span) (n int) {
	for w := span.Lo >> 6; w <= span.Hi>>6; w++ {
		n += bits.OnesCount64(s.within(w, span))
	}
	return n
}

// Run returns the intervals around one of the set, in a span, that are all in it.
func (s Set) Run(at int32, span Span) Span {
	run := Span{at, at}
	for run.Lo > span.Lo && s.Has(run.Lo-1) {
		run.Lo--
	}
	for run.Hi < span.Hi && s.Has(run.Hi+1) {
		run.Hi++
	}
	return run
}

// Keep leaves the intervals that are in another set, too, or those that are not.
func (s Set) Keep(other Set, in bool) {
	flip := ^uint64(0)
	if in {
		flip = 0
	}
	for w := range s {
		s[w] &= other[w] ^ flip
	}
}

// Put puts an interval into the set, and Take takes it out.
func (s Set) Put(interval int32)  { s[interval>>6] |= 1 << (interval & 63) }
func (s Set) Take(interval int32) { s[interval>>6] &^= 1 << (interval & 63) }

// Next returns the first interval of the set from one on, end if none lies before that.
func (s Set) Next(from, end int32) int32 {
	if from >= end {
		return end
	}
	w := from >> 6
	word := s[w] >> (from & 63) << (from & 63)
	for last := (end - 1) >> 6; word == 0 && w < last; {
		w++
		word = s[w]
	}
	if word == 0 {
		return end
	}
	return min(end, w<<6+int32(bits.TrailingZeros64(word)))
}

// Fill puts all intervals into the set.
func (s Set) Fill() {
	for w := range s {
		s[w] = ^uint64(0)
	}
}

// HasSets reports whether some test is one of a set.
func (g *Grid) HasSets() bool { return len(g.sets) > 0 }

// Words returns how many words a set of a feature's intervals has, 0 if no test of it is one of a
// set.
func (g *Grid) Words(f int32) int {
	if g.words == nil {
		return 0
	}
	return int(g.words[f])
}

// IsSet reports whether a node tests a set.
func (n *Node) IsSet() bool { return n.Cut < -1 }

// SetOf returns the intervals that a node which tests a set sends left.
func (g *Grid) SetOf(n *Node) Set { return g.sets[-2-n.Cut] }

// Left reports whether a node sends an interval left.
func (g *Grid) Left(n *Node, interval int32) bool {
	return interval <= n.Cut || n.IsSet() && g.SetOf(n).Has(interval)
}

// Keep leaves the intervals in a set that a node sends left, or those that it sends right.
func (g *Grid) Keep(s Set, n *Node, left bool) {
	if n.IsSet() {
		s.Keep(g.SetOf(n), left)
		return
	}
	for w := range s { // of intervals 64·w and on
		up := min(max(int(n.Cut)+1-64*w, 0), 64)
		word := ^uint64(0) >> (64 - up)
		if !left {
			word = ^word
		}
		s[w] &= word
	}
}

// addSet returns the cut of a node that tests a set.
func (g *Grid) addSet(f int, borders []trees.Border, known map[string]int32) int32 {
	set := newSet(len(g.Borders[f]))
	from, left := int32(0), true
	fill := func(to int32) {
		for ; from <= to; from++ {
			if left {
				set[from>>6] |= 1 << (from & 63)
			}
		}
		left = !left
	}
	for _, b := range borders {
		fill(g.Borders[f].Rank(b))
	}
	fill(int32(len(g.Borders[f])))
	if g.words == nil {
		g.words = make([]int32, len(g.Borders))
	}
	g.words[f] = int32(len(set))
	key := make([]byte, 0, 8*len(set))
	for _, word := range set {
		for i := range 8 {
			key = append(key, byte(word>>(8*i)))
		}
	}
	id, ok := known[string(key)]
	if !ok {
		id = int32(len(g.sets))
		known[string(key)], g.sets = id, append(g.sets, set)
	}
	return -2 - id
}

// Halves returns the spans that a node sends left and right of one that reaches it: from the first
// interval that goes left to the last, and from the first that goes right to the last; an empty
// span where none does.
func (g *Grid) Halves(n *Node, s Span) (left, right Span) {
	if !n.IsSet() {
		return s.Split(n.Cut)
	}
	set := g.SetOf(n)
	return set.Hull(s), set.hullOutside(s)
}

// Split returns the parts of a span up to an interval, and beyond it; either may be empty.
func (s Span) Split(after int32) (low, high Span) {
	return Span{s.Lo, min(s.Hi, after)}, Span{max(s.Lo, after+1), s.Hi}
}

// Trim cuts a span down to its first and its last interval that are in; it is empty,
// with Lo > Hi, if none is.
func (s Span) Trim(in func(interval int32) bool) Span {
	for s.Lo <= s.Hi && !in(s.Lo) {
		s.Lo++
	}
	for s.Lo <= s.Hi && !in(s.Hi) {
		s.Hi--
	}
	return s
}

// Middle returns an interval of a span of several behind which it can be divided.
func (s Span) Middle() int32 { return s.Lo + (s.Hi-s.Lo-1)/2 }

// GapIn returns the gap of the intervals of a span that are in a set, which has some there; nil is
// the set of all.
func (v *View) GapIn(f int32, span Span, set Set) float64 {
	if set != nil {
		at := v.NearestIn(f, span, set)
		span = Span{at, at}
	}
	return v.Gap(f, span.Lo, span.Hi)
}

// NearestIn returns the interval nearest to X of those of a span that are in a set, which has some
// there.
func (v *View) NearestIn(f int32, span Span, set Set) int32 {
	if at := v.Nearest(f, span); set.Has(at) {
		return at
	}
	best, least := int32(-1), math.Inf(1)
	for rest := set.Hull(span); rest.Lo <= rest.Hi; {
		run := set.Run(rest.Lo, rest)
		if gap := v.Gap(f, run.Lo, run.Hi); best < 0 || gap < least {
			best, least = v.Nearest(f, run), gap
		}
		rest = set.Hull(Span{run.Hi + 1, rest.Hi})
	}
	return best
}
