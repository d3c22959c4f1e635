package attack

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/access"
	"github.com/seed-1a7dc1f9/facet/internal/bestfirst"
	"github.com/seed-1a7dc1f9/facet/internal/guard"
	"github.com/seed-1a7dc1f9/facet/internal/query"
	"github.com/seed-1a7dc1f9/facet/internal/rules"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// RegionBased is the region-based attack (paper, section 4).
//
// Exact works for every classifier.Decomposable. One that is only that costs a
// bound per cell and a program for each cell that is bounded below the answer;
// those of package classifier open their cells nearest first. One without cells
// of one label, classifier.WeightedKNN, is attacked with certified
// bounds, which may need a Timeout. Approx works for every classifier.Locator and
// every Decomposable.
//
// A RegionBased is its fields, and keeps nothing of what it has answered: it may be copied, and a
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
	defer guard.Recover(&err)
	q, p, err := a.pose(x)
	if err != nil {
		return nothing(), err
	}
	if r, err = a.search(ctx, q, bestfirst.Limits{Gap: a.Gap}); err != nil {
		return r, err
	}
	return r, p.write(ctx, r, r.Bound)
}

// search answers a question within the limits and those of the options.
func (a *RegionBased) search(
	ctx context.Context, q question, limits bestfirst.Limits,
) (Result, error) {
	inner, cancel := query.Within(ctx, a.Timeout)
	defer cancel()
	limits.Workers = cmp.Or(a.Workers, runtime.GOMAXPROCS(0))
	limits.Nodes, limits.Open = a.MaxNodes, cmp.Or(a.MaxOpen, defaultOpen)
	limits.Bytes = cmp.Or(a.MaxBytes, defaultBytes)
	r, err := a.searchUntil(inner, q, limits)
	return r, query.OrCanceled(ctx, err)
}

func (a *RegionBased) searchUntil(
	ctx context.Context, q question, limits bestfirst.Limits,
) (Result, error) {
	q.Radii = len(limits.Radii) > 0
	s, err := a.cells(ctx, q)
	if err != nil {
		if query.Ended(ctx, err) {
			return nothing(), nil
		}
		return nothing(), guard.Blame(err)
	}
	found, err := bestfirst.Run(ctx, s, limits)
	switch {
	case errors.Is(err, bestfirst.ErrBound):
		return nothing(), fmt.Errorf("%w: %w", ErrClassifier, err)
	case err != nil:
		return nothing(), guard.Blame(err)
	}
	return a.result(q.Query, found)
}

// cells returns the search that answers q.
func (a *RegionBased) cells(ctx context.Context, q question) (search.Search, error) {
	if a.Mode == Approx {
		return a.nearby(ctx, q.Query)
	}
	if q.Domain.Empty() { // by the rules of moves
		return &cellSearch{}, nil
	}
	if c, ok := access.Searcher(a.Classifier); ok && q.searchable() {
		s, err := c.Search(ctx, q.Query)
		if q.Moves != nil || !errors.Is(err, errors.ErrUnsupported) {
			return s, err
		}
	}
	c, ok := a.Classifier.(classifier.Decomposable)
	if !ok {
		return nil, fmt.Errorf("%w: %T neither searches for its answers nor lists its cells, so "+
			"there is no exact attack on it", ErrClassifier, a.Classifier)
	}
	return listCells(ctx, c, q.Query)
}

// result checks the witness and translates the outcome of a search.
func (a *RegionBased) result(q search.Query, found bestfirst.Result) (Result, error) {
	r := nothing()
	r.Nodes, r.Solves = found.Nodes, found.Solves
	if a.Mode == Exact {
		r.Bound, r.Optimal, r.Complete = found.Bound, found.Complete, found.Finished
	}
	if found.Answer == nil {
		r.Optimal = r.Optimal && math.IsInf(r.Bound, 1) // not only none within the radii
		return r, nil
	}
	z := found.Answer.Example
	if err := checkExample(q, z); err != nil {
		return nothing(), fmt.Errorf("%w: the search of %T returned an example that is none: %w",
			ErrClassifier, a.Classifier, err)
	}
	r.Label = guard.Predict(a.Classifier, z)
	if r.Label < 0 || r.Label >= a.Classifier.Classes() || !q.Reaches(r.Label) {
		return nothing(), fmt.Errorf(
			"%w: the search of %T returned an example with label %d that does not answer",
			ErrClassifier, a.Classifier, r.Label,
		)
	}
	r.Example = z
	r.Distance = q.Distance(z)
	tolerance := bestfirst.Tolerance * math.Max(1, r.Distance)
	if bound := found.Answer.Bound; bound > r.Distance+tolerance {
		return nothing(), fmt.Errorf(
			"%w: the search of %T bounds an answer by %v, and returned it at distance %v",
			ErrClassifier, a.Classifier, bound, r.Distance,
		)
	}
	r.Bound = math.Min(r.Bound, r.Distance)
	r.Optimal = r.Optimal && r.Distance-r.Bound <= tolerance
	return r, nil
}

// checkExample returns an error for what is no input that the query allows.
func checkExample(q search.Query, z []float64) error {
	if q.Moves != nil && len(z) == len(q.X) {
		return q.Moves.Broken(z)
	}
	if err := polytope.CheckPoint(z, len(q.X)); err != nil {
		return err
	}
	if q.Domain != nil && !q.Domain.Contains(z) {
		return errors.New("it lies outside the domain")
	}
	if !rules.KeepsAll(q.Linear, z) {
		return errors.New("it breaks a linear rule")
	}
	return nil
}
