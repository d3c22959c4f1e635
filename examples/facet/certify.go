package main

import (
	"github.com/spf13/cobra"

	"github.com/seed-1a7dc1f9/facet/examples/internal/attacking"
)

func newCertify() *cobra.Command {
	return newCommand("certify",
		"Which test rows keep their label within a radius? Each yes is proven.",
		"--train FILE --test FILE --radius R,… [flags]", attacking.BeginCertify)
}
