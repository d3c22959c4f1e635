// Package query compiles the question of an attack: options, a classifier and an input become a
// Query, once.
//
// Compile checks all of them, asks once which rules of moves the classifier follows, refuses the
// others, and compiles the rules. Other questions about the same input are derived from a Query, by
// Freeze and Within, and never from options again.
package query

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/access"
	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/guard"
	"github.com/seed-1a7dc1f9/facet/internal/rows"
	"github.com/seed-1a7dc1f9/facet/internal/rules"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// ErrTarget is returned for an input that has the target label already.
var ErrTarget = errors.New("the point already has the target label")

// Options are those of a question about an input; attack.Options explains them.
type Options struct {
	Norm     polytope.Norm
	Changes  bool
	Target   *int
	Domain   polytope.Box
	Features []rules.Feature // nil for none
	Linear   []polytope.HalfSpace
	Quorums  []Quorum // of other classifiers
	Solver   polytope.Solver
}

// Query is a compiled question. It does not change, but for Any and Trace, which are about one
// search.
type Query struct {
	search.Query
	Classifier guard.Classifier
	Searcher   search.Searcher // of its cells, nil if it has no search of its own
	Follows    rules.Kinds     // that the classifier follows
	Allowed    *rules.Moves    // moves that the rules allow; nil if there are no rules
}

// Compile checks a context, options, a classifier and an input, and compiles the query.
func Compile(
	ctx context.Context, o Options, c guard.Classifier, x []float64,
) (q Query, err error) {
	defer guard.Recover(&err)
	if ctx == nil {
		return q, rows.ErrContext
	}
	if err := guard.CheckClassifier(c); err != nil {
		return q, err
	}
	if err := o.check(c.Dim(), x); err != nil {
		return q, err
	}
	q.Query = search.Query{
		X: x, Target: -1, Cost: geometry.In(o.Norm), Domain: o.Domain, Solver: solverOf(o.Solver),
	}
	q.Classifier = c
	if s, ok := access.Searcher(c); ok {
		q.Searcher, q.Follows = s, s.Follows()
	}
	if err := q.require(o.Quorums); err != nil {
		return q, err
	}
	r, err := Rules(o, c, x)
	if err == nil && r.Apply() {
		err = q.compile(r)
	}
	if err == nil {
		err = label(&q.Query, c, o.Target)
	}
	return q, err
}

// Plain compiles the query of an attack that follows no rules of moves. A nil target stands for
// any label but that of x.
func Plain(
	c guard.Classifier, norm polytope.Norm, target *int, x []float64,
) (q search.Query, err error) {
	defer guard.Recover(&err)
	if err := guard.CheckClassifier(c); err != nil {
		return q, err
	}
	if err := (&Options{Norm: norm}).check(c.Dim(), x); err != nil {
		return q, err
	}
	r := rules.Rules{X: x, Norm: norm}
	if r.Apply() {
		return q, r.Moves().Refused(0)
	}
	q = search.Query{X: x, Target: -1, Cost: geometry.In(norm)}
	return q, label(&q, c, target)
}

// label asks for the label of x, and sets the target.
func label(q *search.Query, c guard.Classifier, target *int) error {
	if target != nil {
		q.Target = *target
		if q.Target < 0 || q.Target >= c.Classes() {
			return fmt.Errorf("%w: target label %d of %d classes",
				rows.ErrOption, q.Target, c.Classes())
		}
	}
	if q.From = guard.Predict(c, q.X); q.From < 0 || q.From >= c.Classes() {
		return fmt.Errorf("%w: %T predicts label %d of %d classes",
			guard.ErrClassifier, c, q.From, c.Classes())
	}
	if q.From == q.Target && Accepted(q, q.X) {
		return fmt.Errorf("label %d: %w", q.Target, ErrTarget)
	}
	return nil
}

