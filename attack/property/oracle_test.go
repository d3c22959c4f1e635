package property

import (
	"cmp"
	"math"
	"math/big"
	"slices"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/exact"
)

// value is a real number, or a missing value if it is nil.
type value = *big.Rat

// unit is features that move together: one, or a one-hot group.
type unit struct {
	features []int
	choices  [][]value // of the features, for each choice
	free     [][]value // the same where the unit is free
}

// truth enumerates all inputs that differ, in exact arithmetic.
type truth struct {
	*drawn
	row   []float64 // nil without rows
	units []unit
}

// newTruth lists what the units may be, around a row or not.
func newTruth(d *drawn, row []float64) *truth {
	o := &truth{drawn: d, row: row}
	groups := map[int]int{}
	for j := range d.dim {
		if g := d.feature(j).Group; g > 0 {
			i, ok := groups[g]
			if !ok {
				i = len(o.units)
				groups[g] = i
				o.units = append(o.units, unit{})
			}
			o.units[i].features = append(o.units[i].features, j)
			continue
		}
		o.units = append(o.units, unit{features: []int{j}})
	}
	for i := range o.units {
		u := &o.units[i]
		u.choices, u.free = o.choices(u.features, o.row != nil), o.choices(u.features, false)
	}
	return o
}

// choices lists what features that move together may be.
func (o *truth) choices(features []int, near bool) (list [][]value) {
	if o.feature(features[0]).Group == 0 {
		for _, v := range o.values(features[0], near) {
			list = append(list, []value{v})
		}
		return list
	}
	for hot := range features {
		choice, same, allowed := make([]value, len(features)), true, true
		for k, j := range features {
			choice[k] = new(big.Rat)
			if k == hot {
				choice[k] = big.NewRat(1, 1)
			}
			allowed = allowed && o.inDomain(j, choice[k])
			same = same && near && exact.Float(o.row[j]).Cmp(choice[k]) == 0
		}
		price := cmp.Or(o.feature(features[hot]).Up, 1)
		if allowed && (!near || same || price <= o.options.Within) {
			list = append(list, choice)
		}
	}
	return list
}

func (o *truth) inDomain(j int, v value) bool {
	if o.options.Domain == nil {
		return true
	}
	i := o.options.Domain[j]
	return (math.IsInf(i.Lo, -1) || exact.Float(i.Lo).Cmp(v) <= 0) &&
		(math.IsInf(i.Hi, 1) || exact.Float(i.Hi).Cmp(v) >= 0)
}

// values lists values of a feature: one of each slot between thresholds, at least, and ends.
func (o *truth) values(j int, near bool) (list []value) {
	f := o.feature(j)
	row := value(nil)
	if near && !math.IsNaN(o.row[j]) {
		row = exact.Float(o.row[j])
	}
	for _, v := range o.candidates(j, row) {
		if o.inDomain(j, v) && (!near || o.costs(f, row, v)) {
			list = append(list, v)
		}
	}
	if near && row != nil && f.Categorical && o.inDomain(j, row) && !has(list, row) {
		list = append(list, row) // what a row has is one of its categories
	}
	missing := f.Missing == attack.MayMiss && (!near || cmp.Or(f.Up, 1) <= o.options.Within)
	if near && row == nil {
		if missing = true; f.Missing == attack.KeepMissing {
			list = nil
		}
	}
	if missing {
		list = append(list, nil)
	}
	return list
}

func has(list []value, v value) bool {
	return slices.ContainsFunc(list, func(u value) bool { return u != nil && u.Cmp(v) == 0 })
}

// costs reports whether a number lies within the distance of that of a row.
func (o *truth) costs(f attack.Feature, row, v value) bool {
	up, down := cmp.Or(f.Up, 1), cmp.Or(f.Down, 1)
	within := exact.Float(o.options.Within)
	switch {
	case row == nil:
		return exact.Float(up).Cmp(within) <= 0
	case v.Cmp(row) == 0:
		return true
	case f.Categorical:
		return exact.Float(up).Cmp(within) <= 0
	}
	off := new(big.Rat).Sub(v, row)
	price := exact.Float(up)
	if off.Sign() < 0 {
		price = exact.Float(down)
	}
	return off.Mul(off.Abs(off), price).Cmp(within) <= 0
}

