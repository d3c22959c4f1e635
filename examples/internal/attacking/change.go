package attacking

import (
	"context"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/examples/internal/subject"
)

// change is the classifier of one row: where the output is smaller, or larger, than that of the row
// by more than --target change, it says so. It is also the attack of this row: the nearer answer of
// two.
type change struct {
	below, beyond *attack.RegionBased
}

// changeOf returns that of a row.
func (e *evaluation) changeOf(row int) (attack.Attack, error) {
	x, _ := e.data.Test.Row(row)
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
	// The bound of the farther one only has to reach as far as the nearer one.
	if !second.Optimal() && !(second.Bound >= first.Distance) &&
		first.Status != attack.StatusUnknown {
		if second.Status != attack.StatusCoarse {
			first.Status = attack.StatusLimit
		} else if first.Optimal() {
			first.Status = attack.StatusCoarse
		}
	}
	first.Bound = min(first.Bound, second.Bound)
	first.Nodes, first.Solves = first.Nodes+second.Nodes, first.Solves+second.Solves
	return first, nil
}

// Distance returns the cost of a move.
func (c *change) Distance(x, z []float64) float64 { return c.below.Distance(x, z) }
