package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/metrics"
	"github.com/seed-1a7dc1f9/facet/polytope"
	"github.com/seed-1a7dc1f9/facet/prune"
)

// score is how a classifier does on the points that are drawn to test it.
type score struct {
	accuracy, astuteness float64
}

// result is the mean of the repeats at one size.
type result struct {
	size          int
	kept          float64 // share of the rows
	plain, pruned score
	astuteness    [2][]float64       // of each training set, without pruning and with it
	models        [2]*classifier.KNN // of the first repeat, without pruning and with it
	rows          [2]rows            // of the training
}

// rows are labelled points.
type rows struct {
	x *mat.Dense
	y []int
}

// measureAll measures 1-NN at every size. The rule is measured too, as size 0.
func (e *experiment) measureAll(ctx context.Context, rule *rule) ([]*result, error) {
	testX, testY := draw(rand.New(rand.NewPCG(1, 0)), e.tested)
	test := rows{testX, testY}
	optimal, err := measure(ctx, rule.knn, test)
	if err != nil {
		return nil, err
	}
	results := []*result{{pruned: optimal}}
	for _, n := range e.sizes {
		r, err := e.measureSize(ctx, n, test)
		if err != nil {
			return nil, err
		}
		results = append(results, r)
	}
	return results, nil
}

// measureSize draws n training points several times.
func (e *experiment) measureSize(ctx context.Context, n int, test rows) (*result, error) {
	r := &result{size: n}
	for repeat := range e.repeats {
		x, y := draw(rand.New(rand.NewPCG(2, uint64(n*e.repeats+repeat))), n)
		keep, err := pruner.Prune(ctx, x, y)
		if err != nil {
			return nil, err
		}
		px, py, err := prune.Select(x, y, keep)
		if err != nil {
			return nil, err
		}
		r.kept += float64(len(keep)) / float64(n) / float64(e.repeats)
		for i, training := range []rows{{x, y}, {px, py}} {
			model, err := classifier.TrainKNN(ctx, training.x, training.y,
				classifier.KNNOptions{K: 1})
			if err != nil {
				return nil, err
			}
			s, err := measure(ctx, model, test)
			if err != nil {
				return nil, err
			}
			mean := []*score{&r.plain, &r.pruned}[i]
			mean.accuracy += s.accuracy / float64(e.repeats)
			r.astuteness[i] = append(r.astuteness[i], s.astuteness)
			mean.astuteness += s.astuteness / float64(e.repeats)
			if repeat == 0 {
				r.models[i], r.rows[i] = model, training
			}
		}
	}
	return r, nil
}

// measure attacks every test point exactly.
func measure(ctx context.Context, model *classifier.KNN, test rows) (score, error) {
	points, err := metrics.Evaluate(ctx, model, test.x, test.y, metrics.Options{
		Norm: polytope.L2,
		Attack: &attack.RegionBased{
			Classifier: model,
			Options:    attack.Options{Norm: polytope.L2, Workers: 1},
		},
	})
	if err != nil {
		return score{}, err
	}
	right := 0
	for i := range points {
		if points[i].Predicted == points[i].TrueLabel {
			right++
		}
	}
	share, err := metrics.Astuteness(points, radius)
	if err != nil {
		return score{}, err
	}
	return score{float64(right) / float64(len(points)), share.Certified}, nil
}

// writeTable prints a line for each size, and one for the rule.
func (e *experiment) writeTable(w io.Writer, rule *rule, results []*result) error {
	lines := []string{
		fmt.Sprintf("mixture of four normal distributions, two labels; r = %g in the l-2 norm",
			radius),
		fmt.Sprintf("%d test points, attacked exactly; means of %d training sets",
			e.tested, e.repeats),
		"",
		"                          1-NN                1-NN, pruned",
		"training    kept   accuracy  astuteness   accuracy  astuteness",
	}
	for _, r := range results[1:] {
		lines = append(lines, fmt.Sprintf("%8d   %.3f      %.3f       %.3f      %.3f       %.3f",
			r.size, r.kept, r.plain.accuracy, r.plain.astuteness, r.pruned.accuracy,
			r.pruned.astuteness))
	}
	optimal := results[0].pruned
	lines = append(lines,
		fmt.Sprintf("r-optimal rule                                %.3f       %.3f",
			optimal.accuracy, optimal.astuteness),
		"",
		fmt.Sprintf("The astuteness of the r-optimal rule is between %.4f and %.4f: no "+
			"classifier's is larger.", rule.least, rule.most),
		fmt.Sprintf(
			"The rule in the table was computed on squares of side %.4f, with certificates.",
			rule.side,
		),
		"",
	)
	for _, line := range lines {
		if _, err := fmt.Fprintln(w, line); err != nil {
			return err
		}
	}
	return nil
}
