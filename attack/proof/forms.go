package proof

import (
	"math"
	"math/big"
)

// form is a number that leaves, one of each tree, add up to: the margin of a label over a rival, or
// the sum of a property. It is lost where it is negative, or less than the error that rounding may
// hide, which is −rest/kept, exactly.
type form struct {
	terms      []term
	less       float64 // is taken from the sum
	kept, rest num
	vain       bool // it is never lost: rounding may hide anything
	strict     bool // it is lost where it is no more than that, too
	integer    bool // it is a whole number
	rests      bool // trees that do not add to it are settled from the beginning
}

// term is the sum of a class, of x or x′, times a weight.
type term struct {
	input, class int
	weight       float64
}

// newForm returns a form without rounding errors.
func newForm(terms ...term) *form {
	return &form{terms: terms, kept: exactly.num(1), rest: exactly.num(0)}
}

// over returns the margin of a label over a rival, of x or x′.
func (v *votes) over(side, label, rival int) *form {
	f := newForm(term{side, label, 1}, term{side, rival, -1})
	f.strict, f.integer = v.rule == hard && rival < label, v.rule == hard
	if v.rule == hard {
		return f
	}
	share, size := exactly.num(float64(v.count)*v.unit), v.size[label].plus(v.size[rival])
	more := exactly.num(v.tieSlack)
	if v.rule == soft {
		more = size.times(exactly.num(0x1p-52)).plus(exactly.num(float64(v.count) * 0x1p-1074))
	}
	f.vain = float64(v.count)*v.unit >= 0.5
	f.kept = f.kept.minus(share)
	f.rest = share.times(size).plus(more.times(f.kept))
	return f
}

// and returns two margins at once.
func (f *form) and(g *form) *form {
	return &form{
		terms:  append(f.terms, g.terms...),
		kept:   f.kept.times(g.kept),
		rest:   f.rest.times(g.kept).plus(g.rest.times(f.kept)),
		vain:   f.vain || g.vain,
		strict: f.strict || g.strict,
		rests:  true,
	}
}

// of returns the sum of the values of a leaf, of x and x′, or of the bases.
func (f *form) of(values [2][]float64, m mode) num {
	sum := m.num(0)
	for _, t := range f.terms {
		if values[t.input] == nil {
			continue
		}
		switch v := m.num(values[t.input][t.class]); t.weight {
		case 1:
			sum = sum.plus(v)
		case -1:
			sum = sum.minus(v)
		default:
			sum = sum.plus(v.times(m.num(t.weight)))
		}
	}
	return sum
}

// base returns the number that the sum starts from.
func (f *form) base(e *ensemble, m mode) num { return f.of(e.bases, m).minus(m.num(f.less)) }

// roundedUp returns the least float64 that is no less than the sum of values.
func (f *form) roundedUp(values [2][]float64) float64 {
	if own := values[0]; own != nil && values[1] == nil && f.isMargin() {
		a, b := own[f.terms[0].class], own[f.terms[1].class]
		d := a - b
		t := d - a
		if rest := (a - (d - t)) - (b + t); rest > 0 {
			return math.Nextafter(d, math.Inf(1))
		}
		return d
	}
	return upward(f.of(values, exactly))
}

// isMargin reports whether the form is of one class less another, of x alone.
func (f *form) isMargin() bool {
	return len(f.terms) == 2 && f.terms[0].weight == 1 && f.terms[1].weight == -1 &&
		f.terms[0].input+f.terms[1].input == 0
}

// upward returns the least float64 that is no less than an exact number.
func upward(v num) float64 {
	near, accuracy := v.x.Float64()
	if accuracy < 0 {
		return math.Nextafter(near, math.Inf(1))
	}
	return near
}

// lost reports whether a form is lost with all leaves: with the greatest of each tree.
func (e *ensemble) lost(leaves []int32, f *form) bool {
	if f.vain {
		return false
	}
	s := signOf(func(m mode) num {
		sum := f.base(e, m)
		for tree := range e.byTree(leaves) {
			best := m.num(math.Inf(-1))
			for _, l := range tree {
				best = best.max(f.of(e.of(l), m))
			}
			sum = sum.plus(best)
		}
		return sum.times(m.known(f.kept)).plus(m.known(f.rest))
	})
	return s < 0 || s == 0 && f.strict
}

// limit returns the least number of units at which a form is not lost, and whether it is less than
// 2^53.
func (f *form) limit(unit float64) (n int64, fits bool) {
	rational := func(v num) *big.Rat {
		r, _ := v.x.Rat(nil)
		return r
	}
	at := new(big.Rat).Quo(rational(f.rest), rational(f.kept.times(exactly.num(-unit))))
	switch {
	case f.integer && f.strict:
		at.SetFloat64(1 / unit) // a tie is lost
	case f.strict && at.IsInt():
		at.Add(at, big.NewRat(1, 1))
	}
	least := new(big.Int).Neg(at.Num())
	least.Div(least, at.Denom()).Neg(least) // rounded up
	return least.Int64(), least.CmpAbs(big.NewInt(1<<53)) < 0
}
