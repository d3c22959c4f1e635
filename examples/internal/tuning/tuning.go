// Package tuning chooses how classifiers are trained, by how many rows held out are certified.
//
// Few rows in a leaf fit the training rows and their noise, many only plain patterns, and so do one
// neighbour and nine, and rows that few others conflict with. Which is best for inputs within a
// radius is asked of the exact search: classifiers are trained on some rows, and the accuracy that
// is certified of the others decides. Folds are taken from one random division of the rows into
// five after another, until enough rows have been held out.
package tuning

import (
	"context"
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/rows"
	"github.com/seed-1a7dc1f9/facet/prune"
)

// Options say how settings are judged.
type Options struct {
	Radius  float64 // at which rows are certified
	Seed    uint32  // of the folds
	Workers int     // trainings at a time; 0: one per core
	// Begin is told how many trainings there are, and returns a function to call after each, maybe
	// by several goroutines at once; nil: nobody is told.
	Begin func(trainings int) (done func())
}

// Setting is a way to train.
type Setting struct {
	MinLeaf int     // of trees, of all rows
	Whole   bool    // TreeOptions.WholeTree
	K       int     // of neighbours
	Prune   float64 // the radius at which their rows are pruned
	Train   classifier.Trainer
}

// String returns the setting in the words of flags.
func (s Setting) String() string {
	if s.K > 0 {
		return fmt.Sprintf("k %d, prune %.4g", s.K, s.Prune)
	}
	text := fmt.Sprintf("min-leaf %d", s.MinLeaf)
	if s.Whole {
		text += ", whole-tree"
	}
	return text
}

// Tried is a setting with its result.
type Tried struct {
	Setting
	Judged
	Chosen bool
}

const (
	folds = 5
	// enough is how many rows are held out in all, where there is more than one fold.
	enough = 1500
)

// shares are the least parts of the rows that are tried for a leaf, of leastRows at least.
var shares = [...]float64{0, 0.01, 0.04, 0.16}

const leastRows = 5

func minLeaf(share float64, n int) int { return max(leastRows, int(share*float64(n))) }

// leaves returns the settings of n rows that differ in MinLeaf, of which of makes a training.
func leaves(n int, of func(minLeaf int) classifier.Trainer) (all []Setting) {
	for _, share := range shares {
		s := Setting{MinLeaf: minLeaf(share, n)}
		if len(all) > 0 && all[len(all)-1].MinLeaf == s.MinLeaf {
			continue
		}
		s.Train = func(
			ctx context.Context, x mat.Matrix, y []int,
		) (classifier.Classifier, error) {
			return of(minLeaf(share, len(y)))(ctx, x, y)
		}
		all = append(all, s)
	}
	return all
}

// Boosted returns the settings that are tried of boosted trees of n rows: which MinLeaf.
func Boosted(o classifier.BoostedOptions, n int) []Setting {
	return leaves(n, func(minLeaf int) classifier.Trainer {
		o := o
		o.MinLeaf = minLeaf
		return classifier.TrainerOf(classifier.TrainBoosted, o)
	})
}

// Trees returns the settings that are tried of robust trees, or forests, of n rows, of whose
// options of makes a training: which MinLeaf, and whether trees are changed as a whole.
func Trees(
	o classifier.TreeOptions, n int, of func(classifier.TreeOptions) classifier.Trainer,
) (all []Setting) {
	for _, whole := range []bool{false, true} {
		some := leaves(n, func(minLeaf int) classifier.Trainer {
			o := o
			o.MinLeaf, o.WholeTree = minLeaf, whole
			return of(o)
		})
		for _, s := range some {
			s.Whole = whole
			all = append(all, s)
		}
	}
	return all
}

// Neighbors returns the settings that are tried of nearest neighbours: how many, and the radius of
// adversarial pruning. Beyond that of certificates neighbours outvote the rows that remain between.
func Neighbors(radius float64) (all []Setting) {
	for _, times := range []float64{1, 1.5, 2} {
		pruner := prune.Adversarial{Radius: times * radius}
		for _, k := range []int{1, 3, 5, 9} {
			near := classifier.TrainerOf(classifier.TrainKNN, classifier.KNNOptions{K: k})
			all = append(all, Setting{
				K: k, Prune: pruner.Radius, Train: prune.Defend(pruner, near),
			})
		}
	}
	return all
}

// Choose returns the setting with the largest certified accuracy, the first of equal ones, and the
// results of all.
func Choose(
	ctx context.Context, x *mat.Dense, y []int, settings []Setting, o Options,
) (Setting, []Tried, error) {
	if len(y) < 2*folds {
		return Setting{}, nil, fmt.Errorf("%d rows are too few to hold some of them out", len(y))
	}
	held := heldOut(y, o.Seed)
	judged := make([]Judged, len(settings)*len(held))
	done := func() {}
	if o.Begin != nil {
		done = o.Begin(len(judged))
	}
	err := rows.Each(ctx, o.Workers, len(judged), func(job int) (err error) {
		defer done()
		train, fold := settings[job/len(held)].Train, held[job%len(held)]
		judged[job], err = trainedWithout(ctx, x, y, fold, train, o.Radius)
		return err
	})
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return Setting{}, nil, err
	}
	tried, best := make([]Tried, len(settings)), 0
	for k := range tried {
		tried[k].Setting = settings[k]
		for _, j := range judged[k*len(held) : (k+1)*len(held)] {
			tried[k].Add(j)
		}
		if tried[k].Certified > tried[best].Certified {
			best = k
		}
	}
	tried[best].Chosen = true
	return settings[best], tried, nil
}

// Folds returns a division of the rows into five, each of which has its part of each label.
func Folds(y []int, seed uint32) [][]int {
	return divide(y, rand.New(rand.NewPCG(uint64(seed), 1)))
}

func divide(y []int, rng *rand.Rand) [][]int {
	next, division := map[int]int{}, make([][]int, folds)
	for _, i := range rng.Perm(len(y)) {
		fold := next[y[i]] % folds
		division[fold] = append(division[fold], i)
		next[y[i]]++
	}
	return division
}

// heldOut returns folds of one division after another.
func heldOut(y []int, seed uint32) (held [][]int) {
	rng := rand.New(rand.NewPCG(uint64(seed), 0))
	for count := 0; count < enough; {
		for _, fold := range divide(y, rng) {
			if count >= enough {
				break
			}
			held = append(held, fold)
			count += len(fold)
		}
	}
	return held
}

// trainedWithout trains on all rows but some, and judges these.
func trainedWithout(
	ctx context.Context, x *mat.Dense, y, held []int, train classifier.Trainer, radius float64,
) (Judged, error) {
	s, err := HoldOut(x, y, held)
	if err != nil {
		return Judged{}, err
	}
	c, err := train(ctx, s.TrainX, s.TrainY)
	if err != nil {
		return Judged{}, err
	}
	return Judge(ctx, c, s.TestX, s.TestY, radius, 1)
}

// Split is rows to train on, and others to test on.
type Split struct {
	TrainX, TestX *mat.Dense
	TrainY, TestY []int
}

// HoldOut returns the split whose test is some of the rows, and whose training set the others.
func HoldOut(x *mat.Dense, y, held []int) (s Split, err error) {
	out := make([]bool, len(y))
	for _, i := range held {
		out[i] = true
	}
	var in []int
	for i := range y {
		if !out[i] {
			in = append(in, i)
		}
	}
	if s.TrainX, s.TrainY, err = prune.Select(x, y, in); err != nil {
		return s, err
	}
	s.TestX, s.TestY, err = prune.Select(x, y, held)
	return s, err
}
