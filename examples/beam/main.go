package main

import (
	"context"
	"flag"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	"github.com/spf13/pflag"

	"github.com/seed-1a7dc1f9/facet/examples/internal/attacking"
	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
)

func main() {
	own, runners := split(os.Args[1:])
	level := "error" // Prism's steps are no news; other runners tell where to watch the job
	if len(runners) > 0 {
		level = "info"
	}
	log.SetupLogging(level, "text")
	flag.CommandLine.Parse(runners)
	// where a runner has started this process as a worker, this serves it and never returns
	beam.Init()
	command.Exit(func(ctx context.Context, _ []string, stdout, stderr io.Writer) int {
		return program().Run(ctx, own, stdout, stderr)
	})
}

// split parts the program's own arguments from those of the runner, which follow two dashes. A
// worker has no others.
func split(args []string) (own, runners []string) {
	isWorker := func(arg string) bool {
		name, _, _ := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		return name == "worker"
	}
	if slices.ContainsFunc(args, isWorker) {
		return nil, args
	}
	if i := slices.Index(args, "--"); i >= 0 {
		return args[:i], args[i+1:]
	}
	return args, nil
}

func program() *command.Program {
	return &command.Program{
		Name:  "beam",
		About: "The nearest adversarial example of each row of a large file, on many machines.",
		Forms: []string{"--model FILE --test FILE --out FOLDER [flags] [-- flags of the runner]"},
		Stray: ": flags of the runner follow --",
		Begin: begin,
	}
}

// launch is a run as the flags describe it.
type launch struct {
	set    *pflag.FlagSet
	pieces *attacking.Pieces
	rows   int // of a shard, at most
}

func begin(f *pflag.FlagSet) command.Work {
	l := &launch{set: f, pieces: attacking.BeginPieces(f)}
	command.Var(f, &l.rows, "shard-rows", "10000", command.AtLeast(1),
		"`number` of rows of a shard, at most")
	return l.run
}

// given returns the flags as a worker is to read them.
func (l *launch) given() (args []string) {
	l.set.Visit(func(f *pflag.Flag) {
		if f.Name != "shard-rows" {
			args = append(args, "--"+f.Name+"="+f.Value.String())
		}
	})
	return args
}
