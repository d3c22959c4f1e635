package subject

import (
	"context"
	"fmt"
	"io"
	"strconv"

	"github.com/spf13/pflag"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
	"github.com/seed-1a7dc1f9/facet/examples/internal/progress"
	"github.com/seed-1a7dc1f9/facet/examples/internal/tuning"
)

// boosting is how robust and boosted trees are trained.
type boosting struct {
	minLeaf int
	whole   bool
	rate    float64
	tuned   bool

	Tried []tuning.Tried // the trials of --tune
}

// AddBoosting adds the flags of robust and boosted trees.
func (s *Flags) AddBoosting(f *pflag.FlagSet) {
	command.Var(f, &s.minLeaf, "min-leaf", "0", command.AtLeast(0),
		"`number` of rows that may reach each leaf (tree, forest, boosted); 0: 1, or 5 of robust "+
			"trees, and 20 of boosted ones, a twentieth of all at most")
	f.BoolVar(&s.whole, "whole-tree", false, "change robust trees until as many rows as can be "+
		"are right in all leaves that they may be moved to (tree, forest)")
	command.Var(f, &s.rate, "rate", "0.3", parseRate,
		"`factor` by which the leaves of each tree are multiplied (boosted)")
	f.BoolVar(&s.tuned, "tune", false, "choose --min-leaf (boosted, tree, forest), --whole-tree "+
		"(tree, forest), or --k and --prune (knn), by what is certified at --robust of rows that "+
		"are held out")
}

func parseRate(text string) (float64, error) {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || !(v > 0 && v <= 1) {
		return 0, fmt.Errorf("%.40q is no number from 0, without it, to 1", text)
	}
	return v, nil
}

// boostedDepth is the default of BoostedOptions, which --depth has for these trees, too.
const boostedDepth = 6

func (s *Flags) boosted() classifier.BoostedOptions {
	depth := boostedDepth
	if s.set.Changed("depth") && s.Depth > 0 {
		depth = s.Depth
	}
	return classifier.BoostedOptions{
		Rounds: s.Trees, Depth: depth, Rate: s.rate, MinLeaf: s.minLeaf, Robust: s.Robust,
		Workers: s.Workers,
	}
}

// tune chooses how many rows a leaf of trees has at least, and whether they are changed as a whole,
// or how many neighbours vote and how rows are pruned, if it is asked to.
func (s *Flags) tune(ctx context.Context, d *Data, stderr io.Writer) error {
	if !s.tuned {
		return nil
	}
	bar := new(progress.Bar)
	defer func() { bar.Close() }()
	var settings []tuning.Setting
	switch s.Model {
	case "boosted":
		settings = tuning.Boosted(s.boosted(), d.Train.Rows)
	case "tree", "forest":
		settings = tuning.Trees(s.tree(), d.Train.Rows, s.ofTrees)
	default:
		settings = tuning.Neighbors(s.Robust)
	}
	best, tried, err := tuning.Choose(ctx, d.Train.Matrix(), d.Train.Y, settings, tuning.Options{
		Radius: s.Robust, Seed: s.Seed, Workers: s.Workers,
		Begin: func(trainings int) func() {
			bar = progress.New(stderr, progress.Options{
				Description: "tuning", Unit: "trainings", Total: trainings,
			})
			return func() { bar.Add(1) }
		},
	})
	if err != nil {
		return fmt.Errorf("--tune: %w", err)
	}
	s.minLeaf, s.whole, s.K, s.Prune = best.MinLeaf, best.Whole, best.K, best.Prune
	s.Tried = tried
	return nil
}
