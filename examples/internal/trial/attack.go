package trial

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/examples/internal/progress"
	"github.com/seed-1a7dc1f9/facet/metrics"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Options say which points are attacked and how.
type Options struct {
	Norm    polytope.Norm
	Timeout time.Duration // for a point, 0 without limit
	Workers int           // points at a time, each on one core; 0: one per core
	Rows    []int         // of x; nil means all that are classified correctly
	Doing   string        // describes the progress bar
	// Each is called with each point as it finishes; nil does nothing.
	Each func(metrics.Point) error
}

// Attack attacks rows of x with the labels y exactly, with a progress bar on stderr. A nil y
// stands for labels that are not known. When the context ends, the points that run
// are finished and the error says how many are done.
func Attack(ctx context.Context, c classifier.Classifier, x *mat.Dense, y []int, o Options, stderr io.Writer) ([]metrics.Point, error) {
	rows, _ := x.Dims()
	if o.Rows != nil {
		rows = len(o.Rows)
	}
	bar := progress.New(stderr, progress.Options{Description: o.Doing, Unit: "points", Total: rows})
	stop := context.AfterFunc(ctx, func() { bar.Describe("finishing the running points (once more to kill)") })
	points, err := metrics.Evaluate(ctx, c, x, y, metrics.Options{
		Norm: o.Norm,
		Attack: &attack.RegionBased{
			Classifier: c,
			Options:    attack.Options{Norm: o.Norm, Workers: 1, Timeout: o.Timeout},
		},
		Workers:       o.Workers,
		Rows:          o.Rows,
		FinishRunning: true,
		Each: func(p metrics.Point) error {
			defer bar.Add(1)
			if o.Each == nil {
				return nil
			}
			return o.Each(p)
		},
	})
	stop()
	bar.Close()
	if err != nil && ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return nil, fmt.Errorf("interrupted with %d of %d points done", len(points), rows)
	}
	return points, err
}
