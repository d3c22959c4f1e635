package rules

import (
	"cmp"
	"math"
	"slices"
)

// Group holds the rules about a one-hot group, of which exactly one member is to be 1.
type Group struct {
	Number  int
	Members []int // features, ascending
	moves   *Moves
	hot     int // the member that is the 1 in X
	stays   bool
}

// groups collects the groups, by their numbers.
func (r *Rules) groups() []Group {
	var groups []Group
	for j, f := range r.Features {
		if f.Group == 0 {
			continue
		}
		i, found := slices.BinarySearchFunc(groups, f.Group,
			func(g Group, n int) int { return cmp.Compare(g.Number, n) })
		if !found {
			groups = slices.Insert(groups, i, Group{Number: f.Group})
		}
		groups[i].Members = append(groups[i].Members, j)
	}
	for i := range groups {
		groups[i].hot = groups[i].Hot(r.X)
	}
	return groups
}

// join lets the groups know the moves of their members.
func (m *Moves) join() {
	for i := range m.Groups {
		g := &m.Groups[i]
		g.moves = m
		g.stays = !slices.ContainsFunc(g.Members, func(j int) bool { return !m.Each[j].Frozen })
	}
}

// Hot returns the member that is the 1 in z, −1 if the group is broken there.
func (g *Group) Hot(z []float64) int {
	hot := -1
	for _, j := range g.Members {
		switch {
		case z[j] == 1 && hot < 0:
			hot = j
		case z[j] != 0:
			return -1
		}
	}
	return hot
}

// Plain reports whether the group is broken in X and stays so: then it is none.
func (g *Group) Plain() bool { return g.hot < 0 && g.stays }

// up returns the cost of making a member the 1.
func (g *Group) up(hot int) float64 { return g.moves.Each[hot].Up }

// Price returns the price of making a member the 1; false if that is not allowed.
func (g *Group) Price(hot int) (price float64, ok bool) {
	if g.stays {
		return 0, g.hot == hot
	}
	for _, j := range g.Members {
		v := 0.0
		if j == hot {
			v = 1
		}
		if g.moves.Each[j].Frozen {
			if g.moves.X[j] != v {
				return 0, false
			}
			continue
		}
		if g.moves.Domain != nil && !g.moves.Domain[j].Contains(v) {
			return 0, false
		}
	}
	if g.hot == hot {
		return 0, true
	}
	price = g.up(hot)
	return price, !math.IsInf(price, 1)
}
