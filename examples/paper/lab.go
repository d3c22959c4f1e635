package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
	"github.com/seed-1a7dc1f9/facet/examples/internal/experiment"
	"github.com/seed-1a7dc1f9/facet/examples/internal/progress"
	"github.com/seed-1a7dc1f9/facet/examples/paper/figures"
	"github.com/seed-1a7dc1f9/facet/internal/dataset/protocol"
)

// open opens the folder of results. Without one that can be used they are kept in
// memory, unless -work names it.
func (s *settings) open(progress func(points int), stderr io.Writer) (*experiment.Lab, error) {
	options := experiment.Options{
		Folders:  protocol.Folders(),
		Work:     s.work,
		Norm:     s.norm,
		Large:    s.large,
		Kept:     s.kept,
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
	command.Complain(stderr, "paper",
		fmt.Errorf("results are lost when this run is stopped, unless -work names a folder: %w",
			err))
	options.Work = ""
	return experiment.New(options)
}

// load loads the sets. One that was not asked for may be missing.
func (s *settings) load(
	ctx context.Context, lab *experiment.Lab, stderr io.Writer,
) ([]string, error) {
	names, absent := s.datasets, []string(nil)
	if names == nil {
		names = protocol.Names()
	}
	var found []string
	for _, name := range names {
		_, err := lab.Set(ctx, name)
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
		command.Complain(stderr, "paper",
			fmt.Errorf("without %s, whose files were not found; go run ./examples/datasets tells "+
				"how to get them",
				strings.Join(absent, ", ")))
	}
	return found, nil
}

// pointsOfRun is the number of points that a run attacks.
const pointsOfRun = 100

// pending returns the runs that tables and figures need and that are not kept yet.
func pending(
	ctx context.Context, lab *experiment.Lab, all cells, pictures []figures.Job,
) ([]experiment.Run, error) {
	var needed []experiment.Run
	for _, c := range all {
		needed = append(needed, c.column.runs(c.set)...)
	}
	for _, job := range pictures {
		needed = append(needed, job.Runs()...)
	}
	seen := make(map[experiment.Run]bool)
	var list []experiment.Run
	for _, run := range needed {
		if seen[run] {
			continue
		}
		seen[run] = true
		kept, err := lab.Kept(ctx, run)
		if err != nil {
			return nil, err
		}
		if !kept {
			list = append(list, run)
		}
	}
	return list, nil
}

// pictures returns the figures to draw of the given sets. One that shows none of them is
// left out.
func (s *settings) pictures(lab *experiment.Lab, sets []string, stderr io.Writer) []figures.Job {
	var jobs []figures.Job
	for _, n := range s.figures {
		wanted := slices.DeleteFunc(figures.Sets(n),
			func(set string) bool { return !slices.Contains(sets, set) })
		if len(wanted) > 0 {
			jobs = append(jobs, figures.Job{Figure: n, Sets: wanted, Out: s.out, Lab: lab})
			continue
		}
		command.Complain(stderr, "paper",
			fmt.Errorf("without figure %d, which shows %s", n, strings.Join(figures.Sets(n), ", ")))
	}
	return jobs
}

// attackAll does the runs in turn.
func attackAll(
	ctx context.Context, lab *experiment.Lab, runs []experiment.Run, bar *progress.Bar,
) error {
	for _, run := range runs {
		bar.Describe(run.String())
		points, err := lab.Points(ctx, run)
		if err != nil && !errors.Is(err, experiment.ErrLeftOut) {
			return err
		}
		bar.Add(pointsOfRun - len(points)) // of a classifier that is not attacked
	}
	return nil
}
