package attacking

import (
	"context"
	"fmt"
	"io"
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/examples/internal/progress"
	"github.com/seed-1a7dc1f9/facet/examples/internal/results"
	"github.com/seed-1a7dc1f9/facet/examples/internal/subject"
	"github.com/seed-1a7dc1f9/facet/internal/rows"
	"github.com/seed-1a7dc1f9/facet/metrics"
)

// change is the classifier of one row: where the output is smaller, or larger, than that of the row
// by more than --change, it says so. It is also the attack of this row: the nearer answer of two.
type change struct {
	below, beyond *attack.RegionBased
}

// changeOf returns that of a row.
func (e *evaluation) changeOf(x []float64) (*change, error) {
	smaller, larger, err := e.data.Regressor.Changes(x, *e.Change)
	if err != nil {
		return nil, err
	}
	var attacks [2]*attack.RegionBased
	for i, side := range [...]*classifier.Ensemble{smaller, larger} {
		if attacks[i], err = e.exact(side); err != nil {
			return nil, err
		}
	}
	return &change{below: attacks[0], beyond: attacks[1]}, nil
}

func (c *change) Dim() int     { return c.below.Classifier.Dim() }
func (c *change) Classes() int { return subject.Larger + 1 }

func (c *change) Predict(x []float64) int {
	switch {
	case c.below.Classifier.Predict(x) == 0:
		return subject.Smaller
	case c.beyond.Classifier.Predict(x) == 1:
		return subject.Larger
	}
	return subject.Within
}

// Perturb implements attack.Attack.
func (c *change) Perturb(ctx context.Context, x []float64) (attack.Result, error) {
	first, err := c.below.Perturb(ctx, x)
	if err != nil {
		return first, err
	}
	second, err := c.beyond.Perturb(ctx, x)
	if err != nil {
		return second, err
	}
	if first.Example != nil {
		first.Label = subject.Smaller
	}
	if second.Example != nil {
		second.Label = subject.Larger
	}
	if second.Distance < first.Distance {
		first, second = second, first
	}
	// What the farther one proves only has to reach as far as the nearer one.
	first.Optimal = first.Optimal && (second.Optimal || second.Bound >= first.Distance)
	first.Bound = min(first.Bound, second.Bound)
	first.Nodes, first.Solves = first.Nodes+second.Nodes, first.Solves+second.Solves
	return first, nil
}

// Distance returns what a move costs.
func (c *change) Distance(x, z []float64) float64 { return c.below.Distance(x, z) }

// attackChanges attacks rows each with a classifier of its own.
func (e *evaluation) attackChanges(
	ctx context.Context, out *results.File[results.Line], stderr io.Writer,
) error {
	todo := left(e, out, e.rows)
	bar := progress.New(stderr, progress.Options{
		Description: "attacking",
		Unit:        "points",
		Total:       len(todo),
	})
	defer bar.Close()
	var mu sync.Mutex // guards out
	err := rows.Each(ctx, e.Workers, len(todo), func(i int) error {
		defer bar.Add(1)
		line, err := e.changeLine(context.WithoutCancel(ctx), todo[i])
		if err != nil {
			return fmt.Errorf("row %d: %w", e.data.Test.Number(todo[i]), err)
		}
		mu.Lock()
		defer mu.Unlock()
		return out.Add(line)
	})
	if err == nil && ctx.Err() != nil && len(left(e, out, e.rows)) > 0 {
		return interruption(e, out)
	}
	return finished(e, out, err)
}

// changeLine attacks a row.
func (e *evaluation) changeLine(ctx context.Context, row int) (line results.Line, err error) {
	x, _ := e.data.Test.Row(row)
	c, err := e.changeOf(x)
	if err != nil {
		return line, err
	}
	one := *e
	one.data = &subject.Subject{Data: e.data.Data, Classifier: c, Regressor: e.data.Regressor}
	_, err = metrics.Evaluate(ctx, c, mat.NewDense(1, len(x), x), nil, metrics.Options{
		Norm: e.Norm, Attack: c, Workers: 1,
		Each: func(p metrics.Point) error {
			p.Row = row
			line = one.newLine(p)
			return nil
		},
	})
	return line, unnumbered(err)
}
