package proof

import (
	"errors"
	"fmt"
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
	base    []float64 // by class
	values  []float64 // of leaf l at classes·l
	treeOf  []int32   // by leaf
	count   int       // of trees
	size    []*dyadic // by class: |base|, and the greatest |value| of each tree
	about   []float64 // size, rounded
}

// addLeaf appends the values of a leaf.
func (v *votes) addLeaf(value []float64) error {
	if len(value) != v.classes {
		return fmt.Errorf("%d values, want %d", len(value), v.classes)
	}
	for _, e := range value {
		if !finite(e) {
			return fmt.Errorf("the value %v", e)
		}
	}
	if v.rule == hard {
		vote := make([]float64, v.classes)
		vote[argmax(value)] = 1
		value = vote
	}
	for _, e := range value {
		v.values = append(v.values, v.rounded(e))
	}
	return nil
}

// argmax returns the first of the greatest.
func argmax[T float64 | int](v []T) int {
	best := 0
	for c, e := range v {
		if e > v[best] {
			best = c
		}
	}
	return best
}

func (v *votes) rounded(e float64) float64 {
	if v.single {
		return float64(float32(e))
	}
	return e
}

// prepare checks the base and that no sum overflows, and measures the values.
func (v *votes) prepare(trees int, leafAt []place) error {
	v.count = trees
	if v.base == nil {
		v.base = make([]float64, v.classes)
	}
	if len(v.base) != v.classes || v.classes < 1 || (v.rule == logistic && v.classes != 2) {
		return fmt.Errorf("%s vote, %d classes, base of %d", v.rule, v.classes, len(v.base))
	}
	most := 0x1p1022
	if v.single {
		most = math.MaxFloat32
	}
	for _, at := range leafAt {
		v.treeOf = append(v.treeOf, at.tree)
	}
	for c := range v.base {
		v.base[c] = v.rounded(v.base[c])
		if !finite(v.base[c]) {
			return errors.New("a base that is not finite")
		}
		greatest := make([]float64, trees)
		for l, t := range v.treeOf {
			greatest[t] = max(greatest[t], math.Abs(v.values[l*v.classes+c]))
		}
		size, about := exactly(math.Abs(v.base[c])), math.Abs(v.base[c])
		for _, g := range greatest {
			if about += g; !(about <= most) {
				return fmt.Errorf("the sum of class %d can overflow", c)
			}
			size.add(exactly(g))
		}
		v.size, v.about = append(v.size, size), append(v.about, about)
	}
	return nil
}

func (v *votes) value(leaf int32, class int) float64 { return v.values[int(leaf)*v.classes+class] }

// sums returns the sum of each class over leaves, one of each tree, in their order.
func (v *votes) sums(leaves []int32) []float64 {
	s := slices.Clone(v.base)
	for _, l := range leaves {
		for c := range s {
			s[c] = v.rounded(s[c] + v.value(l, c))
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

// beats reports whether sums s keep label l from winning because of label r.
func (v *votes) beats(s []float64, r, l int) bool {
	return r != l && (difference(s[r], s[l]).cmp(exactly(v.blur())) > 0 || (s[r] >= s[l] && r < l))
}

// decide reports whether sums surely decide for label l, and whether surely not.
func (v *votes) decide(s []float64, l int) (wins, loses bool) {
	switch v.rule {
	case softmax:
		wins = true
		for r := range s {
			loses = loses || v.beats(s, r, l)
			wins = wins && (r == l || v.beats(s, l, r))
		}
		return wins, loses
	case logistic:
		even := 0x1.8p-53
		if v.single {
			even = 0x1.8p-24
		}
		wins = (s[1]-s[0] > even) == (l == 1)
	case soft:
		for c := range s {
			s[c] /= float64(v.count)
		}
		wins = argmax(s) == l
	default:
		wins = argmax(s) == l
	}
	return wins, !wins
}

// lead returns by how much a label may lead a rival: the sum, over the trees, of the greatest lead
// among some leaves, of which each tree has one. It is rounded, and best is its memory.
func (v *votes) lead(leaves []int32, label, rival int, best []float64) float64 {
	for t := range best {
		best[t] = math.Inf(-1)
	}
	for _, l := range leaves {
		values := v.values[int(l)*v.classes:][:v.classes]
		if t := v.treeOf[l]; values[label]-values[rival] > best[t] {
			best[t] = values[label] - values[rival]
		}
	}
	d := v.base[label] - v.base[rival]
	for _, b := range best {
		d += b
	}
	return d
}

// exactLead is lead without rounding.
func (v *votes) exactLead(leaves []int32, label, rival int) *dyadic {
	best := make([]*dyadic, v.count)
	for _, l := range leaves {
		gain := difference(v.value(l, label), v.value(l, rival))
		if b := best[v.treeOf[l]]; b == nil || gain.cmp(b) > 0 {
			best[v.treeOf[l]] = gain
		}
	}
	d := difference(v.base[label], v.base[rival])
	for _, b := range best {
		d.add(b)
	}
	return d
}

// lost reports whether a label loses to a rival, whatever the leaves. All trees have one.
func (v *votes) lost(leaves []int32, label, rival int, best []float64) bool {
	d := v.lead(leaves, label, rival, best)
	if v.rule == hard { // small integers
		return d < 0 || (d == 0 && rival < label)
	}
	// T gains, their sums and the base are rounded T+2 times each at most, and the size is
	// that of all that is added; the slack is less than twice what it says for small T.
	unit := 0x1p-53
	if v.single {
		unit = 0x1p-24
	}
	trees, size := float64(v.count), v.about[label]+v.about[rival]
	if trees*unit >= 0.5 {
		return false
	}
	slack := trees * unit / (1 - trees*unit) * size
	rest := v.blur()
	if v.rule == soft {
		rest = 0x1p-52*size + trees*0x1p-1074
	}
	// Slack, rest and size are rounded themselves, by less than their noise together; size
	// itself by less than (T+1)·2^-53.
	noise := (trees+8)*0x1p-52*size + (trees+8)*0x1p-51*(slack+rest) + 0x1p-1000
	switch {
	case d < -slack-rest-noise:
		return true
	case d > -slack-rest+noise:
		return false
	}
	return v.exactlyLost(v.exactLead(leaves, label, rival), label, rival, unit)
}

// exactlyLost reports whether d < −slack, both times 1 − T·unit.
func (v *votes) exactlyLost(d *dyadic, label, rival int, unit float64) bool {
	small := exactly(unit * float64(v.count)) // a power of two times an integer
	kept := exactly(1).sub(small)
	size := v.size[label].copy().add(v.size[rival])
	rest := exactly(v.blur())
	if v.rule == soft {
		rest = exactly(0x1p-52).times(size).add(exactly(0x1p-1074).times(exactly(float64(v.count))))
	}
	slack := small.times(size).add(rest.times(kept))
	return d.times(kept).add(slack).sign() < 0
}
