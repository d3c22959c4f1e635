package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/seed-1a7dc1f9/facet/examples/internal/experiment"
	"github.com/seed-1a7dc1f9/facet/examples/paper/figures"
)

// pictures returns the figures to draw of the given sets. One that shows none of them is
// left out.
func (s *settings) pictures(lab *experiment.Lab, sets []string, stderr io.Writer) ([]figures.Job, error) {
	var jobs []figures.Job
	for _, n := range s.figures {
		shown, err := figures.Sets(n)
		if err != nil {
			return nil, err
		}
		job := figures.Job{Figure: n, Out: s.out, Lab: lab}
		for _, set := range shown {
			if slices.Contains(sets, set) {
				job.Sets = append(job.Sets, set)
			}
		}
		if job.Sets != nil {
			jobs = append(jobs, job)
			continue
		}
		_, err = fmt.Fprintf(stderr, "paper: without figure %d, which shows %s.\n", n, strings.Join(shown, ", "))
		if err != nil {
			return nil, err
		}
	}
	return jobs, nil
}

// draw draws the figures and prints where they are.
func draw(ctx context.Context, jobs []figures.Job, stdout io.Writer) error {
	for _, job := range jobs {
		paths, err := figures.Draw(ctx, job)
		if err != nil {
			return err
		}
		for _, path := range paths {
			if _, err := fmt.Fprintln(stdout, path); err != nil {
				return err
			}
		}
	}
	return nil
}
