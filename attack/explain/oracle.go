package explain

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/attack/explain/internal/hitting"
	"github.com/seed-1a7dc1f9/facet/attack/internal/regions"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/boxtree"
	"github.com/seed-1a7dc1f9/facet/internal/boxtree/grid"
	"github.com/seed-1a7dc1f9/facet/internal/guard"
	"github.com/seed-1a7dc1f9/facet/internal/query"
	"github.com/seed-1a7dc1f9/facet/internal/rules"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// oracle asks which features of x force its label. What one question brought helps with the next.
type oracle struct {
	explainer *Explainer
	q         query.Query  // about all inputs that the rules allow
	ruled     query.Query  // the same, of which others are derived
	moves     *rules.Moves // moves that the rules allow
	units     [][]int      // units that can be fixed: features, or the members of one-hot groups
	unit      []int        // that of each feature, −1 of one that cannot be fixed
	quick     *boxtree.Decider

	// Each conflict is the set of changes of an input of another label: every reason has one of
	// them.
	conflicts []hitting.Set
	// forcing are sets that force the label.
	forcing               []hitting.Set
	points                [][]float64 // inputs of another label, those that boxes ran into
	checks, nodes, solves int
}

// newOracle prepares questions about x.
func newOracle(ctx context.Context, e *Explainer, x []float64) (*oracle, error) {
	q, err := e.compile(ctx, x)
	if err != nil {
		return nil, err
	}
	in := &oracle{explainer: e, q: q, ruled: q.Freeze()}
	in.moves = in.ruled.Allowed
	if in.divide(); !in.broken() {
		in.forcing = append(in.forcing, in.everything()) // all of x is x
	}
	s, err := regions.Search(ctx, &in.q)
	if err != nil {
		return nil, guard.Blame(err)
	}
	if f, ok := s.(forcer); ok {
		in.quick = f.Forcing()
	}
	return in, nil
}

// forcer is a search that knows a quicker way to tell which boxes of inputs force a label: that of
// trees.
type forcer interface{ Forcing() *boxtree.Decider }

// divide collects the units.
func (in *oracle) divide() {
	moves := in.moves
	in.unit = slices.Repeat([]int{-1}, len(in.q.X))
	add := func(members []int) {
		for _, j := range members {
			in.unit[j] = len(in.units)
		}
		in.units = append(in.units, members)
	}
	for j := range in.unit {
		if !moves.Member(j) && !moves.Each[j].Fixed() && !moves.BrokenAt(j) {
			add([]int{j})
		}
	}
	for i := range moves.Groups {
		g := &moves.Groups[i]
		free := func(j int) bool { return !moves.Each[j].Frozen }
		if !moves.BrokenAt(g.Members[0]) && slices.ContainsFunc(g.Members, free) {
			add(g.Members)
		}
	}
}

// broken reports whether x breaks rules, so that no input is as x in all features.
func (in *oracle) broken() bool {
	return slices.ContainsFunc(in.unit, func(u int) bool { return u < 0 }) &&
		in.moves.Broken(in.q.X) != nil
}

// everything returns the set of all units.
func (in *oracle) everything() hitting.Set {
	s := hitting.NewSet(len(in.units))
	for u := range in.units {
		s.Add(u)
	}
	return s
}

// unitsOf returns the units of features.
func (in *oracle) unitsOf(features []int) (hitting.Set, error) {
	s := hitting.NewSet(len(in.units))
	for _, j := range features {
		if j < 0 || j >= len(in.unit) {
			return nil, fmt.Errorf("%w: %w", classifier.ErrOption,
				&polytope.FeatureError{Feature: j, What: fmt.Sprintf("of %d", len(in.unit))})
		}
		if in.unit[j] >= 0 {
			s.Add(in.unit[j])
		}
	}
	return s, nil
}

// features lists those of units, ascending.
func (in *oracle) features(units hitting.Set) []int {
	features := []int{}
	for _, u := range units.Members() {
		features = append(features, in.units[u]...)
	}
	slices.Sort(features)
	return features
}

// ask says whether units that stay as in x force the label. Where they do not, and the caller wants
// to learn from it, the units that an input of another label changes are a new conflict.
func (in *oracle) ask(
	ctx context.Context, fixed hitting.Set, learn bool,
) (boxtree.Verdict, error) {
	for _, f := range in.forcing {
		if fixed.Contains(f) {
			return boxtree.Forced, nil
		}
	}
	for _, c := range in.conflicts {
		if !c.Meets(fixed) {
			return boxtree.Broken, nil
		}
	}
	in.checks++
	verdict, z, err := in.search(ctx, fixed, nil)
	switch {
	case err != nil:
		return boxtree.Open, err
	case verdict == boxtree.Forced:
		in.forcing = append(in.forcing, slices.Clone(fixed))
	case verdict == boxtree.Broken && learn:
		in.conflicts = append(in.conflicts, in.changed(in.reduce(z)))
	}
	return verdict, nil
}