// candidates lists numbers of a feature, ascending.
func (o *truth) candidates(j int, row value) (list []value) {
	f := o.feature(j)
	if f.Step > 0 || f.Categorical {
		for k := -20; k <= 20; k++ {
			v := big.NewRat(int64(k), 1)
			if f.Categorical && (k < 0 || (f.Codes > 0 && k >= f.Codes)) {
				continue
			}
			if f.Step > 0 {
				v = exact.Float(f.Origin + float64(k)*f.Step)
			}
			list = append(list, v)
		}
		return list
	}
	ends := o.ends(j, f, row)
	if len(ends) == 0 {
		return []value{new(big.Rat)}
	}
	// Pairs may be as near as both sides of an end.
	if o.options.apart() != nil && slices.Contains(o.free, j) {
		ends = around(ends)
	}
	one := big.NewRat(1, 1)
	list = append(list, new(big.Rat).Sub(ends[0], one))
	for i, e := range ends {
		if i > 0 {
			middle := new(big.Rat).Add(ends[i-1], e)
			list = append(list, middle.Mul(middle, big.NewRat(1, 2)))
		}
		list = append(list, e)
	}
	return append(list, new(big.Rat).Add(ends[len(ends)-1], one))
}

// around returns numbers with others that lie beside them.
func around(ends []value) (list []value) {
	little := new(big.Rat).SetFrac64(1, 1<<62)
	for _, e := range ends {
		list = append(list, new(big.Rat).Sub(e, little), e, new(big.Rat).Add(e, little))
	}
	return list
}

// ends lists the numbers at which something ends: a side of a test, the domain, a distance.
func (o *truth) ends(j int, f attack.Feature, row value) (ends []value) {
	for _, trees := range o.trees {
		for _, nodes := range trees {
			for i := range nodes {
				if nodes[i].Left >= 0 && nodes[i].Feature == j {
					for _, t := range thresholds(&nodes[i]) {
						end, _ := o.end(t)
						ends = append(ends, end)
					}
				}
			}
		}
	}
	if o.options.Domain != nil {
		for _, e := range []float64{o.options.Domain[j].Lo, o.options.Domain[j].Hi} {
			if !math.IsInf(e, 0) {
				ends = append(ends, exact.Float(e))
			}
		}
	}
	if row != nil {
		up, down := exact.Float(o.options.Within), exact.Float(o.options.Within)
		up.Quo(up, exact.Float(cmp.Or(f.Up, 1)))
		down.Quo(down, exact.Float(cmp.Or(f.Down, 1)))
		ends = append(ends, row, up.Add(up, row), down.Sub(row, down))
	}
	slices.SortFunc(ends, (*big.Rat).Cmp)
	return slices.CompactFunc(ends, func(a, b value) bool { return a.Cmp(b) == 0 })
}

// thresholds returns those of a test: one, or those of a set.
func thresholds(n *classifier.TreeNode) []float64 {
	if n.Thresholds != nil {
		return n.Thresholds
	}
	return []float64{n.Threshold}
}

// end returns where the left side of a test ends, and whether that number is on it.
func (d *drawn) end(t float64) (end value, closed bool) {
	switch d.comparison {
	case classifier.AtMostFloat64:
		return exact.Float(t), true
	case classifier.BelowFloat64:
		return exact.Float(t), false
	}
	below := float32(t)
	left := func(v float32) bool {
		return float64(v) < t || (d.comparison == classifier.AtMostFloat32 && float64(v) == t)
	}
	for !left(below) {
		below = math.Nextafter32(below, float32(math.Inf(-1)))
	}
	for above := below; left(above); above = math.Nextafter32(above, float32(math.Inf(1))) {
		below = above
	}
	above := math.Nextafter32(below, float32(math.Inf(1)))
	middle := (float64(below) + float64(above)) / 2
	return exact.Float(middle), float32(middle) == below
}

