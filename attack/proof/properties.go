package proof

import (
	"io"
	"math"
	"slices"
)

// Property is the claim of a proof about all inputs x and x′ that share their features but the
// copied ones: that a sum does not exceed a number or, without terms, that their labels are the
// same. x is one of the first model, x′ of the last.
type Property struct {
	Name   string       // by which the proof calls itself
	Line   int          // where it begins
	Domain [][2]float64 // of both: the least and the greatest value of each feature, nil for all
	Codes  []int        // of both, by feature: it holds 0, 1, … below this, 0: any; nil for all any
	OneHot [][]int      // of both: features of which one is 1, and the others are 0
	Copies []Copy       // by feature
	Above  float64      // the sum of the terms is not greater
	Terms  []Term
	Label  int // of x, while x′ has another one, for which there is no pair; −1: any

	Covered bool // examples/checker, which is proven in Coq, checks such properties, too
}

// Copy is a feature of which x′ has a value of its own. That exceeds the one of x by at least
// Least and at most Most or, if Next is set, lies in the slot behind it.
type Copy struct {
	Feature     int
	Least, Most float64
	Next        bool
}

// Term is the sum of a class, times a weight, of an input: 0 for x, 1 for x′.
type Term struct {
	Weight       float64
	Input, Class int
}

// CheckProperties checks a file of proofs about all inputs of a model, or of two with the same
// features. It calls each with every property as soon as it is proven, as Check does with claims.
func CheckProperties(r io.Reader, each func(Property) error, models ...*Model) (err error) {
	defer recovered(&err, "proof")
	demand(r != nil && each != nil, "no file, or nobody to tell its properties")
	demand(len(models) == 1 || len(models) == 2, "%d models, want one or two", len(models))
	c := &properties{one: len(models) == 1}
	for i, m := range models {
		demand(m != nil && m.trees != nil && !m.trees.oblique,
			"proofs about all inputs are of trees that test one feature")
		if i == 0 {
			c.scanner = newScanner(r, "facet-properties", "model", m.SHA256)
			c.of[0] = m.trees
		} else {
			c.about("model", m.SHA256)
		}
		c.of[1] = m.trees
	}
	demand(c.of[0].dim == c.of[1].dim, "models of %d and %d features", c.of[0].dim, c.of[1].dim)
	for {
		c.property()
		c.body()
		c.expect("end")
		c.key()
		c.Covered = true
		for _, m := range models {
			c.Covered = c.Covered && m.covered(c.Codes)
		}
		if err := each(c.Property); err != nil || c.ended {
			return err
		}
	}
}

// properties checks one proof about all inputs after another.
type properties struct {
	*scanner
	Property
	of     [2]*ensemble // of x and x′
	one    bool         // which are one model
	joined *ensemble
	boxes  *boxes
}

// property reads the lines above the body.
func (c *properties) property() {
	c.expect("property")
	c.Property = Property{Line: c.number, Label: -1, Name: c.name()}
	c.Domain, c.Codes = c.domain(c.of[0].dim), c.codes(c.of[0].dim)
	for c.has("one-hot") {
		c.OneHot = append(c.OneHot, c.ascending(c.of[0].dim, "features"))
	}
	last := -1
	for c.has("copy") {
		copied := Copy{Feature: c.integer(c.of[0].dim)}
		c.demand(copied.Feature > last, "copies are not ascending")
		if copied.Next = c.more && c.rest == "next"; copied.Next {
			c.word()
		} else {
			copied.Least, copied.Most = c.float(), c.float()
			c.demand(copied.Least <= copied.Most && !math.IsInf(copied.Least, 1) &&
				!math.IsInf(copied.Most, -1), "a copy that exceeds by %v to %v", copied.Least,
				copied.Most)
		}
		c.Copies, last = append(c.Copies, copied), copied.Feature
	}
	if c.has("above") {
		c.Above = c.floats(1)[0]
		for last = -1; c.more || last < 0; {
			t := Term{Weight: c.floats(1)[0], Input: c.integer(2)}
			t.Class = c.integer(c.of[t.Input].classes)
			at := t.Input*mostFeatures + t.Class
			c.demand(t.Weight != 0 && at > last, "terms are not ascending, or have no weight")
			c.Terms, last = append(c.Terms, t), at
		}
		return
	}
	c.expect("labels")
	c.demand(c.of[0].classes == c.of[1].classes && c.of[0].classes > 1, "there are no such labels")
	if c.more {
		c.Label = c.integer(c.of[0].classes)
	}
}

