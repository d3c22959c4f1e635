package attack

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/seed-1a7dc1f9/facet/attack/proof"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/guard"
	"github.com/seed-1a7dc1f9/facet/internal/prooftext"
	"github.com/seed-1a7dc1f9/facet/internal/query"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Mode chooses how many cells RegionBased searches.
type Mode int

const (
	Exact  Mode = iota // all of them
	Approx             // those around the nearest differently labelled points
)

// Options are the parameters of RegionBased. The zero value is the exact,
// untargeted ℓ∞ attack on all of R^d with every core.
type Options struct {
	Mode Mode
	Norm polytope.Norm
	// Changes count in place of a norm: each feature that changes costs its price, however far it
	// goes, and these are added.
	Changes bool
	// Target is the label to reach; nil means any other than Predict(x).
	Target *int
	// Domain is a box that examples must lie in; x itself need not. nil means R^d.
	Domain polytope.Box
	// Features are the costs and the limits of moves, one a feature; nil means that all cost the
	// same and go anywhere. Distances, bounds and radii are then costs, as Feature says. The
	// package comment has a table of which classifiers know which rules. Features that a classifier
	// declares as categories, by a method Categories as that of classifier.Ensemble, are
	// Categorical, with so many Codes if that is 0, unless they have a Step or a Group here.
	Features []Feature
	// Linear are rules between features: half-spaces that examples must lie in, as in the Domain.
	// x itself need not, and then an example mends that. They are about numbers: no members of
	// one-hot groups, no categories, and no value that is missing or may be. They hold in exact
	// arithmetic, so that few float64 keep an equation, which is two opposite half-spaces.
	Linear []polytope.HalfSpace
	// Also are other classifiers that are to accept an example, besides: it is then the nearest one
	// that all of them accept, or so many of some. All are trees that test one feature at a time,
	// or votes of them (classifier.Tree, classifier.Ensemble), over the same features; for others
	// the error wraps errors.ErrUnsupported. x may have the Target already, if one of them does not
	// accept it.
	Also []Requirement
	// Workers is the number of goroutines for one point; 0 means GOMAXPROCS.
	Workers int
	// Solver finds closest points; nil means a native.Solver.
	Solver polytope.Solver
	// Timeout ends the search for one point after this time, 0 never. The result
	// then holds the best example found and the bound proven. Searches look at the clock every few
	// milliseconds, with seven neighbours and more every 16 or so; preparing one of weighted k-NN,
	// of a thousand trees in ℓ1 and ℓ2, or of a million rows takes up to 200 ms without.
	Timeout time.Duration
	// MaxNodes ends the search for one point after this many nodes, 0 never.
	MaxNodes int
	// MaxMemory is the memory for the nodes that wait to be opened, in bytes, 1 GiB if 0, with the
	// garbage that lies around until it is collected: live memory of nodes of large ensembles
	// counts twice. Their caches may take a quarter of it: when they take more, the nodes that
	// would be opened last forget them, and compute them again when they are opened. When the
	// nodes, and the leaves that were gathered for some of them, take more than the rest, the half
	// that would be opened last is given up, and the proof can end at their bound. A node counts as
	// 384 bytes, one of k-NN as 1 kB, and one of oblique trees as 8 kB.
	MaxMemory int
	// Gap ends the search once the example is proven to be at most this much
	// farther than the nearest one.
	Gap float64
	// Proof, if it is not nil, gets proofs of the answers: by Perturb of the Bound, by RobustAt of
	// the largest radius at which x is robust (the bound that it claims is the float64 after it).
	// docs/reference/proof-format.md describes proofs, and package proof checks them. A limit that
	// ends a search leaves a proof of the bound reached by then. A bound of 0 has no proof, since
	// it makes no claim.
	//
	// Where there are Also, NewWriter takes the other models' sums, too. Their searches use no
	// potentials then: of large models they take longer.
	//
	// Proofs are about k-NN, trees and votes of trees, under those rules of moves that are limits
	// of real numbers, or, for trees that test one feature at a time, their prices, and categories
	// that have so many codes (Feature.Codes, or as the model declares). For other classifiers,
	// rules and questions, and for a domain with open ends, which the format has not, the error
	// wraps errors.ErrUnsupported.
	//
	// Where floating point has carried a bound farther than exact arithmetic follows, the proof
	// claims a little less, at most 1e-12 of the bound; if not even that can be proven, the error
	// wraps ErrUnproven, and the result stands: so it is where softmax votes differ by no more than
	// libraries' exponentials, and where a proof about k-NN would take more than a quarter of a
	// million nodes.
	//
	// The search remembers the nodes that it opens, which the proof is made of when it is over:
	// some hundred bytes each. Of a large forest in ℓ∞, whose search uses Lagrangian potentials, it
	// remembers none: the proof is found anew, by potentials for its bound, in a part of the time
	// of the search. In ℓ1 and ℓ2 large forests are searched without: that takes longer, may end at
	// a limit that is else not met, and may find another example at the same distance. So it may of
	// sums of three classes and more, which are else searched without trees of other classes.
	Proof *proof.Writer
	// Regions is the number of cells that Approx tries; 0 means 50, as in the
	// paper's experiments on k-NN.
	Regions int
}

