package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-1a7dc1f9/facet/examples/internal/trial"
)

// settings are the flags, checked as far as that needs no file.
type settings struct {
	trial.Flags
	ks       numbers
	growth   bool
	clusters bool
	sizes    numbers // of training sets, rising
	queries  int
}

// numbers is a flag of positive numbers with commas between them.
type numbers []int

// String implements flag.Value.
func (n *numbers) String() string {
	var texts []string
	for _, v := range *n {
		texts = append(texts, strconv.Itoa(v))
	}
	return strings.Join(texts, ",")
}

// Set implements flag.Value. It sorts the numbers.
func (n *numbers) Set(text string) error {
	*n = nil
	for field := range strings.SplitSeq(text, ",") {
		v, err := strconv.ParseFloat(strings.TrimSpace(field), 64)
		if err != nil || v != math.Trunc(v) || v < 1 || v > math.MaxInt32 {
			return fmt.Errorf("%q is no whole number from 1", field)
		}
		*n = append(*n, int(v))
	}
	slices.Sort(*n)
	if len(slices.Compact(slices.Clone(*n))) < len(*n) {
		return errors.New("a number comes twice")
	}
	return nil
}

func newFlags(s *settings) *flag.FlagSet {
	f := flag.NewFlagSet("neighbors", flag.ContinueOnError)
	f.SetOutput(io.Discard)
	s.Flags = trial.Flags{Data: "halfmoon", Points: 100, Out: "out/neighbors.tsv"}
	s.Register(f)
	s.ks = numbers{1, 3, 5, 7}
	f.Var(&s.ks, "k", "`numbers` of neighbours that vote, with commas between them (with -growth 1,3 unless given)")
	f.BoolVar(&s.growth, "growth", false, "measure how time grows with the training set, and draw it to -out (out/growth.png unless given)")
	f.BoolVar(&s.clusters, "clusters", false, "draw the training sets from clusters far apart (-growth)")
	s.sizes = numbers{1_000, 10_000, 100_000, 1_000_000}
	f.Var(&s.sizes, "sizes", "`numbers` of training rows (-growth)")
	f.IntVar(&s.queries, "queries", 25, "points to attack at each size (-growth)")
	return f
}

// usage explains the flags.
func usage(w io.Writer) {
	f := newFlags(new(settings))
	f.SetOutput(w)
	fmt.Fprintf(w, "What exact attacks on k-nearest neighbours cost.\n\n  neighbors [flags]\n  neighbors -growth [flags]\n\n")
	f.PrintDefaults()
}

// parse reads the command line.
func parse(args []string) (*settings, error) {
	s := new(settings)
	f := newFlags(s)
	if err := f.Parse(args); err != nil {
		return nil, err
	}
	if f.NArg() > 0 {
		return nil, fmt.Errorf("%q is not a flag: a set is named by -data", f.Arg(0))
	}
	given := make(map[string]bool)
	f.Visit(func(f *flag.Flag) { given[f.Name] = true })
	if err := s.checkMode(given); err != nil {
		return nil, err
	}
	if s.growth {
		s.adapt(given)
	}
	return s, s.check()
}

// checkMode refuses flags of the mode that was not chosen.
func (s *settings) checkMode(given map[string]bool) error {
	foreign, why := []string{"clusters", "sizes", "queries"}, "is for -growth"
	if s.growth {
		foreign, why = []string{"data", "folder", "points", "workers"}, "is not for -growth, which draws its points and attacks one at a time"
	}
	for _, name := range foreign {
		if given[name] {
			return fmt.Errorf("-%s %s", name, why)
		}
	}
	return nil
}

// adapt sets the defaults of -growth.
func (s *settings) adapt(given map[string]bool) {
	s.Workers = 1
	if !given["k"] {
		s.ks = numbers{1, 3}
	}
	if !given["out"] {
		s.Out = filepath.Join("out", "growth.png")
	}
}

// check looks at the values.
func (s *settings) check() error {
	if err := s.Check(); err != nil || !s.growth {
		return err
	}
	suffix := filepath.Ext(s.Out)
	switch {
	case suffix != ".png" && suffix != ".svg":
		return fmt.Errorf("-out %s: a picture ends in .png or .svg", s.Out)
	case s.queries < 1:
		return fmt.Errorf("-queries %d: attack at least 1 point", s.queries)
	case s.sizes[0] < s.ks[len(s.ks)-1]:
		return fmt.Errorf("-sizes %d: %d neighbours need as many rows", s.sizes[0], s.ks[len(s.ks)-1])
	}
	return nil
}
