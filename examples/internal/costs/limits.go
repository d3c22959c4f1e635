package costs

import (
	"fmt"
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Limits says to which inputs the rules leave a way, a clause for each kind of rule. Prices leave
// all.
func (r *Rules) Limits(names []string) (list []string) {
	var frozen, noRise, noFall, far, steps, categories []string
	for j, f := range r.Features {
		name := Name(names, j)
		add := func(to *[]string, is bool) {
			if is {
				*to = append(*to, name)
			}
		}
		add(&frozen, f.Frozen)
		add(&noRise, math.IsInf(f.Up, 1))
		add(&noFall, math.IsInf(f.Down, 1))
		add(&far, f.MaxUp != 0 || f.MaxDown != 0 || f.MaxUpPart != 0 || f.MaxDownPart != 0)
		add(&steps, f.Step > 0)
		add(&categories, f.Categorical && !f.Frozen)
	}
	var groups []string
	for _, g := range r.Groups {
		groups = append(groups, g.Name)
	}
	for _, kind := range []struct {
		what  string
		names []string
	}{
		{"frozen", frozen}, {"not rising", noRise}, {"not falling", noFall},
		{"moving so far only", far}, {"in steps", steps}, {"of known categories", categories},
		{"one-hot", groups},
	} {
		if len(kind.names) > 0 {
			list = append(list, kind.what+": "+some(kind.names))
		}
	}
	list = append(list, Intervals(r.Domain, names)...)
	for _, l := range r.Linear {
		list = append(list, l.Text)
	}
	return list
}

// Within returns the part of a domain whose values the rules allow, or an error for a feature that
// has none.
func (r *Rules) Within(domain polytope.Box, names []string) (polytope.Box, error) {
	box := geometry.IntersectBoxes(domain, r.Domain)
	for j, i := range box {
		if geometry.Empty(i) {
			return nil, fmt.Errorf("feature %s: no value lies between its min and max and in "+
				"--domain", Quoted(names, j))
		}
	}
	return box, nil
}

// Intervals says which features of a box have ends, and which.
func Intervals(box polytope.Box, names []string) []string {
	var list []string
	for j, i := range box {
		switch name := Name(names, j); {
		case i == polytope.Line():
		case math.IsInf(i.Hi, 1):
			list = append(list, fmt.Sprintf("%s from %v", name, i.Lo))
		case math.IsInf(i.Lo, -1):
			list = append(list, fmt.Sprintf("%s up to %v", name, i.Hi))
		default:
			list = append(list, fmt.Sprintf("%s in [%v, %v]", name, i.Lo, i.Hi))
		}
	}
	if len(list) == 0 {
		return nil
	}
	return []string{some(list)}
}
