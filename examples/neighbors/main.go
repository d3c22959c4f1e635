package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/pflag"

	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
	"github.com/seed-1a7dc1f9/facet/examples/internal/plotting"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

func main() { program().Main() }

func program() *command.Program {
	return &command.Program{
		Name:  "neighbors",
		About: "How the time of exact attacks on k-nearest neighbours grows.",
		Begin: func(f *pflag.FlagSet) command.Work { return newSettings(f).run },
	}
}

// settings are the flags.
type settings struct {
	ks       []int
	clusters bool
	sizes    []int // of training sets, rising
	queries  int
	timeout  time.Duration
	norm     polytope.Norm
	out      string
}

func newSettings(f *pflag.FlagSet) *settings {
	s := new(settings)
	command.Var(f, &s.ks, "k", "1,3", rising,
		"`numbers` of neighbours that vote, with commas between them")
	f.BoolVar(&s.clusters, "clusters", false, "draw the training sets from clusters far apart")
	command.Var(f, &s.sizes, "sizes", "1000,10000,100000,1000000", rising,
		"`numbers` of training rows")
	command.Var(f, &s.queries, "queries", "25", command.AtLeast(1),
		"`number` of points to attack at each size")
	command.Var(f, &s.timeout, "timeout", "10s", command.Limit, "`time` for a point; 0: no limit")
	command.Var(f, &s.norm, "norm", "inf", polytope.ParseNorm,
		"`norm` of the distance: inf, 1 or 2")
	command.Var(f, &s.out, "out", filepath.Join("out", "growth.png"), command.Some,
		"draw the growth into this `file`.png or .svg")
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
	if err := plotting.CheckName(s.out); err != nil {
		return command.Misuse(fmt.Errorf("--out: %w", err))
	}
	if most := slices.Max(s.ks); s.sizes[0] < most {
		return command.Misuse(fmt.Errorf("--sizes %d: %d neighbours need as many rows",
			s.sizes[0], most))
	}
	return s.measureGrowth(ctx, stdout, stderr)
}
