package proof

import (
	"fmt"
	"slices"
)

// Quorum says that of several requirements at least so many are met.
type Quorum struct {
	Least int
	Of    []Requirement
}

// Requirement is another model, counted from 1 in the order of the file, and the labels with one of
// which it accepts.
type Requirement struct {
	Model  int
	Labels []int // ascending
}

// also reads the labels that other models are to give.
func (c *checker) also() {
	for c.has("also") {
		q := Quorum{Least: c.integer(1_000_000_000)}
		for c.has("by") {
			r := Requirement{Model: c.integer(len(c.others) + 1)}
			c.demand(r.Model > 0, "the model that all claims are about is none of the others")
			r.Labels = c.ascending(c.others[r.Model-1].classes, "labels")
			q.Of = append(q.Of, r)
		}
		c.demand(q.Least > 0 && q.Least <= len(q.Of), "at least %d of %d models", q.Least,
			len(q.Of))
		c.Also = append(c.Also, q)
	}
	if c.Also != nil {
		c.joint = c.join()
	}
}

// enough reports whether of all quorums so many requirements are met.
func enough(quorums []Quorum, met func(r Requirement) bool) bool {
	return !slices.ContainsFunc(quorums, func(q Quorum) bool {
		count := 0
		for _, r := range q.Of {
			if met(r) {
				count++
			}
		}
		return count < q.Least
	})
}

// accepts reports whether a model surely accepts the example.
func (c *checker) accepts(r Requirement) bool {
	return slices.ContainsFunc(r.Labels, func(label int) bool {
		return c.others[r.Model-1].surely(c.Example, label)
	})
}

// joint is the trees of all models that a claim names, one after the other.
type joint struct {
	*ensemble
	models []int   // the model, 0, and others, ascending
	first  []int32 // by model: its first leaf; and behind the last
}

// trees returns those that the claim is about.
func (c *checker) trees() *ensemble {
	if c.Also == nil {
		return c.m.trees
	}
	return c.joint.ensemble
}

// of returns a model that the claim is about.
func (c *checker) of(model int) *Model {
	if model == 0 {
		return c.m
	}
	return c.others[model-1]
}

// join joins the models of the claim, unless those of the claim before were the same.
func (c *checker) join() joint {
	j := joint{ensemble: &ensemble{dim: c.m.dim}, models: []int{0}}
	for _, q := range c.Also {
		for _, r := range q.Of {
			j.models = append(j.models, r.Model)
		}
	}
	slices.Sort(j.models)
	if j.models = slices.Compact(j.models); slices.Equal(j.models, c.joint.models) {
		return c.joint
	}
	for _, model := range j.models {
		m := c.of(model)
		c.demand(m.trees != nil && !m.trees.oblique && m.dim == c.m.dim,
			"other models are trees that test one feature, of as many features")
		j.stored += m.trees.stored
		j.ensemble.trees = append(j.ensemble.trees, m.trees.trees...)
	}
	j.cut()
	for _, model := range j.models {
		j.first = append(j.first, int32(len(j.treeOf)))
		for _, nodes := range c.of(model).trees.trees {
			j.reach(&nodes[0], nil, nil, func(_ int32, path []slots) bool {
				j.keep(path, 1<<22+2*j.stored)
				j.treeOf = append(j.treeOf, j.count)
				return true
			})
			j.count++
		}
	}
	j.first = append(j.first, int32(len(j.treeOf)))
	return j
}

// own returns those of some leaves, which ascend, that are of a model, as its own.
func (j *joint) own(leaves []int32, model int) []int32 {
	at, _ := slices.BinarySearch(j.models, model)
	from, _ := slices.BinarySearch(leaves, j.first[at])
	to, _ := slices.BinarySearch(leaves, j.first[at+1])
	own := slices.Clone(leaves[from:to])
	for i := range own {
		own[i] -= j.first[at]
	}
	return own
}

// joined checks a tree of boxes for each choice of labels: one of the model, and one of each
// requirement.
func (b *boxes) joined(leaves []int32) {
	var all []Requirement
	for _, q := range b.Also {
		all = append(all, q.Of...)
	}
	labels := make([]int, len(all))
	var choose func(label, at int)
	choose = func(label, at int) {
		if at < len(all) {
			for _, labels[at] = range all[at].Labels {
				choose(label, at+1)
			}
			return
		}
		b.expect("label")
		b.demand(b.integer(b.m.classes) == label, "another label, want %d", label)
		for i, want := range labels {
			b.demand(b.integer(b.of(all[i].Model).classes) == want, "another label, want %d", want)
		}
		b.what = fmt.Sprintf("an input with labels %d %v nearer than the bound", label, labels)
		b.right = b.refuting(label, labels)
		b.tree(leaves, nil)
	}
	for label := range b.m.classes {
		if b.answers(label) {
			choose(label, 0)
		}
	}
}

// refuting returns a function that reports whether leaves give no input these labels: not the
// model, or too few of a quorum.
func (b *boxes) refuting(label int, labels []int) func(leaves []int32) bool {
	leads := [][]*form{b.margins(label)}
	for _, q := range b.Also {
		for _, r := range q.Of {
			isRival := func(label int) bool { return !slices.Contains(r.Labels, label) }
			label := labels[len(leads)-1]
			leads = append(leads, b.of(r.Model).trees.margins(0, label, isRival))
		}
	}
	return func(leaves []int32) bool {
		if b.e.without(leaves) || b.m.trees.loses(b.joint.own(leaves, 0), label, leads[0]) {
			return true
		}
		i := 0
		return !enough(b.Also, func(r Requirement) bool {
			i++
			own := b.joint.own(leaves, r.Model)
			return !b.of(r.Model).trees.loses(own, labels[i-1], leads[i])
		})
	}
}
