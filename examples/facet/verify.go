package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/seed-1a7dc1f9/facet/examples/internal/attacking"
	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
)

func newVerify() *cobra.Command {
	c := &cobra.Command{
		Use: "verify MODEL --ignores A,B [flags]",
		Short: "Prove properties of all inputs: what decisions depend on, what is monotone, " +
			"which models agree.",
		DisableFlagsInUseLine: true,
	}
	c.Flags().SortFlags = false
	work := attacking.BeginVerify(c.Flags())
	c.Args = func(c *cobra.Command, args []string) error {
		switch len(args) {
		case 0:
			return command.WrongUse(errors.New("the file of which model?"), c.CommandPath())
		case 1:
			return nil
		}
		return command.WrongUse(fmt.Errorf("%d files are named, one is wanted", len(args)),
			c.CommandPath())
	}
	c.RunE = func(c *cobra.Command, args []string) error {
		return work(args[0])(c.Context(), c.OutOrStdout(), c.ErrOrStderr())
	}
	return c
}
