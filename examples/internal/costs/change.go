package costs

import (
	"cmp"
	"math"
	"strconv"
	"strings"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Change is what an example changes about a row: a number, or the category of a group.
type Change struct {
	Feature string  `json:"feature"` // its name or number, or the name of the group
	From    any     `json:"from"`    // a number, or a category
	To      any     `json:"to"`
	Cost    float64 `json:"cost"` // of this change alone
}

// Names returns the name of each of so many features: its number if there are no names.
func Names(names []string, dim int) []string {
	if names != nil {
		return names
	}
	for j := range dim {
		names = append(names, strconv.Itoa(j))
	}
	return names
}

// Changes lists what changes from x to z, in the order of the features. Moves cost what they cost from x to z; they
// are shown as from and to, which are the same points in the units of people.
func (r *Rules) Changes(norm polytope.Norm, x, z, from, to []float64, names []string) (list []Change) {
	names = Names(names, len(x))
	for j, f := range r.Features {
		if g := f.Group; g > 0 {
			if c := r.Groups[g-1].change(j, x, z, r.Features); c != nil {
				list = append(list, *c)
			}
			continue
		}
		if x[j] != z[j] {
			list = append(list, Change{names[j], from[j], to[j], cost(&f, norm, x[j], z[j])})
		}
	}
	return list
}

// cost returns the price of moving a feature from x to z.
func cost(f *attack.Feature, norm polytope.Norm, x, z float64) float64 {
	price, move := cmp.Or(f.Up, 1), z-x
	if move < 0 {
		price, move = cmp.Or(f.Down, 1), -move
	}
	if f.Categorical {
		return cmp.Or(f.Up, 1)
	}
	if norm == polytope.L0 {
		return price
	}
	return price * move
}

// change returns what happens to the group, once: at the first member j of it, nil at the others and if nothing does.
func (g *Group) change(j int, x, z []float64, features []attack.Feature) *Change {
	first, changed, price := math.MaxInt, false, 0.0
	for _, m := range g.Members {
		first = min(first, m)
		if x[m] != z[m] {
			changed = true
			if z[m] == 1 {
				price = cmp.Or(features[m].Up, 1)
			}
		}
	}
	if j != first || !changed {
		return nil
	}
	return &Change{g.Name, g.category(x), g.category(z), price}
}

// category names what a row says about the group: one category, none, or several, which no row should.
func (g *Group) category(x []float64) string {
	var set []string
	for i, m := range g.Members {
		if x[m] != 0 {
			set = append(set, g.Categories[i])
		}
	}
	if set == nil {
		return "none"
	}
	return strings.Join(set, " and ")
}
