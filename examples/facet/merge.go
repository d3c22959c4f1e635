package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
	"github.com/seed-1a7dc1f9/facet/examples/internal/outfile"
	"github.com/seed-1a7dc1f9/facet/examples/internal/results"
	"github.com/spf13/pflag"
)

// merging joins shards of a run.
type merging struct {
	flags     *pflag.FlagSet // whose arguments are the shards
	out       string
	overwrite bool
}

func beginMerge(f *pflag.FlagSet) command.Work {
	m := &merging{flags: f}
	f.StringVar(&m.out, "out", "", "the `file` of all rows")
	command.Overwrite(f, &m.overwrite)
	return m.run
}

func (m *merging) run(ctx context.Context, stdout, stderr io.Writer) error {
	shards := m.flags.Args()
	if err := m.check(shards); err != nil {
		return command.Misuse(err)
	}
	merged, err := results.ReadShards(shards)
	if err != nil {
		return command.Misuse(err)
	}
	defer merged.Close()
	if err := merged.Write(ctx, m.out); err != nil {
		return fmt.Errorf("%s: %w", m.out, outfile.NoRoom(err, "the shards are as they were"))
	}
	t := command.NewTable(outfile.ForPeople(stdout, stderr, m.out))
	t.Written("rows", m.out)
	return t.Flush()
}

func (m *merging) check(shards []string) error {
	if m.out == "" {
		return errors.New("--out FILE is missing")
	}
	inputs := slices.Clone(shards)
	for _, path := range shards {
		inputs = append(inputs, results.MetaPath(path))
	}
	return outfile.Check(inputs, m.overwrite, outfile.Output{Flag: "out", Path: m.out},
		outfile.Output{Flag: "out", Path: results.MetaPath(m.out)})
}
