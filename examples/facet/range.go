package main

import (
	"github.com/spf13/cobra"

	"github.com/seed-1a7dc1f9/facet/examples/internal/attacking"
)

func newRange() *cobra.Command {
	return newCommand("range",
		"The smallest and the largest output of a regressor, around each test row or in a box.",
		"--model FILE --test FILE --radius R [flags]", attacking.BeginRange)
}
