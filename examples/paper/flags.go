package main

import (
	"fmt"
	"slices"

	"github.com/spf13/pflag"

	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
	"github.com/seed-1a7dc1f9/facet/examples/internal/outfile"
	"github.com/seed-1a7dc1f9/facet/examples/internal/printed"
	"github.com/seed-1a7dc1f9/facet/examples/paper/figures"
	"github.com/seed-1a7dc1f9/facet/internal/dataset/protocol"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// settings are the values of the flags.
type settings struct {
	tables   []int
	figures  []int
	datasets []string // nil for all whose files are found
	exact    bool
	json     string
	markdown string
	out      string
	work     string
	workers  int
	seed     uint64
	seeds    int
	repeats  int
	norm     polytope.Norm
	printed  bool // companions made as the paper's code did
	hybrid   bool
	large    bool
	kept     bool
}

func newSettings(f *pflag.FlagSet) *settings {
	s := new(settings)
	command.Var(f, &s.tables, "table", "", numbers(printed.Tables),
		"compute these `tables`: 1 to 7 with commas between them, or all (all, if no figure is "+
			"wanted)")
	command.Var(f, &s.figures, "figure", "", numbers(figures.Figures),
		"draw these `figures`: 1 to 6 with commas between them, or all (none)")
	command.Var(f, &s.datasets, "datasets", "", command.Each(command.OneOf(protocol.Names()...)),
		"compute them for these `sets`, with commas between them (all whose files are found)")
	f.BoolVar(&s.exact, "exact",
		false, "exact values beside those that the paper could only approximate")
	f.StringVar(&s.json, "json", "", "write the cells to this `file`, as JSON")
	f.StringVar(&s.markdown, "markdown", "", "write the tables to this `file`, as Markdown")
	command.Var(f, &s.out, "out", "out", command.Some,
		"write the figures to this `folder`, made if missing")
	f.StringVar(&s.work, "work",
		"", "keep results in this `folder`, made if missing (facet/paper in the user's cache)")
	command.Var(f, &s.workers, "workers", "0", command.AtLeast(0),
		"`number` of points attacked at a time; 0 for one a core")
	f.Uint64Var(&s.seed, "seed", 0, "seed of the black-box attack")
	command.Var(f, &s.seeds, "seeds", "1", command.AtLeast(1),
		"`number` of seeds of the black-box attack from -seed on: the least and the largest "+
			"cells stand beside the first")
	command.Var(f, &s.repeats, "repeats", "1", command.AtLeast(1),
		"`number` of repetitions with other splits and training seeds, 0 upward: the mean and "+
			"its 95 % confidence interval stand beside each cell")
	command.Var(f, &s.norm, "norm", "inf", polytope.ParseNorm,
		"`norm` of attacks, pruning and adversarial training: inf, 1 or 2; nothing in print "+
			"compares with 1 and 2")
	f.BoolVar(&s.printed, "as-printed", false, "adversarial training of trees and robust "+
		"splitting as the paper's code did them, beside the methods it names")
	f.BoolVar(&s.large, "large", false, "adversarial training of 3-NN on sets of 10,000 rows "+
		"and more computed, too, not taken from what was computed before")
	f.BoolVar(&s.kept, "kept", false,
		"compute nothing: cells whose results are not kept yet are left out")
	f.BoolVar(&s.hybrid, "hybrid", false, "table 2 also for pruning followed by robust splitting")
	return s
}

// check refuses settings that no run can have, and completes the others.
func (s *settings) check() error {
	if s.tables == nil && s.figures == nil {
		s.tables, _ = numbers(printed.Tables)("all")
	}
	slices.Sort(s.datasets)
	s.datasets = slices.Compact(s.datasets)
	if s.norm != polytope.LInf && s.printed {
		return fmt.Errorf("the paper's code, which -as-printed follows, knows no norm but inf")
	}
	for _, path := range []string{s.json, s.markdown} {
		if path != "" && s.tables == nil {
			return fmt.Errorf("there is nothing to write to %s without -table", path)
		}
	}
	return outfile.Check(nil, true, outfile.Output{Flag: "json", Path: s.json},
		outfile.Output{Flag: "markdown", Path: s.markdown})
}

// numbers reads numbers from 1 to n, or "all".
func numbers(n int) func(string) ([]int, error) {
	return func(text string) ([]int, error) {
		if text == "all" {
			text = "1"
			for i := 2; i <= n; i++ {
				text += fmt.Sprintf(",%d", i)
			}
		}
		list, err := command.Each(command.Between(1, n))(text)
		slices.Sort(list)
		return slices.Compact(list), err
	}
}
