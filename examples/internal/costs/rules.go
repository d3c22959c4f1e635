package costs

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/examples/internal/tabular"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Rules are those of a file about the features of a model, in their order.
type Rules struct {
	Features []attack.Feature
	Domain   polytope.Box // nil: there are no limits
	Groups   []Group
	Linear   []Linear
}

// Group is a category in one-hot columns, which are the features Members.
type Group struct {
	Name       string
	Members    []int
	Categories []string // the name of each member
}

// rules returns those for a model with so many features, of these names or of none.
func (f *file) rules(names []string, dim int) (*Rules, error) {
	r := &Rules{Features: make([]attack.Feature, dim)}
	taken := make(map[int]string) // the entry that names a feature
	for i, g := range f.groups {
		same := func(other group) bool { return g.name != "" && other.name == g.name }
		if slices.ContainsFunc(f.groups[:i], same) {
			return nil, fmt.Errorf("group %s: there are two groups of this name", g.called(i))
		}
		if err := r.addGroup(&g, i, names, taken); err != nil {
			return nil, fmt.Errorf("group %s: %w", g.called(i), err)
		}
	}
	seen := make(map[int]bool)
	for _, one := range f.features {
		j, err := find(one.name, names, dim)
		if err == nil && seen[j] {
			err = errors.New("it has rules twice, by its name and by its number")
		}
		if err == nil {
			seen[j] = true
			err = r.addFeature(&one, j, taken[j])
		}
		if err != nil {
			return nil, fmt.Errorf("feature %.40q: %w", one.name, err)
		}
	}
	for _, text := range f.linear {
		if err := r.addLinear(text, names); err != nil {
			return nil, fmt.Errorf(`"linear": %.60q: %w`, text, err)
		}
	}
	return r, nil
}

// Declare makes features categories that a model declares, of which codes has the number of codes,
// unless they are a grid or part of a group.
func (r *Rules) Declare(codes []int) {
	for j, n := range codes {
		if f := &r.Features[j]; n > 0 && f.Step == 0 && f.Group == 0 {
			f.Categorical, f.Codes = true, n
		}
	}
}

// Find returns the position of a feature that is named, or numbered from 0.
func Find(name string, names []string, dim int) (int, bool) {
	if j := slices.Index(names, name); j >= 0 {
		return j, true
	}
	j, err := strconv.Atoi(name)
	return j, err == nil && j >= 0 && j < dim
}

// find is Find, with an error that lists the names there are.
func find(name string, names []string, dim int) (int, error) {
	if j, ok := Find(name, names, dim); ok {
		return j, nil
	}
	switch _, err := strconv.Atoi(name); {
	case err == nil:
		return 0, fmt.Errorf("there is no such feature: the %d features are 0 to %d", dim, dim-1)
	case names == nil:
		return 0, fmt.Errorf("no file names the features; give its number, 0 to %d", dim-1)
	}
	if list := columnsOf(name, names); len(list) > 1 {
		return 0, fmt.Errorf(`there is no such feature, but the columns %s: what is said of `+
			`one-hot columns together stands under "groups"`, some(list))
	}
	return 0, fmt.Errorf("there is no such feature%s",
		cmp.Or(tabular.Suggest(name, names), "; the features are "+some(names)))
}

// columnsOf returns the columns that are named as one-hot columns of a category are.
func columnsOf(category string, names []string) (list []string) {
	for _, n := range names {
		if rest, ok := strings.CutPrefix(n, category); ok && strings.IndexAny(rest, marks) == 0 {
			list = append(list, n)
		}
	}
	return list
}

// some names as many as a reader looks at.
func some(names []string) string {
	const most = 12
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s, … (%d in all)", strings.Join(names[:most], ", "), len(names))
}

func (r *Rules) addGroup(g *group, at int, names []string, taken map[int]string) error {
	out := Group{Name: g.name}
	for _, name := range g.members {
		j, err := find(name, names, len(r.Features))
		if err == nil && slices.Contains(out.Members, j) {
			err = errors.New("it is there twice")
		} else if err == nil && taken[j] != "" {
			err = fmt.Errorf("it is in %s already", taken[j])
		}
		if err != nil {
			return fmt.Errorf(`"members": %.40q: %w`, name, err)
		}
		taken[j] = "the group " + g.called(at)
		out.Members = append(out.Members, j)
		if g.frozen {
			r.Features[j].Frozen = true
		} else {
			r.Features[j] = attack.Feature{Group: at + 1, Up: g.cost}
		}
	}
	out.label(names)
	r.Groups = append(r.Groups, out)
	return nil
}

// marks stand between the name of a category and its values in names of columns.
const marks = "_-=:. "

// label names the group by the common beginning of its columns' names, and the categories by the
// rest.
func (g *Group) label(names []string) {
	columns := make([]string, len(g.Members))
	for i, j := range g.Members {
		columns[i] = Name(names, j)
	}
	shared := columns[0]
	for _, c := range columns {
		for !strings.HasPrefix(c, shared) {
			shared = shared[:len(shared)-1]
		}
	}
	shared = shared[:strings.LastIndexAny(shared, marks)+1]
	for _, c := range columns {
		g.Categories = append(g.Categories, strings.TrimPrefix(c, shared))
	}
	if g.Name == "" {
		g.Name = strings.TrimRight(shared, marks)
	}
	if g.Name == "" {
		g.Name = strings.Join(columns, "/")
	}
}

// addFeature adds the rules of feature j, which may be a member of a group.
func (r *Rules) addFeature(f *feature, j int, group string) error {
	if group != "" {
		return r.addMember(f, j, group)
	}
	r.Features[j] = f.Feature
	if (f.low != nil || f.high != nil) && !f.Frozen {
		r.limit(j, f.low, f.high)
	}
	return nil
}

// addMember adds the rule of a member of a group alone.
func (r *Rules) addMember(f *feature, j int, group string) error {
	for _, key := range f.given {
		if key != "up" || r.Features[j].Frozen {
			return fmt.Errorf(`%q: it is a member of %s; of a member only "up" can be said, what `+
				`it costs to choose it, and nothing if the group is frozen`, key, group)
		}
	}
	if f.Up != 0 {
		r.Features[j].Up = f.Up
	}
	return nil
}

// limit keeps a feature between two numbers, of which one may be nil.
func (r *Rules) limit(j int, low, high *float64) {
	if r.Domain == nil {
		r.Domain = polytope.NewBox(len(r.Features))
	}
	if low != nil {
		r.Domain[j].Lo = *low
	}
	if high != nil {
		r.Domain[j].Hi = *high
	}
}
