//go:build lpsolve

package milp

import (
	"math"

	"github.com/seed-1a7dc1f9/facet/classifier"
)

// lead is what the program demands of a label that is to win against another
// one: that the gains of the leaves add up to at least need.
//
// Where rounding could decide, need errs on the side of too little, so that no
// input that Predict gives to target is lost; those that it does not are
// excluded when they turn up.
type lead struct {
	target, rival int
	need          float64
	size          float64 // the largest gain of a leaf, or 1
}

func newLead(f *forest, target, rival int) lead {
	l := lead{target: target, rival: rival}
	t := l.terms(f)
	if l.size = t.most; l.size == 0 {
		l.size = 1
	}
	l.need = t.base
	switch g := t.grain(); {
	case g <= 2*f.blur():
		l.need -= f.slack(t.sum)
	case target < rival:
		l.need -= g / 2 // a tie will do
	default:
		l.need += g / 2
	}
	return l
}

// gain is what a leaf adds to the lead.
func (l lead) gain(value []float64) float64 { return value[l.target] - value[l.rival] }

// terms are the numbers that a lead is made of.
type terms struct {
	values []float64 // every leaf value and base value of the two labels
	base   float64   // by how much the rival leads without any tree
	sum    float64   // a bound on the sum of the absolute values of one leaf a tree
	most   float64   // the largest gain of a leaf
}

func (l lead) terms(f *forest) terms {
	var t terms
	if base := f.opts.Base; base != nil {
		t.values = append(t.values, base[l.target], base[l.rival])
		t.base = base[l.rival] - base[l.target]
		t.sum = math.Abs(base[l.target]) + math.Abs(base[l.rival])
	}
	for _, nodes := range f.trees {
		var most float64
		for _, n := range nodes {
			if n.isLeaf() {
				v, w := n.value[l.target], n.value[l.rival]
				t.values = append(t.values, v, w)
				t.most = max(t.most, math.Abs(v-w))
				most = max(most, math.Abs(v)+math.Abs(w))
			}
		}
		t.sum += most
	}
	return t
}

// grainBits bounds the number of grains in a sum. Sums of so few are exact even
// in float32, and half a grain is far more than the tolerance of a program.
const grainBits = 16

// grain returns a power of two that divides all values and that their sums are
// exact multiples of: two sums differ by nothing or by a grain. Hard votes and
// the pure leaves of fully grown trees have one; 0 when there is none.
func (t terms) grain() float64 {
	if t.sum == 0 {
		return 1
	}
	_, exponent := math.Frexp(t.sum)
	for e := exponent; e > exponent-grainBits; e-- {
		if divides(e, t.values) {
			return math.Ldexp(1, e)
		}
	}
	return 0
}

// divides reports whether all values are multiples of 2^e.
func divides(e int, values []float64) bool {
	for _, v := range values {
		if w := math.Ldexp(v, -e); w != math.Trunc(w) {
			return false
		}
	}
	return true
}

// slack bounds by how much rounding may mislead a vote on sums of this size. A
// vote of T trees rounds the values, T sums and quotients or probabilities of
// them; the row of the program rounds every gain.
func (f *forest) slack(sum float64) float64 {
	unit := 0x1p-50
	if f.opts.Single {
		unit = 0x1p-22
	}
	return unit*float64(len(f.trees)+2)*sum + f.blur()
}

// blur bounds the difference of two sums whose probabilities may round to the
// same number.
func (f *forest) blur() float64 {
	switch {
	case f.opts.Vote != classifier.LogisticVote && f.opts.Vote != classifier.SoftmaxVote:
		return 0
	case f.opts.Single:
		return 0x1p-21
	}
	return 0x1p-50
}
