package metrics

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/rows"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Options are the parameters of Evaluate. The zero value attacks every correctly classified
// row, exactly, in ℓ∞, on every core.
type Options struct {
	// Norm measures the distances that Attack claims, unless Attack does.
	Norm polytope.Norm
	// Attack attacks one point; nil means an exact attack in Norm. Points
	// run side by side, so an attack does best with one worker of its own
	// (attack.Options.Workers: 1). One whose moves have prices returns their cost itself, by a
	// method Distance(x, z []float64) float64.
	Attack attack.Attack
	// Radii, if any, are all that is asked, of an Attack with the method RobustAt of
	// attack.RegionBased: whether each point is robust there, which Point.Verdict tells. Examples
	// are then nearest ones only by chance. nil asks for the nearest example.
	Radii []float64
	// Workers is the number of points attacked at a time; 0 means GOMAXPROCS.
	Workers int
	// Rows are the rows to evaluate, in the order in which they are begun; nil means
	// all.
	Rows []int
	// Each is called with each point as it finishes, in any order, never beside itself. An
	// error ends the evaluation.
	Each func(Point) error
	// FinishRunning lets attacks that are running when the context ends come
	// to their own end; otherwise they are cut short.
	FinishRunning bool
}

// certifier is an attack that can be asked about radii, not the nearest example.
type certifier interface {
	RobustAt(ctx context.Context, x []float64, radii ...float64) (attack.Result, error)
}

// Evaluate predicts the rows of x and attacks those that c labels as y does. A nil y
// stands for labels that are not known: every row counts as classified correctly, and its
// distance is that to the nearest change of the predicted label.
// Points are returned in the order of opts.Rows, and are the same for any number of workers unless
// a limit ends an attack early.
//
// When the context ends, no attack is begun any more, and those that run are
// cut short or finished. Evaluate then returns the points that are known, and an error
// wrapping the context's. An attack cut short by a deadline may have returned a result, which is
// kept; one that was cancelled has no point.
//
// Every example is checked with c, also if the attack was made for another classifier: one that c
// does not label as the attack says, that has the label of its row, or that is not at the
// distance claimed, in opts.Norm or by its method Distance, is an error that wraps
// ErrAttack.
//
// An attack or Each that fails or panics ends the evaluation likewise, once the running
// attacks have finished; of several rows that fail, the error names the first in order.
// Other errors are those that labelled rows can have, or wrap attack.ErrClassifier,
// classifier.ErrOption or polytope.ErrNorm, and come without points.
func Evaluate(
	ctx context.Context, c classifier.Classifier, x mat.Matrix, y []int, opts Options,
) ([]Point, error) {
	r, err := newRun(ctx, c, x, y, opts)
	if err != nil {
		return nil, fmt.Errorf("metrics: %w", err)
	}
	failure := rows.Each(ctx, opts.Workers, len(r.order),
		func(position int) error { return r.work(ctx, position) })
	points, err := r.outcome(ctx, failure)
	if err != nil {
		return points, fmt.Errorf("metrics: %w", err)
	}
	return points, nil
}

// newRun checks the input of Evaluate.
func newRun(
	ctx context.Context, c classifier.Classifier, x mat.Matrix, y []int, opts Options,
) (*run, error) {
	table, err := tableFor(ctx, c, x)
	if err != nil {
		return nil, err
	}
	if y != nil {
		if err := checkLabels(y, table.Len, c.Classes()); err != nil {
			return nil, err
		}
	}
	if err := geometry.CheckNorm(opts.Norm); err != nil {
		return nil, err
	}
	if opts.Workers < 0 {
		return nil, fmt.Errorf("%w: %d workers", classifier.ErrOption, opts.Workers)
	}
	order := slices.Clone(opts.Rows)
	if opts.Rows == nil {
		order = make([]int, table.Len)
		for i := range order {
			order[i] = i
		}
	}
	for _, row := range order {
		if row < 0 || row >= table.Len {
			return nil, fmt.Errorf("%w: row %d of %d", classifier.ErrOption, row, table.Len)
		}
	}
	switch {
	case opts.Attack == nil:
		opts.Attack = &attack.RegionBased{
			Classifier: c,
			Options:    attack.Options{Norm: opts.Norm, Workers: 1},
		}
	case rows.IsNil(opts.Attack):
		return nil, fmt.Errorf("%w: the attack is a nil pointer", classifier.ErrOption)
	}
	if _, ok := opts.Attack.(certifier); !ok && opts.Radii != nil {
		return nil, fmt.Errorf("%w: %T cannot be asked about radii",
			classifier.ErrOption, opts.Attack)
	}
	distance := opts.Norm.Distance
	if priced, ok := opts.Attack.(interface{ Distance(x, z []float64) float64 }); ok {
		distance = priced.Distance
	}
	n := len(order)
	return &run{
		classifier: c, table: table, y: y, opts: opts, order: order, distance: distance,
		points: make([]Point, n), known: make([]bool, n),
	}, nil
}

// A caller's mistakes. Returned errors wrap one of these, attack.ErrClassifier, the error of an
// attack or a callback, an error of package polytope, the context's, or those of package
// classifier, such as ErrOption for a radius or robustness that is NaN or negative, and name the
// row.
var (
	// ErrAttack is returned for a claim of an attack that the classifier that is measured, or its
	// own numbers, contradict: it may have attacked another one, or in another norm.
	ErrAttack = errors.New("the attack's answer is false")

	errNumber = rows.Named("not a number ≥ 0", classifier.ErrOption)
)
