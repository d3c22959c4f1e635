package trees

import (
	"fmt"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/precise"
)

// Rule says how the sums of the trees' contributions turn into a label. The public Vote describes
// the rules.
type Rule int

const (
	Soft Rule = iota
	Hard
	Sum
	Logistic
	Softmax
	Share // see share.go
)

// Vote is how the trees of an ensemble decide together.
type Vote struct {
	Rule   Rule
	Base   []float64 // the start of the sum of each class, nil for zeros
	Single bool      // values and sums are rounded to float32
	// The sums of a soft vote are divided by Divisor: at most the number of
	// trees and more than half of it; 0 means that number.
	Divisor float64
	// AnyOrder says that a library may add the contributions of the trees in another order than
	// theirs, to another rounding: only of a vote by sums.
	AnyOrder bool
	Chances  Chances // how the probabilities of the classes are computed
	// Scale is the factor of sums, or means, before they become probabilities, or the output of a
	// regressor; 0 means 1.
	Scale float64
	Curve *Curve // of Calibrated probabilities
	// Of a Share: label 1 wins where the softmax of class Of comes to Least.
	Of    int
	Least float64
}

// check returns an error for a vote of so many trees that makes no sense.
func (v *Vote) check(classes, count int) error {
	switch {
	case v.Rule < Soft || v.Rule > Share:
		return fmt.Errorf("vote %d", v.Rule)
	case v.Rule == Share && (v.Of < 0 || v.Of >= classes || math.IsNaN(v.Least)):
		return fmt.Errorf("the share %v of class %d of %d", v.Least, v.Of, classes)
	case v.Rule == Logistic && classes != 2:
		return fmt.Errorf("a logistic vote on %d classes, want 2", classes)
	case v.Base != nil && len(v.Base) != classes:
		return fmt.Errorf("%d base values for %d classes", len(v.Base), classes)
	case v.Base != nil && !v.Based():
		return fmt.Errorf("base values in a vote that has none")
	case v.AnyOrder && v.Rule != Sum && v.Rule != Share:
		return fmt.Errorf("sums in any order in a vote that is not by sums")
	case v.Divisor != 0 && v.Rule != Soft:
		return fmt.Errorf("a divisor in a vote that has none")
	case v.Divisor != 0 && !(v.Divisor > float64(count)/2 && v.Divisor <= float64(count)):
		return fmt.Errorf(
			"the divisor is %v, want at most the number of trees, %d, and more than half of it",
			v.Divisor, count,
		)
	}
	for c, b := range v.Base {
		if !precise.Finite(b) {
			return fmt.Errorf("base value of class %d is %v", c, b)
		}
	}
	return v.checkChances(classes)
}

// Counts reports whether each tree has one vote, so that sums are whole and never rounded.
func (v *Vote) Counts() bool { return v.Rule == Hard }

// yields reports whether a tie of whole votes for two labels is decided for the rival.
func (v *Vote) yields(label, rival int) bool { return rival < label }

// Based reports whether sums may start from a base.
func (v *Vote) Based() bool { return v.Rule != Soft && !v.Counts() }

// rounded rounds a value to the arithmetic of the sums.
func (v *Vote) rounded(value float64) float64 {
	if v.Single {
		return float64(float32(value))
	}
	return value
}

func (v *Vote) round(values []float64) {
	if !v.Single {
		return
	}
	for i, value := range values {
		values[i] = v.rounded(value)
	}
}

// largestSum is the largest sum that the arithmetic holds, with room for the
// difference of two.
func (v *Vote) largestSum() float64 {
	if v.Single {
		return math.MaxFloat32
	}
	return math.MaxFloat64 / 4
}

// contributions returns the values that the nodes of a tree add to the sums, which are not to be
// changed, and the largest size of those of leaves, by class.
func (v *Vote) contributions(t *Shape) (values, most []float64) {
	switch {
	case v.Counts():
		values, most = make([]float64, len(t.values)), make([]float64, t.Classes)
		for i, label := range t.Labels {
			if values[i*t.Classes+int(label)] = 1; t.IsLeaf(i) {
				most[label] = 1
			}
		}
		return values, most
	case v.Single && !t.fits:
		values, most = slices.Clone(t.values), slices.Clone(t.most)
		v.round(values)
		v.round(most) // rounding changes no order
		return values, most
	}
	return t.values, t.most
}

// evenMargin is the largest margin whose probability 1/(1+exp(−margin)), rounded
// after every step, does not exceed 1/2.
func (v *Vote) evenMargin() float64 { return 1.5 * v.Unit() }

// Unit is the relative error of a sum.
func (v *Vote) Unit() float64 {
	if v.Single {
		return 0x1p-24
	}
	return precise.Roundoff
}

// softmax turns sums into probabilities, rounded after every step.
func (v *Vote) softmax(sum []float64) {
	most, total := slices.Max(sum), 0.0
	for c := range sum {
		sum[c] = v.rounded(math.Exp(sum[c] - most))
		total = v.rounded(total + sum[c])
	}
	for c := range sum {
		sum[c] = v.rounded(sum[c] / total)
	}
}

// tieSlack bounds by how much the sums of two classes may differ in favour of one and
// the other still win, because probabilities are rounded.
func (v *Vote) tieSlack() float64 {
	if v.Rule != Logistic && v.Rule != Softmax {
		return 0
	}
	return 8 * v.Unit()
}
