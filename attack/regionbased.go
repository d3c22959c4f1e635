package attack

import (
	"cmp"
	"context"
	"fmt"
	"runtime"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack/internal/regions"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/bestfirst"
	"github.com/seed-1a7dc1f9/facet/internal/guard"
	"github.com/seed-1a7dc1f9/facet/internal/query"
)

// RegionBased is the region-based attack (paper, section 4).
//
// Exact works for every classifier.Decomposable. One that is only that costs a
// bound per cell and a program for each cell that is bounded below the answer;
// those of package classifier open their cells nearest first. One without cells
// of one label, classifier.WeightedKNN, is attacked with certified
// bounds, which may need a Timeout. Approx works for every Decomposable, and for a
// classifier that names the cell around a point by a method CellAt.
//
// A RegionBased is its fields, and keeps no answer: it may be copied, and a
// copy changed.
type RegionBased struct {
	Classifier classifier.Classifier
	Options
	// Points are training points, one a row, around which Approx searches, those
	// nearest to x in Euclidean distance among the ones that the classifier
	// itself gives a label that would do. nil means the rows of a classifier that
	// keeps them (k-NN).
	Points mat.Matrix
}

var _ Attack = (*RegionBased)(nil)

// Perturb implements Attack.
func (a *RegionBased) Perturb(ctx context.Context, x []float64) (Result, error) {
	r, err := a.perturb(ctx, x)
	if err != nil {
		return r, fmt.Errorf("attack: %w", err)
	}
	return r, nil
}

func (a *RegionBased) perturb(ctx context.Context, x []float64) (r Result, err error) {
	r = noClaim() // which a panic leaves
	defer guard.Recover(&err)
	q, p, err := a.pose(ctx, x)
	if err != nil {
		return r, err
	}
	if r, err = a.search(ctx, q, bestfirst.Limits{Gap: a.Gap}); err != nil {
		return r, err
	}
	return r, p.write(ctx, r, r.Bound)
}

// ask checks the options and compiles the query about x.
func (a *RegionBased) ask(ctx context.Context, x []float64) (query.Query, error) {
	if err := a.check(); err != nil {
		return query.Query{}, err
	}
	q, err := query.Compile(ctx, a.asked(), a.Classifier, x)
	if err == nil && len(a.Also) > 0 && a.Mode != Exact {
		err = fmt.Errorf("%w: mode approx asks one classifier only", classifier.ErrOption)
	}
	if err == nil && q.Allowed != nil && a.Mode != Exact {
		err = fmt.Errorf("%w: mode approx knows no rules of moves", classifier.ErrOption)
	}
	return q, err
}

// search answers a query within the limits and those of the options.
func (a *RegionBased) search(
	ctx context.Context, q query.Query, limits bestfirst.Limits,
) (Result, error) {
	inner, cancel := query.Within(ctx, a.Timeout)
	defer cancel()
	limits.Nodes = a.MaxNodes
	found, err := a.find(inner, &q, limits)
	return a.result(found), query.OrCanceled(ctx, err)
}

// find answers a query within the limits.
func (a *RegionBased) find(
	ctx context.Context, q *query.Query, limits bestfirst.Limits,
) (regions.Answer, error) {
	limits.Workers = cmp.Or(a.Workers, runtime.GOMAXPROCS(0))
	cells := regions.Search
	if a.Mode == Approx {
		cells = a.nearby
	}
	return regions.Find(ctx, q, cells, a.MaxMemory, limits)
}

// result returns the result of a search. Approx proves no bound.
func (a *RegionBased) result(found regions.Answer) Result {
	r := Result{
		Example: found.Example, Label: found.Label, Distance: found.Distance,
		Nodes: found.Nodes, Solves: found.Solves,
	}
	if a.Mode == Exact {
		r.Bound = found.Bound
		r.settle(found.Complete, found.Finished)
	}
	return r
}
