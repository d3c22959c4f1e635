//go:build lpsolve

package milp

import (
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// lead is what the program demands of a label that is to win against another
// one: that the gains of the leaves add up to at least need.
//
// Where rounding could decide, need errs on the side of too little, so that no
// input that Predict gives to target is lost; those that it does not are
// excluded when they turn up.
type lead struct {
	trees.Margin
	need float64
	size float64 // the largest gain of a leaf, or 1
}

func newLead(f forest, of trees.Margin) lead {
	t := newTerms(f, of)
	l := lead{Margin: of, need: t.base, size: t.most}
	if l.size == 0 {
		l.size = 1
	}
	switch g := t.grain(); {
	case g <= 2*of.Slack:
		l.need -= of.Slack
	case of.Label < of.Rival:
		l.need -= g / 2 // a tie will do
	default:
		l.need += g / 2
	}
	return l
}

// terms are the numbers that a lead is made of.
type terms struct {
	values []float64 // every leaf value and base value of the two labels
	base   float64   // by how much the rival leads without any tree
	sum    float64   // a bound on the sum of the absolute values of one leaf a tree
	most   float64   // the largest gain of a leaf
}

func newTerms(f forest, l trees.Margin) terms {
	base, rival := f.Vote.Base[l.Label], f.Vote.Base[l.Rival]
	t := terms{
		values: []float64{base, rival},
		base:   rival - base,
		sum:    math.Abs(base) + math.Abs(rival),
	}
	for i, tree := range f.Trees {
		var most float64
		for n := range tree.Len() {
			if tree.IsLeaf(n) {
				value := f.Value(i, n)
				v, w := value[l.Label], value[l.Rival]
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
		fraction := func(v float64) bool { w := math.Ldexp(v, -e); return w != math.Trunc(w) }
		if !slices.ContainsFunc(t.values, fraction) {
			return math.Ldexp(1, e)
		}
	}
	return 0
}
