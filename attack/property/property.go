package property

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"runtime"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/attack/proof"
	"github.com/seed-1a7dc1f9/facet/attack/property/internal/pairs"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/rows"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Model is a model of axis-parallel trees: a *classifier.Tree, *classifier.Ensemble or
// *classifier.Regressor, whose trees may test categories. Others are refused with an error that
// wraps errors.ErrUnsupported.
type Model interface {
	classifier.Model
	Categories() []int
}

// Options narrow a question and limit the search. The zero value asks about all of R^d.
type Options struct {
	// Domain is a box that inputs lie in, nil for R^d.
	Domain polytope.Box
	// Features say which values features may have, one a feature; nil means any number. Of an
	// attack.Feature count Step and Origin, Group, Categorical and Codes, and Missing: with MayMiss
	// a value may be missing. Categories that the model declares are Categorical. A member of a
	// one-hot group stands for its group wherever a feature is named. Prices and limits of moves
	// say how far inputs may be from Near.
	Features []attack.Feature
	// Near leaves the inputs within a distance of Within of a row, in a norm and by the prices and
	// limits of Features; nil for no such limit. The features that a pair does not share, and the
	// one of Monotone, are free and do not count.
	Near   mat.Matrix
	Within float64
	Norm   polytope.Norm // of Within
	// Radii, unless it is nil, takes the place of Within in polytope.LInf: the distance of each
	// feature from that of the row, by its price, +Inf for any. Members of a group have one.
	Radii []float64
	// Class is whose output counts, of more than two classes; EveryClass: that of any.
	Class int
	// Probability makes the probability of Class, of label 1 of two, the output of a classifier, as
	// classifier.Ensemble.Probability has it: a mean, or a function of sums: 1/(1+exp(−margin)) or
	// the softmax of all. Result.Rounding is then about float64 made of the model's own sums.
	Probability bool
	// Computed makes Range about the outputs that a *classifier.Regressor computes for real
	// vectors, to the last bit of its Predict: in the Domain, and around one row of Near. It knows
	// no Features, Probability or Proof, and no probability that is a softmax of several sums.
	Computed bool
	// Labels asks Depends and Differ whether labels differ, in place of how much outputs do. Any
	// pair with two labels is then an optimum, and a Bound is 0 or infinite.
	Labels bool
	// By is how much outputs may differ: only pairs that differ by more count. So with Labels two
	// labels count where the output of Class, or of any class, differs by more; probabilities that
	// sums make are refused there.
	By float64
	// Apart, unless it is nil, says of each feature by how much its values in a pair of Depends may
	// differ: by no more than this, +Inf for any. It does not matter for features that a pair
	// shares. Ordered leaves the pairs in which no value of Other is smaller than that of X: how
	// much outputs can fall as some features rise. A feature that is so limited is a number. With
	// Ordered and Labels X has the label Class, 1 of two, and Other has not; its output may be
	// larger, but for By. Ordered is about one class.
	Apart   []float64
	Ordered bool
	// Falling makes Monotone ask whether the output never rises as the feature rises, and not
	// whether it never falls.
	Falling bool
	// Workers is the number of goroutines, 0 for GOMAXPROCS: one for each row of Near, and for
	// each step of Monotone. Answers do not depend on it.
	Workers int
	// Timeout ends a search after this time, 0 never. The result then holds the pair and bound so
	// far.
	Timeout time.Duration
	// Proof gets proofs of the answer: that no pair differs by more than By, or else than Bound, or
	// that no labels differ; docs/reference/proof-format.md says how, and attack/proof checks them.
	// A Bound in them may be greater by 1e-12 of it. There is one for each row of Near, about the
	// box around it; ends of a domain are closed in them, and numbers of a grid are any numbers,
	// but whole ones from 0 up to an end of the domain. A statement about these holds for the
	// inputs of the question, too, but not always the other way: if a proof of it all is not found,
	// or if floating point has proved a bound that exact arithmetic cannot, the error wraps
	// attack.ErrUnproven, and the Result stands. Of probabilities that sums make proofs know those
	// of two classes, as margins, and only in Range; missing values, and two models whose features
	// are not in one order, they do not: the error wraps errors.ErrUnsupported then, and no search
	// begins. The Writer gets a proof only where there is no error and a bound has been proved.
	Proof *proof.Writer
	// MaxNodes ends each search of a row, or of a step, after so many nodes, 0 never.
	MaxNodes int
	// MaxMemory is the memory in bytes for nodes that wait, of all searches at a time, 1 GiB if 0.
	// Where they take more, the half of a search that would be opened last is given up, and the
	// proof can end at their bound.
	MaxMemory int
}

// EveryClass makes the outputs of all classes count: the largest difference is that of any class,
// and a proven bound holds for each. Of two classes that is one output, but of averages of two
// models both, since a label is then no matter of one of them.
const EveryClass = -1

