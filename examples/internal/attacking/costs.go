package attacking

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/examples/internal/costs"
	"github.com/seed-1a7dc1f9/facet/internal/access"
	"github.com/seed-1a7dc1f9/facet/internal/dataset"
	"github.com/seed-1a7dc1f9/facet/internal/rules"
)

// readCosts reads the rules of moves, if there are any, and turns to the units of the files where
// they can be followed to the letter. Prices are those of scaled moves once it is known which
// features are categories, whose prices are not scaled.
func (e *evaluation) readCosts(ctx context.Context) (err error) {
	e.scaling = e.data.Scaling
	e.moves = &costs.Rules{Features: make([]attack.Feature, e.data.Classifier.Dim())}
	if e.costs != "" {
		if e.moves, err = e.readRulesFile(ctx); err != nil {
			return err
		}
	}
	e.moves.Declare(e.data.Categories)
	e.limits = e.moves.Limits(e.data.Names)
	if e.costs != "" || e.units == "range" {
		e.rules = e.moves
	}
	if e.costs != "" {
		if err := e.scaleRules(); err != nil {
			return fmt.Errorf("--costs %s: %w", e.costs, err)
		}
	}
	if e.units == "range" {
		return e.priceRanges()
	}
	return nil
}

// readRulesFile reads the file of --costs.
func (e *evaluation) readRulesFile(ctx context.Context) (*costs.Rules, error) {
	text, err := e.data.ReadInput(ctx, "costs", e.costs, dataset.Limits{Values: e.MaxValues})
	if err != nil {
		return nil, err
	}
	rules, err := costs.Read(text, e.data.Names, e.data.Classifier.Dim())
	if err != nil {
		return nil, fmt.Errorf("--costs %s: %w", e.costs, err)
	}
	return rules, nil
}

// priceRanges makes prices those of parts of the range that each feature has in the rows.
func (e *evaluation) priceRanges() error {
	rows := e.data.Train
	if rows == nil {
		rows = e.data.Test
	}
	ranges, err := e.data.Ranges(rows)
	if err != nil {
		return fmt.Errorf("--units range: %w", err)
	}
	e.rules.Price(ranges.Scale)
	return nil
}

// distances says in which units they are.
func (e *evaluation) distances() string {
	units := "in the units of the file"
	switch {
	case e.Changes:
		return "changes of features, counted"
	case e.units == "range":
		units = "in parts of each feature's range"
	case e.scaling != nil:
		units = "of features scaled to [0,1]"
	}
	switch {
	case e.costs != "":
		return "prices of " + filepath.Base(e.costs) + ", of moves " + units
	case e.data.Categories != nil:
		return units + ", 1 for another category"
	}
	return units
}

// scaleRules makes prices those of scaled moves. The rules themselves stay in the units of the
// files if the classifier can be asked in these; else they are scaled too.
func (e *evaluation) scaleRules() error {
	if e.scaling == nil {
		return nil
	}
	raw, err := e.data.InFileUnits()
	switch {
	case errors.Is(err, errors.ErrUnsupported):
		return e.rules.Scale(e.scaling.Scale, e.scaling.Shift, e.data.Names)
	case err != nil:
		return err
	case slices.ContainsFunc(e.rules.Features,
		func(f attack.Feature) bool { return f.Missing != attack.KeepMissing }):
		return errors.New(`"missing": to fill in a value has one price, and --scale minmax makes ` +
			`prices those of scaled moves: leave one of the two out`)
	case e.domain != nil && e.domain.cube != nil:
		return errors.New("--domain LO,HI is about scaled features, and the rules are not: name " +
			"a file with --domain, or say min and max here")
	}
	e.data = raw
	if !e.Changes { // which counts changes of all sizes
		e.rules.Price(e.scaling.Scale)
	}
	return nil
}