// Requirement is a classifier that is to accept an example, or that so many of some are.
type Requirement struct {
	Classifier classifier.Classifier
	Labels     []int // with one of which it accepts
	// Of are classifiers, in place of one, of which at least Least are to accept: whichever do.
	Of    []Requirement
	Least int
}

// defaultRegions is the number of cells of Approx when Options.Regions is 0.
const defaultRegions = 50

// Mistakes of a caller. Returned errors wrap one of these, classifier.ErrOption for an
// option out of its range, classifier.ErrEmpty for Approx without training points to start from, a
// sentinel of package polytope, or the context's error.
var (
	// ErrTarget is returned when x already has the label it is to reach.
	ErrTarget = query.ErrTarget
	// ErrClassifier is returned for a classifier that the attack cannot use, that
	// panics (polytope.PanicError), or that contradicts itself: a cell in which
	// its own Predict finds another label, no cell around x with the label of x.
	ErrClassifier = guard.ErrClassifier
	// ErrUnproven is returned beside the result where there is to be a Proof, for a bound that
	// holds as far as floating point knows, and that exact arithmetic does not follow.
	ErrUnproven = prooftext.ErrBound
)

// check checks the options about how to search.
func (o *Options) check() error {
	switch {
	case o.Mode != Exact && o.Mode != Approx:
		return fmt.Errorf("%w: mode %d", classifier.ErrOption, int(o.Mode))
	case o.Workers < 0, o.Timeout < 0, o.MaxNodes < 0, o.MaxMemory < 0, o.Regions < 0:
		return fmt.Errorf("%w: %d workers, timeout %v, at most %d nodes, %d bytes, "+
			"%d regions: none may be negative", classifier.ErrOption, o.Workers, o.Timeout,
			o.MaxNodes, o.MaxMemory, o.Regions)
	case !(o.Gap >= 0) || math.IsInf(o.Gap, 1):
		return fmt.Errorf("%w: gap %v", classifier.ErrOption, o.Gap)
	}
	for i, r := range o.Also {
		if r.Of != nil && (r.Classifier != nil || r.Labels != nil) ||
			slices.ContainsFunc(r.Of, func(of Requirement) bool { return of.Of != nil }) {
			return fmt.Errorf("%w: requirement %d is about one Classifier, or about some, each of "+
				"which is one", classifier.ErrOption, i)
		}
	}
	return nil
}

// asked returns the options as the query has them.
func (o *Options) asked() query.Options {
	return query.Options{
		Quorums: o.quorums(),
		Norm:    o.Norm, Changes: o.Changes, Target: o.Target, Domain: o.Domain,
		Features: given(o.Features), Linear: o.Linear, Solver: o.Solver,
	}
}

// quorums returns the requirements of other classifiers: one of them is a quorum of one.
func (o *Options) quorums() (all []query.Quorum) {
	for _, r := range o.Also {
		q := query.Quorum{Least: r.Least}
		if r.Of == nil {
			q.Least, r.Of = cmp.Or(r.Least, 1), []Requirement{r}
		}
		for _, of := range r.Of {
			q.Of = append(q.Of, search.Requirement{Classifier: of.Classifier, Labels: of.Labels})
		}
		all = append(all, q)
	}
	return all
}
