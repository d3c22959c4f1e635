package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-1a7dc1f9/facet/examples/internal/printed"
	"github.com/seed-1a7dc1f9/facet/examples/paper/figures"
	"github.com/seed-1a7dc1f9/facet/internal/protocol"
)

// settings are what the flags say.
type settings struct {
	tables   []int
	figures  []int
	datasets []string // nil for all whose files are found
	exact    bool
	json     string
	csv      string
	markdown string
	out      string
	work     string
	fresh    bool
	workers  int
	seed     uint64
	seeds    int
}

func (s *settings) flags() *flag.FlagSet {
	f := flag.NewFlagSet("paper", flag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.Func("table", "compute these `tables`: 1 to 7 with commas between them, or all (all, if no figure is wanted)",
		func(text string) (err error) {
			s.tables, err = numbers(text, printed.Tables)
			return err
		})
	f.Func("figure", "draw these `figures`: 1 to 6 with commas between them, or all (none)",
		func(text string) (err error) {
			s.figures, err = numbers(text, figures.Figures)
			return err
		})
	f.Func("datasets", "compute them for these `sets`, with commas between them (all whose files are found)",
		func(text string) (err error) {
			s.datasets, err = setNames(text)
			return err
		})
	f.BoolVar(&s.exact, "exact", false, "exact values beside those that the paper could only approximate")
	f.StringVar(&s.json, "json", "", "write the cells to this `file`, as JSON")
	f.StringVar(&s.csv, "csv", "", "write the cells to this `file`, as CSV")
	f.StringVar(&s.markdown, "markdown", "", "write the tables to this `file`, as Markdown")
	f.StringVar(&s.out, "out", "out", "write the figures to this `folder`, made if missing")
	f.StringVar(&s.work, "work", "", "keep results in this `folder`, made if missing (facet/paper in the user's cache)")
	f.BoolVar(&s.fresh, "fresh", false, "compute again what the folder holds already")
	f.IntVar(&s.workers, "workers", 0, "points attacked at a time; 0 for one a core")
	f.Uint64Var(&s.seed, "seed", 0, "seed of the black-box attack")
	f.IntVar(&s.seeds, "seeds", 1,
		"seeds of the black-box attack from -seed on: the least and the largest cells stand beside the first")
	return f
}

func parse(args []string) (*settings, error) {
	s := new(settings)
	f := s.flags()
	if err := f.Parse(args); err != nil {
		return nil, err
	}
	if f.NArg() > 0 {
		return nil, fmt.Errorf("unexpected argument %q", f.Arg(0))
	}
	if s.tables == nil && s.figures == nil {
		s.tables = every(printed.Tables)
	}
	if err := s.check(); err != nil {
		return nil, err
	}
	return s, nil
}

// check looks for what no run can do.
func (s *settings) check() error {
	if s.workers < 0 {
		return fmt.Errorf("-workers %d is negative", s.workers)
	}
	if s.seeds < 1 {
		return fmt.Errorf("-seeds %d is not a number of seeds", s.seeds)
	}
	for _, path := range []string{s.json, s.csv, s.markdown} {
		if path != "" && s.tables == nil {
			return fmt.Errorf("there is nothing to write to %s without -table", path)
		}
		if err := checkTarget(path); err != nil {
			return err
		}
	}
	return nil
}

// checkTarget looks whether a file could be written before any work is done.
func checkTarget(path string) error {
	if path == "" {
		return nil
	}
	if info, err := os.Stat(filepath.Dir(path)); err != nil || !info.IsDir() {
		return fmt.Errorf("%s cannot be written: there is no folder %s", path, filepath.Dir(path))
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return fmt.Errorf("%s cannot be written: it is a folder", path)
	}
	return nil
}

// numbers reads numbers from 1 to n, or "all".
func numbers(text string, n int) ([]int, error) {
	if text == "all" {
		return every(n), nil
	}
	var list []int
	for _, field := range strings.Split(text, ",") {
		i, err := strconv.Atoi(field)
		if err != nil || i < 1 || i > n {
			return nil, fmt.Errorf("%q is no number from 1 to %d", field, n)
		}
		list = append(list, i)
	}
	slices.Sort(list)
	return slices.Compact(list), nil
}

func every(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i + 1
	}
	return list
}

func setNames(text string) ([]string, error) {
	if text == "" {
		return nil, errors.New("no set is named")
	}
	all := protocol.Names()
	list := strings.Split(text, ",")
	for _, name := range list {
		if !slices.Contains(all, name) {
			return nil, fmt.Errorf("there is no set %q; the sets are %s", name, strings.Join(all, ", "))
		}
	}
	slices.Sort(list)
	return slices.Compact(list), nil
}

func usage(w io.Writer) {
	f := new(settings).flags()
	f.SetOutput(w)
	fmt.Fprint(w, "Usage: paper [flags]\n\nEvery table and figure of the paper, computed anew, the tables beside the printed numbers.\n\n")
	f.PrintDefaults()
}
