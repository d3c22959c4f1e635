package attacking

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
	"github.com/seed-1a7dc1f9/facet/examples/internal/costs"
	"github.com/seed-1a7dc1f9/facet/examples/internal/results"
	"github.com/seed-1a7dc1f9/facet/examples/internal/subject"
	"github.com/seed-1a7dc1f9/facet/examples/internal/tabular"
	"github.com/seed-1a7dc1f9/facet/internal/dataset"
	"github.com/seed-1a7dc1f9/facet/metrics"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// evaluation is prepared before the first row is asked about.
type evaluation struct {
	*task
	question question
	by       attacker
	data     *subject.Subject
	classes  []tabular.Label // labels of the classes
	prover   *prover         // of the file of proofs, if they are written
	moving
	chosen
}

// moving is where examples may lie, and the cost of moves.
type moving struct {
	box    polytope.Box // the domain of a file, in its units; nil for none
	rules  *costs.Rules // nil without --costs
	limits []string     // their texts, and categories
	// costs of moves: the same, or none, and the categories of the model
	moves *costs.Rules
	// of --scale, in which distances are measured, also of data in other units; nil without
	scaling *dataset.MinMax
}

// chosen is which rows are asked about.
type chosen struct {
	goal      *int     // the class of the label to reach; nil for any
	predicted []int    // of each test row
	accuracy  *float64 // nil if the rows have no labels
	rows      []int    // to attack, in this order
	skipped   []int    // that have a line and are not attacked
	total     int      // rows and skipped of all shards
}

// prepare reads the files, trains and chooses the rows.
func prepare(ctx context.Context, t *task, q question, stderr io.Writer) (*evaluation, error) {
	e, err := load(ctx, t, stderr)
	if err != nil {
		return nil, err
	}
	if e.predicted, err = metrics.Predict(
		ctx, e.data.Classifier, e.data.Test.Matrix(),
	); err != nil {
		return nil, err
	}
	if e.data.Test.Y != nil {
		accuracy := e.data.Test.Accuracy(e.predicted)
		e.accuracy = &accuracy
	}
	e.noteLabels(stderr)
	if err := e.build(ctx, q); err != nil {
		return nil, err
	}
	if err := e.chooseRows(ctx); err != nil {
		return nil, err
	}
	e.noteRows(stderr)
	e.noteMended(stderr)
	e.noteTruths(stderr)
	return e, ctx.Err()
}

// noteLabels notes the meaning of the test rows' labels for the answers.
func (e *evaluation) noteLabels(stderr io.Writer) {
	test := e.data.Test
	if test.Y == nil {
		if e.Change == nil && e.Of == "" { // else labels, if there are any, are not asked about
			fmt.Fprintf(stderr, "note: %s has no labels: each row is asked about with the label "+
				"that is predicted.\n", test.Path)
		}
		return
	}
	counts, most := make(map[int]int), 0
	for _, y := range test.Y {
		counts[y]++
		most = max(most, counts[y])
	}
	if share := float64(most) / float64(test.Rows); *e.accuracy < share && test.Rows >= fewRows {
		fmt.Fprintf(stderr, "note: the accuracy is %.4g, and to predict the most frequent label "+
			"always would be right for %.4g of the rows.\n", *e.accuracy, share)
	}
}

// fewRows are too few to say anything about an accuracy.
const fewRows = 20

// load reads the files and trains.
func load(ctx context.Context, t *task, stderr io.Writer) (*evaluation, error) {
	e := &evaluation{task: t}
	var err error
	if e.data, err = t.selection.load(ctx, &t.Flags, stderr); err != nil {
		return nil, err
	}
	e.classes = e.data.Classes.Labels()
	return e, nil
}

// load reads the domain and the other files.
func (s *selection) load(
	ctx context.Context, f *subject.Flags, stderr io.Writer,
) (*subject.Subject, error) {
	if s.domain.path() == "" {
		return f.Load(ctx, stderr)
	}
	if err := s.domain.read(ctx, dataset.Limits{Values: f.MaxValues}); err != nil {
		return nil, err
	}
	data, err := f.Load(ctx, stderr)
	if err == nil {
		data.Sums["domain"] = s.domain.sum
	}
	return data, err
}

// correct reports whether the row is classified as it is labelled, if it is.
func (e *evaluation) correct(row int) bool {
	return e.data.Test.Y == nil || e.predicted[row] == e.data.Test.Y[row]
}

// skips returns the status of a row that is not asked about; "" for others.
func (e *evaluation) skips(row int) string {
	switch {
	case e.goal != nil && e.predicted[row] == *e.goal:
		return results.Reached
	case e.misclassified || e.rowsFile != "" || e.correct(row):
		return ""
	}
	return results.Misclassified
}