// Rules returns the rules of the moves from x: those of the options, nil Features if these have no
// rule, and that the features are categories that the classifier declares, unless the options make
// them a grid or part of a one-hot group.
func Rules(o Options, c guard.Classifier, x []float64) (rules.Rules, error) {
	r := rules.Rules{
		X: x, Norm: o.Norm, Changes: o.Changes, Domain: o.Domain, Linear: o.Linear,
	}
	if slices.ContainsFunc(o.Features,
		func(f rules.Feature) bool { return f != rules.Feature{} }) {
		r.Features = o.Features
	}
	if err := declare(&r, c); err != nil {
		return r, err
	}
	model := 0
	for _, c := range o.Quorums {
		for _, also := range c.Of {
			model++
			if err := declare(&r, also.Classifier); err != nil {
				return r, errOther(model, err)
			}
		}
	}
	return r, nil
}

// declare adds to rules that features are categories that a classifier declares.
func declare(r *rules.Rules, c guard.Classifier) (err error) {
	declared, ok := c.(interface{ Categories() []int })
	if !ok {
		return nil
	}
	defer guard.Name("Categories", c)
	r.Features, err = rules.Declare(slices.Clone(r.Features), declared.Categories())
	if err != nil {
		err = fmt.Errorf("%w: %w", rows.ErrOption, err)
	}
	return err
}

// compile compiles rules. It returns an error for a classifier that does not follow them. One that
// lists its cells need not follow prices.
func (q *Query) compile(r rules.Rules) error {
	q.Allowed = r.Moves()
	err := q.Allowed.Refused(q.Follows)
	if err == nil {
		q.obey()
		err = checkPrices(&q.Query)
	}
	switch _, listed := access.CellsOf(q.Classifier); {
	case err != nil && q.Follows == 0:
		return fmt.Errorf("%T knows no such rules of moves: %w", q.Classifier, err)
	case err != nil:
		return err
	case q.Moves == nil && !listed && !q.Searchable():
		return fmt.Errorf("%T knows no prices of moves or no linear rules, and lists no cells: %w",
			q.Classifier, errors.ErrUnsupported)
	}
	return nil
}

// obey asks for inputs that the rules allow: by the moves themselves, or by prices, a domain and
// linear rules for a classifier that follows no more.
func (q *Query) obey() {
	q.Norm, q.Linear = q.Allowed.Adds(), q.Allowed.Linear
	if q.Follows&^(search.Prices|search.Linear) != 0 {
		q.Moves = q.Allowed
		return
	}
	q.Prices, q.Domain = q.Allowed.Real()
	if q.Prices != nil && !knowsPrices(q.Solver) {
		if j, _ := priced(q.Prices); j < 0 {
			q.Prices = nil // they only say which moves there are, as the domain does
		}
	}
}

// Freeze derives the query about the inputs that leave some features as they are. Parts that do not
// change are shared. The first query that is derived from one without rules compiles an empty list
// of rules, as if it froze no features, from which others are derived then.
func (q Query) Freeze(features ...int) Query { return q.Within(nil, features...) }

// Within is Freeze, for the inputs of a box within the domain; nil is all of it.
func (q Query) Within(box polytope.Box, frozen ...int) Query {
	if q.Allowed == nil {
		q.Allowed = rules.Rules{
			X: q.X, Norm: q.Norm, Domain: q.Domain, Features: make([]rules.Feature, len(q.X)),
		}.Moves()
	}
	if box != nil || len(frozen) > 0 {
		q.Allowed = q.Allowed.With(frozen, box)
	}
	q.obey()
	return q
}

// Searchable reports whether the search of the classifier knows the prices and linear rules. One
// that lists its cells need not.
func (q *Query) Searchable() bool {
	return (q.Prices == nil || q.Follows&search.Prices != 0) &&
		(len(q.Linear) == 0 || q.Follows&search.Linear != 0)
}

// Reject returns an error for an input that the query does not allow.
func (q *Query) Reject(z []float64) error {
	if q.Moves != nil && len(z) == len(q.X) {
		return q.Moves.Broken(z)
	}
	if err := geometry.CheckPoint(z, len(q.X)); err != nil {
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

// Same reports whether two values of a feature are equal, or both missing.
func Same(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }
