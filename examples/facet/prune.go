package main

import (
	"bufio"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/pflag"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
	"github.com/seed-1a7dc1f9/facet/examples/internal/outfile"
	"github.com/seed-1a7dc1f9/facet/examples/internal/progress"
	"github.com/seed-1a7dc1f9/facet/examples/internal/subject"
	"github.com/seed-1a7dc1f9/facet/prune"
)

// pruning is the choice of the training rows to keep.
type pruning struct {
	subject.Flags
	out       string
	proof     string
	overwrite bool
	data      *subject.Data
	result    *prune.Result
}

func beginPrune(f *pflag.FlagSet) command.Work {
	p := new(pruning)
	p.AddTrain(f)
	p.AddReading(f)
	p.AddScale(f)
	p.AddPrune(f)
	p.AddNorm(f)
	f.StringVar(&p.out, "out", "",
		"write the numbers of the rows to keep to this `file`, one a line, counted from 0")
	f.StringVar(&p.proof, "proofs",
		"", "write to this `file` why no more rows can be kept, for facet check")
	command.Renamed(f, "keep", "out", "")
	command.Renamed(f, "certificate", "proofs", "")
	command.Overwrite(f, &p.overwrite)
	return p.run
}

func (p *pruning) run(ctx context.Context, stdout, stderr io.Writer) error {
	if err := p.prepare(ctx, stderr); err != nil {
		return command.Misuse(err)
	}
	if err := p.solve(ctx, stderr); err != nil {
		return err
	}
	if p.out != "" {
		if err := outfile.Write(p.out, p.writeRows); err != nil {
			return fmt.Errorf("--out: %w", err)
		}
	}
	if p.proof != "" {
		if err := p.certify(); err != nil {
			return fmt.Errorf("--proofs: %w", err)
		}
	}
	return p.printTable(outfile.ForPeople(stdout, stderr, p.out))
}

func (p *pruning) prepare(ctx context.Context, stderr io.Writer) (err error) {
	err = p.Check(
		subject.Required{Flag: "train", Why: "its rows are pruned"},
		subject.Required{Flag: "prune", Why: "rows of different labels at distance ≤ 2R conflict"},
	)
	if err != nil {
		return err
	}
	outputs := []outfile.Output{
		{Flag: "out", Path: p.out}, {Flag: "proofs", Path: p.proof},
	}
	if p.proof != "" {
		outputs = append(outputs, outfile.Output{Flag: "proofs", Path: p.rowsPath()})
	}
	if err := p.CheckOutputs(p.overwrite, outputs...); err != nil {
		return err
	}
	p.data, err = p.Read(ctx, nil, stderr)
	p.SayNotes(stderr)
	return err
}

func (p *pruning) solve(ctx context.Context, stderr io.Writer) (err error) {
	defer progress.Busy(stderr, "pruning")()
	x, y := p.data.Train.Matrix(), p.data.Train.Y
	if p.result, err = p.Pruner().Solve(ctx, x, y, nil); err != nil {
		return fmt.Errorf("--prune: %w", err)
	}
	return nil
}

// rowsPath is where the rows go that a certificate is about.
func (p *pruning) rowsPath() string { return p.proof + ".rows.json" }

// certify writes the certificate and the rows that it is about.
func (p *pruning) certify() error {
	text, err := rowsFile(p.data)
	if err != nil {
		return err
	}
	if err := outfile.WriteText(p.rowsPath(), text); err != nil {
		return err
	}
	return outfile.Write(p.proof, func(w io.Writer) error {
		return p.Pruner().Write(w, sha256.Sum256(text), nil, p.result)
	})
}

func (p *pruning) writeRows(w io.Writer) error {
	b := bufio.NewWriter(w)
	for _, row := range p.result.Keep {
		fmt.Fprintln(b, p.data.Train.Number(row))
	}
	return b.Flush()
}

// printTable prints how many rows are kept, and how many could be.
func (p *pruning) printTable(w io.Writer) error {
	t := command.NewTable(w)
	train, kept := p.data.Train, len(p.result.Keep)
	far := fmt.Sprintf("2R = %v", 2*p.Prune)
	if p.Local > 0 {
		far = fmt.Sprintf("the sum of their radii, ≤ %s", far)
	}
	t.Row("conflict", "rows of different labels at distance ≤ %s, %s", far, p.DescribeNorm())
	t.Row("training rows", "%d", train.Rows)
	t.Row("kept", "%d", kept)
	bound := "no more can be kept: proven"
	if p.result.Status != attack.StatusOptimal {
		bound = fmt.Sprintf(
			"at most %d can be kept: with three labels or more the search is not always finished",
			p.result.Bound,
		)
	}
	t.Row("", "%s", bound)
	for class, label := range p.data.Classes.Labels() {
		all := len(slices.DeleteFunc(slices.Clone(train.Y), func(y int) bool { return y != class }))
		left := len(
			slices.DeleteFunc(slices.Clone(p.result.Keep),
				func(row int) bool { return train.Y[row] != class }),
		)
		fmt.Fprintf(t, "label %v\t%d of %d\n", label, left, all)
	}
	t.Written("rows", p.out)
	if p.proof != "" {
		t.Row("certificate", "%s; facet check %s --model %s replays it",
			p.proof, p.proof, p.rowsPath())
	}
	return t.Flush()
}