// quickSplits is how many splits are tried before a question goes to the search for the nearest
// input, which bounds large ensembles better.
const quickSplits = 1 << 14

// search answers a question about a box, nil for all inputs; Broken comes with an input of another
// label.
func (in *oracle) search(
	ctx context.Context, fixed hitting.Set, box polytope.Box,
) (boxtree.Verdict, []float64, error) {
	if in.quick != nil {
		spans := in.quick.Box(in.isFixed(fixed))
		for u := range in.units {
			if j := in.number(u); j >= 0 && box != nil && !fixed.Has(u) {
				spans[j] = in.quick.Span(j, box[j])
			}
		}
		verdict, z := in.decide(ctx, spans)
		// Under linear rules z may differ from x within an interval.
		if verdict == boxtree.Forced || verdict == boxtree.Broken && in.holds(fixed, box, z) {
			return verdict, z, nil
		}
	}
	if box == nil {
		box = in.q.Domain
	}
	return in.nearest(ctx, fixed, box)
}

// number returns the feature of a unit that has an interval, −1 if it has none.
func (in *oracle) number(u int) int {
	j := in.units[u][0]
	if m := in.moves; m.Member(j) || m.Each[j].Categorical || m.Each[j].MayMiss() {
		return -1
	}
	return j
}

// holds reports whether a point lies in a box, and is as x in some units.
func (in *oracle) holds(fixed hitting.Set, box polytope.Box, z []float64) bool {
	for j, i := range box {
		if !math.IsNaN(z[j]) && !i.Contains(z[j]) {
			return false
		}
	}
	return !in.changed(z).Meets(fixed)
}

// isFixed reports whether a feature is one of units.
func (in *oracle) isFixed(units hitting.Set) func(feature int) bool {
	return func(j int) bool { return in.unit[j] >= 0 && units.Has(in.unit[j]) }
}

// decide asks about a box of intervals.
func (in *oracle) decide(ctx context.Context, box grid.Box) (boxtree.Verdict, []float64) {
	left := quickSplits
	if limit := in.explainer.MaxNodes; limit > 0 {
		left = min(left, limit)
	}
	before := left
	verdict, z := in.quick.Decide(ctx, box, &left)
	in.nodes += before - max(left, 0)
	return verdict, z
}

// nearest answers a question about a box by the search for the nearest input of another label.
func (in *oracle) nearest(
	ctx context.Context, fixed hitting.Set, box polytope.Box,
) (boxtree.Verdict, []float64, error) {
	q := in.ruled.Within(box, in.features(fixed)...)
	ctx, cancel := query.Half(ctx) // time is left for others
	defer cancel()
	found, err := in.explainer.search(ctx, &q)
	in.nodes += found.Nodes
	in.solves += found.Solves
	switch {
	case err != nil:
		return boxtree.Open, nil, err
	case found.Example != nil:
		return boxtree.Broken, found.Example, nil
	case math.IsInf(found.Bound, 1):
		return boxtree.Forced, nil, nil
	}
	return boxtree.Open, nil, nil
}

// changed returns the units that z changes.
func (in *oracle) changed(z []float64) hitting.Set {
	s := hitting.NewSet(len(in.units))
	for j, u := range in.unit {
		if u >= 0 && !query.Same(z[j], in.q.X[j]) {
			s.Add(u)
		}
	}
	return s
}

// reduce takes the changes off an input of another label that it can do without: half of those that
// may be needed at once, as long as the label stays another.
func (in *oracle) reduce(z []float64) []float64 {
	todo := in.changed(z).Members()
	for width := max(1, len(todo)/2); len(todo) > 0; {
		width = min(width, len(todo))
		less := slices.Clone(z)
		for _, u := range todo[:width] {
			for _, j := range in.units[u] {
				less[j] = in.q.X[j]
			}
		}
		label := guard.Predict(in.q.Classifier, less)
		switch {
		case in.q.Reaches(label) && in.q.Reject(less) == nil:
			z, todo = less, todo[width:]
		case width > 1:
			width /= 2
			continue
		default:
			todo = todo[1:]
		}
		width *= 2
	}
	return z
}

// importance returns the units in the order in which to leave them out: those first without
// which the trees' sums can change least.
func (in *oracle) importance() []int {
	order := make([]int, len(in.units))
	missing := make([]float64, len(in.units))
	for u := range order {
		order[u] = u
		if in.quick != nil {
			others := in.everything()
			others.Remove(u)
			missing[u] = in.quick.Missing(in.quick.Box(in.isFixed(others)))
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(missing[b], missing[a]) })
	return order
}
