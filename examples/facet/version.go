package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
)

func newVersion() *cobra.Command {
	return newCommand("version", "Print the version, the build and Go's version.",
		"", func(*pflag.FlagSet) command.Work {
			return func(_ context.Context, stdout, _ io.Writer) error {
				_, err := fmt.Fprintln(stdout, "facet", command.Version())
				return err
			}
		})
}
