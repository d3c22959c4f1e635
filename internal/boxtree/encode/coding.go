package encode

import (
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/rules"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// kind is how a feature is coded.
type kind int8

const (
	plain    kind = iota // by its values
	optional             // by the intervals between its borders, and one for a missing value
	absent               // not at all: it is missing, and stays so
	member               // of a group, by the feature of the group: its first member
)

// Coding is how features are coded. The fields that New fills in tell codings apart; Trees fills in
// the rest.
type Coding struct {
	kinds   []kind
	groups  []*group
	borders []trees.Borders // of the trees before they are coded
}

// group is a one-hot group that is coded: code i stands for member order[i].
type group struct {
	members []int // ascending
	order   []int
}

// feature returns the number of the feature that holds the code of a group.
func (g *group) feature() int { return g.members[0] }

// New returns how features are coded that move by some rules. A group that is broken and stays so
// is none.
func New(moves *rules.Moves) *Coding {
	c := &Coding{kinds: make([]kind, len(moves.Each))}
	for i := range moves.Groups {
		g := &moves.Groups[i]
		if g.Plain() {
			continue
		}
		c.groups = append(c.groups, &group{members: g.Members})
		for _, j := range g.Members {
			c.kinds[j] = member
		}
	}
	for j := range c.kinds {
		if c.kinds[j] == member {
			continue
		}
		switch m := moves.Each[j]; {
		case !m.MayMiss():
		case m.Fixed():
			c.kinds[j] = absent
		default:
			c.kinds[j] = optional
		}
	}
	return c
}

// Equal reports whether two codings are the same.
func (c *Coding) Equal(o *Coding) bool {
	same := func(a, b *group) bool { return slices.Equal(a.members, b.members) }
	return slices.Equal(c.kinds, o.kinds) && slices.EqualFunc(c.groups, o.groups, same)
}

// of returns the rules about the groups that are coded, in their order.
func (c *Coding) of(moves *rules.Moves) func(yield func(*group, *rules.Group) bool) {
	return func(yield func(*group, *rules.Group) bool) {
		coded := c.groups
		for i := range moves.Groups {
			if g := &moves.Groups[i]; !g.Plain() {
				if !yield(coded[0], g) {
					return
				}
				coded = coded[1:]
			}
		}
	}
}

// Plain reports whether all features are coded by their values.
func (c *Coding) Plain() bool {
	return !slices.ContainsFunc(c.kinds, func(k kind) bool { return k != plain })
}

// missing returns the code of a missing value.
func (c *Coding) missing(f int) int32 { return int32(len(c.borders[f])) + 1 }

// code returns the code of a value of an optional feature.
func (c *Coding) code(f int, v float64) int32 {
	if math.IsNaN(v) {
		return c.missing(f)
	}
	return c.borders[f].Interval(v)
}
