package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
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
		command.Complain(stderr, "paper", fmt.Errorf("without figure %d, which shows %s", n, strings.Join(shown, ", ")))
	}
	return jobs, nil
}
