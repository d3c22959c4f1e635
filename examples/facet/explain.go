package main

import (
	"github.com/spf13/cobra"

	"github.com/seed-1a7dc1f9/facet/examples/internal/attacking"
)

func newExplain() *cobra.Command {
	return newCommand("explain",
		"Why each test row has its label: the features that force it, and the cheapest change.",
		"--model FILE --test FILE [flags]", attacking.BeginExplain)
}
