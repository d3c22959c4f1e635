package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
)

func newCompletion() *cobra.Command {
	shells := []string{"bash", "zsh", "fish", "powershell"}
	c := &cobra.Command{
		Use: "completion " + strings.Join(shells, "|"), DisableFlagsInUseLine: true,
		Short:     "Print a script that lets a shell complete commands and flags.",
		ValidArgs: shells,
	}
	c.RunE = func(c *cobra.Command, args []string) error {
		if len(args) != 1 || !slices.Contains(shells, args[0]) {
			return command.Misuse(fmt.Errorf("name one shell: %s", strings.Join(shells, ", ")))
		}
		root := c.Root()
		write := map[string]func(io.Writer) error{
			"bash":       func(w io.Writer) error { return root.GenBashCompletionV2(w, true) },
			"zsh":        root.GenZshCompletion,
			"fish":       func(w io.Writer) error { return root.GenFishCompletion(w, true) },
			"powershell": root.GenPowerShellCompletionWithDesc,
		}
		return write[args[0]](c.OutOrStdout())
	}
	return c
}
