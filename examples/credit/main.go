package main

import (
	"context"
	_ "embed"
	"fmt"
	"io"
	"math/rand/v2"
	"time"

	"github.com/spf13/pflag"
	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
	"github.com/seed-1a7dc1f9/facet/examples/internal/costs"
	"github.com/seed-1a7dc1f9/facet/examples/internal/outfile"
	"github.com/seed-1a7dc1f9/facet/examples/internal/subject"
)

//go:embed costs.json
var rulesFile []byte

func main() { program().Main() }

func program() *command.Program {
	return &command.Program{
		Name: "credit",
		About: "The cheapest way to a loan for applicants whom a forest refuses, with rules and " +
			"without: a table and a picture.",
		Begin: func(f *pflag.FlagSet) command.Work { return newSettings(f).run },
	}
}

// settings are the flags.
type settings struct {
	rows, trees, depth, points, workers int
	measure                             subject.Measure
	timeout                             time.Duration
	seed                                int
	folder                              string
}

func newSettings(f *pflag.FlagSet) *settings {
	s := new(settings)
	command.Var(f, &s.rows, "rows", "3000", command.AtLeast(100),
		"`number` of applicants that the forest is trained on")
	command.Var(f, &s.trees, "trees", "100", command.AtLeast(1), "`number` of trees")
	command.Var(f, &s.depth, "depth", "8", command.AtLeast(1),
		"`number` of splits on a path of a tree")
	command.Var(f, &s.points, "points", "200", command.AtLeast(1),
		"`number` of refused applicants to answer")
	command.Var(f, &s.measure, "norm", "1", subject.ParseMeasure,
		"`norm` that adds up prices: 1, 2, inf, or 0 for a price of each change")
	command.Var(f, &s.timeout, "timeout", "10s", command.Limit, "`time` for an answer; 0: no limit")
	command.Var(f, &s.workers, "workers", "0", command.AtLeast(0),
		"`number` of applicants answered at a time; 0: one per core")
	command.Var(f, &s.seed, "seed", "0", command.AtLeast(0), "`seed` of the applicants")
	command.Var(f, &s.folder, "out", "out", command.Some,
		"write the files to this `folder`, made if missing")
	return s
}

// bank is the forest, who applied, and the rules for them.
type bank struct {
	trainX, testX *mat.Dense
	trainY, testY []int
	forest        *classifier.Ensemble
	rules         *costs.Rules
	refused       []int // rows of testX
}

func (s *settings) run(ctx context.Context, stdout, stderr io.Writer) error {
	if err := outfile.Folder(s.folder); err != nil {
		return command.Misuse(err)
	}
	b, err := s.open(ctx)
	if err != nil {
		return err
	}
	with, err := s.ask(ctx, b, b.rules, "with rules", stderr)
	if err != nil {
		return err
	}
	without, err := s.ask(ctx, b, unruled(b.rules), "without rules", stderr)
	if err != nil {
		return err
	}
	return s.report(ctx, b, with, without, stdout)
}

// open draws the applicants, trains the forest and finds whom it refuses.
func (s *settings) open(ctx context.Context) (*bank, error) {
	b := new(bank)
	var err error
	if b.rules, err = costs.Read(rulesFile, names, len(names)); err != nil {
		return nil, err
	}
	rng := rand.New(rand.NewPCG(uint64(s.seed), 17))
	b.trainX, b.trainY = applicants(s.rows, rng)
	b.forest, err = classifier.TrainForest(ctx, b.trainX, b.trainY, classifier.ForestOptions{
		Trees: s.trees, Workers: s.workers, TreeOptions: classifier.TreeOptions{
			MaxDepth: s.depth,
			Seed:     uint32(s.seed),
		},
	})
	if err != nil {
		return nil, err
	}
	b.testX, b.testY = applicants(10*s.points, rng)
	for i := range b.testY {
		if len(b.refused) < s.points && b.forest.Predict(b.testX.RawRowView(i)) == defaulted {
			b.refused = append(b.refused, i)
		}
	}
	if len(b.refused) == 0 {
		return nil, fmt.Errorf("the forest refuses nobody of %d: more --rows or --points",
			len(b.testY))
	}
	return b, nil
}
