package proof

import (
	"iter"
	"math"
	"slices"
)

// rule says how sums become a label.
type rule string

const (
	soft     rule = "soft"
	hard     rule = "hard"
	sum      rule = "sum"
	logistic rule = "logistic"
	softmax  rule = "softmax"
)

// votes is how the values of leaves, one of each tree, become a label.
type votes struct {
	rule    rule
	single  bool // values and sums are float32
	classes int
	count   int         // of trees
	base    []float64   // by class
	values  [][]float64 // by leaf and class
	treeOf  []int       // by leaf
	size    []number    // by class: |base|, and the greatest |value| of each tree
	about   []float64   // the same, rounded
}

// argmax returns the first of the greatest.
func argmax[T float64 | int](v []T) int { return slices.Index(v, slices.Max(v)) }

// rounded checks that numbers are finite, one for each class, and rounds them as sums are.
func (v *votes) rounded(values []float64) []float64 {
	if len(values) != v.classes {
		refuse("%d values, want %d", len(values), v.classes)
	}
	r := slices.Clone(values)
	for c := range r {
		if v.single {
			r[c] = float64(float32(r[c]))
		}
		if !finite(r[c]) {
			refuse("the value %v", values[c])
		}
	}
	return r
}

// addLeaf appends the values of a leaf of the tree that is read.
func (v *votes) addLeaf(values []float64) {
	values = v.rounded(values)
	if best := argmax(values); v.rule == hard {
		clear(values)
		values[best] = 1
	}
	if v.values, v.treeOf = append(v.values, values), append(v.treeOf, v.count); len(v.values)*v.classes > mostNumbers {
		refuse("more than %d values", mostNumbers)
	}
}

// prepare checks the base and that no sum overflows, and measures the values.
func (v *votes) prepare() {
	if v.base == nil {
		v.base = make([]float64, v.classes)
	}
	v.base = v.rounded(v.base)
	if v.classes < 1 || (v.rule == logistic && v.classes != 2) {
		refuse("%s vote of %d classes", v.rule, v.classes)
	}
	most := 0x1p1022
	if v.single {
		most = math.MaxFloat32
	}
	for c, base := range v.base {
		greatest := make([]float64, v.count+1)
		greatest[v.count] = math.Abs(base)
		for l, t := range v.treeOf {
			greatest[t] = max(greatest[t], math.Abs(v.values[l][c]))
		}
		size := exact(0)
		for _, g := range greatest {
			size = plus(size, exact(g))
		}
		about, _ := size.Float64()
		if v.size, v.about = append(v.size, size), append(v.about, about); size.Cmp(exact(most)) > 0 {
			refuse("the sum of class %d can overflow", c)
		}
	}
}

// sums returns the sum of each class over leaves, one of each tree, in their order.
func (v *votes) sums(leaves []int32) []float64 {
	s := slices.Clone(v.base)
	for _, l := range leaves {
		for c := range s {
			if s[c] += v.values[l][c]; v.single {
				s[c] = float64(float32(s[c]))
			}
		}
	}
	return s
}

// blur is the difference of sums from which on no rounding of probabilities matters.
func (v *votes) blur() float64 {
	switch {
	case v.rule != logistic && v.rule != softmax:
		return 0
	case v.single:
		return 0x1p-21
	}
	return 0x1p-50
}

// decide reports whether sums surely decide for label l, and whether surely not.
func (v *votes) decide(s []float64, l int) (wins, loses bool) {
	switch v.rule {
	case softmax:
		beats := func(a, b int) bool {
			return minus(exact(s[a]), exact(s[b])).Cmp(exact(v.blur())) > 0 || (s[a] >= s[b] && a < b)
		}
		wins = true
		for r := range s {
			loses = loses || r != l && beats(r, l)
			wins = wins && (r == l || beats(l, r))
		}
		return wins, loses
	case logistic:
		even := 0x1.8p-53
		if v.single {
			even = 0x1.8p-24
		}
		wins = (s[1]-s[0] > even) == (l == 1)
		return wins, !wins
	case soft:
		for c := range s {
			s[c] /= float64(v.count)
		}
	}
	wins = argmax(s) == l
	return wins, !wins
}

// byTree yields the leaves of one tree after the other, of leaves that ascend.
func (v *votes) byTree(leaves []int32) iter.Seq[[]int32] {
	return func(yield func([]int32) bool) {
		for start, i := 0, 1; i <= len(leaves); i++ {
			if i == len(leaves) || v.treeOf[leaves[i]] != v.treeOf[leaves[start]] {
				if !yield(leaves[start:i]) {
					return
				}
				start = i
			}
		}
	}
}

// lost reports whether a label loses to a rival, whatever the leaves: its lead, the sum over the trees of the greatest among
// their leaves, is less than −slack.
func (v *votes) lost(leaves []int32, label, rival int) bool {
	lead := v.base[label] - v.base[rival]
	for tree := range v.byTree(leaves) {
		best := math.Inf(-1)
		for _, l := range tree {
			best = max(best, v.values[l][label]-v.values[l][rival])
		}
		lead += best
	}
	if v.rule == hard { // small integers
		return lead < 0 || (lead == 0 && rival < label)
	}
	unit := 0x1p-53
	if v.single {
		unit = 0x1p-24
	}
	trees, size := float64(v.count), v.about[label]+v.about[rival]
	share, rest := trees*unit, v.blur()
	if v.rule == soft {
		rest = 0x1p-52*size + trees*0x1p-1074
	}
	if share >= 0.5 {
		return false
	}
	slack := share/(1-share)*size + rest
	// Leads, their sum and the base are rounded T+2 times each at most, and size is that of all that is added; size and slack are
	// rounded by less.
	if noise := (trees+8)*0x1p-51*(size+slack) + 0x1p-1000; math.Abs(lead+slack) > noise {
		return lead < -slack
	}
	return v.exactlyLost(leaves, label, rival, exact(share))
}

// exactlyLost is lost without rounding: both sides are times 1 − share.
func (v *votes) exactlyLost(leaves []int32, label, rival int, share number) bool {
	lead := minus(exact(v.base[label]), exact(v.base[rival]))
	for tree := range v.byTree(leaves) {
		best := exact(math.Inf(-1))
		for _, l := range tree {
			if e := minus(exact(v.values[l][label]), exact(v.values[l][rival])); e.Cmp(best) > 0 {
				best = e
			}
		}
		lead = plus(lead, best)
	}
	size, rest := plus(v.size[label], v.size[rival]), exact(v.blur())
	if v.rule == soft {
		rest = plus(times(exact(0x1p-52), size), times(exact(0x1p-1074), exact(float64(v.count))))
	}
	slack := plus(times(share, size), times(rest, minus(exact(1), share)))
	return plus(times(lead, minus(exact(1), share)), slack).Sign() < 0
}

// holds reports whether leaves, which ascend and are all that a region has, give it no answer with a label.
func (c *checker) holds(leaves []int32, label int) bool {
	e, trees := c.m.trees, 0
	for range e.byTree(leaves) {
		trees++
	}
	if trees < e.count {
		return true
	}
	for rival := range e.classes {
		if rivals := rival == c.From && c.Target < 0 || rival != label && c.Target >= 0; rivals && e.lost(leaves, label, rival) {
			return true
		}
	}
	if len(leaves) > trees {
		return false
	}
	_, loses := e.decide(e.sums(leaves), label)
	return loses
}
