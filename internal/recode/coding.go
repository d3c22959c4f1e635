package recode

import (
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/classifier/search"
	"github.com/seed-1a7dc1f9/facet/internal/rules"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// kind is how a feature is coded.
type kind int8

const (
	plain    kind = iota // by its values
	optional             // by the slots between its borders, and one for a missing value
	absent               // not at all: it is missing, and stays so
	member               // of a group, by the feature of the group: its first member
)

// Coding is how features are coded. What New returns tells codings apart; Trees fills in the
// rest.
type Coding struct {
	kinds   []kind
	groups  []*group
	borders []trees.Borders // of the trees before they are coded
}

// group is a one-hot group that is coded: code i stands for member order[i].
type group struct {
	rules.Group
	order []int
}

// feature returns the number of the feature that holds the code of a group.
func (g *group) feature() int { return g.Members[0] }

// New returns how the features of a query are coded. A group that is broken and stays so is
// none.
func New(q *search.Query) *Coding {
	c := &Coding{kinds: make([]kind, len(q.X))}
	for _, g := range rules.Groups(q.Features) {
		if g.Hot(q.X) < 0 && g.Frozen(q) {
			continue
		}
		c.groups = append(c.groups, &group{Group: g})
		for _, j := range g.Members {
			c.kinds[j] = member
		}
	}
	for j := range c.kinds {
		if c.kinds[j] == member {
			continue
		}
		switch m := rules.Of(q, j); {
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
	same := func(a, b *group) bool { return slices.Equal(a.Members, b.Members) }
	return slices.Equal(c.kinds, o.kinds) && slices.EqualFunc(c.groups, o.groups, same)
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
	return c.borders[f].Slot(v)
}
