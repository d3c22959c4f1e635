package main

import (
	"errors"
	"fmt"

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
	overwrite := c.Flags().Bool("overwrite", false, "replace --out if it is there already")
	c.RunE = func(c *cobra.Command, shards []string) error {
		var err error
		switch {
		case len(shards) == 0:
			err = errors.New("which files? facet merge SHARDS… --out FILE")
		case *out == "":
			err = errors.New("--out FILE is missing")
		default:
			err = errors.Join(outfile.Check(*out), outfile.Free(*out, *overwrite))
		}
		if err != nil {
			return command.Misuse(err)
		}
		merged, err := results.ReadShards(shards, *out)
		if err != nil {
			return command.Misuse(err)
		}
		defer merged.Close()
		if err := merged.Write(c.Context(), *out); err != nil {
			return fmt.Errorf("%s: %w", *out, err)
		}
		t := command.NewTable(outfile.ForPeople(c.OutOrStdout(), c.ErrOrStderr(), *out))
		t.Written("rows", *out)
		return t.Flush()
	}
	return c
}
