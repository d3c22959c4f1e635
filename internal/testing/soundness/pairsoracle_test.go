package soundness

import (
	"cmp"
	"math"
	"math/big"
	"slices"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/attack/property"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/exact"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// real is a real number, or a missing value if it is nil.
type real = *big.Rat

// realsOf returns the real numbers of an input.
func realsOf(x []float64) []real {
	list := make([]real, len(x))
	for j, v := range x {
		if !math.IsNaN(v) {
			list[j] = exact.Float(v)
		}
	}
	return list
}

// option is a choice for a unit, which is a feature or a one-hot group. It stands for all numbers
// between two ends, or is one.
type option struct {
	values   []real // of the features of the unit
	least    real   // the cost of the real numbers it stands for
	attained bool   // some cost as much
	floats   bool   // the values are float64
	own      real   // the cost of the values
}

// class is choices that all tests send the same way.
type class struct {
	choices []*option
	left    []bool // by test
}

// cheapest returns the least cost of a class.
func (c *class) cheapest() *option {
	return slices.MinFunc(c.choices, func(a, b *option) int {
		return cmp.Or(a.least.Cmp(b.least), bit(b.attained)-bit(a.attained))
	})
}

// pairUnit is features that move together: one, or a one-hot group.
type pairUnit struct {
	features []int
	free     bool
	classes  []*class
	numbers  []int // the classes of numbers, in their order
}

// oracleTest is a test of a tree.
type oracleTest struct {
	feature int
	ends    []real
	closed  []bool
	missing bool
}

// pairTruth enumerates all inputs, or those near a row, as classes of their units.
type pairTruth struct {
	*Pairs
	row    []float64 // nil without rows
	units  []pairUnit
	unitOf []int
	tests  []oracleTest
	nodes  [2][][]int        // the test of each node of a tree
	sums   [2][][][]*big.Int // of each leaf by class, in parts of 2^shift
	base   []*big.Int
	shift  uint
	models [2]property.Model
}

// truths returns the answer around each row, or everywhere.
func (in *Pairs) truths() (list []*pairTruth) {
	rows := in.Rows
	if rows == nil {
		rows = [][]float64{nil}
	}
	for _, row := range rows {
		o := &pairTruth{Pairs: in, row: row, unitOf: make([]int, in.Dim)}
		o.readTrees()
		groups := map[int]int{}
		for j := range in.Dim {
			g := in.feature(j).Group
			i, ok := groups[g]
			if !ok || g == 0 {
				i = len(o.units)
				groups[g] = i
				o.units = append(o.units, pairUnit{})
			}
			o.units[i].features, o.unitOf[j] = append(o.units[i].features, j), i
		}
		for i := range o.units {
			u := &o.units[i]
			u.free = !in.two() && slices.ContainsFunc(u.features,
				func(j int) bool { return in.isFree(j, in.Free) })
			o.classify(u)
		}
		for i := range o.models {
			o.models[i], _ = in.model(i)
		}
		list = append(list, o)
	}
	return list
}

// readTrees lists the tests, and the values of leaves as whole numbers.
func (o *pairTruth) readTrees() {
	values := slices.Clone(o.Votes.Base)
	for _, all := range o.Trees {
		for _, nodes := range all {
			for i := range nodes {
				values = append(values, nodes[i].Value...)
			}
		}
	}
	for _, v := range values {
		o.shift = max(o.shift, uint(exact.Float(o.rounded(v)).Denom().BitLen()))
	}
	for c := range o.Classes {
		o.base = append(o.base, new(big.Int))
		if o.Votes.Base != nil {
			o.base[c] = o.whole(o.Votes.Base[c])
		}
	}
	for m, all := range o.Trees {
		for _, nodes := range all {
			tests, sums := make([]int, len(nodes)), make([][]*big.Int, len(nodes))
			for i := range nodes {
				if sums[i] = o.added(&nodes[i]); nodes[i].Left >= 0 {
					tests[i] = len(o.tests)
					o.tests = append(o.tests, o.test(&nodes[i]))
				}
			}
			o.nodes[m], o.sums[m] = append(o.nodes[m], tests), append(o.sums[m], sums)
		}
	}
}

func (in *Pairs) rounded(v float64) float64 {
	if in.Votes.Single {
		return float64(float32(v))
	}
	return v
}

// whole returns a number in parts of 2^shift.
func (o *pairTruth) whole(v float64) *big.Int {
	r := exact.Float(o.rounded(v))
	parts := new(big.Int).Lsh(r.Num(), o.shift)
	return parts.Quo(parts, r.Denom())
}

// added returns the values that a leaf adds to the sums.
func (o *pairTruth) added(n *classifier.TreeNode) (sums []*big.Int) {
	best := 0
	for c, v := range n.Value {
		if v > n.Value[best] {
			best = c
		}
	}
	for c, v := range n.Value {
		if o.Votes.Vote == classifier.HardVote && !o.Regressor {
			v = float64(bit(c == best))
		}
		sums = append(sums, o.whole(v))
	}
	return sums
}

// test reads that of a node.
func (o *pairTruth) test(n *classifier.TreeNode) oracleTest {
	t, thresholds := oracleTest{feature: n.Feature, missing: n.MissingLeft}, n.Thresholds
	if thresholds == nil {
		thresholds = []float64{n.Threshold}
	}
	for _, v := range thresholds {
		end, closed := o.end(v)
		t.ends, t.closed = append(t.ends, end), append(t.closed, closed)
	}
	return t
}

// end returns where the left side of a test ends, and whether that number is on it.
func (in *Pairs) end(t float64) (end real, closed bool) {
	switch in.Comparison {
	case classifier.AtMostFloat64:
		return exact.Float(t), true
	case classifier.BelowFloat64:
		return exact.Float(t), false
	}
	below := float32(t)
	left := func(v float32) bool {
		return float64(v) < t || (in.Comparison == classifier.AtMostFloat32 && float64(v) == t)
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

// left reports where a test sends a number.
func (t *oracleTest) left(v real) bool {
	if v == nil {
		return t.missing
	}
	left := true
	for i, end := range t.ends {
		if c := v.Cmp(end); c > 0 || (c == 0 && !t.closed[i]) {
			left = !left
		}
	}
	return left
}

// classify finds the classes of a unit.
func (o *pairTruth) classify(u *pairUnit) {
	known := map[string]int{}
	for _, c := range o.choices(u) {
		left, key := make([]bool, len(o.tests)), make([]byte, len(o.tests))
		for t := range o.tests {
			if k := slices.Index(u.features, o.tests[t].feature); k >= 0 {
				left[t] = o.tests[t].left(c.values[k])
				key[t] = byte(bit(left[t]))
			}
		}
		at, ok := known[string(key)]
		if !ok {
			at = len(u.classes)
			known[string(key)] = at
			u.classes = append(u.classes, &class{left: left})
		}
		u.classes[at].choices = append(u.classes[at].choices, c)
		if last := len(u.numbers) - 1; c.values[0] != nil && (last < 0 || u.numbers[last] != at) {
			u.numbers = append(u.numbers, at)
		}
	}
}

// choices lists the values that a unit may have.
func (o *pairTruth) choices(u *pairUnit) (list []*option) {
	near := o.row != nil && !u.free
	if o.feature(u.features[0]).Group == 0 {
		list = o.values(u.features[0], near, u.free)
	} else {
		list = o.members(u, near)
	}
	for _, c := range list {
		c.floats = true
		for _, v := range c.values {
			if v != nil {
				f, _ := v.Float64() // which calls 0 exact for a number below all float64
				c.floats = c.floats && exact.Float(f).Cmp(v) == 0
			}
		}
	}
	return list
}

// members lists which member of a group may be 1.
func (o *pairTruth) members(u *pairUnit, near bool) (list []*option) {
	for hot := range u.features {
		c, same, allowed := &option{least: new(big.Rat), attained: true}, true, true
		for k, j := range u.features {
			v := big.NewRat(int64(bit(k == hot)), 1)
			c.values = append(c.values, v)
			allowed = allowed && o.inDomain(j, v)
			same = same && near && exact.Float(o.row[j]).Cmp(v) == 0
		}
		if near && !same {
			c.least = exact.Float(cmp.Or(o.feature(u.features[hot]).Up, 1))
		}
		c.own = c.least
		if allowed && o.affords(u.features[0], c.least) {
			list = append(list, c)
		}
	}
	return list
}

func (in *Pairs) affords(j int, cost real) bool {
	radius := in.radius(j)
	return in.Rows == nil || math.IsInf(radius, 1) || cost.Cmp(exact.Float(radius)) <= 0
}

// radius is that of a feature.
func (in *Pairs) radius(j int) float64 {
	if in.Options.Radii != nil {
		return in.Options.Radii[j]
	}
	return in.Options.Within
}

// mostApart is by how much the values of a feature may differ, infinite for no limit.
func (in *Pairs) mostApart(j int) float64 {
	if in.Options.Apart != nil {
		return in.Options.Apart[j]
	}
	return math.Inf(1)
}

func (in *Pairs) inDomain(j int, v real) bool {
	if in.Options.Domain == nil {
		return true
	}
	i := in.Options.Domain[j]
	return (math.IsInf(i.Lo, -1) || exact.Float(i.Lo).Cmp(v) <= 0) &&
		(math.IsInf(i.Hi, 1) || exact.Float(i.Hi).Cmp(v) >= 0)
}

// values lists numbers of a feature in their order: all between two ends as one, and the ends. The
// missing value comes last.
func (o *pairTruth) values(j int, near, fine bool) (list []*option) {
	f := o.feature(j)
	row := real(nil)
	if near && !math.IsNaN(o.row[j]) {
		row = exact.Float(o.row[j])
	}
	candidates := o.candidates(j, row, fine)
	if near && row != nil && f.Categorical && !slices.ContainsFunc(candidates,
		func(c *option) bool { return c.values[0].Cmp(row) == 0 }) {
		candidates = append(candidates, &option{values: []real{row}}) // one of its categories
	}
	for _, c := range candidates {
		if !o.inDomain(j, c.values[0]) {
			continue
		}
		c.own = new(big.Rat)
		if near {
			c.own = o.cost(f, row, c.values[0])
		}
		if len(c.values) == 3 && near && row != nil { // an open interval
			c.least = o.cost(f, row, c.values[1])
			if other := o.cost(f, row, c.values[2]); other.Cmp(c.least) < 0 {
				c.least = other
			}
		} else {
			c.least, c.attained = c.own, true
		}
		if c.values = c.values[:1]; o.affords(j, c.own) {
			list = append(list, c)
		}
	}
	price := new(big.Rat)
	missing := f.Missing == attack.MayMiss
	if near && row != nil {
		price = exact.Float(cmp.Or(f.Up, 1))
	} else if near {
		if missing = true; f.Missing == attack.KeepMissing {
			list = nil
		}
	}
	if missing && o.affords(j, price) {
		list = append(list, &option{values: []real{nil}, least: price, own: price, attained: true})
	}
	return list
}

// cost returns the cost of a number, from that of a row or a missing one.
func (in *Pairs) cost(f attack.Feature, row, v real) real {
	up, down := exact.Float(cmp.Or(f.Up, 1)), exact.Float(cmp.Or(f.Down, 1))
	switch {
	case row == nil, f.Categorical && v.Cmp(row) != 0:
		return up
	case f.Categorical:
		return new(big.Rat)
	}
	off := new(big.Rat).Sub(v, row)
	if off.Sign() < 0 {
		return off.Mul(off.Abs(off), down)
	}
	return off.Mul(off, up)
}

// candidates lists numbers of a feature, ascending; those that stand for an open interval have its
// two ends besides.
func (o *pairTruth) candidates(j int, row real, fine bool) (list []*option) {
	f := o.feature(j)
	add := func(values ...real) { list = append(list, &option{values: values}) }
	if f.Step > 0 || f.Categorical {
		for k := -20; k <= 20; k++ {
			switch {
			case f.Step > 0:
				add(exact.Float(f.Origin + float64(k)*f.Step))
			case k >= 0 && (f.Codes == 0 || k < f.Codes):
				add(big.NewRat(int64(k), 1))
			}
		}
		return list
	}
	ends := o.ends(j, f, row)
	if len(ends) == 0 {
		add(new(big.Rat))
		return list
	}
	if fine && (!math.IsInf(o.mostApart(j), 1) || o.Options.Ordered) {
		ends = around(ends) // pairs may be as near as both sides of an end
	}
	one := big.NewRat(1, 1)
	add(new(big.Rat).Sub(ends[0], one), ends[0], ends[0])
	for i, e := range ends {
		if i > 0 {
			middle := new(big.Rat).Add(ends[i-1], e)
			add(middle.Mul(middle, big.NewRat(1, 2)), ends[i-1], e)
		}
		add(e)
	}
	last := ends[len(ends)-1]
	add(new(big.Rat).Add(last, one), last, last)
	return list
}

// around returns numbers with others that lie beside them.
func around(ends []real) (list []real) {
	little := exact.Float(math.SmallestNonzeroFloat64)
	little.Quo(little, big.NewRat(4, 1)) // so that those of neighbours are in their order
	for _, e := range ends {
		list = append(list, new(big.Rat).Sub(e, little), e, new(big.Rat).Add(e, little))
	}
	return list
}

// ends lists the numbers at which something ends: a side of a test, the domain, a distance.
func (o *pairTruth) ends(j int, f attack.Feature, row real) (ends []real) {
	for i := range o.tests {
		if o.tests[i].feature == j {
			ends = append(ends, o.tests[i].ends...)
		}
	}
	if o.Options.Domain != nil {
		for _, e := range []float64{o.Options.Domain[j].Lo, o.Options.Domain[j].Hi} {
			if !math.IsInf(e, 0) {
				ends = append(ends, exact.Float(e))
			}
		}
	}
	switch radius := o.radius(j); {
	case row == nil:
	case math.IsInf(radius, 1):
		ends = append(ends, row)
	default:
		up, down := exact.Float(radius), exact.Float(radius)
		up.Quo(up, exact.Float(cmp.Or(f.Up, 1)))
		down.Quo(down, exact.Float(cmp.Or(f.Down, 1)))
		ends = append(ends, row, up.Add(up, row), down.Sub(row, down))
	}
	slices.SortFunc(ends, (*big.Rat).Cmp)
	return slices.CompactFunc(ends, func(a, b real) bool { return a.Cmp(b) == 0 })
}

// beside reports whether two values of a free feature are as ordered, and as near, as asked.
func (in *Pairs) beside(j int, x, other real) bool {
	most := in.mostApart(j)
	if !in.Options.Ordered && math.IsInf(most, 1) {
		return true
	}
	if x == nil || other == nil {
		return x == other
	}
	off := new(big.Rat).Sub(other, x)
	return !(in.Options.Ordered && off.Sign() < 0) &&
		(math.IsInf(most, 1) || off.Abs(off).Cmp(exact.Float(most)) <= 0)
}

// inBall reports whether choices of all units are near enough to the row; strictly if their cost is
// not attained.
func (o *pairTruth) inBall(costs []real, attained bool) bool {
	if o.row == nil || o.Options.Norm == polytope.LInf {
		return true
	}
	c := Infimum{Norm: o.Options.Norm, Cost: costOf(o.Options.Norm, costs)}.Compare(
		o.Options.Within)
	return c < 0 || c == 0 && attained
}

// each enumerates the inputs, as the class of each unit.
func (o *pairTruth) each(yield func(at []int)) {
	at, costs := make([]int, len(o.units)), make([]real, len(o.units))
	var below func(i int, attained bool)
	below = func(i int, attained bool) {
		if i == len(o.units) {
			if o.inBall(costs, attained) {
				yield(at)
			}
			return
		}
		for k, c := range o.units[i].classes {
			best := c.cheapest()
			at[i], costs[i] = k, best.least
			below(i+1, attained && best.attained)
		}
	}
	below(0, true)
}

// any reports whether there are inputs.
func (o *pairTruth) any() (any bool) {
	o.each(func([]int) { any = true })
	return any
}

// output returns the output of a model for an input, exactly.
func (o *pairTruth) output(model int, at []int) real {
	sums := make([]*big.Int, o.Classes)
	for c := range sums {
		sums[c] = new(big.Int).Set(o.base[c])
	}
	for t, nodes := range o.Trees[model] {
		i := 0
		for nodes[i].Left >= 0 {
			test, u := o.nodes[model][t][i], o.unitOf[nodes[i].Feature]
			if o.units[u].classes[at[u]].left[test] {
				i = nodes[i].Left
			} else {
				i = nodes[i].Right
			}
		}
		for c, v := range o.sums[model][t][i] {
			sums[c].Add(sums[c], v)
		}
	}
	out := sums[0]
	if o.chances() {
		leads := make([]float64, o.Classes)
		for c := range leads {
			lead := new(big.Int).Sub(sums[c], sums[o.class()])
			leads[c], _ = new(big.Rat).SetFrac(lead, new(big.Int).Lsh(big.NewInt(1), o.shift)).
				Float64()
		}
		return exact.Float(o.softmax(leads))
	}
	switch {
	case o.Classes > 2:
		out = sums[o.Options.Class]
	case o.Classes == 2:
		if out = sums[o.class()]; o.Votes.Vote >= classifier.SumVote {
			out = out.Sub(out, sums[0])
		}
	}
	v := new(big.Rat).SetFrac(out, new(big.Int).Lsh(big.NewInt(1), o.shift))
	return v.Quo(v, exact.Float(o.divisor(len(o.Trees[model]))))
}

// seen is an input with its output, or its label and all outputs that count.
type seen struct {
	at      []int
	output  real
	label   int
	outputs [][2]real // without rounding, and as a model computes them
}

// shared lists the inputs by the features that are not free.
func (o *pairTruth) shared(see func(at []int) (seen, bool)) map[string][]seen {
	all := map[string][]seen{}
	o.each(func(at []int) {
		key := make([]byte, len(at))
		for i := range at {
			if !o.units[i].free {
				key[i] = byte(at[i])
			}
		}
		if s, ok := see(at); ok {
			s.at = slices.Clone(at)
			all[string(key)] = append(all[string(key)], s)
		}
	})
	return all
}

// near returns which classes of free units may be beside each other: some of their choices are.
func (o *pairTruth) near(floats bool) func(x, other []int) bool {
	tables := make([][][]bool, len(o.units))
	for i, u := range o.units {
		if !u.free || (o.Options.Apart == nil && !o.Options.Ordered) {
			continue
		}
		for _, a := range u.classes {
			var row []bool
			for _, b := range u.classes {
				row = append(row, slices.ContainsFunc(a.choices, func(x *option) bool {
					return slices.ContainsFunc(b.choices, func(y *option) bool {
						return (!floats || x.floats && y.floats) &&
							o.beside(u.features[0], x.values[0], y.values[0])
					})
				}))
			}
			tables[i] = append(tables[i], row)
		}
	}
	return func(x, other []int) bool {
		for i, table := range tables {
			if table != nil && !table[x[i]][other[i]] {
				return false
			}
		}
		return true
	}
}

// outputs are those of an input, nil if it is not of the kind, as where it has no float64.
type outputs func(model int, at []int) real

// ofFloats returns a model's outputs for an input of float64.
func (o *pairTruth) ofFloats(model int, at []int) real {
	z, ok := o.floats(at)
	if !ok {
		return nil
	}
	return exact.Float(o.computed(o.models[model], model, z))
}

// difference returns the largest difference that the question is about, nil if there are no inputs:
// of outputs without rounding, or of those that models compute.
func (o *pairTruth) difference(rounded bool) real {
	out := outputs(o.output)
	if rounded {
		out = o.ofFloats
	}
	switch o.Question {
	case "monotone":
		return o.steps(out)
	case "differ":
		var most real
		o.each(func(at []int) {
			if a, b := out(0, at), out(1, at); a != nil {
				v := a.Sub(a, b)
				most = larger(most, v.Abs(v))
			}
		})
		return most
	}
	var most real
	near := o.near(rounded)
	for _, list := range o.shared(out.of) {
		for _, a := range list {
			for _, b := range list {
				if near(a.at, b.at) {
					most = larger(most, new(big.Rat).Sub(a.output, b.output))
				}
			}
		}
	}
	return most
}

func larger(a, b real) real {
	if a == nil || b.Cmp(a) > 0 {
		return b
	}
	return a
}

// of is the output of the first model.
func (out outputs) of(at []int) (seen, bool) {
	v := out(0, at)
	return seen{output: v}, v != nil
}

// steps returns the largest step of the feature the wrong way.
func (o *pairTruth) steps(out outputs) (most real) {
	numbers := o.units[o.unitOf[o.Free[0]]].numbers
	for _, list := range o.shared(out.of) {
		outputs := map[int]real{}
		for _, s := range list {
			outputs[s.at[o.unitOf[o.Free[0]]]] = s.output
		}
		most = larger(most, new(big.Rat))
		for k := 1; k < len(numbers); k++ {
			from, to := outputs[numbers[k-1]], outputs[numbers[k]]
			if from == nil || to == nil {
				continue
			}
			step := new(big.Rat).Sub(from, to)
			if o.Falling {
				step.Neg(step)
			}
			most = larger(most, step)
		}
	}
	return most
}

// largest returns the largest output times a sign.
func (o *pairTruth) largest(out outputs, sign int64) (most real) {
	o.each(func(at []int) {
		if v := out(0, at); v != nil {
			most = larger(most, v.Mul(v, big.NewRat(sign, 1)))
		}
	})
	return most
}

// floats returns an input of float64 of the classes, if there is one.
func (o *pairTruth) floats(at []int) ([]float64, bool) {
	x, costs := make([]float64, o.Dim), make([]real, len(at))
	for i, u := range o.units {
		var best *option
		for _, c := range u.classes[at[i]].choices {
			if c.floats && (best == nil || c.own.Cmp(best.own) < 0) {
				best = c
			}
		}
		if best == nil {
			return nil, false
		}
		costs[i] = best.own
		for k, j := range u.features {
			if x[j] = math.NaN(); best.values[k] != nil {
				x[j], _ = best.values[k].Float64()
			}
		}
	}
	return x, o.inBall(costs, true)
}

// flips reports whether labels differ of two inputs that share the features not free, or of an
// input in both models, where some output differs by more than it may. It looks at float64 alone.
func (o *pairTruth) flips() (flips bool) {
	near := o.near(true)
	var counted []*pairTruth
	for _, one := range o.counted() {
		c := *o
		c.Pairs = one
		counted = append(counted, &c)
	}
	seenIn := func(model int, at []int, z []float64) (s seen) {
		s.label = o.label(o.models[model], model, z)
		for _, one := range counted {
			s.outputs = append(s.outputs, [...]real{
				one.output(model, at), exact.Float(one.computed(o.models[model], model, z)),
			})
		}
		return s
	}
	for _, list := range o.shared(func(at []int) (seen, bool) {
		z, ok := o.floats(at)
		if !ok {
			return seen{}, false
		}
		s := seenIn(0, at, z)
		if o.two() {
			other := seenIn(1, at, z)
			flips = flips || s.label != other.label && o.apart(&s, &other)
		}
		return s, true
	}) {
		for _, a := range list {
			for _, b := range list {
				flips = flips || !o.two() && a.label != b.label && o.turns(a.label) &&
					near(a.at, b.at) && o.apart(&a, &b)
			}
		}
	}
	return flips
}

// apart reports whether some output of two inputs differs by more than it may, as real numbers and
// as models compute it. That of ordered inputs falls.
func (o *pairTruth) apart(a, b *seen) bool {
	if o.Options.By == 0 {
		return true
	}
	by := exact.Float(o.Options.By)
	for k := range a.outputs {
		real := new(big.Rat).Sub(a.outputs[k][0], b.outputs[k][0])
		computed := new(big.Rat).Sub(a.outputs[k][1], b.outputs[k][1])
		if !o.Options.Ordered && real.Sign() < 0 {
			real.Neg(real)
			computed.Neg(computed)
		}
		if real.Cmp(by) > 0 && computed.Cmp(by) > 0 {
			return true
		}
	}
	return false
}

// allowed reports whether an input is one of those that are enumerated, were all numbers listed.
func (in *Pairs) allowed(x []float64) bool {
	return slices.ContainsFunc(in.truths(), func(o *pairTruth) bool {
		costs := make([]real, len(o.units))
		for i := range o.units {
			if costs[i] = o.holds(&o.units[i], x); costs[i] == nil {
				return false
			}
		}
		return o.inBall(costs, true)
	})
}

// holds returns the cost of a unit as in x, nil if it may not be so.
func (o *pairTruth) holds(u *pairUnit, x []float64) real {
	j, near := u.features[0], o.row != nil && !u.free
	f := o.feature(j)
	if f.Group == 0 && f.Step == 0 && !f.Categorical && !math.IsNaN(x[j]) {
		v, cost := exact.Float(x[j]), new(big.Rat)
		if near {
			row := realsOf(o.row)[j]
			if row == nil && f.Missing == attack.KeepMissing {
				return nil
			}
			cost = o.cost(f, row, v)
		}
		if !o.inDomain(j, v) || !o.affords(j, cost) {
			return nil
		}
		return cost
	}
	for _, class := range u.classes {
	next:
		for _, c := range class.choices {
			for k, j := range u.features {
				if math.IsNaN(x[j]) != (c.values[k] == nil) ||
					c.values[k] != nil && exact.Float(x[j]).Cmp(c.values[k]) != 0 {
					continue next
				}
			}
			return c.own
		}
	}
	return nil
}
