// Package explain says why a classifier gives an input its label: by sets of features that force
// it, for all values of the others, and by intervals within which the label stays.
//
// Explainer.Reasons returns sets of which no feature can be left out, and the smallest of them if
// asked to. Explainer.LabelBox returns a box. Both are proven, for every classifier that
// attack.RegionBased proves distances for, and about the inputs that attack.Result.Bound is about.
package explain

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/attack/internal/regions"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/bestfirst"
	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/query"
	"github.com/seed-1a7dc1f9/facet/internal/rules"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Explainer explains the labels of a classifier. It is its fields, and keeps no answer.
type Explainer struct {
	Classifier classifier.Classifier
	// Options are those of attacks: Target is the label whose inputs count as others, and Domain,
	// Features and Linear say which inputs there are. Timeout is for an explanation, of which a
	// single question takes at most half of the time left, MaxNodes for each question. A Proof says
	// that every input which is as x in some features, or lies in a box, has the label of x.
	//
	// Explanations have no distances, so that Norm, Changes, Gap and prices other than +Inf do not
	// matter; nor do Workers, since one goroutine asks. Mode Approx, which has no proofs, is
	// refused, and so are Also: reasons are about one classifier.
	attack.Options

	// Count is how many reasons Reasons looks for, 0 for one.
	Count int
	// Smallest asks for the reasons of least weight, the lightest first.
	Smallest bool
	// Weights are the weights of features in reasons, finite and above 0; nil means 1 each. A
	// one-hot group weighs as its first member.
	Weights []float64
	// With are features that each reason contains, Without those that none does.
	With, Without []int
	// Tries is how many more boxes LabelBox grows, in random orders of the features: the largest
	// counts. Sizes need a Domain that is bounded.
	Tries int
}

// compile compiles the query about all inputs that the rules allow, at distances that do not
// matter.
func (e *Explainer) compile(ctx context.Context, x []float64) (q query.Query, err error) {
	switch {
	case e.Mode != attack.Exact:
		return q, fmt.Errorf("%w: mode approx proves nothing", classifier.ErrOption)
	case len(e.Also) > 0:
		return q, fmt.Errorf("reasons and boxes are about one classifier, and Also names "+
			"others: %w", errors.ErrUnsupported)
	case e.Timeout < 0, e.MaxNodes < 0, e.MaxMemory < 0:
		return q, fmt.Errorf("%w: timeout %v, at most %d nodes, %d bytes: none may be negative",
			classifier.ErrOption, e.Timeout, e.MaxNodes, e.MaxMemory)
	}
	var features []rules.Feature
	for _, f := range e.Features {
		features = append(features, rules.As(f))
	}
	if err := query.CheckFeatures(features, len(x)); err != nil {
		return q, err
	}
	for j := range features {
		features[j].Up, features[j].Down = unpriced(features[j].Up), unpriced(features[j].Down)
	}
	return query.Compile(ctx, query.Options{
		Target: e.Target, Domain: e.Domain, Features: features, Linear: e.Linear, Solver: e.Solver,
	}, e.Classifier, x)
}

// unpriced returns a price that only says whether a move may be.
func unpriced(price float64) float64 {
	if math.IsInf(price, 1) {
		return price
	}
	return 0
}

// search looks for any input that answers a query, on one goroutine.
func (e *Explainer) search(ctx context.Context, q *query.Query) (regions.Answer, error) {
	found, err := regions.Find(ctx, q, regions.Search, e.MaxMemory, bestfirst.Limits{
		Workers: 1, Nodes: e.MaxNodes, Radius: math.MaxFloat64,
	})
	return found, query.OrCanceled(ctx, err)
}

// prove writes a proof that every input that is as x in some features, and lies in a box, nil for
// all of them, has the label of x, if there is to be a proof.
func (e *Explainer) prove(
	ctx context.Context, x []float64, features []int, box polytope.Box,
) error {
	if e.Proof == nil {
		return nil
	}
	frozen := slices.Clone(e.Features)
	if frozen == nil {
		frozen = make([]attack.Feature, len(x))
	}
	for _, j := range features {
		frozen[j].Frozen = true
	}
	own := slices.Clone(box)
	for j := range own {
		if frozen[j].Frozen && own[j].Contains(x[j]) {
			own[j] = polytope.Line() // it stays, in the domain or not
		}
	}
	o := e.Options
	o.Norm, o.Changes, o.Features = polytope.LInf, false, frozen
	o.Domain = geometry.IntersectBoxes(e.Domain, own)
	rba := &attack.RegionBased{Classifier: e.Classifier, Options: o}
	r, err := rba.RobustAt(ctx, x, math.MaxFloat64)
	if err == nil && !(r.Bound > math.MaxFloat64) {
		err = fmt.Errorf("a limit ended the search for it: %w", attack.ErrUnproven)
	}
	if err != nil {
		return fmt.Errorf("proof: %w", err)
	}
	return nil
}
