package attacking

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"runtime"
	"slices"

	"github.com/spf13/pflag"

	"github.com/seed-1a7dc1f9/facet/examples/internal/results"
	"github.com/seed-1a7dc1f9/facet/examples/internal/subject"
	"github.com/seed-1a7dc1f9/facet/examples/internal/tabular"
	"github.com/seed-1a7dc1f9/facet/metrics"
)

// Pieces attacks the rows of a test set that comes in pieces, on any machines, each by itself:
// its lines are those that facet attack --untimed writes. Once loaded it is safe for concurrent
// use.
type Pieces struct {
	a       *attacking
	columns *tabular.Columns
	whole   *evaluation // without test rows
}

// unsupportedFlags are the flags of facet attack that are about a run on one machine, and why
// pieces have none.
var unsupportedFlags = map[string]string{
	"timeout": "a row that is tried again must get the same line: --max-nodes is a limit " +
		"that depends on nothing else",
	"test-labels": "the labels are a column of --test",
	"missing":     "rows with missing values go to the errors",
	"points":      "all rows are attacked",
	"rows":        "all rows are attacked",
	"shard":       "--shard-rows says how large the shards are",
	"resume":      "the same command goes on where it ended",
	"summary":     "facet merge joins the shards, and facet attack --resume sums them up",
	"proofs":      "facet attack --shard writes proofs",
	"untimed":     "",
	"csv":         "the rows are in the shards",
	"plot":        "facet attack --resume draws it of the joined shards",
	"id":          "lines have the numbers of rows",
	"header":      "the first line says it",
	"decimal":     "cells have points",
	"overwrite":   "the same command goes on where it ended",
}

// BeginPieces adds the flags.
func BeginPieces(f *pflag.FlagSet) *Pieces {
	a := newAttacking(f)
	a.Unlabeled = false
	for name := range unsupportedFlags {
		f.Lookup(name).Hidden = true
	}
	f.Lookup("test").Usage = "test set, a `file` of CSV or Parquet"
	f.Lookup("out").Usage = "`folder` of the shards, their errors and the manifest"
	return &Pieces{a: a}
}

// Check looks at all flags together.
func (p *Pieces) Check() error {
	for _, name := range slices.Sorted(maps.Keys(unsupportedFlags)) {
		if why := unsupportedFlags[name]; why != "" && p.a.set.Changed(name) {
			return fmt.Errorf("--%s does not go with a pipeline: %s", name, why)
		}
	}
	if p.a.Change != nil {
		return errors.New("--target change does not go with a pipeline: each row has a question " +
			"of its own")
	}
	if p.a.out == "" {
		return errors.New("--out FOLDER is missing")
	}
	p.a.untimed, p.a.Piecewise = true, true
	return p.a.finish(rowsAsked, p.a.check)
}

// Inputs returns the files that are read, by flag.
func (p *Pieces) Inputs() map[string]string { return p.a.inputs() }

// Out returns the folder of --out.
func (p *Pieces) Out() string { return p.a.out }

// Workers is the number of rows to work on at a time.
func (p *Pieces) Workers() int { return cmp.Or(p.a.Workers, runtime.GOMAXPROCS(0)) }

// Load reads the files that the flags name, all but the test set, of which it needs the beginning,
// and trains.
func (p *Pieces) Load(ctx context.Context, test tabular.Beginning, stderr io.Writer) error {
	e, err := load(ctx, &p.a.task, stderr)
	if err != nil {
		return err
	}
	if p.columns, err = p.a.Columns(e.data.Data, test); err != nil {
		return err
	}
	if e.data.Names == nil {
		e.data.Names = p.columns.Names
	}
	for _, note := range p.columns.Notes {
		fmt.Fprintf(stderr, "note: %s\n", note)
	}
	p.whole = e
	return e.build(ctx, p.a)
}

// Text tells how the rows of a text stand in it.
func (p *Pieces) Text() *tabular.Columns { return p.columns }

// Meta describes the run that makes the lines of a test set of so many rows, with this checksum.
func (p *Pieces) Meta(rows int, sum string) *results.Meta {
	e := *p.whole
	d := *e.data.Data
	d.Test = &subject.Part{Table: &tabular.Table{Rows: rows}}
	e.data = &subject.Subject{Data: &d, Classifier: e.data.Classifier}
	e.total = rows
	m := e.meta()
	test := m.Inputs["test"]
	test.Sum = sum
	m.Inputs["test"] = test
	return m
}

// Line attacks the row with this number. An error is about this row, unless the context has ended.
func (p *Pieces) Line(ctx context.Context, row int, cells []string) (results.Line, error) {
	raw, label, err := p.columns.Row(cells)
	if err != nil {
		return results.Line{}, err
	}
	e := *p.whole
	if e.data, err = p.a.Piece(p.whole.data, raw, label); err != nil {
		return results.Line{}, err
	}
	if e.predicted, err = metrics.Predict(
		ctx, e.data.Classifier, e.data.Test.Matrix(),
	); err != nil {
		return results.Line{}, withoutRow(err)
	}
	l := e.skippedLine(0)
	if l.Status == "" {
		l, _, err = e.ask(ctx, 0)
	}
	l.Row = row
	return l, err
}
