package tabular

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-1a7dc1f9/facet/internal/dataset"
)

// isMissing reports whether a cell says that there is no value.
func isMissing(cell string) bool {
	switch strings.ToLower(cell) {
	case "", "?", "na", "n/a", "nan", "null", "<na>", "#n/a", "-nan":
		return true
	}
	return false
}

// gaps are the cells without a value.
type gaps struct {
	cells       int
	rows        []int  // that have any, ascending
	text, where string // of the first one
}

func (g *gaps) add(text string, where func() string) {
	if g.cells == 0 {
		g.text, g.where = strings.Clone(text), where()
	}
	g.cells++
}

const notNumber = "is not a number"

// grouped is a number with commas between its thousands.
var grouped = regexp.MustCompile(`^[+-]?[0-9]{1,3}(,[0-9]{3})+(\.[0-9]*)?$`)

// faults are the cells of a feature that are no numbers.
type faults struct {
	numbers, cells int
	truths         int // True and False, Yes and No, which are 1 and 0
	words, codes   int // of categories that have words
	line           int // of the first one
	text, reason   string
}

// value returns the number of a cell, or that of its category.
func (f *faults) value(cell string, line int, v *vocabulary) float64 {
	if v == nil {
		return f.number(cell, line)
	}
	if code, known := v.code(cell); known {
		f.words++
		return code
	}
	code, err := strconv.ParseFloat(cell, 64)
	if err == nil && len(v.numbers) == 0 && !math.IsInf(code, 0) {
		f.codes++
		return code
	}
	if f.cells == 0 {
		f.line, f.text, f.reason = line, strings.Clone(cell), v.strange(cell)
	}
	f.cells++
	return 0
}

// number returns the number of a cell, or counts it as a fault.
func (f *faults) number(cell string, line int) float64 {
	v, err := strconv.ParseFloat(cell, 64)
	if err == nil && !math.IsInf(v, 0) {
		f.numbers++
		return v
	}
	if v, is := answer(cell); is {
		f.truths++
		return v
	}
	if f.cells == 0 {
		f.line, f.text, f.reason = line, strings.Clone(cell), notNumber
		_, comma := strconv.ParseFloat(strings.Replace(cell, ",", ".", 1), 64)
		thousands := grouped.MatchString(cell)
		switch {
		case err == nil:
			f.reason = "is not a finite number"
		case errors.Is(err, strconv.ErrRange):
			f.reason = "is beyond the range of a float64"
		case thousands:
			f.reason = "has commas between thousands, or is a decimal comma: write digits, and a " +
				"point, or say --decimal ,"
		case comma == nil:
			f.reason = "has a decimal comma; write a point, or say --decimal ,"
		}
	}
	f.cells++
	return 0
}

// areWords tells a column of words, numbers among them maybe, from one with typing errors.
func (f *faults) areWords() bool {
	const some = 10
	return f.reason == notNumber && (f.numbers == 0 || f.cells >= some && some*f.cells >= f.numbers)
}

// finish tells of all faulty cells, and drops an index.
func (x *text) finish() error {
	faults := x.checkFaults()
	if err := x.ragged.complain(x.width); err != nil {
		faults = append(faults, err)
	}
	if len(x.missing.rows) > 0 && x.o.Missing != Drop {
		faults = append(faults, x.missing.complain(x.Rows))
	}
	if err := every(faults); err != nil {
		return err
	}
	if err := x.without(&x.missing, x.o); err != nil {
		return err
	}
	if x.wasHeader() {
		if err := x.renameColumns(); err != nil {
			return err
		}
	}
	x.noteCodes()
	for i, f := range x.faults {
		if f.truths > 0 && f.numbers == 0 {
			x.Truths = append(x.Truths, x.layout.columns[i].at)
		}
	}
	x.Names = x.layout.featureNames()
	if i := x.layout.label(); i >= 0 {
		x.LabelName = x.layout.columns[i].name
	}
	return x.checkIndex()
}

// noteCodes says which columns have codes where the model knows words.
func (x *text) noteCodes() {
	for i, f := range x.faults {
		if f.codes > 0 {
			x.note("%s of %s has numbers in %d of %d cells, which were taken for the codes of the "+
				"model's categories: the words do, too.",
				upper(x.layout.describe(i)), x.Path, f.codes, f.codes+f.words)
		}
	}
}

// without leaves out the rows that have gaps, or complains about them.
func (t *Table) without(g *gaps, o *Options) error {
	switch {
	case len(g.rows) > 0 && o.Missing != Drop:
		return g.complain(t.Rows)
	case len(g.rows) > 0:
		t.drop(g.rows)
	}
	switch {
	case t.Rows > 0:
		return nil
	case len(g.rows) > 0:
		return fmt.Errorf("%w: there are no rows without missing values", dataset.ErrEmpty)
	}
	return fmt.Errorf("%w: there are no rows", dataset.ErrEmpty)
}

// drop leaves out rows, which are given in ascending order. The others keep their numbers.
func (t *Table) drop(rows []int) {
	all := t.Rows
	dropped := len(rows)
	t.Rows = 0
	for i := range all {
		if len(rows) > 0 && rows[0] == i {
			rows = rows[1:]
			continue
		}
		copy(t.X[t.Rows*t.Dim:], t.Row(i))
		if t.Labels != nil {
			t.Labels[t.Rows] = t.Labels[i]
		}
		if t.IDs != nil {
			t.IDs[t.Rows] = t.IDs[i]
		}
		t.Numbers = append(t.Numbers, i)
		t.Rows++
	}
	t.X = t.X[:t.Rows*t.Dim]
	t.Labels, t.IDs = t.Labels[:min(len(t.Labels), t.Rows)], t.IDs[:min(len(t.IDs), t.Rows)]
	t.note("%s: %d of %d rows have missing values and were left out; the others keep their "+
		"numbers.", t.Path, dropped, all)
}