// Result is the answer to a question about pairs of inputs.
type Result struct {
	// X and Other are the pair with the largest difference that was found: the output of X is the
	// larger one. They are nil if none was found. Of Differ both are the same input.
	X, Other []float64
	// Labels are those that the model predicts for them, −1 for a regressor or without a pair.
	Labels [2]int
	// Outputs are those that the model computes for them: of a regressor its Predict.
	Outputs [2]float64
	// Class is whose outputs these are, −1 for a regressor or without a pair.
	Class int
	// Difference is that of the outputs, added up without rounding; 0 without a pair.
	Difference float64
	// Bound is proven: no pair of real vectors has a larger difference.
	Bound float64
	// Rounding is by how much the difference of computed outputs may exceed that of outputs
	// without rounding.
	Rounding float64
	// Status is attack.StatusNone if it is proven that no pair differs by more than asked,
	// attack.StatusOptimal if the pair has the largest difference, within 1e-9·max(1, Difference),
	// and else attack.StatusLimit.
	Status attack.Status
	// Nodes counts the nodes that the search opened.
	Nodes int
}

// Verdict says whether the property holds: that no pair differs by more than asked.
func (r *Result) Verdict() attack.Verdict {
	switch {
	case r.Status == attack.StatusNone:
		return attack.Holds
	case r.X != nil:
		return attack.Refuted
	}
	return attack.Undecided
}

// Mistakes of a question, as classifier.ErrOption.
var (
	errFeature = rows.Named("no such feature", classifier.ErrOption)
	errNoModel = fmt.Errorf("%w: no model", classifier.ErrOption)
	errModels  = rows.Named("models of different kinds", classifier.ErrOption)
)

// check checks the options that do not depend on the model.
func (o *Options) check(ctx context.Context) error {
	switch {
	case ctx == nil:
		return rows.ErrContext
	case o.Workers < 0, o.Timeout < 0, o.MaxNodes < 0, o.MaxMemory < 0:
		return fmt.Errorf("%w: %d workers, timeout %v, at most %d nodes and %d bytes: none may be "+
			"negative", classifier.ErrOption, o.Workers, o.Timeout, o.MaxNodes, o.MaxMemory)
	case o.Falling:
		return fmt.Errorf("%w: Falling is about the steps of Monotone", classifier.ErrOption)
	case !(o.By >= 0) || math.IsInf(o.By, 1):
		return fmt.Errorf("%w: outputs that differ by more than %v, want a finite number ≥ 0",
			classifier.ErrOption, o.By)
	case o.Near != nil && (!(o.Within >= 0) || math.IsInf(o.Within, 1)):
		return fmt.Errorf("%w: rows within %v, want a finite number ≥ 0",
			classifier.ErrOption, o.Within)
	case o.Norm < polytope.LInf || o.Norm > polytope.L2:
		return fmt.Errorf("%w: norm %d", classifier.ErrOption, int(o.Norm))
	case o.Near == nil && o.Norm != polytope.LInf:
		return fmt.Errorf("%w: %v of no rows", classifier.ErrOption, o.Norm)
	case o.Near == nil && (o.Within != 0 || o.Radii != nil):
		return fmt.Errorf("%w: within %v of no rows", classifier.ErrOption,
			cmp.Or[any](o.Radii, o.Within))
	case o.Radii != nil && (o.Within != 0 || o.Norm != polytope.LInf):
		return fmt.Errorf("%w: Radii are in place of Within, in the norm inf", classifier.ErrOption)
	}
	return nil
}

// checkEach checks the options that have a number for each feature.
func (o *Options) checkEach(dim int) error {
	for i, list := range [][]float64{o.Apart, o.Radii} {
		what := []string{"Apart", "Radii"}[i]
		if list != nil && len(list) != dim {
			return fmt.Errorf("%w: %d numbers of %s for %d features", polytope.ErrDimension,
				len(list), what, dim)
		}
		for j, v := range list {
			if !(v >= 0) {
				return fmt.Errorf("%w: %s: %w", classifier.ErrOption, what, &polytope.FeatureError{
					Feature: j, What: fmt.Sprintf("has %v, want a number ≥ 0", v),
				})
			}
		}
	}
	return nil
}

// apart returns how values of a pair may differ, by feature; nil for no limit.
func (o *Options) apart(dim int) []pairs.Offset {
	if o.Apart == nil && !o.Ordered {
		return nil
	}
	list := make([]pairs.Offset, dim)
	for j := range list {
		a := pairs.Offset{Least: math.Inf(-1), Most: math.Inf(1)}
		if o.Apart != nil {
			a.Least, a.Most = 0-o.Apart[j], o.Apart[j]
		}
		if o.Ordered {
			a.Least = 0
		}
		list[j] = a
	}
	return list
}

// paired returns an error for a limit of how values of a pair differ, where a question is about no
// two values of a feature, or about each threshold.
func (o *Options) paired() error {
	if o.Apart != nil || o.Ordered {
		return fmt.Errorf("%w: Apart and Ordered are about the values that Depends compares",
			classifier.ErrOption)
	}
	return nil
}

// workers returns the number of goroutines for so many searches.
func (o *Options) workers(searches int) int {
	n := o.Workers
	if n == 0 {
		n = runtime.GOMAXPROCS(0)
	}
	return max(1, min(n, searches))
}