// lines returns the rows that have a line.
func (e *evaluation) lines() []int { return slices.Concat(e.skipped, e.rows) }

// meta describes the run that makes the results.
func (e *evaluation) meta() *results.Meta {
	d := e.data
	m := &results.Meta{
		Schema: results.Schema, Program: e.program, Version: command.Release(),
		Flags: e.flags, Inputs: make(map[string]results.Input),
		Classes: e.classes, Features: d.Names, Dimension: d.Classifier.Dim(),
		TestRows: d.Test.Rows, Rows: e.total, Lines: len(e.lines()), Shard: e.shard,
	}
	if e.scaling != nil {
		m.Scaling = &results.Scaling{Scale: e.scaling.Scale}
		for _, shift := range e.scaling.Shift {
			m.Scaling.Shift = append(m.Scaling.Shift, shift+0) // −0 is 0
		}
	}
	m.Limits = slices.Concat(costs.Intervals(e.box, d.Names), e.limits)
	for name, path := range e.inputs() {
		m.Inputs[name] = results.Input{Path: path, Sum: d.Sums[name]}
	}
	return m
}

// build makes the attacks of rows, by the rules of moves.
func (e *evaluation) build(ctx context.Context, q question) error {
	err := e.readRules(ctx)
	if err == nil {
		err = e.also.read(ctx, e.data, e.Reach, e.MaxValues)
	}
	if err == nil {
		e.question = q
		e.by, err = q.build(e)
	}
	return err
}

// readRules reads --costs and looks up the features of --domain.
func (e *evaluation) readRules(ctx context.Context) (err error) {
	if err := e.readCosts(ctx); err != nil {
		return err
	}
	e.box, err = e.domain.box(e.data.Names, e.data.Classifier.Dim())
	return err
}

// chooseRows sets the rows that have a line, and those of them to attack.
func (e *evaluation) chooseRows(ctx context.Context) error {
	listed, err := e.listed(ctx, e.data.Data, dataset.Limits{Values: e.MaxValues})
	if err != nil {
		return err
	}
	for _, row := range listed {
		if e.points > 0 && len(e.rows) == e.points {
			break
		}
		if e.skips(row) == "" {
			e.rows = append(e.rows, row)
		} else {
			e.skipped = append(e.skipped, row)
		}
	}
	e.total = len(e.rows) + len(e.skipped)
	e.rows, e.skipped = results.Take(e.shard, e.rows), results.Take(e.shard, e.skipped)
	return e.refuseRows()
}

// refuseRows returns an error if a row lacks a value that a rule between features is about.
func (e *evaluation) refuseRows() error {
	if e.rules == nil {
		return nil
	}
	for _, row := range e.rows {
		x, _ := e.data.Test.Row(row)
		if rule, j := e.rules.Unknown(x); rule != nil {
			return fmt.Errorf("--costs %s: %q is about feature %s, which is missing in row %d: "+
				"rules between features are about numbers; --missing drop leaves such rows out",
				e.costs, rule.Text, e.nameOf(j), e.data.Test.Number(row))
		}
	}
	return nil
}

// listed returns the rows of --rows, or all.
func (s *selection) listed(
	ctx context.Context, d *subject.Data, limits dataset.Limits,
) ([]int, error) {
	if s.rowsFile != "" {
		return s.readRows(ctx, d, limits)
	}
	all := make([]int, d.Test.Rows)
	for i := range all {
		all[i] = i
	}
	return all, nil
}

// readRows reads the numbers of test rows, one a line.
func (s *selection) readRows(
	ctx context.Context, d *subject.Data, limits dataset.Limits,
) ([]int, error) {
	path, rows := s.rowsFile, d.Test.Rows
	text, err := d.ReadInput(ctx, "rows", path, limits)
	if err != nil {
		return nil, err
	}
	var list []int
	seen := make([]bool, rows)
	lines := bufio.NewScanner(bytes.NewReader(text))
	for number := 1; lines.Scan(); number++ {
		field := bytes.TrimSpace(lines.Bytes())
		if len(field) == 0 {
			continue
		}
		listed, err := strconv.Atoi(string(field))
		row, known := d.Test.Index(listed)
		switch last := d.Test.Number(rows - 1); {
		case err != nil || listed < 0 || listed > last:
			return nil, fmt.Errorf(
				"%s:%d: %.40q is not a row of the test file, a number from 0 to %d",
				path, number, field, last,
			)
		case !known:
			return nil, fmt.Errorf("%s:%d: row %d has missing values and was left out",
				path, number, listed)
		case seen[row]:
			return nil, fmt.Errorf("%s:%d: row %d is listed twice", path, number, listed)
		}
		seen[row] = true
		list = append(list, row)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s lists no rows", path)
	}
	return list, nil
}
