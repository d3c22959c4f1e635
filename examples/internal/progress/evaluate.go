package progress

import (
	"context"
	"errors"
	"fmt"
	"io"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
	"github.com/seed-1a7dc1f9/facet/metrics"
)

// Evaluate is metrics.Evaluate with a bar on stderr that names the work. When the context ends, the
// points that run are finished and the error says how many are done.
func Evaluate(
	ctx context.Context, c classifier.Classifier, x *mat.Dense, y []int, o metrics.Options,
	doing string, stderr io.Writer,
) ([]metrics.Point, error) {
	total, _ := x.Dims()
	if o.Rows != nil {
		total = len(o.Rows)
	}
	bar := New(stderr, Options{Description: doing, Unit: "points", Total: total})
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
		return nil, fmt.Errorf("%w with %d of %d points done",
			command.ErrInterrupted, len(points), total)
	}
	return points, err
}