// body checks the trees of the proof.
func (c *properties) body() {
	c.joined = c.join()
	dim := c.joined.dim
	v := &checker{scanner: c.scanner, norm: "inf", origin: make([]float64, dim)}
	v.m, v.X, v.Bound = &Model{dim: dim, trees: c.joined}, v.origin, math.Inf(1)
	v.Domain, v.Codes = slices.Clone(c.Domain), slices.Clone(c.Codes)
	for _, copied := range c.Copies {
		if c.Domain != nil {
			v.Domain = append(v.Domain, c.Domain[copied.Feature])
		}
		if c.Codes != nil {
			v.Codes = append(v.Codes, c.Codes[copied.Feature])
		}
	}
	c.boxes = v.newBoxes()
	c.boxes.what, c.boxes.void = "a pair that the property says there is none of", c.void
	leaves, some := c.boxes.begins()
	c.demand(some, "a category has no code in the domain")
	if c.Terms != nil {
		f := newForm()
		f.less, f.strict, f.rests = c.Above, true, true
		for _, t := range c.Terms {
			f.terms = append(f.terms, term{t.Input, t.Class, t.Weight})
		}
		c.part(leaves, f, func([]int32) bool { return false })
		return
	}
	// x and x′ may change places
	swaps := c.one && c.Label < 0 && !slices.ContainsFunc(c.Copies,
		func(d Copy) bool { return d.Next || d.Least != -d.Most })
	for a := range c.of[0].classes {
		for b := range c.of[0].classes {
			if (c.Label < 0 || a == c.Label) && b != a && !(b > a && swaps) {
				leads := c.margins(a, b)
				c.part(leaves, c.of[0].over(0, a, b).and(c.of[1].over(1, b, a)),
					func(leaves []int32) bool { return c.refutesLabels(leaves, a, b, leads) })
			}
		}
	}
}

// part checks a tree. A leaf is right if the form is lost, or for another reason.
func (c *properties) part(leaves []int32, f *form, other func(leaves []int32) bool) {
	c.boxes.right = func(leaves []int32) bool {
		return c.joined.without(leaves) || c.joined.lost(leaves, f) || other(leaves)
	}
	if c.has("swept") {
		c.demand(!f.vain, "no potentials for so many trees")
		c.boxes.tree(leaves, f)
		return
	}
	c.expect("tree")
	c.boxes.tree(leaves, nil)
}

// margins returns those of a label of x over each other one, and those of a label of x′.
func (c *properties) margins(labels ...int) (leads []*form) {
	for side, label := range labels {
		isRival := func(rival int) bool { return rival != label }
		leads = append(leads, c.of[side].margins(side, label, isRival)...)
	}
	return leads
}

// refutesLabels reports whether leaves do not give x the label a and x′ the label b.
func (c *properties) refutesLabels(leaves []int32, a, b int, leads []*form) bool {
	if slices.ContainsFunc(leads, func(f *form) bool { return c.joined.lost(leaves, f) }) {
		return true
	}
	differ := func(l int32) bool { return c.joined.own[l][0] != c.joined.own[l][1] }
	if c.one && !slices.ContainsFunc(leaves, differ) {
		return true // x and x′ lie in the same leaves
	}
	if len(leaves) > c.joined.count {
		return false
	}
	var own [2][]int32
	for _, l := range leaves {
		for input, of := range c.joined.own[l] {
			if of >= 0 {
				own[input] = append(own[input], of)
			}
		}
	}
	_, loses := c.of[0].decide(own[0], a)
	_, other := c.of[1].decide(own[1], b)
	return loses || other
}

