package trial

import (
	"context"
	"errors"
	"fmt"
	"io"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/examples/internal/progress"
	"github.com/seed-1a7dc1f9/facet/metrics"
)

// ErrInterrupted is returned when the context ended before all points were attacked.
var ErrInterrupted = errors.New("interrupted")

// Evaluate is metrics.Evaluate with a progress bar on stderr that says what it is doing. When the context
// ends, the points that run are finished and the error says how many are done.
func Evaluate(
	ctx context.Context, c classifier.Classifier, x *mat.Dense, y []int, o metrics.Options, doing string, stderr io.Writer,
) ([]metrics.Point, error) {
	total, _ := x.Dims()
	if o.Rows != nil {
		total = len(o.Rows)
	}
	bar := progress.New(stderr, progress.Options{Description: doing, Unit: "points", Total: total})
	stop := context.AfterFunc(ctx, func() { bar.Describe("finishing") })
	o.FinishRunning = true
	each := o.Each
	o.Each = func(p metrics.Point) error {
		defer bar.Add(1)
		if each == nil {
			return nil
		}
		return each(p)
	}
	points, err := metrics.Evaluate(ctx, c, x, y, o)
	stop()
	bar.Close()
	if err != nil && ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return nil, fmt.Errorf("%w with %d of %d points done", ErrInterrupted, len(points), total)
	}
	return points, err
}

// Measure attacks the points of a subject, exactly and each on one core, and sums up what that
// shows. Each point goes to each, if there is one, as it finishes.
func (s *Flags) Measure(
	ctx context.Context, t *Subject, each func(metrics.Point) error, doing string, stderr io.Writer,
) (*Summary, error) {
	points, err := Evaluate(ctx, t.Classifier, t.X, t.Y, metrics.Options{
		Norm: s.Norm,
		Attack: &attack.RegionBased{
			Classifier: t.Classifier,
			Options:    attack.Options{Norm: s.Norm, Workers: 1, Timeout: s.Timeout},
		},
		Workers: s.Workers,
		Rows:    t.Rows,
		Each:    each,
	}, doing, stderr)
	if err != nil {
		return nil, err
	}
	return Summarize(points)
}
