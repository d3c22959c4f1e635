// Package explain says why a classifier gives an input its label: by sets of features that force
// it, whatever the others are, and by intervals within which nothing changes it.
//
// Explainer.Reasons returns sets of which no feature can be left out, and the smallest of them if
// asked to. Explainer.LabelBox returns a box. Both are proven, for every classifier that
// attack.RegionBased proves distances for, and about the inputs that attack.Result.Bound is about.
package explain

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/attack/internal/regions"
	"github.com/seed-1a7dc1f9/facet/attack/proof"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/bestfirst"
	"github.com/seed-1a7dc1f9/facet/internal/guard"
	"github.com/seed-1a7dc1f9/facet/internal/query"
	"github.com/seed-1a7dc1f9/facet/internal/rules"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Options say which inputs explanations are about, and limit their search. The zero value is about
// all of R^d.
type Options struct {
	// Target is the label whose inputs count as others; nil means any label but that of x.
	Target *int
	// Domain, Features and Linear say which inputs there are, as those of attack.Options. Prices
	// do not matter, but for +Inf.
	Domain   polytope.Box
	Features []attack.Feature
	Linear   []polytope.HalfSpace
	// Solver finds closest points; nil means a polytope.Native.
	Solver polytope.Solver
	// Timeout ends the search of an explanation after this time, 0 never. A single question takes
	// at most half of what is left of it.
	Timeout time.Duration
	// MaxNodes ends the search of each question after this many nodes, 0 never.
	MaxNodes int
	// MaxOpen and MaxBytes limit the memory of a search, as those of attack.Options.
	MaxOpen, MaxBytes int
	// Proof, if it is not nil, is where proofs of reasons and boxes are written, as
	// attack.Options.Proof says: that every input which is as x in the features, or lies in the
	// box, has the label of x.
	Proof *proof.Writer
}

// Explainer explains the labels of a classifier. It is its fields, and keeps nothing of what it has
// answered.
type Explainer struct {
	Classifier classifier.Classifier
	Options
}

// compile compiles the query about all inputs that the rules allow, at distances that do not
// matter.
func (e *Explainer) compile(x []float64) (q query.Query, err error) {
	if e.Timeout < 0 || e.MaxNodes < 0 || e.MaxOpen < 0 || e.MaxBytes < 0 {
		return q, fmt.Errorf("%w: timeout %v, at most %d nodes, %d open, %d bytes: none may be "+
			"negative", classifier.ErrOption, e.Timeout, e.MaxNodes, e.MaxOpen, e.MaxBytes)
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
	return query.Compile(query.Options{
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
	q.Radii = true
	s, err := regions.Search(ctx, q)
	switch {
	case query.Ended(ctx, err):
		return regions.Answer{}, query.OrCanceled(ctx, nil)
	case err != nil:
		return regions.Answer{}, guard.Blame(err)
	}
	found, err := regions.Run(ctx, q, s, bestfirst.Limits{
		Workers: 1, Nodes: e.MaxNodes, Open: e.MaxOpen, Bytes: e.MaxBytes,
		Radii: []float64{math.MaxFloat64},
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
	rba := &attack.RegionBased{Classifier: e.Classifier, Options: attack.Options{
		Target: e.Target, Domain: e.Domain.Intersect(own), Features: frozen, Linear: e.Linear,
		Solver: e.Solver, Timeout: e.Timeout, MaxNodes: e.MaxNodes, MaxOpen: e.MaxOpen,
		MaxBytes: e.MaxBytes, Proof: e.Proof,
	}}
	r, err := rba.RobustAt(ctx, x, math.MaxFloat64)
	if err == nil && !(r.Bound > math.MaxFloat64) {
		err = fmt.Errorf("a limit ended the search for it: %w", attack.ErrUnproven)
	}
	if err != nil {
		return fmt.Errorf("proof: %w", err)
	}
	return nil
}
