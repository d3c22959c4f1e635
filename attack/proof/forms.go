package proof

import "math"

// form is a number that leaves, one of each tree, add up to: the lead of a label over a rival, or
// what a property is about. It is lost where it is negative, or less than what rounding may hide.
type form struct {
	terms   []term
	less    float64   // what is taken from the sum
	contest []contest // whose rounding counts
	strict  bool      // it is lost where it is 0, too
	whole   bool      // it is a whole number
	rests   bool      // trees that add nothing to it are settled from the beginning
}

// term is the sum of a class, of x or x′, times a weight.
type term struct {
	side, class int
	weight      float64
}

// contest is one of two labels in a model.
type contest struct {
	*votes
	label, rival int
}

// over returns the lead of a label over a rival.
func (v *votes) over(label, rival int) *form {
	f := &form{
		terms:  []term{{0, label, 1}, {0, rival, -1}},
		strict: v.rule == hard && rival < label,
		whole:  v.rule == hard,
	}
	if v.rule != hard {
		f.contest = []contest{{v, label, rival}}
	}
	return f
}

// of returns what the values of a leaf, of x and x′, or the bases, add up to.
func (f *form) of(values [2][]float64, mode int) (sum num) {
	for i, t := range f.terms {
		v := lift(0, mode)
		if values[t.side] != nil {
			v = lift(values[t.side][t.class], mode)
		}
		if t.weight != 1 && t.weight != -1 {
			v = v.times(lift(math.Abs(t.weight), mode))
		}
		switch {
		case i == 0 && t.weight > 0:
			sum = v
		case i == 0:
			sum = lift(0, mode).minus(v)
		case t.weight > 0:
			sum = sum.plus(v)
		default:
			sum = sum.minus(v)
		}
	}
	return sum
}

// base returns what the sum starts from.
func (f *form) base(e *ensemble, mode int) num {
	return f.of(e.bases, mode).minus(lift(f.less, mode))
}

// roundedUp returns the least float64 that is no less than what values add up to.
func (f *form) roundedUp(values [2][]float64) float64 {
	if own := values[0]; own != nil && values[1] == nil && len(f.contest) == 1 {
		return roundedUp(own[f.terms[0].class], own[f.terms[1].class])
	}
	return upward(f.of(values, exactly))
}

// upward returns the least float64 that is no less than an exact number.
func upward(v num) float64 {
	near, accuracy := v.x.Float64()
	if accuracy < 0 {
		return math.Nextafter(near, math.Inf(1))
	}
	return near
}

// decides reports whether the form can be lost at all.
func (f *form) decides() bool {
	for _, c := range f.contest {
		if float64(c.count)*c.unit >= 0.5 {
			return false
		}
	}
	return true
}

// lost reports whether a form is lost, whatever the leaves: with the greatest of each tree.
func (e *ensemble) lost(leaves []int32, f *form) bool {
	if !f.decides() {
		return false
	}
	for mode := rounded; ; mode++ {
		sum := f.base(e, mode)
		for tree := range e.byTree(leaves) {
			best := lift(math.Inf(-1), mode)
			for _, l := range tree {
				best = best.max(f.of(e.of(l), mode))
			}
			sum = sum.plus(best)
		}
		if s, sure := f.behind(sum, mode).sign(); sure {
			return s < 0 || s == 0 && f.strict
		}
	}
}

// behind returns a number of the sign of a sum plus what rounding may hide.
func (f *form) behind(sum num, mode int) num {
	if len(f.contest) == 0 {
		return sum
	}
	kept, rest := lift(1, mode), lift(0, mode) // what follows is times kept
	for _, c := range f.contest {
		share, size := lift(float64(c.count)*c.unit, mode),
			c.size[mode][c.label].plus(c.size[mode][c.rival])
		own, more := lift(1, mode).minus(share), lift(c.blur, mode)
		if c.rule == soft {
			more = size.times(lift(0x1p-52, mode)).plus(
				lift(float64(c.count)*0x1p-1074, mode))
		}
		slack := share.times(size).plus(more.times(own))
		kept, rest = kept.times(own), rest.times(own).plus(slack.times(kept))
	}
	return sum.times(kept).plus(rest)
}
