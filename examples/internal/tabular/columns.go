package tabular

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// role is the purpose of a column.
type role int

const (
	feature role = iota
	labelled
	ignored
	identity // Options.ID
	index    // without a name at the beginning, as pandas and R write the names of rows
)

// column is a column of a text file.
type column struct {
	name string // "" if it has none
	role role
	at   int // a feature's position in a row of the table
}

// layout is the roles of the columns of a file.
type layout struct {
	columns []column
	named   bool
	byName  map[string]int // the columns that have a name
}

// layoutOf returns the columns of a file by its header, or of so many columns without names. All
// are features.
func layoutOf(header []string, width int) (*layout, error) {
	l := &layout{columns: make([]column, width), named: header != nil}
	l.byName = make(map[string]int, len(header))
	for i, cell := range header {
		name := strings.TrimSpace(cell)
		if !utf8.ValidString(name) {
			return nil, fmt.Errorf("the name of column %d is not UTF-8: save the file as UTF-8", i)
		}
		if first, again := l.byName[name]; again {
			return nil, fmt.Errorf(
				"columns %d and %d, counted from 0, are both named %q: rename one",
				first, i, short(name),
			)
		}
		if l.columns[i].name = name; name != "" {
			l.byName[name] = i
		}
	}
	if first := l.columns[0].name; l.named && (first == "" || first == "Unnamed: 0") {
		l.columns[0].role = index
	}
	return l, nil
}

// describe names a column in a message.
func (l *layout) describe(i int) string {
	if name := l.columns[i].name; name != "" {
		return fmt.Sprintf("column %q", short(name))
	}
	return fmt.Sprintf("column %d (from 0)", i)
}

// option is how a flag names a column.
func (l *layout) option(i int) string {
	name := l.columns[i].name
	switch {
	case name == "":
		return strconv.Itoa(i)
	case strings.ContainsAny(name, ",\""): // as a cell of CSV, and for a shell
		return `'"` + strings.ReplaceAll(name, `"`, `""`) + `"'`
	case strings.ContainsAny(name, " ;'$&()<>|*?"):
		return "'" + name + "'"
	}
	return name
}

// find returns the column that a flag names: by its name, or by its number, −1 the last.
func (l *layout) find(name string) (int, error) {
	if i, known := l.byName[name]; known {
		return i, nil
	}
	width := len(l.columns)
	number, err := strconv.Atoi(name)
	switch {
	case err == nil && number >= 0 && number < width:
		return number, nil
	case err == nil && number < 0 && number >= -width:
		return width + number, nil
	case err == nil:
		return 0, fmt.Errorf("there is no column %d: the %d columns are 0 to %d, or −1, −2, … "+
			"from the last one back", number, width, width-1)
	case !l.named:
		return 0, fmt.Errorf("there is no column %q, for no line names the columns; give its "+
			"number, 0 to %d, or −1 for the last, or say --header yes if the first line does", name,
			width-1)
	}
	return 0, fmt.Errorf("there is no column %q; the columns are %s%s",
		name, enumerate(l.names()), Suggest(name, l.names()))
}

// names returns those of all columns that have one.
func (l *layout) names() (names []string) {
	for _, c := range l.columns {
		if c.name != "" {
			names = append(names, c.name)
		}
	}
	return names
}

// lead decides the roles of the columns of the first file.
func (l *layout) lead(o *Options, dim int) error {
	for _, name := range o.Ignore {
		i, err := l.find(name)
		if err != nil {
			return fmt.Errorf("--ignore: %w", err)
		}
		l.columns[i].role = ignored
	}
	if o.ID != "" {
		if i, err := l.find(o.ID); err == nil { // else the last file may have it
			l.columns[i].role = identity
		}
	}
	if o.Unlabeled && (o.Label == "" || o.Label == None && l.byName[None] == 0) &&
		len(l.features()) == dim {
		l.place()
		return l.check()
	}
	i, err := len(l.columns)-1, error(nil)
	if o.Label != "" && o.Label != None {
		if i, err = l.find(o.Label); err != nil {
			return fmt.Errorf("--label: %w", err)
		}
	}
	if l.columns[i].role == identity {
		return fmt.Errorf("%s is that of --id: say with --label where the labels are",
			l.describe(i))
	}
	if l.columns[i].role == ignored {
		return fmt.Errorf("%s is left out by --ignore: say with --label where the labels are",
			l.describe(i))
	}
	l.columns[i].role = labelled
	l.place()
	return l.check()
}

// check refuses a file without features, or with one that cannot be named.
func (l *layout) check() error {
	features := l.features()
	if len(features) == 0 {
		return fmt.Errorf("the file has %d %s and no feature besides the label: is --sep right?",
			len(l.columns), plural(len(l.columns), "column"))
	}
	for _, i := range features {
		if l.named && l.columns[i].name == "" {
			return fmt.Errorf("column %d, counted from 0, has no name: name it in the first "+
				"line, or leave it out with --ignore %d", i, i)
		}
	}
	return nil
}

// features returns the columns that are, in their order.
func (l *layout) features() (list []int) {
	for i, c := range l.columns {
		if c.role == feature {
			list = append(list, i)
		}
	}
	return list
}

// label returns the label's column, −1 if there is none.
func (l *layout) label() int { return l.column(labelled) }

// column returns the first column of a role, −1 if there is none.
func (l *layout) column(r role) int {
	return slices.IndexFunc(l.columns, func(c column) bool { return c.role == r })
}

// place gives features their positions, which is their order.
func (l *layout) place() {
	for at, i := range l.features() {
		l.columns[i].at = at
	}
}

// featureNames returns the names in the order of the features, nil without a header.
func (l *layout) featureNames() []string {
	if !l.named {
		return nil
	}
	features := l.features()
	names := make([]string, len(features))
	for _, i := range features {
		names[l.columns[i].at] = l.columns[i].name
	}
	return names
}
