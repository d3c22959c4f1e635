package main

import (
	"flag"

	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
)

func main() { program().Main() }

func program() *command.Program {
	return &command.Program{
		Name:  "paper",
		About: "Every table and figure of the paper, computed anew, the tables beside the printed numbers.",
		Begin: func(f *flag.FlagSet) command.Work { return newSettings(f).reproduce },
	}
}
