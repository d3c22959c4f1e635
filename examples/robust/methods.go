package main

import (
	"context"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/examples/internal/tuning"
	"github.com/seed-1a7dc1f9/facet/prune"
)

// method is a way to train.
type method struct {
	name   string
	images bool // feasible on images
	train  classifier.Trainer
}

// methods are the trainings that are compared at a radius. Forests of the paper have 100 trees of
// depth 5.
func methods(radius float64, workers int) []method {
	pruned := func(t classifier.Trainer) classifier.Trainer {
		return prune.Defend(prune.Adversarial{Radius: radius}, t)
	}
	forest := func(t classifier.TreeOptions) classifier.Trainer {
		return classifier.TrainerOf(classifier.TrainForest,
			classifier.ForestOptions{TreeOptions: t, Workers: workers})
	}
	tree := func(t classifier.TreeOptions) classifier.Trainer {
		return classifier.TrainerOf(classifier.TrainTree, t)
	}
	local := prune.Adversarial{Radius: radius, Local: 1}
	near := classifier.TrainerOf(classifier.TrainKNN, classifier.KNNOptions{K: 1})
	plain := classifier.TreeOptions{MaxDepth: 5}
	chen := classifier.TreeOptions{MaxDepth: 5, Robust: radius, Chen: true}
	robust := classifier.TreeOptions{MaxDepth: 5, Robust: radius}
	whole := classifier.TreeOptions{MaxDepth: 5, Robust: radius, WholeTree: true}
	boosted := func(radius float64) classifier.BoostedOptions {
		return classifier.BoostedOptions{Robust: radius, Workers: workers}
	}
	stumps := boosted(radius)
	stumps.Depth = 1
	return []method{
		{"1-NN", false, near},
		{"1-NN, pruned", false, pruned(near)},
		{"1-NN, pruned, `Local` 1", false, prune.Defend(local, near)},
		{"k-NN, pruned, `--tune`", false, tuned(radius, workers, func(int) []tuning.Setting {
			return tuning.Neighbors(radius)
		})},
		{"forest", false, forest(plain)},
		{"forest, pruned", false, pruned(forest(plain))},
		{"forest, splits of Chen et al.", false, forest(chen)},
		{"robust tree", false, tree(robust)},
		{"robust tree, `WholeTree`", false, tree(whole)},
		{"robust tree, `--tune`", false, tuned(radius, workers, func(n int) []tuning.Setting {
			return tuning.Trees(robust, n, tree)
		})},
		{"robust forest", false, forest(robust)},
		{"robust forest, `WholeTree`", false, forest(whole)},
		{"boosted trees", true, classifier.TrainerOf(classifier.TrainBoosted, boosted(0))},
		{"robust stumps, boosted", false, classifier.TrainerOf(classifier.TrainBoosted, stumps)},
		{"robust boosted trees", true,
			classifier.TrainerOf(classifier.TrainBoosted, boosted(radius))},
		{"robust boosted trees, `--tune`", false, tuned(radius, workers,
			func(n int) []tuning.Setting { return tuning.Boosted(boosted(radius), n) })},
	}
}

// methods are the trainings that are compared on a set.
func (s *set) methods(workers int) (of []method) {
	if s.boosted != nil {
		o := *s.boosted
		o.Robust, o.Workers = s.radius, workers
		train := classifier.TrainerOf(classifier.TrainBoosted, o)
		return []method{{"robust boosted trees", true, train}}
	}
	for _, m := range methods(s.radius, workers) {
		if m.images || !s.images {
			of = append(of, m)
		}
	}
	return of
}

// tuned trains with the setting of so many rows of which most is certified of rows held out.
func tuned(radius float64, workers int, of func(int) []tuning.Setting) classifier.Trainer {
	return func(ctx context.Context, x mat.Matrix, y []int) (classifier.Classifier, error) {
		best, _, err := tuning.Choose(ctx, mat.DenseCopyOf(x), y, of(len(y)), tuning.Options{
			Radius: radius, Workers: workers,
		})
		if err != nil {
			return nil, err
		}
		return best.Train(ctx, x, y)
	}
}

// on trains on a part, and judges the classifier.
func (m *method) on(
	ctx context.Context, p tuning.Split, radius float64, workers int,
) (tuning.Judged, float64, error) {
	begun := time.Now()
	c, err := m.train(ctx, p.TrainX, p.TrainY)
	if err != nil {
		return tuning.Judged{}, 0, err
	}
	spent := time.Since(begun).Seconds()
	j, err := tuning.Judge(ctx, c, p.TestX, p.TestY, radius, workers)
	return j, spent, err
}
