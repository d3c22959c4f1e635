package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/seed-1a7dc1f9/facet/examples/paper/figures"
	"github.com/seed-1a7dc1f9/facet/internal/experiment"
	"github.com/seed-1a7dc1f9/facet/internal/progress"
	"github.com/seed-1a7dc1f9/facet/internal/protocol"
)

// reproduce computes the tables and figures and writes them.
func (s *settings) reproduce(ctx context.Context, stdout, stderr io.Writer) error {
	bar := new(progress.Bar)
	lab, err := s.open(func(points int) { bar.Add(points) }, stderr)
	if err != nil {
		return err
	}
	sets, err := s.load(lab, stderr)
	if err != nil {
		return err
	}
	pictures, err := s.pictures(lab, sets, stderr)
	if err != nil {
		return err
	}
	runs, err := s.pending(lab, sets, pictures)
	if err != nil {
		return err
	}
	bar = progress.New(stderr, progress.Options{Unit: "points", Total: len(runs) * pointsOfRun})
	err = attackAll(ctx, lab, runs, bar)
	bar.Close()
	if err == nil {
		err = s.report(ctx, lab, sets, stdout)
	}
	if err == nil {
		err = draw(ctx, pictures, stdout)
	}
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return s.interruption(lab, runs)
	}
	return err
}

// open opens the folder of results. Without one that can be used they are kept in
// memory, unless -work names it.
func (s *settings) open(progress func(points int), stderr io.Writer) (*experiment.Lab, error) {
	options := experiment.Options{
		Folders:  protocol.Folders(),
		Work:     s.work,
		Fresh:    s.fresh,
		Workers:  s.workers,
		Progress: progress,
	}
	if s.work != "" {
		return experiment.New(options)
	}
	cache, err := os.UserCacheDir()
	if err == nil {
		options.Work = filepath.Join(cache, "facet", "paper")
		var lab *experiment.Lab
		if lab, err = experiment.New(options); err == nil {
			s.work = options.Work
			return lab, nil
		}
	}
	if _, err := fmt.Fprintf(stderr, "paper: results are lost when this run is stopped, unless -work names a folder: %v.\n", err); err != nil {
		return nil, err
	}
	options.Work = ""
	return experiment.New(options)
}

// load loads the sets. One that was not asked for may be missing.
func (s *settings) load(lab *experiment.Lab, stderr io.Writer) ([]string, error) {
	names, absent := s.datasets, []string(nil)
	if names == nil {
		names = protocol.Names()
	}
	var found []string
	for _, name := range names {
		_, err := lab.Set(name)
		switch {
		case err == nil:
			found = append(found, name)
		case s.datasets == nil && errors.Is(err, fs.ErrNotExist):
			absent = append(absent, name)
		default:
			return nil, err
		}
	}
	if absent != nil {
		_, err := fmt.Fprintf(stderr,
			"paper: without %s, whose files were not found; go run ./examples/datasets tells how to get them.\n",
			strings.Join(absent, ", "))
		return found, err
	}
	return found, nil
}

// pointsOfRun is the number of points that a run attacks.
const pointsOfRun = 100

// pending returns the runs that tables and figures need and that are not kept yet.
func (s *settings) pending(lab *experiment.Lab, sets []string, pictures []figures.Job) ([]experiment.Run, error) {
	needed, err := s.needed(sets)
	if err != nil {
		return nil, err
	}
	for _, job := range pictures {
		runs, err := figures.Runs(job)
		if err != nil {
			return nil, err
		}
		needed = append(needed, runs...)
	}
	seen := make(map[experiment.Run]bool)
	var list []experiment.Run
	for _, run := range needed {
		if seen[run] {
			continue
		}
		seen[run] = true
		kept, err := lab.Kept(run)
		if err != nil {
			return nil, err
		}
		if !kept {
			list = append(list, run)
		}
	}
	return list, nil
}

// needed returns the runs that the tables are made of.
func (s *settings) needed(sets []string) ([]experiment.Run, error) {
	var list []experiment.Run
	for _, table := range s.tables {
		columns, err := s.columns(table)
		if err != nil {
			return nil, err
		}
		for _, set := range sets {
			for _, column := range columns {
				list = append(list, column.runs(set)...)
			}
		}
	}
	return list, nil
}

// attackAll does the runs in turn.
func attackAll(ctx context.Context, lab *experiment.Lab, runs []experiment.Run, bar *progress.Bar) error {
	for _, run := range runs {
		bar.Describe(run.String())
		points, err := lab.Points(ctx, run)
		if err != nil {
			return err
		}
		bar.Add(pointsOfRun - len(points)) // of a classifier that is not attacked
	}
	return nil
}

// interruption says how to go on.
func (s *settings) interruption(lab *experiment.Lab, runs []experiment.Run) error {
	finished := 0
	for _, run := range runs {
		kept, err := lab.Kept(run)
		if err != nil {
			return err
		}
		if kept {
			finished++
		}
	}
	how := "the same command"
	if s.work == "" {
		return fmt.Errorf("interrupted with %d of %d attacks done, which are lost: with -work DIR they are kept", finished, len(runs))
	}
	if s.fresh {
		how += " without -fresh"
	}
	return fmt.Errorf("interrupted with %d of %d attacks done; what is done is kept in %s, and %s continues",
		finished, len(runs), s.work, how)
}

// report computes the cells of the tables, if any is wanted, and writes them.
func (s *settings) report(ctx context.Context, lab *experiment.Lab, sets []string, stdout io.Writer) error {
	if s.tables == nil {
		return nil
	}
	var all cells
	for _, table := range s.tables {
		more, err := s.fill(ctx, lab, table, sets)
		if err != nil {
			return err
		}
		all = append(all, more...)
	}
	if err := s.writeFiles(all); err != nil {
		return err
	}
	return writeText(stdout, all)
}
