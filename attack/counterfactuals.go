package attack

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/bestfirst"
	"github.com/seed-1a7dc1f9/facet/internal/guard"
	"github.com/seed-1a7dc1f9/facet/internal/query"
)

// Counterfactuals are examples that change different features, and a bound on others.
type Counterfactuals struct {
	// Found are examples in the order of their distances. The Bound of each is about the inputs
	// that were left to find: none of those that do not change all that an earlier one changes is
	// nearer.
	Found []Result
	// Status is about inputs that do not change all that one of Found changes: StatusNone says that
	// it is proven that no other answers. Else a limit ended the search for them, be it that as
	// many were found as were asked for, or float64 is too coarse for one at the Bound.
	Status Status
	// Bound is proven: none of these inputs is nearer.
	Bound float64
	// Nodes and Solves are those of all searches.
	Nodes, Solves int
}

// Counterfactuals returns up to m examples that change different features, in the order of their
// distances. The first is a nearest one, as that of Perturb; each further one is nearest among
// the inputs that do not change all that an earlier one changes, so that no answer is
// an earlier one with a change more. A one-hot group counts as one feature. No
// example has a change that it could do without: each feature that x may keep, and that
// would not spoil the answer, stays.
//
// A deadline that passes is no error: examples found by then are returned, with their bounds. That
// ctx is cancelled is one.
//
// The classifier must know rules of moves: the search for each answer freezes features of earlier
// ones, one of each in all combinations (Reiter, "A theory of diagnosis from first principles",
// Artificial Intelligence 32, 1987), nearest first. That takes about as many searches as the
// answers together have changes. Timeout is for all of them, and each search ends after half of the
// time left. There are no proofs. Errors are those of Perturb, and classifier.ErrOption for m < 1.
func (a *RegionBased) Counterfactuals(
	ctx context.Context, x []float64, m int,
) (Counterfactuals, error) {
	all, err := a.counterfactuals(ctx, x, m)
	if err != nil {
		return all, fmt.Errorf("attack: counterfactuals: %w", err)
	}
	return all, nil
}

func (a *RegionBased) counterfactuals(
	ctx context.Context, x []float64, m int,
) (all Counterfactuals, err error) {
	defer guard.Recover(&err)
	q, err := a.ask(ctx, x)
	switch {
	case err != nil:
		return all, err
	case m < 1:
		return all, fmt.Errorf("%w: %d counterfactuals", classifier.ErrOption, m)
	case a.Mode != Exact:
		return all, errMode
	case a.Proof != nil:
		return all, fmt.Errorf("proofs know no further examples: %w", errors.ErrUnsupported)
	}
	e := newEnumeration(a, q)
	inner, cancel := query.Within(ctx, a.Timeout)
	defer cancel()
	for len(all.Found) < m {
		r, err := e.next(inner)
		if err = query.OrCanceled(ctx, err); err != nil {
			all.Found = inOrder(all.Found)
			return all, err
		}
		all.Nodes += r.Nodes
		all.Solves += r.Solves
		if r.Example == nil {
			break
		}
		all.Found = e.add(all.Found, r)
	}
	rest := e.finish(noClaim(), math.Inf(1))
	all.Found, all.Status, all.Bound = inOrder(all.Found), rest.Status, rest.Bound
	if all.Status == StatusCoarse && len(all.Found) == m {
		all.Status = StatusLimit // nobody has looked
	}
	return all, nil
}

// add adds an answer to those found before it. It takes the place of those that are farther, by
// rounding or because a limit ended their search, and change all that it changes.
func (e *enumeration) add(found []Result, r Result) []Result {
	changed, left := e.changed(r.Example), found[:0]
	for _, other := range found {
		if r.Distance < other.Distance && contains(e.changed(other.Example), changed) {
			r.Bound = min(r.Bound, other.Bound) // it stands for all that the other one stood for
			r.settle(bestfirst.Attains(r.Distance, r.Bound), r.Status.finished())
		} else {
			left = append(left, other)
		}
	}
	return append(left, r)
}

// contains reports whether all of some units are among others.
func contains(all, some []int) bool {
	return !slices.ContainsFunc(some, func(u int) bool { return !slices.Contains(all, u) })
}

// inOrder sorts answers by their distances: one that is not proven nearest may be found before a
// nearer one. The bound of an answer on those left to find is that of the first found of it and of
// those that come after it.
func inOrder(found []Result) []Result {
	order := make([]int, len(found))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order,
		func(i, j int) int { return cmp.Compare(found[i].Distance, found[j].Distance) })
	sorted := make([]Result, len(found))
	for at, i := range order {
		r := found[i]
		if first := slices.Min(order[at:]); first != i {
			r.Bound = min(found[first].Bound, r.Distance)
			r.settle(bestfirst.Attains(r.Distance, r.Bound), r.Status.finished())
		}
		sorted[at] = r
	}
	return sorted
}

// enumeration looks for answers one after the other.
type enumeration struct {
	attack   *RegionBased
	q        query.Query // about all inputs that the rules allow
	ruled    query.Query // the same, of which others are derived
	unit     []int       // by feature: the first one of its group, or itself
	stuck    []bool      // by feature: x breaks its rules, so that every answer changes it
	queue    []*branch   // unordered: there are few
	made     map[string]bool
	answered [][]int // the units that each answer changes, but for those that are stuck
	floor    float64 // the smallest bound of the branches without an answer
	limited  bool    // whether a limit ended a search
	nodes    int     // since the last answer
	solves   int
}

// branch is the inputs that leave some features as they are.
type branch struct {
	frozen []int // units, ascending
	bound  float64
	result *Result // its nearest answer, nil as long as nobody has looked
}

