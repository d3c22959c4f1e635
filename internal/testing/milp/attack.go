//go:build lpsolve

package milp

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/query"
	"github.com/seed-1a7dc1f9/facet/internal/rules"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Attack is the exact attack on an ensemble of trees by mixed-integer
// programming. Its options mean what they mean in attack.Options; without any it is the
// untargeted ℓ∞ attack on all of R^d. It may be used by any number of goroutines at once.
type Attack struct {
	Ensemble *classifier.Ensemble
	// Norm is ℓ∞ or ℓ1.
	Norm polytope.Norm
	// Target is the label to reach; nil means any other than Predict(x).
	Target *int
	// Domain is a box that examples must lie in; nil means R^d.
	Domain polytope.Box
	// Timeout ends the search for one point after this time, 0 never. It is
	// looked at between two linear programs, so that a search may take a second
	// longer.
	Timeout time.Duration
	// MaxNodes ends the search for one point after this many nodes, 0 never.
	MaxNodes int
}

var _ attack.Attack = Attack{}

// Perturb implements attack.Attack. Result.Bound is proven to the rounding that
// the package comment states; Nodes and Solves count boxes and linear programs.
//
// Returned errors wrap attack.ErrClassifier (no ensemble), classifier.ErrOption, attack.ErrTarget,
// errors.ErrUnsupported (ℓ2), polytope.ErrNorm, polytope.ErrDimension, polytope.ErrNotFinite,
// polytope.ErrNumerical (distances that overflow) or context.Canceled.
//
// The number of linear programs can be exponential in that of the trees.
func (a Attack) Perturb(ctx context.Context, x []float64) (attack.Result, error) {
	none := attack.Result{Label: -1, Distance: math.Inf(1)}
	s, err := a.search(x)
	if err != nil {
		return none, fmt.Errorf("milp: %w", err)
	}
	inner := ctx
	if a.Timeout > 0 {
		var cancel context.CancelFunc
		inner, cancel = context.WithTimeout(ctx, a.Timeout)
		defer cancel()
	}
	complete := s.run(inner)
	r := a.result(s, x, complete)
	if err := ctx.Err(); errors.Is(err, context.Canceled) {
		return r, fmt.Errorf("milp: %w", err)
	}
	return r, nil
}

// search prepares the search of one point.
func (a Attack) search(x []float64) (*search, error) {
	q, err := query.Plain(a.Ensemble, a.Norm, a.Target, x)
	if err != nil {
		return nil, err
	}
	if err := a.check(); err != nil {
		return nil, err
	}
	f, err := newForest(a.Ensemble)
	if err != nil {
		return nil, err
	}
	s := &search{forest: f, norm: a.Norm, relax: relax, maxNodes: a.MaxNodes}
	s.answers = func(z []float64) bool { return q.Reaches(a.Ensemble.Predict(z)) }
	space, ok := newSpace(trees.BordersOf(f.Dim(), f.Trees), a.Domain, x)
	if !ok {
		return s, nil // no float64 in the domain, no targets to search for
	}
	if far := space.farthest(a.Norm); math.IsInf(far, 1) {
		return nil, fmt.Errorf("%w: the distances of the borders from x overflow",
			polytope.ErrNumerical)
	}
	s.space = space
	for label := range a.Ensemble.Classes() {
		if !q.Reaches(label) {
			continue
		}
		var leads []lead
		for _, l := range f.Margins(&q, label) {
			leads = append(leads, newLead(f, l))
		}
		s.targets = append(s.targets, leads)
	}
	return s, nil
}

// check returns an error that names the first fault of the options, the target apart.
func (a Attack) check() error {
	switch {
	case a.Norm == polytope.L2:
		return fmt.Errorf("norm %v is not linear: %w: use attack.RegionBased",
			a.Norm, errors.ErrUnsupported)
	case a.Timeout < 0 || a.MaxNodes < 0:
		return fmt.Errorf("%w: timeout %v, at most %d nodes: neither may be negative",
			classifier.ErrOption, a.Timeout, a.MaxNodes)
	}
	return rules.CheckDomain(a.Domain, a.Ensemble.Dim())
}

// result translates the outcome of a search.
func (a Attack) result(s *search, x []float64, complete bool) attack.Result {
	r := attack.Result{
		Label: -1, Distance: math.Inf(1),
		Bound: s.proven, Status: attack.StatusLimit, Nodes: s.nodes, Solves: s.solves,
	}
	switch {
	case complete && s.example != nil:
		r.Status = attack.StatusOptimal
	case complete:
		r.Status = attack.StatusNone
	}
	if s.example != nil {
		r.Example, r.Label = s.example, a.Ensemble.Predict(s.example)
		r.Distance = a.Norm.Distance(x, s.example)
		r.Bound = min(r.Bound, r.Distance)
	}
	return r
}
