package explain

import (
	"context"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/attack/explain/internal/hitting"
	"github.com/seed-1a7dc1f9/facet/internal/boxtree"
)

// standby is a reason that is the answer unless a lighter one turns up.
type standby struct{ set, undecided hitting.Set }

// lightest returns the lightest of the reasons that were not found yet: the lightest set that meets
// all conflicts, once that forces the label. Until then inputs of another label add conflicts.
func (r *reasoning) lightest(ctx context.Context) (Reason, error) {
	if len(r.found) == 0 {
		seed, none, err := r.seed(ctx)
		if err != nil || seed == nil {
			return r.noReason(none), err
		}
		if err := r.improve(ctx, seed); err != nil {
			return Reason{}, err
		}
	}
	bound := 0.0
	for {
		least, err := hitting.Least(ctx, r.lighter())
		if err = unlessEnded(ctx, err); err != nil {
			return Reason{}, err
		}
		if least == nil {
			return r.best(bound, ctx.Err() == nil), nil
		}
		least = least.Union(r.with)
		bound = r.weight(least)
		if r.standby != nil && r.weight(r.standby.set) <= bound*(1+smallestShare) {
			return r.best(bound, false), nil
		}
		verdict, err := r.ask(ctx, least, true)
		switch {
		case err != nil:
			return Reason{}, err
		case verdict == boxtree.Forced:
			r.standby = &standby{least, hitting.NewSet(len(r.units))}
			return r.best(bound, false), nil
		case verdict == boxtree.Open:
			return r.best(bound, false), nil
		}
		if err := r.disjoint(ctx, least); err != nil {
			return Reason{}, err
		}
	}
}

// lighter asks for the lightest set that may force the label and contains no reason that was found.
func (r *reasoning) lighter() hitting.Problem {
	p := hitting.Problem{Weights: r.weights}
	for _, c := range r.conflicts {
		if !c.Meets(r.with) {
			p.Hit = append(p.Hit, c.Less(r.without))
		}
	}
	for _, f := range r.found {
		p.Avoid = append(p.Avoid, f.Less(r.with))
	}
	return p
}

// disjoint looks for conflicts beside each other, which bound weights best: to a set that does not
// force the label it adds all that the last conflict changes, and asks again. What forces the
// label in the end may hold a lighter reason.
func (r *reasoning) disjoint(ctx context.Context, set hitting.Set) error {
	for {
		set = set.Union(r.conflicts[len(r.conflicts)-1].Less(r.without))
		known := len(r.conflicts)
		verdict, err := r.ask(ctx, set, true)
		switch {
		case err != nil:
			return err
		case verdict == boxtree.Forced:
			return r.improve(ctx, set)
		case len(r.conflicts) == known:
			return nil
		}
	}
}

// improve makes a reason within a set that forces the label the one on standby, if it is lighter
// and contains none that was found.
func (r *reasoning) improve(ctx context.Context, set hitting.Set) error {
	set = slices.Clone(set)
	undecided, err := r.shrink(ctx, set)
	if err != nil {
		return err
	}
	known := func(f hitting.Set) bool { return set.Contains(f) }
	if slices.ContainsFunc(r.found, known) {
		return nil
	}
	if r.standby == nil || r.weight(set) < r.weight(r.standby.set) {
		r.standby = &standby{set, undecided}
	}
	return nil
}

// best returns the reason on standby, or one without features that has the bound of those left.
func (r *reasoning) best(bound float64, none bool) Reason {
	if r.standby == nil {
		result := r.noReason(none)
		result.Bound = math.Max(result.Bound, bound)
		return result
	}
	s := r.standby
	r.standby = nil
	return r.reason(s.set, s.undecided, bound)
}
