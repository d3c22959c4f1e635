package explain

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/attack/explain/internal/hitting"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/boxtree"
	"github.com/seed-1a7dc1f9/facet/internal/guard"
	"github.com/seed-1a7dc1f9/facet/internal/query"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Reason is a set of features that force the label: every input of the domain that obeys the rules
// of the options, and is as x in these features, has the label of x.
type Reason struct {
	// Features are those of the set, ascending; of a one-hot group all members.
	Features []int
	// Status is StatusOptimal of a set of which no feature can be left out, but for those that the
	// options ask for, and StatusLimit where a limit left that open.
	Status attack.Status
	// Undecided are those of Features about which a limit left open whether the others force the
	// label without them.
	Undecided []int
	// Weight is that of Features, and Bound is proven: none of the reasons that were left to find
	// weighs less. It is 0 unless Smallest is asked for.
	Weight, Bound float64
}

// Smallest reports whether it is proven that no reason that was left to find weighs less.
func (r Reason) Smallest() bool { return r.Weight <= r.Bound*(1+smallestShare) }

// Reasons are those that were found, and a bound on the sizes of others.
type Reasons struct {
	Found []Reason
	// Status is about the reasons that are not among Found: StatusNone says that it is proven that
	// there are none, StatusLimit that a limit ended the search for them. It is 0 where as many
	// were found as were asked for.
	Status attack.Status
	// Bound is proven: no other reason weighs less. It is +Inf where there are none, and else 0
	// unless Smallest is asked for.
	Bound float64
	// Checks counts the questions that were searched: whether some features force the label. Nodes
	// and Solves are those of all these searches.
	Checks, Nodes, Solves int
}

// decided returns the status of a reason, which depends on whether features are undecided.
func decided(undecided []int) attack.Status {
	if len(undecided) == 0 {
		return attack.StatusOptimal
	}
	return attack.StatusLimit
}

// smallestShare is the greatest change of a sum of weights by another order of adding.
const smallestShare = 1e-12

// Reasons returns why the classifier gives x its label: sets of features that force it, for all
// values of the others, within the domain and the rules of the options, so that no feature of a set
// can be left out. The literature calls them abductive explanations, or prime implicants (Shih,
// Choi and Darwiche, IJCAI 2018; Ignatiev, Narodytska and Marques-Silva, AAAI 2019). They are exact
// for all classifiers for which attack.RegionBased is.
//
// Where there are fewer than Count, the Status says whether that is proven. A deadline that
// passes is no error: reasons found by then are returned, and a set that is not decided in time
// forces the label all the same. That ctx is cancelled is one.
//
// A feature where x itself breaks the rules is in no reason, as no input has its value; nor is one
// that is Frozen, as all have. A one-hot group is in a reason as a whole.
//
// The first reason comes about by leaving out one feature after the other, first those that change
// the sums of trees least. The smallest ones, and further ones, are found by hitting sets: the
// features that an input of another label changes meet every reason (Reiter, 1987; Ignatiev,
// Previti, Liffiton and Marques-Silva, CP 2015). Finding the first takes a question a feature;
// finding the smallest is harder than that, exponentially in the worst case. MaxNodes is for each
// question and Timeout for all of them, of which one takes at most half of the time left. One
// goroutine asks. Errors are those of attack.RegionBased.Perturb, and classifier.ErrOption for
// fields that make no sense.
func (e *Explainer) Reasons(ctx context.Context, x []float64) (Reasons, error) {
	all, err := e.reasons(ctx, x)
	if err != nil {
		return all, fmt.Errorf("explain: reasons: %w", err)
	}
	return all, nil
}

func (e *Explainer) reasons(ctx context.Context, x []float64) (all Reasons, err error) {
	defer guard.Recover(&err)
	in, err := newOracle(ctx, e, x)
	if err != nil {
		return all, err
	}
	r, err := newReasoning(in, e)
	if err != nil {
		return all, err
	}
	inner, cancel := query.Within(ctx, e.Timeout)
	defer cancel()
	for more := true; more && len(all.Found) < max(1, e.Count); {
		next, err := r.next(inner)
		all.Checks, all.Nodes, all.Solves = in.checks, in.nodes, in.solves
		if err = query.OrCanceled(ctx, err); err != nil {
			return all, err
		}
		more = all.add(next)
	}
	for _, r := range all.Found {
		err = cmp.Or(err, e.prove(ctx, x, r.Features, nil))
	}
	return all, err
}

// add adds the result of the search for the next reason, and reports whether that is one.
func (all *Reasons) add(next Reason) bool {
	if all.Bound = next.Bound; next.Features != nil {
		all.Found = append(all.Found, next)
		return true
	}
	all.Status = attack.StatusLimit
	if math.IsInf(next.Bound, 1) {
		all.Status = attack.StatusNone
	}
	return false
}

// reasoning looks for reasons one after the other.
type reasoning struct {
	*oracle
	weights       []float64 // by unit
	with, without hitting.Set
	smallest      bool
	all           hitting.Set // the units that reasons may contain
	order         []int       // in which they are left out
	found         []hitting.Set
	standby       *standby
}

