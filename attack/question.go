package attack

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/access"
	"github.com/seed-1a7dc1f9/facet/internal/guard"
	"github.com/seed-1a7dc1f9/facet/internal/query"
	"github.com/seed-1a7dc1f9/facet/internal/rules"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// question is a query, and what it was compiled from, once: others that freeze features or keep to
// a box are derived from it.
type question struct {
	search.Query
	follows search.Rules // what the classifier follows
	moves   *rules.Moves // nil if there are no rules
}

// ask checks the options and x, and compiles what is to be answered.
func (a *RegionBased) ask(x []float64) (q question, err error) {
	if err := guard.CheckClassifier(a.Classifier); err != nil {
		return q, err
	}
	q.follows = access.Follows(a.Classifier)
	q.Query, err = query.Following(a.Classifier, q.follows, a.Norm, a.Target, x)
	if err != nil {
		return q, err
	}
	if err := a.check(len(x)); err != nil {
		return q, err
	}
	q.Domain, q.Solver = a.Domain, new(polytope.Native)
	switch a.Solver.(type) {
	case nil:
	case *polytope.Native:
		q.Solver = a.Solver
	default:
		q.Solver = callersSolver{a.Solver}
	}
	r, err := a.rules(x)
	if err == nil && r.Apply() {
		err = a.compile(&q, r)
	}
	return q, err
}

// ruled returns a question whose answers obey rules, if only such that say nothing: of which others
// can be derived.
func (a *RegionBased) ruled(q question) (question, error) {
	if q.moves != nil {
		return q, nil
	}
	err := a.compile(&q, rules.Rules{
		X: q.X, Norm: q.Norm, Domain: q.Domain, Features: make([]rules.Feature, len(q.X)),
	})
	return q, err
}

// rules returns the rules of the moves from x: those of the options, nil Features if these say
// nothing, and that the features are categories that the classifier declares, unless the options
// make them a grid or part of a one-hot group.
func (a *RegionBased) rules(x []float64) (rules.Rules, error) {
	r := rules.Rules{
		X: x, Norm: a.Norm, Changes: a.Changes, Domain: a.Domain, Linear: a.Linear,
	}
	if slices.ContainsFunc(a.Features, func(f Feature) bool { return f != Feature{} }) {
		r.Features = given(a.Features)
	}
	c, ok := a.Classifier.(classifier.Categorical)
	if !ok {
		return r, nil
	}
	var err error
	if r.Features, err = rules.Declare(r.Features, c.Categories()); err != nil {
		return r, fmt.Errorf("%w: %w", classifier.ErrOption, err)
	}
	return r, nil
}

// compile compiles rules. It returns an error for a classifier that does not follow them. One that
// lists its cells need not follow prices.
func (a *RegionBased) compile(q *question, r rules.Rules) error {
	if a.Mode != Exact {
		return fmt.Errorf("%w: mode %v knows no rules of moves", classifier.ErrOption, a.Mode)
	}
	if err := r.Refused(q.follows); err != nil {
		return a.refuse(err, q.follows)
	}
	if err := q.obey(r.Moves()); err != nil {
		return a.refuse(err, q.follows)
	}
	_, listed := a.Classifier.(classifier.Decomposable)
	if q.Moves == nil && !listed && !q.searchable() {
		return fmt.Errorf("%T knows no prices of moves or no linear rules, and lists no cells: %w",
			a.Classifier, errors.ErrUnsupported)
	}
	return nil
}

// obey asks for what moves allow: by these themselves, or by prices, a domain and linear rules for
// a classifier that follows no more.
func (q *question) obey(m *rules.Moves) error {
	if q.moves = m; q.follows&^(search.Prices|search.Linear) != 0 {
		q.Moves = m
		return nil
	}
	q.Linear = m.Linear
	if q.Prices, q.Domain = m.Real(); q.Prices != nil {
		return checkSolver(&q.Query)
	}
	return nil
}

// with derives the question about inputs that leave some features as they are, and lie in a box
// within the domain, nil for all of that.
func (q question) with(frozen []int, box polytope.Box) (question, error) {
	err := q.obey(q.moves.With(frozen, box))
	return q, err
}

// searchable reports whether the classifier can search for the answers. One that lists its cells
// need not.
func (q *question) searchable() bool {
	return (q.Prices == nil || q.follows&search.Prices != 0) &&
		(len(q.Linear) == 0 || q.follows&search.Linear != 0)
}

// refuse says whose rules an error is about.
func (a *RegionBased) refuse(err error, follows search.Rules) error {
	if follows == 0 {
		return fmt.Errorf("%T knows no such rules of moves: %w", a.Classifier, err)
	}
	return err
}

// checkSolver returns an error if the solver knows no prices. Where a price is 1, or +Inf, which
// the domain says as well, there is no need to.
func checkSolver(q *search.Query) error {
	if _, ok := q.Solver.(*polytope.Native); ok || q.Solver == nil {
		return nil
	}
	for j, up := range q.Prices.Up {
		for _, price := range [...]float64{up, q.Prices.Down[j]} {
			if price != 1 && !math.IsInf(price, 1) {
				return &polytope.FeatureError{
					Feature: j, What: fmt.Sprintf("costs %v a unit, and a Solver other than "+
						"polytope.Native knows no prices", price), Err: errors.ErrUnsupported,
				}
			}
		}
	}
	q.Prices = nil
	return nil
}
