package main

import (
	"github.com/spf13/cobra"

	"github.com/seed-1a7dc1f9/facet/examples/internal/attacking"
)

func newAttack() *cobra.Command {
	return newCommand("attack", "The nearest adversarial example of each test row.",
		"--train FILE --test FILE [flags]", attacking.Begin)
}