func newReasoning(in *oracle, e *Explainer) (*reasoning, error) {
	r := &reasoning{oracle: in, smallest: e.Smallest, all: in.everything()}
	dim := len(in.unit)
	switch {
	case e.Count < 0:
		return nil, fmt.Errorf("%w: %d reasons", classifier.ErrOption, e.Count)
	case e.Weights != nil && len(e.Weights) != dim:
		return nil, fmt.Errorf("%w: weights of %d features, the classifier has %d",
			classifier.ErrOption, len(e.Weights), dim)
	}
	for j, w := range e.Weights {
		if !(w > 0) || math.IsInf(w, 1) {
			return nil, fmt.Errorf("%w: %w", classifier.ErrOption, &polytope.FeatureError{
				Feature: j, What: fmt.Sprintf("weighs %v, want a finite number above 0", w),
			})
		}
	}
	for _, u := range in.units {
		weight := 1.0
		if e.Weights != nil {
			weight = e.Weights[u[0]]
		}
		r.weights = append(r.weights, weight)
	}
	var err error
	if r.with, err = in.unitsOf(e.With); err != nil {
		return nil, err
	}
	if r.without, err = in.unitsOf(e.Without); err != nil {
		return nil, err
	}
	if r.with.Meets(r.without) {
		return nil, fmt.Errorf("%w: reasons with and without the same feature",
			classifier.ErrOption)
	}
	r.all = r.all.Less(r.without)
	r.order = in.importance()
	return r, nil
}

// next returns the next reason, or one without features that has the bound of those left.
func (r *reasoning) next(ctx context.Context) (Reason, error) {
	if r.smallest {
		return r.lightest(ctx)
	}
	seed, complete, err := r.seed(ctx)
	if err != nil || seed == nil {
		return r.noReason(complete), err
	}
	undecided, err := r.shrink(ctx, seed)
	if err != nil {
		return Reason{}, err
	}
	return r.reason(seed, undecided, 0), nil
}

// noReason says that there is no other reason, if that is proven.
func (r *reasoning) noReason(proven bool) (none Reason) {
	if none.Bound = 0; proven {
		none.Bound = math.Inf(1)
	}
	return none
}

// reason makes a set that forces the label a result.
func (r *reasoning) reason(set, undecided hitting.Set, bound float64) Reason {
	r.found = append(r.found, set)
	result := Reason{
		Features: r.features(set), Undecided: r.features(undecided),
		Weight: r.weight(set), Bound: bound,
	}
	result.Status = decided(result.Undecided)
	return result
}

func (r *reasoning) weight(set hitting.Set) (sum float64) {
	for _, u := range set.Members() {
		sum += r.weights[u]
	}
	return sum
}

// seed returns a set that forces the label and contains no reason that was found; nil if it finds
// none, and whether there is none. It leaves out a feature of each reason found, and not
// all that an input of another label changes.
func (r *reasoning) seed(ctx context.Context) (seed hitting.Set, complete bool, err error) {
	if len(r.found) == 0 {
		verdict, err := r.ask(ctx, r.all, true)
		if verdict == boxtree.Forced {
			return slices.Clone(r.all), true, err
		}
		return nil, verdict == boxtree.Broken, err
	}
	for {
		p := hitting.Problem{Weights: r.weights}
		for _, f := range r.found {
			p.Hit = append(p.Hit, f.Less(r.with))
		}
		for _, c := range r.conflicts {
			p.Avoid = append(p.Avoid, c.Less(r.without))
		}
		out, err := hitting.Least(ctx, p)
		if out == nil || err != nil {
			return nil, err == nil, unlessEnded(ctx, err)
		}
		seed = r.all.Less(out)
		verdict, err := r.ask(ctx, seed, true)
		switch {
		case err != nil || verdict == boxtree.Open:
			return nil, false, err
		case verdict == boxtree.Forced:
			return seed, true, nil
		}
	}
}

// unlessEnded returns an error that is not that of a deadline.
func unlessEnded(ctx context.Context, err error) error {
	if query.Ended(ctx, err) {
		return nil
	}
	return err
}

// shrink leaves features out of a set that forces the label as long as it does so. It returns
// those about which that was not decided. Several are left out at once as long as that goes
// well.
func (r *reasoning) shrink(ctx context.Context, set hitting.Set) (hitting.Set, error) {
	undecided := hitting.NewSet(len(r.units))
	var todo []int
	for _, u := range r.order {
		if set.Has(u) && !r.with.Has(u) {
			todo = append(todo, u)
		}
	}
	for width := 1; len(todo) > 0; {
		width = min(width, len(todo))
		out := hitting.NewSet(len(r.units))
		for _, u := range todo[:width] {
			out.Add(u)
		}
		verdict, err := r.ask(ctx, set.Less(out), false)
		switch {
		case err != nil:
			return nil, err
		case verdict == boxtree.Forced:
			copy(set, set.Less(out))
			todo = todo[width:]
			width *= 2
			continue
		case width > 1:
			width /= 2
			continue
		case verdict == boxtree.Open:
			undecided.Add(todo[0])
		}
		todo = todo[1:]
	}
	return undecided, nil
}