func (t *Table) note(format string, args ...any) {
	t.Notes = append(t.Notes, fmt.Sprintf(format, args...))
}

// complain says how many cells of so many rows have no value.
func (g *gaps) complain(rows int) error {
	missing := fmt.Sprintf("%q", short(g.text))
	if g.text == "" {
		missing = "an empty cell"
	}
	return fmt.Errorf("%d of %d rows have missing values, %d in all, first %s in %s. Fill them "+
		"in, leave these rows out with --missing drop, or keep them with --missing keep if the "+
		"file of a model takes them",
		len(g.rows), rows, g.cells, missing, g.where)
}

// checkFaults tells columns of words from single cells that are wrong, of which it returns each
// kind with its first place.
func (x *text) checkFaults() (list []error) {
	var words []int
	kinds := make(map[string][]int) // columns, by the reason of their first fault
	var order []string
	for i, f := range x.faults {
		switch {
		case f.cells == 0:
		case f.areWords():
			words = append(words, i)
		default:
			if kinds[f.reason] == nil {
				order = append(order, f.reason)
			}
			kinds[f.reason] = append(kinds[f.reason], i)
		}
	}
	if len(words) > 0 {
		list = append(list, x.complainWords(words))
	}
	for _, reason := range order {
		list = append(list, x.complainCells(kinds[reason]))
	}
	return list
}

// complainCells says how many cells of some columns are wrong, and where the first one is.
func (x *text) complainCells(columns []int) error {
	first, cells := columns[0], 0
	for _, i := range columns {
		if cells += x.faults[i].cells; x.faults[i].line < x.faults[first].line {
			first = i
		}
	}
	f := x.faults[first]
	text := fmt.Sprintf("line %d, %s: %q %s",
		f.line, x.layout.describe(first), short(f.text), f.reason)
	if cells > 1 {
		text += fmt.Sprintf(" (%d such cells in all)", cells)
	}
	return errors.New(text)
}

// complainWords returns an error, with advice, about features that are words.
func (x *text) complainWords(columns []int) error {
	var named, options []string
	for _, i := range columns {
		f := x.faults[i]
		named = append(named,
			fmt.Sprintf("%s (%q in line %d)", x.layout.describe(i), short(f.text), f.line))
		options = append(options, x.layout.option(i))
	}
	const most = 6
	if more := len(named) - most; more > 0 {
		named = append(named[:most], fmt.Sprintf("%d more", more))
	}
	label := ""
	if x.o.Label == "" && x.layout.label() >= 0 {
		label = ", or say with --label in which of them the labels are"
		if len(columns) == 1 {
			label = ", or, if the labels are there, say --label " + options[0]
		}
	}
	return fmt.Errorf("words where numbers are needed: %s. Turn them into numbers (for a model "+
		"whose file has no words for its categories into their codes, else pandas.get_dummies), "+
		"or leave them out with --ignore %s%s",
		strings.Join(named, ", "), strings.Join(options, ","), label)
}

// checkIndex looks at the first column: one without a name must be an index, one that counts rows
// may be one.
func (x *text) checkIndex() error {
	first := x.layout.columns[0]
	if first.role == index {
		slices.Sort(x.hashes)
		if cells := len(x.hashes); len(slices.Compact(x.hashes)) < cells {
			return fmt.Errorf("column 0 has no name and repeats values, so it is no index of the " +
				"rows: name it in the first line, or leave it out with --ignore 0")
		}
		x.note("The first column of %s has no name: it was left out as an index of the rows "+
			"(pandas writes none with index=False).", x.Path)
		return nil
	}
	x.noteIdentifiers()
	if first.role != feature || !x.counts(first.at) {
		return nil
	}
	x.note("%s of %s counts the rows and was taken for a feature: if it is an index, leave it "+
		"out with --ignore %s.",
		upper(x.layout.describe(0)), x.Path, x.layout.option(0))
	return nil
}

// noteIdentifiers looks for features that are named like identifiers and have another whole number
// in each row.
func (x *text) noteIdentifiers() {
	for _, i := range x.layout.features() {
		c := x.layout.columns[i]
		if i == 0 && x.counts(c.at) || !identifier.MatchString(c.name) || x.Rows < 10 {
			continue // the first is told of anyway
		}
		seen := make(map[float64]bool)
		for row := range x.Rows {
			v := x.Row(row)[c.at]
			if v != math.Trunc(v) {
				break
			}
			seen[v] = true
		}
		if len(seen) == x.Rows {
			x.note("%s of %s looks like an identifier and was taken for a feature: --ignore %s "+
				"leaves it out, --id keeps it beside the answers.",
				upper(x.layout.describe(i)), x.Path, x.layout.option(i))
		}
	}
}

// identifier is a name such as id, customer_id or userID.
var identifier = regexp.MustCompile(`(^|[ _.-])([Ii]d|ID|uuid|key)$|[a-z](Id|ID)$`)

// counts reports whether a feature counts the rows, from 0 or from 1.
func (t *Table) counts(feature int) bool {
	const fewest = 10
	if t.Rows < fewest {
		return false
	}
	offset := t.X[feature]
	for i := range t.Rows {
		if t.Row(i)[feature] != offset+float64(i) {
			return false
		}
	}
	return offset == 0 || offset == 1
}

func upper(text string) string { return strings.ToUpper(text[:1]) + text[1:] }
