package explain

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/attack/explain/internal/hitting"
	"github.com/seed-1a7dc1f9/facet/attack/internal/regions"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/access"
	"github.com/seed-1a7dc1f9/facet/internal/bestfirst"
	"github.com/seed-1a7dc1f9/facet/internal/boxtree"
	"github.com/seed-1a7dc1f9/facet/internal/guard"
	"github.com/seed-1a7dc1f9/facet/internal/query"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// LabelBox is intervals around x within which its label stays.
type LabelBox struct {
	// Box holds an interval of each feature, with closed ends that are float64. Every input of it
	// that the rules allow, and that is as x in the features Fixed, has the label of x. It is nil
	// if none is known.
	Box polytope.Box
	// Fixed are features that have no interval, and have to stay as they are: categories, members
	// of one-hot groups, missing values and numbers that may become missing.
	Fixed []int
	// Status is StatusOptimal of a box of which no interval can be widened, StatusNone if no box
	// forces the label, as x breaks the rules, and StatusLimit where a limit ended the search.
	Status attack.Status
	// Undecided are features with an end about which a limit left open whether it can be farther.
	Undecided []int
	// Size is the sum over the features of log(width/width of the Domain), of a category that is
	// fixed of log(1/codes). It is NaN without a bounded Domain.
	Size float64
	// Checks counts the questions that were searched, Nodes and Solves are those of all searches.
	Checks, Nodes, Solves int
}

// LabelBox returns intervals around x within which the label stays, none of which can be widened on
// its own: beyond each end there is an input of another label whose other features lie within the
// box. Where cells are boxes, as those of trees, an end is the last float64 before a threshold.
// Elsewhere, and under linear rules, the other label is found beyond the end by at most 1e-5 of its
// distance from x, or 1e-8·max(1, |x|).
//
// Features that are in no reason are free, and the others have intervals: an inflated explanation
// (Izza, Ignatiev, Stuckey and Marques-Silva, "Delivering inflated explanations", AAAI 2024).
// Limits, norms and errors are those of Reasons.
func (e *Explainer) LabelBox(ctx context.Context, x []float64) (LabelBox, error) {
	b, err := e.labelBox(ctx, x)
	if err != nil {
		return b, fmt.Errorf("explain: box: %w", err)
	}
	return b, nil
}

func (e *Explainer) labelBox(ctx context.Context, x []float64) (best LabelBox, err error) {
	defer guard.Recover(&err)
	in, err := newOracle(ctx, e, x)
	if err != nil {
		return best, err
	}
	if e.Tries < 0 || (e.Tries > 0 && !bounded(e.Domain)) {
		return best, fmt.Errorf("%w: %d tries for the largest box, which needs a bounded domain",
			classifier.ErrOption, e.Tries)
	}
	r, err := newReasoning(in, &Explainer{})
	if err != nil {
		return best, err
	}
	inner, cancel := query.Within(ctx, e.Timeout)
	defer cancel()
	best, err = r.firstBox(inner)
	rng := rand.New(rand.NewPCG(0, 0))
	for i := 0; i < e.Tries && best.Box != nil && inner.Err() == nil && err == nil; i++ {
		var other LabelBox
		other, err = r.grow(inner, r.everything(), rng.Perm(len(r.units)))
		if len(other.Undecided) == 0 && other.Size > best.Size {
			best = other
		}
	}
	best.Checks, best.Nodes, best.Solves = in.checks, in.nodes, in.solves
	if err = query.OrCanceled(ctx, err); err != nil || best.Box == nil {
		return best, err
	}
	return best, e.prove(ctx, x, best.Fixed, best.Box)
}

// bounded reports whether a domain is.
func bounded(domain polytope.Box) bool {
	return domain != nil && !slices.ContainsFunc(domain, func(i polytope.Interval) bool {
		return math.IsInf(i.Lo, 0) || math.IsInf(i.Hi, 0)
	})
}

// firstBox grows the box of a reason.
func (r *reasoning) firstBox(ctx context.Context) (LabelBox, error) {
	reason, complete, err := r.seed(ctx)
	switch {
	case err != nil:
		return LabelBox{}, err
	case reason == nil && complete:
		return LabelBox{Status: attack.StatusNone}, nil
	case reason == nil:
		return LabelBox{Status: attack.StatusLimit}, nil
	}
	if _, err := r.shrink(ctx, reason); err != nil {
		return LabelBox{}, err
	}
	return r.grow(ctx, reason, r.order)
}

// growing is a box that grows.
type growing struct {
	*oracle
	box       polytope.Box
	fixed     hitting.Set // units that have no interval, and stay
	undecided hitting.Set
	sloped    bool // some cells are no boxes
}

// grow grows a box around x, in which all units but some are free from the start: unit after unit
// in an order.
func (in *oracle) grow(
	ctx context.Context, bound hitting.Set, order []int,
) (LabelBox, error) {
	g := &growing{oracle: in, fixed: hitting.NewSet(len(in.units))}
	g.undecided = hitting.NewSet(len(in.units))
	for j := range in.unit {
		g.box = append(g.box, in.domain(j))
	}
	for _, u := range bound.Members() {
		g.shut(u)
	}
	for _, u := range order {
		if !bound.Has(u) {
			continue
		}
		if err := g.free(ctx, u); err != nil {
			return LabelBox{}, err
		}
	}
	return g.result(), nil
}

