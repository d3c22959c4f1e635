package pairs

import (
	"math"
	"math/big"

	"github.com/seed-1a7dc1f9/facet/internal/exact"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// Output is a number that trees add up to: the sum of a class, less that of another, in parts of
// a divisor.
type Output struct {
	Ensemble    *trees.Ensemble[*trees.Axis]
	Plus, Minus int // Minus is −1 for none
	Divisor     float64
}

// bracket holds a real number that is perhaps no float64.
type bracket struct{ low, high float64 }

// of returns the output that values of the classes make.
func (o *Output) of(values []float64) bracket {
	v := bracket{values[o.Plus], values[o.Plus]}
	if o.Minus >= 0 {
		v = bracket{precise.SubDown(v.low, values[o.Minus]), precise.SubUp(v.high, values[o.Minus])}
	}
	if d := o.Divisor; d != 1 {
		v = bracket{-quotient(-v.low, d), quotient(v.high, d)}
	}
	return v
}

// base returns the start of the output.
func (o *Output) base() bracket {
	if o == nil {
		return bracket{}
	}
	return o.of(o.Ensemble.Vote.Base)
}

// constant returns the start of the output plus the values of trees of one leaf; 0 for none.
func (o *Output) constant() *big.Rat {
	if o == nil {
		return new(big.Rat)
	}
	sum := o.exactly(o.Ensemble.Vote.Base)
	for t, tree := range o.Ensemble.Trees {
		if tree.Len() == 1 {
			sum.Add(sum, o.exactly(o.Ensemble.Value(t, 0)))
		}
	}
	return sum.Quo(sum, exact.Float(o.Divisor))
}

// quotient returns v/d, rounded up, for a normal d > 0.
func quotient(v, d float64) float64 {
	q := v / d
	if math.FMA(q, d, -v) < 0 || (q != 0 && math.Abs(q) < 0x1p-900) {
		q = math.Nextafter(q, math.Inf(1))
	}
	return q
}

// Exactly returns the output of x without any rounding of sums, 0 for none.
func (o *Output) Exactly(x []float64) *big.Rat {
	if o == nil {
		return new(big.Rat)
	}
	sum := o.exactly(o.Ensemble.Vote.Base)
	for t, tree := range o.Ensemble.Trees {
		sum.Add(sum, o.exactly(o.Ensemble.Value(t, tree.Leaf(x))))
	}
	return sum.Quo(sum, exact.Float(o.Divisor))
}

func (o *Output) exactly(values []float64) *big.Rat {
	if o.Minus < 0 {
		return exact.Float(values[o.Plus])
	}
	return exact.Difference(values[o.Plus], values[o.Minus])
}

// Ends returns numbers that no output falls short of, and exceeds, bounded tree by tree.
func (o *Output) Ends() (least, most float64) {
	base := o.base()
	least, most = base.low, base.high
	for t, tree := range o.Ensemble.Trees {
		low, high := math.Inf(1), math.Inf(-1)
		for leaf := range tree.Leaves() {
			v := o.of(o.Ensemble.Value(t, leaf))
			low, high = min(low, v.low), max(high, v.high)
		}
		least, most = precise.AddDown(least, low), precise.AddUp(most, high)
	}
	return least, most
}

// Rounding returns by how much the output of an input at most differs from that without rounding,
// because the model rounds its sums.
func (o *Output) Rounding() float64 {
	if o.Ensemble.Vote.Counts() {
		return 0 // votes are whole
	}
	total, size := o.drift(o.Plus)
	if o.Minus >= 0 {
		less, other := o.drift(o.Minus)
		if total += less; other > 0 {
			total += precise.Roundoff * (size + other) // of the difference
		}
	}
	return total / o.Divisor * 1.01 // which covers that these few sums are rounded themselves
}

// IsSum reports whether the output is one sum, and none of two that are rounded each for itself:
// the other one gets the same from every leaf of a tree, so that it is the same for all inputs.
func (o *Output) IsSum() bool {
	if o.Minus < 0 {
		return true
	}
	for t, tree := range o.Ensemble.Trees {
		for leaf := range tree.Leaves() {
			if o.Ensemble.Value(t, leaf)[o.Minus] != o.Ensemble.Value(t, 0)[o.Minus] {
				return false
			}
		}
	}
	return true
}

// drift returns by how much rounding may change the sum of a class: each partial sum once. Besides,
// it returns a number that no sum exceeds in absolute value.
func (o *Output) drift(class int) (off, size float64) {
	vote := &o.Ensemble.Vote
	least, most := vote.Base[class], vote.Base[class]
	size = math.Abs(least)
	partial := 0.0
	for t, tree := range o.Ensemble.Trees {
		low, high := math.Inf(1), math.Inf(-1)
		for leaf := range tree.Leaves() {
			v := o.Ensemble.Value(t, leaf)[class]
			low, high = min(low, v), max(high, v)
		}
		if t > 0 || least != 0 { // a value that is added to 0 is not rounded
			partial += max(-least-low, most+high)
		}
		least, most, size = least+low, most+high, size+max(-low, high)
	}
	count := float64(o.Ensemble.Len())
	if vote.AnyOrder {
		partial = count * size
	}
	if vote.Rule == trees.Soft && o.Divisor != 1 { // the mean is rounded once more
		partial += max(-least, most)
	}
	if partial == 0 {
		return 0, size
	}
	return 1.01*o.Ensemble.Vote.Unit()*partial + count*math.SmallestNonzeroFloat64, size
}
