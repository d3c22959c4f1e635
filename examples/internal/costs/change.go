package costs

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/examples/internal/tabular"
	"github.com/seed-1a7dc1f9/facet/internal/rules"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Change is one change of a row by an example: of a number, or of the category of a group.
type Change struct {
	Feature string  `json:"feature"` // its name or number, or the name of the group
	From    any     `json:"from"`    // a number, a category, or "missing"
	To      any     `json:"to"`
	Cost    float64 `json:"cost"` // of this change alone
}

// Names returns the name of each of so many features: its number if there are no names.
func Names(names []string, dim int) []string {
	if names != nil {
		return names
	}
	for j := range dim {
		names = append(names, Name(nil, j))
	}
	return names
}

// Name returns the name of a feature: its number if there are no names.
func Name(names []string, j int) string {
	if names == nil {
		return strconv.Itoa(j)
	}
	return names[j]
}

// Quoted returns the name of a feature as a sentence has it, or its number.
func Quoted(names []string, j int) string {
	if names == nil {
		return strconv.Itoa(j)
	}
	return strconv.Quote(names[j])
}

// Named returns an error about a feature that says its name where another has its number. It wraps
// the other.
func Named(err error, names []string) error {
	var of *polytope.FeatureError
	if !errors.As(err, &of) || of.Feature < 0 || of.Feature >= len(names) {
		return err
	}
	said := of.Named(fmt.Sprintf("%.40q", names[of.Feature]))
	return named{strings.Replace(err.Error(), of.Error(), said, 1), err}
}

// named is an error in other words.
type named struct {
	text string
	of   error
}

func (n named) Error() string { return n.text }
func (n named) Unwrap() error { return n.of }

// Changes lists the changes from x to z, in the order of the features. Moves have their costs from
// x to z, or each change its price if they are counted; they are shown as from and to, which are
// the same points in the units of people.
func (r *Rules) Changes(
	counted bool, x, z, from, to []float64, names []string, words tabular.Words,
) (list []Change) {
	names = Names(names, len(x))
	prices := r.From(attack.Options{Changes: counted, Domain: r.Domain}, x).Moves().Costs(z)
	for j, f := range r.Features {
		switch {
		case f.Group > 0:
			if g := &r.Groups[f.Group-1]; j == slices.Min(g.Members) && g.changes(x, z) {
				list = append(list, Change{g.Name, g.category(x), g.category(z), g.sum(prices)})
			}
		case !same(x[j], z[j]):
			list = append(list, Change{
				names[j], said(words.At(j, from[j])), said(words.At(j, to[j])), prices[j],
			})
		}
	}
	return list
}

// same reports whether two values are equal, or both missing.
func same(x, z float64) bool { return x == z || math.IsNaN(x) && math.IsNaN(z) }

func said(v tabular.Value) any {
	if plain := v.Plain(); plain != nil {
		return plain
	}
	return "missing"
}

// From returns the rules of moves from x, in the measure and the domain of an attack.
func (r *Rules) From(o attack.Options, x []float64) *rules.Rules {
	given := &rules.Rules{X: x, Norm: o.Norm, Changes: o.Changes, Domain: o.Domain}
	if r == nil {
		return given
	}
	for _, f := range r.Features {
		given.Features = append(given.Features, rules.As(f))
	}
	given.Linear = r.HalfSpaces()
	return given
}

// Breaks lists the rules that z, an answer for x, breaks.
func (r *Rules) Breaks(x, z []float64) iter.Seq[*rules.RuleError] {
	return r.From(attack.Options{Domain: r.Domain}, x).Moves().Breaks(z)
}

// About names the feature, group or linear rule that an error is about.
func (r *Rules) About(e *rules.RuleError, names []string) string {
	switch {
	case e.Breach == rules.Unkept:
		return r.Linear[e.Linear].Text
	case e.Group > 0:
		return r.Groups[e.Group-1].Name
	}
	return Name(names, e.Feature)
}

// changes reports whether a member changes.
func (g *Group) changes(x, z []float64) bool {
	return slices.ContainsFunc(g.Members, func(m int) bool { return x[m] != z[m] })
}

func (g *Group) sum(prices []float64) (total float64) {
	for _, m := range g.Members {
		total += prices[m]
	}
	return total
}

// category names the row's categories of the group: one category, none, or several, which no row
// should.
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