// output returns the output of a model for an input, exactly.
func (d *drawn) output(model int, x []value) value {
	sums := make([]value, d.classes)
	for c := range sums {
		sums[c] = new(big.Rat)
		if d.votes.Base != nil {
			sums[c] = exact.Float(d.rounded(d.votes.Base[c]))
		}
	}
	for _, nodes := range d.trees[model] {
		d.add(sums, nodes, d.leaf(nodes, x))
	}
	out := sums[0]
	switch {
	case d.regressor || d.classes == 1:
	case d.classes > 2:
		out = sums[d.options.Class]
	default:
		if out = sums[1]; d.votes.Vote >= classifier.SumVote {
			out = out.Sub(out, sums[0])
		}
	}
	if d.votes.Vote == classifier.SoftVote || d.votes.Vote == classifier.HardVote {
		out.Quo(out, exact.Float(cmp.Or(d.votes.Divisor, float64(len(d.trees[model])))))
	}
	return out
}

func (d *drawn) rounded(v float64) float64 {
	if d.votes.Single {
		return float64(float32(v))
	}
	return v
}

// add adds what a leaf contributes.
func (d *drawn) add(sums []value, nodes []classifier.TreeNode, leaf int) {
	values := nodes[leaf].Value
	if d.votes.Vote == classifier.HardVote && !d.regressor {
		best := 0
		for c, v := range values {
			if v > values[best] {
				best = c
			}
		}
		sums[best].Add(sums[best], big.NewRat(1, 1))
		return
	}
	for c, v := range values {
		sums[c].Add(sums[c], exact.Float(d.rounded(v)))
	}
}

// leaf returns the leaf that an input reaches.
func (d *drawn) leaf(nodes []classifier.TreeNode, x []value) (i int) {
	for nodes[i].Left >= 0 {
		n := &nodes[i]
		left := n.MissingLeft
		if v := x[n.Feature]; v != nil {
			left = true
			for _, t := range thresholds(n) {
				end, closed := d.end(t)
				if c := v.Cmp(end); c > 0 || (c == 0 && !closed) {
					left = !left
				}
			}
		}
		if i = n.Right; left {
			i = n.Left
		}
	}
	return i
}

// each enumerates the inputs: units that are free take all they may be.
func (o *truth) each(free []bool, x []value, from int, yield func()) {
	if from == len(o.units) {
		yield()
		return
	}
	u := &o.units[from]
	choices := u.choices
	if free[from] {
		choices = u.free
	}
	for _, choice := range choices {
		for k, j := range u.features {
			x[j] = choice[k]
		}
		o.each(free, x, from+1, yield)
	}
}

// marked returns which units hold one of some features.
func (o *truth) marked(features []int) []bool {
	marked := make([]bool, len(o.units))
	for i, u := range o.units {
		marked[i] = slices.ContainsFunc(features,
			func(j int) bool { return slices.Contains(u.features, j) })
	}
	return marked
}

// near reports whether two values of free features are as ordered, and as near, as asked.
func (d *drawn) near(free []int, x, other []value) bool {
	for _, j := range free {
		if x[j] == nil || other[j] == nil {
			if x[j] != other[j] {
				return false
			}
			continue
		}
		off := new(big.Rat).Sub(other[j], x[j])
		if (d.options.Ordered && off.Sign() < 0) ||
			(d.options.Apart > 0 &&
				off.Abs(off).Cmp(exact.Float(d.options.Apart)) > 0) {
			return false
		}
	}
	return true
}

// flip reports whether a label is one that the first input of a pair may have.
func (d *drawn) flip(label int) bool {
	class := d.options.Class
	if d.classes == 2 {
		class = 1
	}
	return !d.options.Ordered || label == class
}

// seen is an input with its output, or its label.
type seen struct {
	x      []value
	output value
	label  int
}

// beside returns the largest difference of pairs whose values of free features are as near as
// asked; nil if there are no inputs.
func (o *truth) beside(features []int) (most value) {
	free := o.marked(features)
	x, all := make([]value, o.dim), map[string][]seen{}
	o.each(free, x, 0, func() {
		key := o.key(free, x)
		all[key] = append(all[key], seen{x: slices.Clone(x), output: o.output(0, x)})
	})
	for _, list := range all {
		for _, a := range list {
			for _, b := range list {
				off := new(big.Rat).Sub(a.output, b.output)
				if (most == nil || off.Cmp(most) > 0) && o.near(features, a.x, b.x) {
					most = off
				}
			}
		}
	}
	return most
}

