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
	divisor float64     // of a soft vote; 0 for the number of trees
	base    []float64   // by class
	values  [][]float64 // by leaf and class
	treeOf  []int       // by leaf

	// of rounding; of sums, from where on the greater wins, and no probability is rounded the other
	// way
	unit, even, tieSlack float64
	size                 []num // by class, exactly: |base|, and the greatest |value| of each tree
}

// argmax returns the first of the greatest.
func argmax[T float64 | int](v []T) int { return slices.Index(v, slices.Max(v)) }

// round checks that numbers are finite, one for each class, and rounds them as sums are.
func (v *votes) round(values []float64) []float64 {
	demand(len(values) == v.classes && v.classes > 0, "%d values, want %d", len(values), v.classes)
	r := slices.Clone(values)
	for c := range r {
		if v.single && v.rule != hard {
			r[c] = float64(float32(r[c]))
		}
		demand(finite(r[c]), "the value %v", values[c])
	}
	return r
}

// addLeaf appends the values of a leaf of the tree that is read.
func (v *votes) addLeaf(values []float64) {
	values = v.round(values)
	if v.rule == hard {
		best := argmax(values)
		clear(values)
		values[best] = 1
	}
	v.values, v.treeOf = append(v.values, values), append(v.treeOf, v.count)
}

// prepare checks the base and that no sum overflows, and measures the values.
func (v *votes) prepare() {
	demand(v.rule != logistic || v.classes == 2, "%s vote of %d classes", v.rule, v.classes)
	demand(v.divisor == 0 || v.rule == soft, "a vote that is %s, with a divisor", v.rule)
	if v.divisor == 0 {
		v.divisor = float64(v.count)
	}
	demand(v.divisor > float64(v.count)/2 &&
		v.divisor <= float64(v.count), "the divisor is %v, %d trees", v.divisor, v.count)
	if v.base == nil {
		v.base = make([]float64, v.classes)
	}
	v.base = v.round(v.base)
	most := 0x1p1022
	if v.unit, v.even, v.tieSlack = 0x1p-53, 0x1.8p-53, 0x1p-50; v.single {
		most, v.unit, v.even, v.tieSlack = math.MaxFloat32, 0x1p-24, 0x1.8p-24, 0x1p-21
	}
	if v.rule != logistic && v.rule != softmax {
		v.tieSlack = 0
	}
	for c, base := range v.base {
		greatest := make([]float64, v.count)
		for l, t := range v.treeOf {
			greatest[t] = max(greatest[t], math.Abs(v.values[l][c]))
		}
		size := exactly.num(math.Abs(base))
		for _, g := range greatest {
			size = size.plus(exactly.num(g))
		}
		v.size = append(v.size, size)
		excess, _ := size.minus(exactly.num(most)).sign()
		demand(excess <= 0, "the sum of class %d can overflow", c)
	}
}

// without reports whether a tree has none of these leaves, which ascend.
func (v *votes) without(leaves []int32) bool {
	trees := 0
	for range v.byTree(leaves) {
		trees++
	}
	return trees < v.count
}

// decide adds the values of leaves, one of each tree, in their order, and reports whether the sums
// surely decide for a label, and whether surely not.
func (v *votes) decide(leaves []int32, label int) (wins, loses bool) {
	s := slices.Clone(v.base)
	for _, l := range leaves {
		for c := range s {
			if s[c] += v.values[l][c]; v.single {
				s[c] = float64(float32(s[c]))
			}
		}
	}
	switch v.rule {
	case softmax:
		beats := func(a, b int) bool {
			margin := exactly.num(s[a]).minus(exactly.num(s[b]))
			more, _ := margin.minus(exactly.num(v.tieSlack)).sign()
			return more > 0 || s[a] >= s[b] && a < b
		}
		wins = true
		for r := range s {
			loses = loses || r != label && beats(r, label)
			wins = wins && (r == label || beats(label, r))
		}
		return wins, loses
	case logistic:
		wins = (s[1]-s[0] > v.even) == (label == 1)
		return wins, !wins
	case soft:
		for c := range s {
			s[c] /= v.divisor
		}
	}
	wins = argmax(s) == label
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

// rivals reports whether it suffices that a label loses to another.
func (c *checker) rivals(label, rival int) bool {
	return rival == c.From && c.Target < 0 || rival != label && c.Target >= 0
}

// margins returns those of a label over each rival to which it suffices that it loses.
func (c *checker) margins(label int) []*form {
	return c.m.trees.margins(0, label, func(rival int) bool { return c.rivals(label, rival) })
}

// margins returns those of a label of x or x′ over its rivals.
func (v *votes) margins(side, label int, isRival func(label int) bool) (leads []*form) {
	for rival := range v.classes {
		if isRival(rival) {
			leads = append(leads, v.over(side, label, rival))
		}
	}
	return leads
}

// loses reports whether leaves, which ascend and are all that a region has, give it no answer with
// a label, whose margins these are.
func (e *ensemble) loses(leaves []int32, label int, leads []*form) bool {
	if e.without(leaves) ||
		slices.ContainsFunc(leads, func(f *form) bool { return e.lost(leaves, f) }) {
		return true
	}
	if len(leaves) > e.count {
		return false
	}
	_, loses := e.decide(leaves, label)
	return loses
}
