package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/pflag"

	"github.com/seed-1a7dc1f9/facet/examples/internal/attacking"
	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
	"github.com/seed-1a7dc1f9/facet/examples/internal/experiment"
	"github.com/seed-1a7dc1f9/facet/examples/internal/progress"
)

func main() { command.Exit(run) }

// run reproduces the paper, or attacks one's own rows with its attacks.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	if len(args) > 0 && args[0] == attackOwn {
		return baselines().Run(ctx, args[1:], stdout, stderr)
	}
	return program().Run(ctx, args, stdout, stderr)
}

// attackOwn is the first argument of baselines.
const attackOwn = "attack"

// baselines is facet attack with the attacks, solvers and defences of the paper.
func baselines() *command.Program {
	return &command.Program{
		Name: "paper " + attackOwn,
		About: "The attacks of the paper on one's own rows: facet attack, with the baselines and " +
			"the defences besides.",
		Begin: attacking.BeginBaselines,
	}
}

func program() *command.Program {
	return &command.Program{
		Name: "paper",
		About: "Every table and figure of the paper, computed anew, the tables beside the " +
			"printed numbers. paper attack --help: its attacks on one's own rows.",
		Begin: func(f *pflag.FlagSet) command.Work { return newSettings(f).reproduce },
	}
}

// reproduce computes the tables and figures and writes them.
func (s *settings) reproduce(ctx context.Context, stdout, stderr io.Writer) error {
	if err := s.check(); err != nil {
		return command.Misuse(err)
	}
	bar := new(progress.Bar)
	lab, err := s.open(func(points int) { bar.Add(points) }, stderr)
	if err != nil {
		return err
	}
	sets, err := s.load(ctx, lab, stderr)
	if err != nil {
		return err
	}
	all, err := s.cells(sets)
	if err != nil {
		return err
	}
	pictures := s.pictures(lab, sets, stderr)
	runs, err := pending(ctx, lab, all, pictures)
	if err != nil {
		return err
	}
	bar = progress.New(stderr, progress.Options{Unit: "points", Total: len(runs) * pointsOfRun})
	err = attackAll(ctx, lab, runs, bar)
	bar.Close()
	if err == nil {
		err = s.report(ctx, lab, all, stdout)
	}
	for _, job := range pictures {
		if err == nil {
			err = job.Draw(ctx, stdout)
		}
	}
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return s.interruption(context.WithoutCancel(ctx), lab, runs)
	}
	return err
}

// interruption says how to go on.
func (s *settings) interruption(
	ctx context.Context, lab *experiment.Lab, runs []experiment.Run,
) error {
	finished := 0
	for _, run := range runs {
		kept, err := lab.Kept(ctx, run)
		if err != nil {
			return err
		}
		if kept {
			finished++
		}
	}
	if s.work == "" {
		return fmt.Errorf(
			"%w with %d of %d attacks done, which are lost: with -work DIR they are kept",
			command.ErrInterrupted, finished, len(runs),
		)
	}
	return fmt.Errorf("%w with %d of %d attacks done; what is done is kept in %s, and the same "+
		"command continues",
		command.ErrInterrupted, finished, len(runs), s.work)
}

// report computes the cells of the tables, if any is wanted, and writes them.
func (s *settings) report(
	ctx context.Context, lab *experiment.Lab, all cells, stdout io.Writer,
) error {
	if s.tables == nil {
		return nil
	}
	for _, c := range all {
		if err := c.fill(ctx, lab); err != nil {
			return err
		}
	}
	if err := s.writeFiles(all); err != nil {
		return err
	}
	return writeText(stdout, all)
}