func newEnumeration(a *RegionBased, q query.Query) *enumeration {
	e := &enumeration{
		attack: a, q: q, ruled: q.Freeze(), made: map[string]bool{}, floor: math.Inf(1),
	}
	moves := e.ruled.Allowed
	e.unit, e.stuck = make([]int, len(q.X)), make([]bool, len(q.X))
	for j := range e.unit {
		e.unit[j], e.stuck[j] = j, moves.BrokenAt(j)
	}
	for _, g := range moves.Groups {
		for _, j := range g.Members {
			e.unit[j] = g.Members[0]
		}
	}
	e.push(&branch{})
	return e
}

// freeze derives the query about the inputs that leave some units as they are.
func (e *enumeration) freeze(units []int) query.Query {
	var frozen []int
	for j, u := range e.unit {
		if slices.Contains(units, u) {
			frozen = append(frozen, j)
		}
	}
	return e.ruled.Freeze(frozen...)
}

// push adds a branch, unless it was there before.
func (e *enumeration) push(b *branch) {
	if key := fmt.Sprint(b.frozen); !e.made[key] {
		e.made[key] = true
		e.queue = append(e.queue, b)
	}
}

// pop removes the next thing to look at: the nearest answer found, or the branch with the smallest
// bound of those where nobody has looked, if that is clearly nearer. Of several it is the first;
// nil if there is none.
func (e *enumeration) pop() *branch {
	first := func(solved bool, key func(b *branch) float64) int {
		best := -1
		for i, b := range e.queue {
			if (b.result != nil) == solved && (best < 0 || key(b) < key(e.queue[best])) {
				best = i
			}
		}
		return best
	}
	next := first(true, func(b *branch) float64 { return b.result.Distance })
	if open := first(false, func(b *branch) float64 { return b.bound }); next < 0 ||
		(open >= 0 && !bestfirst.Attains(e.queue[next].result.Distance, e.queue[open].bound)) {
		next = open
	}
	if next < 0 {
		return nil
	}
	b := e.queue[next]
	e.queue = slices.Delete(e.queue, next, next+1)
	return b
}

// next returns the next answer, or the state of the search if there is none.
func (e *enumeration) next(ctx context.Context) (Result, error) {
	for b := e.pop(); b != nil; b = e.pop() {
		i := slices.IndexFunc(e.answered, func(changed []int) bool {
			return !slices.ContainsFunc(changed,
				func(u int) bool { return slices.Contains(b.frozen, u) })
		})
		switch {
		case i >= 0:
			e.divide(b, e.answered[i])
		case b.result == nil:
			if err := e.solve(ctx, b); err != nil {
				return noClaim(), err
			}
		default:
			r := e.finish(*b.result, b.bound)
			changed := e.changed(r.Example)
			e.answered = append(e.answered, changed)
			e.divide(b, changed)
			return r, nil
		}
	}
	return e.finish(noClaim(), math.Inf(1)), nil
}

// divide pushes the children of a branch that leave one of some units as it is.
func (e *enumeration) divide(b *branch, changed []int) {
	for _, u := range changed {
		child := &branch{frozen: append(slices.Clone(b.frozen), u), bound: b.bound}
		slices.Sort(child.frozen)
		if b.result != nil && !slices.Contains(e.changed(b.result.Example), u) {
			child.result = b.result
		}
		e.push(child)
	}
}

// solve looks for the nearest answer of a branch, and puts it back if there is one.
func (e *enumeration) solve(ctx context.Context, b *branch) error {
	q := e.q
	if len(b.frozen) > 0 {
		q = e.freeze(b.frozen)
	}
	ctx, cancel := query.Half(ctx) // time is left for others
	defer cancel()
	r, err := e.attack.search(ctx, q, bestfirst.Limits{Gap: e.attack.Gap})
	if err != nil {
		return err
	}
	e.limited = e.limited || !r.Status.finished()
	e.nodes += r.Nodes
	e.solves += r.Solves
	b.bound = max(b.bound, r.Bound)
	if r.Example == nil {
		e.floor = min(e.floor, b.bound)
		return nil
	}
	e.undoNeedless(&q, &r)
	b.result = &r
	e.queue = append(e.queue, b)
	return nil
}

// undoNeedless takes the changes off an example that it can do without.
func (e *enumeration) undoNeedless(q *query.Query, r *Result) {
	for again := true; again; {
		again = false
		for _, u := range e.changed(r.Example) {
			z := slices.Clone(r.Example)
			for j, v := range e.unit {
				if v == u {
					z[j] = q.X[j]
				}
			}
			if label := guard.Predict(e.attack.Classifier, z); q.Reaches(label) &&
				query.Accepted(&q.Query, z) && q.Reject(z) == nil {
				r.Example, r.Label, again = z, label, true
			}
		}
	}
	r.Distance = q.Distance(r.Example)
}

// changed returns the units that z changes, but for those that are stuck, ascending.
func (e *enumeration) changed(z []float64) (units []int) {
	for j, u := range e.unit {
		if !query.Same(z[j], e.q.X[j]) && !e.stuck[u] && !slices.Contains(units, u) {
			units = append(units, u)
		}
	}
	slices.Sort(units)
	return units
}

// finish makes a result about the answers left, among which is one of a branch with this bound.
func (e *enumeration) finish(r Result, bound float64) Result {
	for _, b := range e.queue {
		bound = min(bound, b.bound)
	}
	r.Bound = min(bound, e.floor, r.Distance)
	r.Nodes, r.Solves = e.nodes, e.solves
	e.nodes, e.solves = 0, 0
	r.settle(math.IsInf(r.Bound, 1) || (r.Example != nil && bestfirst.Attains(r.Distance, r.Bound)),
		!e.limited)
	return r
}
