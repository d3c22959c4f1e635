package trees

import (
	"math"
	"slices"
)

// Part is an ensemble among those that are joined: its trees and classes begin at some numbers. The
// contributions of its trees are scaled there by a power of two, so that margins of all parts are
// of a size.
type Part struct {
	*Ensemble[*Axis]
	Tree, Class int
	scale       float64
}

// Whole returns an ensemble as the only part of itself.
func Whole(e *Ensemble[*Axis]) Part { return Part{Ensemble: e, scale: 1} }

// Margin returns a margin of the part as one of the joined trees.
func (p *Part) Margin(l Margin) Margin {
	if p.scale == 1 {
		l.Label, l.Rival = l.Label+p.Class, l.Rival+p.Class
		return l
	}
	l.Label, l.Rival, l.Base = l.Label+p.Class, l.Rival+p.Class, l.Base*p.scale
	// Tiny leaves may be scaled to subnormal numbers.
	l.Slack = l.Slack*p.scale + math.SmallestNonzeroFloat64*float64(p.Len()+2)
	l.Change *= p.scale
	return l
}

// Join returns the trees of several ensembles over the same features as those of one, whose classes
// are those of all of them, and which part of it each is. It has no vote of its own: a margin of a
// part is the same in the part, but for its scale.
func Join(members []*Ensemble[*Axis]) (*Ensemble[*Axis], []Part) {
	if len(members) == 1 {
		return members[0], []Part{Whole(members[0])}
	}
	joint := &Ensemble[*Axis]{Sums: Sums{Vote: Vote{Rule: Sum}}}
	parts := make([]Part, len(members))
	for i, e := range members {
		parts[i] = Part{
			Ensemble: e, Tree: len(joint.Trees), Class: joint.Classes, scale: scaleOf(e),
		}
		joint.Trees = append(joint.Trees, e.Trees...)
		joint.Classes += e.Classes
	}
	for i := range parts {
		parts[i].join(joint)
	}
	joint.divisor = float64(len(joint.Trees))
	return joint, parts
}

// scaleOf returns a power of two by which the largest sum of an ensemble comes to about 1.
func scaleOf(e *Ensemble[*Axis]) float64 {
	size := slices.Max(e.size)
	if size == 0 {
		return 1
	}
	return math.Ldexp(1, min(-math.Ilogb(size), 1000))
}

// join adds the sums of the part to those of all.
func (p *Part) join(all *Ensemble[*Axis]) {
	all.Vote.Base = append(all.Vote.Base, make([]float64, p.Classes)...)
	p.scaled(all.Vote.Base, all.Classes, p.Vote.Base)
	all.size = append(all.size, make([]float64, p.Classes)...)
	p.scaled(all.size, all.Classes, p.size)
	for t, values := range p.values {
		wide := make([]float64, len(values)/p.Classes*all.Classes)
		p.scaled(wide, all.Classes, values)
		most := make([]float64, all.Classes)
		p.scaled(most, all.Classes, p.most[t])
		all.values, all.most = append(all.values, wide), append(all.most, most)
	}
}

// scaled sets numbers of so many classes each to those of the part.
func (p *Part) scaled(to []float64, classes int, own []float64) {
	for i, v := range own {
		to[i/p.Classes*classes+i%p.Classes+p.Class] = v * p.scale
	}
}