// join makes the trees that a property is about.
func (c *properties) join() *ensemble {
	a, b := c.of[0], c.of[1]
	j := &ensemble{dim: a.dim, stored: a.stored, trees: a.trees, models: c.of}
	j.bases, j.own = [...][]float64{a.base, b.base}, [][2]int32{}
	if !c.one {
		j.stored, j.trees = a.stored+b.stored, slices.Concat(a.trees, b.trees)
	}
	j.cut()
	var homes [2][]int32
	for f := range int32(j.dim) {
		homes[0], homes[1] = append(homes[0], f), append(homes[1], f)
	}
	for _, copied := range c.Copies {
		f := copied.Feature
		homes[1][f] = int32(j.dim)
		j.borders, j.listed = append(j.borders, j.borders[f]), append(j.listed, j.listed[f])
		j.dim++
	}
	reads := [2]bool{c.Terms == nil, c.Terms == nil}
	for _, t := range c.Terms {
		reads[t.Input] = true
	}
	for i := range max(a.count, b.count) {
		var roots [2]*node
		for input, e := range c.of {
			if reads[input] && i < e.count {
				roots[input] = &e.trees[i][0]
			}
		}
		if !j.pair(homes, roots) {
			j.pair(homes, [2]*node{roots[0], nil})
			j.pair(homes, [2]*node{nil, roots[1]})
		}
	}
	return j
}

// pair adds a tree whose leaves are the pairs of those of two trees that have inputs, or those of
// one alone; false if the pairs are too many.
func (e *ensemble) pair(homes [2][]int32, roots [2]*node) bool {
	leaves, first, held := 0, len(e.own), e.held
	for _, n := range roots {
		if n != nil {
			leaves += int(n.end - n.first)
		}
	}
	each := func(input int, path []slots, visit func(leaf int32, path []slots) bool) bool {
		if roots[input] == nil {
			return visit(-1, path)
		}
		return e.reach(roots[input], path, homes[input], visit)
	}
	fits := leaves == 0 || each(0, nil, func(l int32, path []slots) bool {
		return each(1, path, func(r int32, path []slots) bool {
			e.own, e.treeOf = append(e.own, [...]int32{l, r}), append(e.treeOf, e.count)
			e.keep(path, 1<<22+2*e.stored)
			return len(e.own)-first <= mostPairs*leaves
		})
	})
	if !fits {
		e.own, e.treeOf, e.ranges, e.held = e.own[:first], e.treeOf[:first], e.ranges[:first], held
	} else if len(e.own) > first {
		e.count++
	}
	return fits
}

// mostPairs is how many pairs of leaves two trees may have, for each leaf of theirs.
const mostPairs = 16

// void reports whether the box has no pair of inputs that differ as copies may.
func (c *properties) void() bool {
	b := c.boxes
	for k, copied := range c.Copies {
		f, own := copied.Feature, c.of[0].dim+k
		if copied.Next {
			if b.high[f]+1 < b.low[own] || b.low[f]+1 > b.high[own] {
				return true
			}
			continue
		}
		// x′ − x lies between these.
		if b.falls(own, f, copied.Least) || b.falls(f, own, -copied.Most) {
			return true
		}
	}
	return slices.ContainsFunc(c.OneHot, func(members []int) bool {
		return c.cold(members, nil) || c.cold(members, c.Copies)
	})
}

// cold reports whether of these features, or of their copies, none can be 1 in the box while the
// others are 0.
func (c *properties) cold(members []int, copies []Copy) bool {
	ones, some := 0, false
	for _, f := range members {
		if k := slices.IndexFunc(copies, func(d Copy) bool { return d.Feature == f }); k >= 0 {
			f = c.of[0].dim + k
		}
		zero, one := c.boxes.has(f, 0), c.boxes.has(f, 1)
		if !zero {
			ones++
		}
		if some = some || one; !zero && !one {
			return true
		}
	}
	return ones > 1 || !some
}

// has reports whether a number lies in the box and the domain.
func (b *boxes) has(f int, z float64) bool {
	low, high := b.limits(f)
	slot := b.e.slot(f, z)
	return low <= z && z <= high && b.low[f] <= slot && slot <= b.high[f]
}

// falls reports whether one feature exceeds another, of the same borders, by less than so much
// everywhere in the box.
func (b *boxes) falls(f, other int, by float64) bool {
	low, high := b.low[other], b.high[f]
	from, to := b.axes[other].edges[low], b.axes[f].edges[high+1]
	if math.IsInf(by, 0) || math.IsInf(from, 0) || math.IsInf(to, 0) {
		return false
	}
	borders := b.e.borders[f]
	open := low > 0 && borders[low-1] == border{from, 1} ||
		int(high) < len(borders) && borders[high] == border{to, 0}
	s := signOf(func(m mode) num { return m.num(to).minus(m.num(from)).minus(m.num(by)) })
	return s < 0 || s == 0 && open
}
