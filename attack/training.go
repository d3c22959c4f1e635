package attack

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync/atomic"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/guard"
	"github.com/seed-1a7dc1f9/facet/internal/query"
	"github.com/seed-1a7dc1f9/facet/internal/rows"
	"github.com/seed-1a7dc1f9/facet/internal/rules"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// AdversarialTraining is the defence that the paper compares pruning with (section
// 6, AT): a classifier is trained, each of its training rows is attacked once, and
// another one is trained on the rows and on the adversarial examples, which keep
// the labels of the rows they came from.
//
// A row that the first classifier gets wrong is not attacked: it is an adversarial
// example at distance 0, and present already. An example farther than Radius is
// not added.
//
// Its Train is a classifier.Trainer and works for every classifier that its attack can
// attack. The classifier that it makes does not depend on Workers, unless a limit ends an
// attack early.
type AdversarialTraining struct {
	// Trainer trains both classifiers.
	Trainer classifier.Trainer
	// Radius is how far from its row an example may lie, by Norm. Radius 0 adds none, and +Inf all.
	Radius float64
	Norm   polytope.Norm
	// Features are rules of moves, as in Options: examples obey them, and the Radius is about the
	// cost of moves. nil means none.
	Features []Feature
	// Attack makes the attack on the first classifier, which was trained on x and y. Many
	// goroutines use its attack at once. nil stands for an exact RegionBased in Norm, under the
	// rules.
	Attack func(c classifier.Classifier, x mat.Matrix, y []int) (Attack, error)
	// Workers is the number of rows attacked at a time; 0 means GOMAXPROCS.
	Workers int
}

// Train is a classifier.Trainer. It takes two trainings and one attack a row.
//
// Errors are those of classifier.TrainKNN, or wrap ErrClassifier, polytope.ErrNorm, the errors of
// Trainer or Attack, or the context's error. Of several rows that fail the error names the first.
func (a AdversarialTraining) Train(
	ctx context.Context, x mat.Matrix, y []int,
) (classifier.Classifier, error) {
	moreX, moreY, err := a.Augment(ctx, x, y)
	if err != nil {
		return nil, err
	}
	c, err := a.train(ctx, moreX, moreY)
	if err != nil {
		added := len(moreY) - len(y)
		return nil, fmt.Errorf("attack: adversarial training, %d rows and %d examples: %w",
			len(y), added, err)
	}
	return c, nil
}

// Augment returns the training rows of the second classifier: the rows of x, then
// the adversarial examples in the order of the rows they came from, with their
// labels. Errors are those of Train.
func (a AdversarialTraining) Augment(
	ctx context.Context, x mat.Matrix, y []int,
) (*mat.Dense, []int, error) {
	moreX, moreY, err := a.augment(ctx, x, y)
	if err != nil {
		return nil, nil, fmt.Errorf("attack: adversarial training: %w", err)
	}
	return moreX, moreY, nil
}

func (a AdversarialTraining) augment(
	ctx context.Context, x mat.Matrix, y []int,
) (*mat.Dense, []int, error) {
	if err := a.check(); err != nil {
		return nil, nil, err
	}
	table, _, err := rows.Labelled(ctx, x, y)
	if err != nil {
		return nil, nil, err
	}
	c, err := a.train(ctx, x, y)
	if err != nil {
		return nil, nil, err
	}
	if err := query.CheckFeatures(given(a.Features), table.Dim); err != nil {
		return nil, nil, err
	}
	if c.Dim() != table.Dim {
		return nil, nil, fmt.Errorf("%w: %T was trained on %d columns", ErrClassifier, c, table.Dim)
	}
	made, err := a.attack(c, x, y)
	if err != nil {
		return nil, nil, err
	}
	examples, err := a.examples(ctx, c, made, table, y)
	if err != nil {
		return nil, nil, err
	}
	data, labels := table.Data, append([]int(nil), y...)
	for i, z := range examples {
		if z != nil {
			data, labels = append(data, z...), append(labels, y[i])
		}
	}
	return mat.NewDense(len(labels), table.Dim, data), labels, nil
}

func (a AdversarialTraining) check() error {
	if a.Trainer == nil {
		return fmt.Errorf("%w: no trainer", classifier.ErrOption)
	}
	if !(a.Radius >= 0) || a.Workers < 0 {
		return fmt.Errorf("%w: radius %v, %d workers", classifier.ErrOption, a.Radius, a.Workers)
	}
	return geometry.CheckNorm(a.Norm)
}

func (a AdversarialTraining) train(
	ctx context.Context, x mat.Matrix, y []int,
) (classifier.Classifier, error) {
	c, err := guard.Call("Trainer",
		a, func() (classifier.Classifier, error) { return a.Trainer(ctx, x, y) })
	if err != nil {
		return nil, err
	}
	return c, guard.CheckClassifier(c)
}

func (a AdversarialTraining) attack(
	c classifier.Classifier, x mat.Matrix, y []int,
) (Attack, error) {
	if a.Attack == nil {
		return &RegionBased{
			Classifier: c,
			Options:    Options{Norm: a.Norm, Features: a.Features, Workers: 1},
		}, nil
	}
	made, err := guard.Call("Attack", a, func() (Attack, error) { return a.Attack(c, x, y) })
	if err == nil && rows.IsNil(made) {
		err = fmt.Errorf("%w: no attack", classifier.ErrOption)
	}
	return made, err
}

// examples attacks the rows of a table side by side and returns the example that each
// contributes, nil for none.
func (a AdversarialTraining) examples(
	ctx context.Context, c classifier.Classifier, made Attack, table *rows.Table, y []int,
) ([][]float64, error) {
	found := make([][]float64, table.Len)
	var done atomic.Int64
	failure := rows.Each(ctx, a.Workers, table.Len, func(row int) (err error) {
		found[row], err = a.example(ctx, c, made, table.Row(row), y[row])
		if err != nil {
			return &polytope.RowError{Row: row, Err: err}
		}
		done.Add(1)
		return nil
	})
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("%d of %d rows attacked: %w", done.Load(), table.Len, err)
	}
	return found, failure
}

// example returns the example to add for a row, nil if there is none.
func (a AdversarialTraining) example(
	ctx context.Context, c classifier.Classifier, made Attack, x []float64, label int,
) (z []float64, err error) {
	defer guard.Recover(&err)
	if guard.Predict(c, x) != label {
		return nil, nil
	}
	r, err := guard.Call("Perturb",
		made, func() (Result, error) { return made.Perturb(ctx, slices.Clone(x)) })
	if err != nil || r.Example == nil {
		return nil, err
	}
	if err := geometry.CheckPoint(r.Example, len(x)); err != nil {
		return nil, fmt.Errorf("%w: an example of %d columns: %w",
			classifier.ErrOption, len(r.Example), err)
	}
	moves := rules.Rules{X: x, Norm: a.Norm, Features: given(a.Features)}.Moves()
	if d := moves.Distance(r.Example); !(d <= a.Radius) || math.IsInf(d, 1) ||
		moves.Broken(r.Example) != nil {
		return nil, nil
	}
	return r.Example, nil
}
