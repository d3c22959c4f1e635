package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
	"github.com/seed-1a7dc1f9/facet/examples/internal/outfile"
	"github.com/seed-1a7dc1f9/facet/examples/internal/results"
)

func newMerge() *cobra.Command {
	c := &cobra.Command{
		Use: "merge SHARDS… --out FILE", DisableFlagsInUseLine: true,
		Short: "Join the files that facet attack, certify or explain --shard I/N wrote.",
	}
	out := c.Flags().String("out", "", "the `file` of all rows")
	var overwrite bool
	command.Overwrite(c.Flags(), &overwrite)
	c.RunE = func(c *cobra.Command, shards []string) error {
		var err error
		switch {
		case len(shards) == 0:
			err = errors.New("which files? facet merge SHARDS… --out FILE")
		case *out == "":
			err = errors.New("--out FILE is missing")
		default:
			inputs := slices.Clone(shards)
			for _, path := range shards {
				inputs = append(inputs, results.MetaPath(path))
			}
			err = outfile.Check(inputs, overwrite, outfile.Output{Flag: "out", Path: *out},
				outfile.Output{Flag: "out", Path: results.MetaPath(*out)})
		}
		if err != nil {
			return command.Misuse(err)
		}
		merged, err := results.ReadShards(shards)
		if err != nil {
			return command.Misuse(err)
		}
		defer merged.Close()
		if err := merged.Write(c.Context(), *out); err != nil {
			return fmt.Errorf("%s: %w", *out,
				outfile.NoRoom(err, "the shards are as they were"))
		}
		t := command.NewTable(outfile.ForPeople(c.OutOrStdout(), c.ErrOrStderr(), *out))
		t.Written("rows", *out)
		return t.Flush()
	}
	return c
}
