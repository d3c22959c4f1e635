package rules

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/classifier/search"
)

// Group is what the rules say about a one-hot group, of which exactly one member is to be 1.
type Group struct {
	Number  int
	Members []int // features, ascending
}

// Groups returns the groups of features, by their numbers.
func Groups(features []search.Feature) []Group {
	var groups []Group
	for j, f := range features {
		if f.Group == 0 {
			continue
		}
		i, found := slices.BinarySearchFunc(groups, f.Group, func(g Group, n int) int { return cmp.Compare(g.Number, n) })
		if !found {
			groups = slices.Insert(groups, i, Group{Number: f.Group})
		}
		groups[i].Members = append(groups[i].Members, j)
	}
	return groups
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

// Frozen reports whether no member may move.
func (g *Group) Frozen(q *search.Query) bool {
	return !slices.ContainsFunc(g.Members, func(j int) bool { return !q.Features[j].Frozen })
}

// Price returns the price of making a member the 1; false if that is not allowed.
func (g *Group) Price(q *search.Query, hot int) (price float64, ok bool) {
	if g.Frozen(q) {
		return 0, g.Hot(q.X) == hot
	}
	for _, j := range g.Members {
		v := 0.0
		if j == hot {
			v = 1
		}
		if q.Features[j].Frozen {
			if q.X[j] != v {
				return 0, false
			}
			continue
		}
		if q.Domain != nil && !q.Domain[j].Contains(v) {
			return 0, false
		}
	}
	if g.Hot(q.X) == hot {
		return 0, true
	}
	price = cmp.Or(q.Features[hot].Up, 1)
	return price, !math.IsInf(price, 1)
}

// Broken returns an error that says which rule z breaks.
func (g *Group) Broken(q *search.Query, z []float64) error {
	hot := g.Hot(z)
	switch {
	case g.Frozen(q):
		for _, j := range g.Members {
			if z[j] != q.X[j] && !(math.IsNaN(z[j]) && math.IsNaN(q.X[j])) {
				return fmt.Errorf("feature %d, which is frozen, moved from %v to %v", j, q.X[j], z[j])
			}
		}
		return nil
	case hot < 0:
		return fmt.Errorf("of group %d exactly one feature must be 1, and the others 0", g.Number)
	}
	if _, ok := g.Price(q, hot); !ok {
		return fmt.Errorf("of group %d feature %d must not become the 1", g.Number, hot)
	}
	return nil
}