// depends returns the largest difference of pairs; nil if there are no inputs.
func (o *truth) depends(features []int) (most value) {
	if o.options.apart() != nil {
		return o.beside(features)
	}
	free := o.marked(features)
	x := make([]value, o.dim)
	// The outputs of inputs that share what is not free: their largest and their smallest.
	type ends struct{ least, most value }
	known := map[string]*ends{}
	o.each(free, x, 0, func() {
		key := o.key(free, x)
		v := o.output(0, x)
		e := known[key]
		if e == nil {
			e = &ends{v, v}
			known[key] = e
		}
		if v.Cmp(e.least) < 0 {
			e.least = v
		}
		if v.Cmp(e.most) > 0 {
			e.most = v
		}
	})
	for _, e := range known {
		most = larger(most, new(big.Rat).Sub(e.most, e.least))
	}
	return most
}

// key names what of an input is not free.
func (o *truth) key(free []bool, x []value) (key string) {
	for i, u := range o.units {
		if !free[i] {
			for _, j := range u.features {
				key += text(x[j]) + " "
			}
		}
	}
	return key
}

// flips reports whether labels differ of two inputs that share what is not free, or of an input in
// both models if features is nil. It looks at float64 alone.
func (o *truth) flips(features []int) (flips, any bool) {
	free := o.marked(features)
	x := make([]value, o.dim)
	all := map[string][]seen{}
	o.each(free, x, 0, func() {
		any = true
		z, ok := floats(x)
		if !ok {
			return
		}
		l := label(o.models[0], z)
		if features == nil {
			flips = flips || l != label(o.models[1], z)
			return
		}
		key := o.key(free, x)
		for _, s := range all[key] {
			flips = flips || (s.label != l && (o.flip(s.label) && o.near(features, s.x, x) ||
				o.flip(l) && o.near(features, x, s.x)))
		}
		all[key] = append(all[key], seen{x: slices.Clone(x), label: l})
	})
	return flips, any
}

// floats returns an input of float64, if it is one.
func floats(x []value) (z []float64, ok bool) {
	for _, v := range x {
		number := math.NaN()
		if v != nil {
			if number, ok = v.Float64(); !ok {
				return nil, false
			}
		}
		z = append(z, number)
	}
	return z, true
}

func text(v value) string {
	if v == nil {
		return "missing"
	}
	return v.RatString()
}

func larger(a, b value) value {
	if a == nil || (b != nil && b.Cmp(a) > 0) {
		return b
	}
	return a
}

// steps returns the largest step of a feature the wrong way.
func (o *truth) steps(feature int, d Direction) (most value) {
	free := o.marked([]int{feature})
	x := make([]value, o.dim)
	i := slices.Index(free, true)
	var numbers [][]value
	for _, choice := range o.units[i].free {
		if choice[0] != nil {
			numbers = append(numbers, choice)
		}
	}
	own := o.units[i].free
	o.units[i].free = numbers[:min(1, len(numbers))]
	o.each(free, x, 0, func() {
		for k := range numbers {
			if k == 0 {
				most = larger(most, new(big.Rat))
				continue
			}
			x[feature] = numbers[k-1][0]
			low := o.output(0, x)
			x[feature] = numbers[k][0]
			step := new(big.Rat).Sub(low, o.output(0, x))
			if d == Down {
				step.Neg(step)
			}
			most = larger(most, step)
		}
	})
	o.units[i].free = own
	return most
}

// differ returns the largest difference of both models.
func (o *truth) differ() (most value) {
	x := make([]value, o.dim)
	o.each(make([]bool, len(o.units)), x, 0, func() {
		v := o.output(0, x)
		v.Sub(v, o.output(1, x))
		most = larger(most, v.Abs(v))
	})
	return most
}

// largest returns the largest output times a sign.
func (o *truth) largest(sign int64) (most value) {
	x := make([]value, o.dim)
	o.each(make([]bool, len(o.units)), x, 0, func() {
		v := o.output(0, x)
		most = larger(most, v.Mul(v, big.NewRat(sign, 1)))
	})
	return most
}