// exact returns the attack that the flags describe, on the whole classifier or one made for a row.
func (e *evaluation) exact(c classifier.Classifier) (*attack.RegionBased, error) {
	a, err := e.regionBased(e.data.Data, c)
	if err != nil {
		return nil, err
	}
	return a, e.follow(a)
}

// follow makes an attack follow the rules, if its classifier can.
func (e *evaluation) follow(a *attack.RegionBased) (err error) {
	if e.rules != nil {
		a.Features, a.Linear = e.rules.Features, e.rules.HalfSpaces()
		if a.Domain, err = e.rules.Within(a.Domain, e.data.Names); err != nil {
			return fmt.Errorf("--costs %s: %w", e.costs, err)
		}
	}
	flag := "--costs"
	switch {
	case e.costs == "" && e.units == "range":
		flag = "--units range"
	case e.Changes:
		flag = "--norm 0"
	case e.rules == nil:
		return nil
	}
	c, ok := access.Searcher(a.Classifier)
	if !ok {
		return fmt.Errorf("%s: %s knows no rules of moves; trees and ensembles of them do",
			flag, e.Describe())
	}
	moves := e.rules.From(a.Options, make([]float64, a.Classifier.Dim())).Moves()
	if err := moves.Refused(c.Follows()); err != nil {
		why := costs.Named(err, e.data.Names).Error()
		return fmt.Errorf("%s: %s: %s", flag, e.Describe(),
			strings.TrimSuffix(why, ": "+errors.ErrUnsupported.Error()))
	}
	if len(moves.Linear) > 0 && c.Follows()&rules.Linear == 0 {
		return fmt.Errorf("%s: %s: rules between features are for trees that test one feature at "+
			"a time, oblique ones, and neighbours of equal weight", flag, e.Describe())
	}
	return nil
}

// mostNotes is how many features' broken rules are noted.
const mostNotes = 5

// noteMended says which rules the rows in question break themselves: that may be meant, or a
// mistake in the file.
func (e *evaluation) noteMended(stderr io.Writer) {
	if e.costs == "" {
		return
	}
	counts := make(map[string]int)
	for _, row := range e.rows {
		x, _ := e.data.Test.Row(row)
		for broken := range e.rules.Breaks(x, x) {
			counts[fmt.Sprintf("%.40q is %v", e.rules.About(broken, e.data.Names), broken.Breach)]++
		}
	}
	list := slices.SortedFunc(maps.Keys(counts),
		func(a, b string) int { return cmp.Or(counts[b]-counts[a], strings.Compare(a, b)) })
	for _, what := range list[:min(len(list), mostNotes)] {
		fmt.Fprintf(stderr, "note: by --costs, %s in %d of %d rows: answers mend that, at the "+
			"price of the move.\n", what, counts[what], len(e.rows))
	}
	if more := len(list) - mostNotes; more > 0 {
		fmt.Fprintf(stderr, "note: it is so with %d other features.\n", more)
	}
}

// noteTruths says that examples may lie between True and False, unless rules keep them apart.
func (e *evaluation) noteTruths(stderr io.Writer) {
	var names []string
	for _, j := range e.data.Test.Truths {
		f := &e.moves.Features[j]
		if !f.Frozen && !f.Categorical && f.Step == 0 && f.Group == 0 {
			names = append(names,
				strconv.Quote(costs.Name(e.data.Names, j)))
		}
	}
	if len(names) == 0 {
		return
	}
	const most = 5
	list := strings.Join(names[:min(len(names), most)], ", ")
	if more := len(names) - most; more > 0 {
		list += fmt.Sprintf(" and %d more", more)
	}
	fmt.Fprintf(stderr, "note: what is True or False, or Yes or No, counts as 1 or 0 (%s), and "+
		`examples may lie between: {"features": {%s: {"integer": true, "min": 0, "max": 1}}} `+
		"in a file of --costs keeps it whole.\n", list, names[0])
}

// nameOf returns the name of a feature, or its number.
func (e *evaluation) nameOf(j int) string { return costs.Quoted(e.data.Names, j) }
