package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"github.com/spf13/pflag"

	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
	"github.com/seed-1a7dc1f9/facet/examples/internal/trial"
)

func main() { program().Main() }

func program() *command.Program {
	return &command.Program{
		Name:  "neighbors",
		About: "What exact attacks on k-nearest neighbours cost.",
		Forms: []string{"[flags]", "--growth [flags]"},
		Stray: ": a set is named by --data",
		Begin: func(f *pflag.FlagSet) command.Work { return newSettings(f).run },
	}
}

// settings are the flags.
type settings struct {
	trial.Flags
	ks       []int
	growth   bool
	clusters bool
	sizes    []int // of training sets, rising
	queries  int
}

func newSettings(f *pflag.FlagSet) *settings {
	s := &settings{Flags: trial.Flags{Data: "halfmoon", Points: 100, Out: "out/neighbors.tsv"}}
	s.Register(f)
	command.Var(f, &s.ks, "k", "1,3,5,7", rising, "`numbers` of neighbours that vote, with commas between them (with --growth 1,3 unless given)")
	f.BoolVar(&s.growth, "growth", false, "measure how time grows with the training set, and draw it to --out (out/growth.png unless given)")
	f.BoolVar(&s.clusters, "clusters", false, "draw the training sets from clusters far apart (--growth)")
	command.Var(f, &s.sizes, "sizes", "1000,10000,100000,1000000", rising, "`numbers` of training rows (--growth)")
	command.Var(f, &s.queries, "queries", "25", command.AtLeast(1), "`number` of points to attack at each size (--growth)")
	return s
}

// rising reads different numbers from 1, and sorts them.
func rising(text string) ([]int, error) {
	list, err := command.Each(command.AtLeast(1))(text)
	if err != nil {
		return nil, err
	}
	slices.Sort(list)
	if len(slices.Compact(slices.Clone(list))) < len(list) {
		return nil, errors.New("a number comes twice")
	}
	return list, nil
}

func (s *settings) run(ctx context.Context, stdout, stderr io.Writer) error {
	if err := s.check(); err != nil {
		return command.Misuse(err)
	}
	if s.growth {
		return s.measureGrowth(ctx, stdout, stderr)
	}
	subjects, err := s.prepare(ctx)
	if err != nil {
		return command.Misuse(err)
	}
	return s.measure(ctx, subjects, stdout, stderr)
}

// check refuses flags of the mode that was not chosen, and sets the defaults of -growth.
func (s *settings) check() error {
	foreign, why := []string{"clusters", "sizes", "queries"}, "is for --growth"
	if s.growth {
		foreign, why = []string{"data", "folder", "points", "workers"}, "is not for --growth, which draws its points and attacks one at a time"
	}
	for _, name := range foreign {
		if s.Given(name) {
			return fmt.Errorf("--%s %s", name, why)
		}
	}
	if !s.growth {
		return nil
	}
	s.Workers = 1
	if !s.Given("k") {
		s.ks = []int{1, 3}
	}
	if !s.Given("out") {
		s.Out = filepath.Join("out", "growth.png")
	}
	if suffix := filepath.Ext(s.Out); suffix != ".png" && suffix != ".svg" {
		return fmt.Errorf("--out %s: a picture ends in .png or .svg", s.Out)
	}
	if most := slices.Max(s.ks); s.sizes[0] < most {
		return fmt.Errorf("--sizes %d: %d neighbours need as many rows", s.sizes[0], most)
	}
	return nil
}