// domain returns the floats that a feature may have.
func (in *oracle) domain(j int) polytope.Interval {
	i := polytope.Line()
	if in.explainer.Domain != nil {
		i = in.explainer.Domain[j]
	}
	if x := in.q.X[j]; in.moves.Each[j].Frozen && !math.IsNaN(x) {
		return polytope.Interval{Lo: x, Hi: x}
	}
	return closed(i)
}

// closed returns an interval of the same floats with closed ends.
func closed(i polytope.Interval) polytope.Interval {
	if i.LoOpen {
		i.Lo, i.LoOpen = math.Nextafter(i.Lo, math.Inf(1)), false
	}
	if i.HiOpen {
		i.Hi, i.HiOpen = math.Nextafter(i.Hi, math.Inf(-1)), false
	}
	return i
}

// shut leaves a unit its value in x alone.
func (g *growing) shut(u int) {
	if j := g.number(u); j >= 0 {
		g.box[j] = polytope.Interval{Lo: g.q.X[j], Hi: g.q.X[j]}
	} else {
		g.fixed.Add(u)
	}
}

// free lets a unit take all its allowed values.
func (g *growing) free(ctx context.Context, u int) error {
	j := g.number(u)
	if j < 0 {
		g.fixed.Remove(u)
		verdict, _, err := g.askBox(ctx)
		if verdict != boxtree.Forced {
			g.fixed.Add(u)
		}
		if verdict == boxtree.Open {
			g.undecided.Add(u)
		}
		return err
	}
	for _, up := range [...]bool{true, false} {
		if err := g.stretch(ctx, u, j, up); err != nil {
			return err
		}
	}
	return nil
}

// stretch moves an end of the interval of a feature as far as it may go.
func (g *growing) stretch(ctx context.Context, u, j int, up bool) error {
	end, sign := &g.box[j].Hi, 1.0
	to := g.domain(j).Hi
	if !up {
		end, sign, to = &g.box[j].Lo, -1, g.domain(j).Lo
	}
	near, beyond, exact := *end, math.Inf(int(sign)), false
	found := beyond // the nearest input of another label beyond the end
	for sign*to > sign*near {
		*end = to
		verdict, z, err := g.askBox(ctx)
		switch *end = near; {
		case err != nil:
			return err
		case verdict == boxtree.Broken:
			beyond, found = z[j], z[j]
			if to, exact = g.threshold(z, j, sign); exact {
				continue
			}
		case verdict == boxtree.Open && (ctx.Err() != nil || math.IsInf(beyond, 0)):
			g.undecided.Add(u)
			return nil
		case verdict == boxtree.Open:
			beyond = to
		default:
			if near, *end = to, to; exact {
				return nil
			}
		}
		if math.IsInf(beyond, 0) || sign*(beyond-near) <= g.room(j, beyond) {
			break
		}
		to = near + (beyond-near)/2
	}
	if sign*(found-near) > 10*g.room(j, found) && !exact {
		g.undecided.Add(u)
	}
	return nil
}

// endShare is how far beyond an end another label may lie, as a share of its distance from x: that
// ends the search for it, and ten times as far is accepted where cells are thin.
const endShare = 1e-6

// room is how far an end may lie before another label that is there at v.
func (in *oracle) room(j int, v float64) float64 {
	x := in.q.X[j]
	return max(endShare*math.Abs(v-x), bestfirst.Tolerance*max(1, math.Abs(x)))
}

// threshold returns the last float64 before the interval or the cell of z, if that is a box.
func (g *growing) threshold(z []float64, j int, sign float64) (float64, bool) {
	if len(g.moves.Linear) > 0 {
		return 0, false // linear rules may end within a cell
	}
	if g.quick != nil {
		return g.quick.Beside(j, z[j], sign > 0), true
	}
	c := g.q.Classifier
	if _, ok := access.CellAtOf(c); !ok || g.sloped {
		return 0, false
	}
	cell, err := regions.Locate(c, z, guard.Predict(c, z))
	if err != nil || cell.Region.Box == nil || len(cell.Region.HalfSpaces) > 0 ||
		cell.Region.Rest != nil {
		g.sloped = true
		return 0, false
	}
	i := closed(cell.Region.Box[j])
	if sign > 0 {
		return math.Nextafter(i.Lo, math.Inf(-1)), true
	}
	return math.Nextafter(i.Hi, math.Inf(1)), true
}

// askBox says whether the box forces the label; Broken comes with an input of another.
func (g *growing) askBox(ctx context.Context) (boxtree.Verdict, []float64, error) {
	for _, z := range g.points {
		if g.holds(g.fixed, g.box, z) {
			return boxtree.Broken, z, nil
		}
	}
	g.checks++
	verdict, z, err := g.search(ctx, g.fixed, g.box)
	if z != nil {
		g.points = append(g.points, z)
	}
	return verdict, z, err
}

// result measures the box.
func (g *growing) result() LabelBox {
	b := LabelBox{Box: g.box, Fixed: g.features(g.fixed), Undecided: g.features(g.undecided)}
	b.Status = decided(b.Undecided)
	if !bounded(g.explainer.Domain) {
		b.Size = math.NaN()
		return b
	}
	for u, members := range g.units {
		j := g.number(u)
		switch {
		case j >= 0:
			b.Size += math.Log((g.box[j].Hi - g.box[j].Lo) / (g.domain(j).Hi - g.domain(j).Lo))
		case g.fixed.Has(u):
			b.Size -= math.Log(float64(max(2, len(members), g.moves.Each[members[0]].Codes)))
		}
	}
	return b
}
