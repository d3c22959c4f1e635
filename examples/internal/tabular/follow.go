package tabular

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// follow decides the meaning of the columns of a file by those of the first one, and returns notes
// for the user.
func (l *layout) follow(
	leader *layout, path, leaderPath string, o *Options,
) (notes []string, err error) {
	if l.named && leader.named {
		return l.followNames(leader, path, leaderPath, o)
	}
	if l.named != leader.named {
		bare := path
		if l.named {
			bare = leaderPath
		}
		notes = append(notes,
			fmt.Sprintf("No line of %s names the columns, so those of %s and %s are matched in "+
				"their order.", bare, path, leaderPath))
	}
	return notes, l.followOrder(leader, leaderPath, o)
}

// layout returns the features of a model as columns, which those of a file follow. There is no
// layout to follow if one of them has no names, or if they have none in common.
func (m *Model) layout(of *layout) *layout {
	if !of.named || len(m.Names) == 0 {
		return nil
	}
	leader, err := layoutOf(m.spelled(of), len(m.Names))
	if err != nil ||
		!slices.ContainsFunc(of.columns, func(c column) bool { return leader.has(c.name) }) {
		return nil
	}
	for i := range leader.columns {
		leader.columns[i] = column{name: leader.columns[i].name, at: i}
	}
	return leader
}

// spelled returns the names of a model's features as a file spells them: LightGBM keeps an
// underscore for each space in a name.
func (m *Model) spelled(of *layout) []string {
	spaced := make(map[string]string)
	for _, c := range of.columns {
		if strings.Contains(c.name, " ") {
			spaced[strings.ReplaceAll(c.name, " ", "_")] = c.name
		}
	}
	names := slices.Clone(m.Names)
	for i, name := range names {
		if with, has := spaced[name]; has && !of.has(name) {
			names[i] = with
		}
	}
	return names
}

// has reports whether a column has a name.
func (l *layout) has(name string) bool { _, has := l.byName[name]; return has }

// followOrder takes over the roles of the leader's columns one by one. Where labels are not needed,
// their column may be missing, and so may that of --id in the leader.
func (l *layout) followOrder(leader *layout, leaderPath string, o *Options) error {
	roles := leader.columns
	if label := leader.label(); o.Unlabeled && label >= 0 && len(l.columns) == len(roles)-1 {
		roles = slices.Delete(slices.Clone(roles), label, label+1)
	}
	if len(roles) != len(l.columns) {
		return fmt.Errorf("the file has %d columns where %s has %d",
			len(l.columns), leaderPath, len(roles))
	}
	for i, c := range roles {
		l.columns[i].role, l.columns[i].at = c.role, c.at
		if c.role == labelled && o.Label == None {
			l.columns[i].role = ignored
		}
	}
	return nil
}

// followNames looks for each feature and the label of the leader by name, and leaves the other
// columns out.
func (l *layout) followNames(
	leader *layout, path, leaderPath string, o *Options,
) (notes []string, err error) {
	extra, err := l.match(leader, leaderPath, o)
	if err != nil {
		return nil, err
	}
	if err := l.lacks(leader, leaderPath, extra); err != nil {
		return nil, err
	}
	if err := l.followLabel(leader, leaderPath, o); err != nil {
		return nil, err
	}
	if label := l.label(); label >= 0 {
		extra = slices.DeleteFunc(extra,
			func(name string) bool { return name == l.columns[label].name })
	}
	if len(extra) > 0 {
		notes = append(notes,
			fmt.Sprintf("%s has %s %s, which %s lacks: left out.",
				path, plural(len(extra), "column"), enumerate(extra), leaderPath))
	}
	if !slices.IsSortedFunc(
		l.features(), func(a, b int) int { return l.columns[a].at - l.columns[b].at },
	) {
		notes = append(notes,
			fmt.Sprintf("The columns of %s stand in another order than those of %s: they are "+
				"matched by name.", path, leaderPath))
	}
	return notes, nil
}

// match gives columns the roles of those of the leader with their names, and returns the names of
// those that it lacks.
func (l *layout) match(leader *layout, leaderPath string, o *Options) (extra []string, err error) {
	for i := range l.columns {
		c := &l.columns[i]
		switch first, known := leader.byName[c.name]; {
		case known && leader.columns[first].role == feature && slices.Contains(o.Ignore, c.name):
			return nil, fmt.Errorf("--ignore: %s is a feature of %s", l.describe(i), leaderPath)
		case known && leader.columns[first].role == feature && o.ID != "" && c.name == o.ID:
			return nil, fmt.Errorf("--id: %s is a feature of %s", l.describe(i), leaderPath)
		case known && leader.columns[first].role == feature:
			c.role, c.at = feature, leader.columns[first].at
		case o.ID != "" && c.name == o.ID:
			c.role = identity
		case c.role != index:
			c.role = ignored
			if !slices.Contains(o.Ignore, c.name) &&
				!(known && leader.columns[first].role == ignored) {
				extra = append(extra, c.name)
			}
		}
	}
	return extra, nil
}

// lacks returns an error if there is no column for a feature of the leader, and asks whether one of
// the extra columns is meant.
func (l *layout) lacks(leader *layout, leaderPath string, extra []string) error {
	missing := slices.DeleteFunc(leader.featureNames(), l.has)
	if len(missing) == 0 {
		return nil
	}
	return fmt.Errorf("the file lacks %s %s of %s%s", plural(len(missing), "column"),
		enumerate(missing), leaderPath, Suggest(missing[0], extra))
}

// followLabel finds the column of the labels: of the leader's name, or, if that has none, the one
// the user names, or the last.
func (l *layout) followLabel(leader *layout, leaderPath string, o *Options) error {
	name := o.Label
	if name == None {
		return nil
	}
	if i := leader.label(); i >= 0 && leader.columns[i].name != "" {
		name = leader.columns[i].name
	}
	i, err := l.find(cmp.Or(name, "-1"))
	switch {
	case err == nil && l.columns[i].role != feature:
		l.columns[i].role = labelled
		return nil
	case o.Unlabeled && (err != nil || name == ""):
		return nil
	case err != nil:
		return fmt.Errorf("the column of the labels: %w", err)
	}
	return fmt.Errorf("%s is a feature of %s: say with --label where the labels are",
		l.describe(i), leaderPath)
}

// enumerate lists names, some of many.
func enumerate(names []string) string {
	const most = 12
	quoted := make([]string, 0, most)
	for _, name := range names[:min(len(names), most)] {
		quoted = append(quoted, fmt.Sprintf("%q", short(name)))
	}
	if more := len(names) - most; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(quoted, ", "), more)
	}
	if len(quoted) > 1 {
		last := len(quoted) - 1
		return strings.Join(quoted[:last], ", ") + " and " + quoted[last]
	}
	return strings.Join(quoted, "")
}

// short cuts a text that is too long to be shown.
func short(text string) string {
	const most = 40
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}

func plural(n int, noun string) string {
	if n == 1 {
		return noun
	}
	return noun + "s"
}

// Suggest returns a question about the name that is nearest, if one is near.
func Suggest(name string, names []string) string {
	best, least := "", max(len(name)/2, 1)+1
	for _, candidate := range names {
		if d := edits(strings.ToLower(name), strings.ToLower(candidate)); d < least {
			best, least = candidate, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf(". Is %q meant?", best)
}

// edits is the number of letters to insert, delete or replace to turn a into b.
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal, row[j+1] = row[j+1], min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
