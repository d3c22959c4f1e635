// Guard is a service that says with each label how far it can be trusted: the largest of some
// radii within which no input has another one. An answer that takes too long is cut short, and has
// the bound that is proven by then.
//
//	go run ./examples/guard
//
// serves a forest, sends it requests, 64 at a time, and prints how long they take, the answers, and
// the memory that they leave behind.
package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/pflag"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
	"github.com/seed-1a7dc1f9/facet/internal/dataset/protocol"
)

func main() { program().Main() }

func program() *command.Program {
	return &command.Program{
		Name:  "guard",
		About: "A service that says with each label how far it can be trusted, under load.",
		Begin: func(*pflag.FlagSet) command.Work {
			return func(ctx context.Context, stdout, _ io.Writer) error {
				return run(ctx, stdout, 20_000)
			}
		},
	}
}

// run sends so many requests to a forest of the paper's halfmoon.
func run(ctx context.Context, w io.Writer, requests int) error {
	set, err := protocol.Load(ctx, "halfmoon")
	if err != nil {
		return err
	}
	forest, err := classifier.TrainForest(ctx, set.Train, set.TrainY, classifier.ForestOptions{
		Trees: 100, TreeOptions: classifier.TreeOptions{MaxDepth: 5},
	})
	if err != nil {
		return err
	}
	n, _ := set.Test.Dims()
	points := make([][]float64, n)
	for i := range points {
		points[i] = set.Test.RawRowView(i)
	}
	figures, err := burden(ctx, newGuard(forest), points, requests)
	if err != nil {
		return err
	}
	fmt.Fprint(w, figures)
	return nil
}
