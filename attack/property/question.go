package property

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/attack/property/internal/pairs"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/access"
	"github.com/seed-1a7dc1f9/facet/internal/rows"
	"github.com/seed-1a7dc1f9/facet/internal/rules"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// question is the part that all questions of this package share: the outputs of two inputs, of one
// model or two, and which inputs there are.
type question struct {
	opts     Options
	models   [2]Model
	of       [2]trees.Function
	outputs  [2][]*pairs.Output // those that count
	classes  []int              // whose they are
	features []rules.Feature    // nil for any numbers
	borders  []trees.Borders
	free     []int // the features that a pair does not share, or that have no row
	near     *rows.Table
	alone    bool // it is about one input, not a pair
	sorted   bool // the features of the second model are in the order of those of the first
	chances  bool // outputs are probabilities that sums make
}

// newQuestion checks a question about a model, or two.
func newQuestion(
	ctx context.Context, a, b Model, free []int, opts Options,
) (*question, error) {
	q := &question{opts: opts, models: [...]Model{a, b}}
	if err := opts.check(ctx); err != nil {
		return nil, err
	}
	var err error
	for i, m := range q.models {
		if i == 1 && a == b {
			q.of[1], q.outputs[1] = q.of[0], q.outputs[0]
			break
		}
		if q.of[i], err = functionOf(m, opts.Probability); err != nil {
			return nil, err
		}
		if i == 1 {
			order, err := match(a, b)
			if err != nil {
				return nil, err
			}
			if q.sorted = !slices.IsSorted(order); order != nil {
				q.of[1] = q.of[1].Renumbered(order)
			}
		}
		if q.outputs[i], err = outputsOf(q.of[i], opts.Class, a != b); err != nil {
			return nil, err
		}
	}
	if opts.Labels && q.of[0].Predictor == nil {
		return nil, fmt.Errorf("%w: a regressor has no labels", classifier.ErrOption)
	}
	if opts.Probability && q.of[0].Predictor == nil {
		return nil, fmt.Errorf("%w: a regressor has no probabilities", classifier.ErrOption)
	}
	for _, o := range q.outputs[0] {
		q.classes = append(q.classes, o.Plus)
	}
	if opts.Probability {
		if err := q.probable(); err != nil {
			return nil, err
		}
	}
	if q.chances && opts.Labels && opts.By > 0 {
		return nil, fmt.Errorf("two labels whose probabilities differ by more than %v: %w", opts.By,
			errors.ErrUnsupported)
	}
	if opts.Ordered && len(q.outputs[0]) > 1 {
		return nil, fmt.Errorf("%w: Ordered is about one class", classifier.ErrOption)
	}
	if err := q.comparable(); err != nil {
		return nil, err
	}
	if err := q.mixed(); err != nil {
		return nil, err
	}
	if err := q.rule(); err != nil {
		return nil, err
	}
	if q.free, err = q.homes(free); err != nil {
		return nil, err
	}
	if err := opts.checkEach(a.Dim()); err != nil {
		return nil, err
	}
	if err := q.grouped(); err != nil {
		return nil, err
	}
	q.borders = trees.BordersOf(a.Dim(), slices.Concat(q.of[0].Trees, q.of[1].Trees))
	return q, q.read(ctx)
}

// functionOf returns the trees of a model. A tree alone, which has one vote, has probabilities as
// an average of one.
func functionOf(m Model, probability bool) (f trees.Function, err error) {
	if rows.IsNil(m) {
		return f, errNoModel
	}
	if t, ok := m.(*classifier.Tree); ok && probability {
		m, err = classifier.NewEnsemble([]*classifier.Tree{t}, classifier.EnsembleOptions{})
		if err != nil {
			return f, err
		}
	}
	return access.Trees(m)
}

// outputsOf returns the outputs that count.
func outputsOf(f trees.Function, class int, compared bool) ([]*pairs.Output, error) {
	switch {
	case class < EveryClass, f.Classes > 2 && class >= f.Classes:
		return nil, fmt.Errorf("%w: class %d of %d", classifier.ErrOption, class, f.Classes)
	case f.Predictor == nil, f.Classes == 1:
		return []*pairs.Output{outputOf(f, 0)}, nil
	case f.Classes > 2 && class >= 0:
		return []*pairs.Output{outputOf(f, class)}, nil
	case f.Classes == 2:
		one := outputOf(f, 1)
		if one.Divisor == 1 && f.Vote.Rule >= trees.Sum {
			one.Minus = 0
		} else if compared && class == EveryClass {
			return []*pairs.Output{one, outputOf(f, 0)}, nil
		}
		return []*pairs.Output{one}, nil
	}
	var list []*pairs.Output
	for class := range f.Classes {
		list = append(list, outputOf(f, class))
	}
	return list, nil
}

// outputOf returns the sum of a class, or the mean.
func outputOf(f trees.Function, class int) *pairs.Output {
	o := &pairs.Output{Ensemble: f.Ensemble, Plus: class, Minus: -1, Divisor: 1}
	if !f.Vote.Based() {
		o.Divisor = f.Divisor()
	}
	return o
}

// comparable returns an error for two models that have no common inputs or outputs.
func (q *question) comparable() error {
	a, b := &q.of[0], &q.of[1]
	switch {
	case (a.Predictor == nil) != (b.Predictor == nil):
		return fmt.Errorf("%w: one predicts labels, the other numbers", errModels)
	case a.Link != b.Link:
		return fmt.Errorf("%w: their sums become numbers in different ways", errModels)
	case a.Predictor != nil && a.Classes != b.Classes:
		return fmt.Errorf("%w: one has %d classes, the other %d", errModels, a.Classes, b.Classes)
	case a.Categories != nil && b.Categories != nil && !slices.Equal(a.Categories, b.Categories):
		return fmt.Errorf("%w: they have different categories", errModels)
	}
	return nil
}

// mixed leaves two models one output each if that of one is a margin and those of the other are
// means, and returns an error where their difference counts.
func (q *question) mixed() error {
	a, b := q.outputs[0], q.outputs[1]
	switch {
	case (a[0].Minus < 0) == (b[0].Minus < 0):
		return nil
	case !q.opts.Labels || q.opts.By > 0:
		return fmt.Errorf("%w: the output of one is a margin, that of the other a mean, so that "+
			"only labels can be compared: %w", errModels, errors.ErrUnsupported)
	}
	q.outputs = [...][]*pairs.Output{a[:1], b[:1]}
	return nil
}

// rule checks the rules about values of features.
func (q *question) rule() error {
	dim := q.of[0].Dim()
	if err := rules.CheckDomain(q.opts.Domain, dim); err != nil {
		return err
	}
	if q.opts.Features != nil {
		for _, f := range q.opts.Features {
			q.features = append(q.features, rules.As(f))
		}
		if err := rules.Check(q.features, dim); err != nil {
			return fmt.Errorf("%w: %w", classifier.ErrOption, err)
		}
	}
	var err error
	if q.features, err = rules.Declare(q.features, q.of[0].Categories); err != nil {
		return fmt.Errorf("%w: %w", classifier.ErrOption, err)
	}
	return nil
}

// homes returns features, ascending, with the first member for a one-hot group.
func (q *question) homes(features []int) (homes []int, err error) {
	dim := q.of[0].Dim()
	for _, j := range features {
		if j < 0 || j >= dim {
			return nil, fmt.Errorf("%w: %w", errFeature, &polytope.FeatureError{
				Feature: j, What: fmt.Sprintf("of %d", dim),
			})
		}
		homes = append(homes, q.home(j))
	}
	slices.Sort(homes)
	return slices.Compact(homes), nil
}

// home returns the first member of the one-hot group of a feature, or the feature.
func (q *question) home(j int) int {
	if q.features == nil || q.features[j].Group == 0 {
		return j
	}
	return slices.IndexFunc(q.features,
		func(f rules.Feature) bool { return f.Group == q.features[j].Group })
}

// grouped returns an error for members of a group with several radii.
func (q *question) grouped() error {
	for j, radius := range q.opts.Radii {
		if first := q.home(j); radius != q.opts.Radii[first] {
			return fmt.Errorf("%w: Radii: %w", classifier.ErrOption, &polytope.FeatureError{
				Feature: j, What: fmt.Sprintf("has %v, and %d of the same one-hot group %v",
					radius, first, q.opts.Radii[first]),
			})
		}
	}
	return nil
}

// radius returns how far a feature may be from that of a row, by its price.
func (q *question) radius(j int) float64 {
	if q.opts.Radii != nil {
		return q.opts.Radii[j]
	}
	return q.opts.Within
}

// read reads the rows that inputs are to be near to.
func (q *question) read(ctx context.Context) error {
	if q.opts.Near == nil {
		return nil
	}
	dim := q.of[0].Dim()
	var err error
	q.near, err = rows.CopyIf(ctx, q.opts.Near, func(row []float64, i int) error {
		return rows.CheckFinite(rules.Present(row), i)
	})
	if err != nil {
		return fmt.Errorf("rows: %w", err)
	}
	if q.near.Dim != dim {
		return fmt.Errorf("%w: the rows have %d columns, the model %d features",
			polytope.ErrDimension, q.near.Dim, dim)
	}
	return nil
}

// isFree reports whether a feature, or its group, is free.
func (q *question) isFree(j int) bool { return q.among(q.free, j) }

// among reports whether a feature, or its group, is one of some.
func (q *question) among(features []int, j int) bool {
	return slices.ContainsFunc(features, func(f int) bool {
		return f == j || (q.features != nil && q.features[j].Group > 0 &&
			q.features[f].Group == q.features[j].Group)
	})
}

// spaces is how many spaces of inputs there are: one, or one around each row.
func (q *question) spaces() int {
	if q.near == nil {
		return 1
	}
	return q.near.Len
}

// space returns a space of inputs.
func (q *question) space(number int) (*pairs.Space, error) {
	dim := q.of[0].Dim()
	r := rules.Rules{
		X: make([]float64, dim), Norm: q.opts.Norm, Domain: q.opts.Domain, Features: q.features,
	}
	if q.features != nil {
		r.Features = slices.Clone(q.features)
	}
	radii := make([]float64, dim)
	for j := range dim {
		if q.near != nil && !q.isFree(j) {
			r.X[j], radii[j] = q.near.Row(number)[j], q.radius(j)
			continue
		}
		radii[j] = math.Inf(1)
		if r.Features != nil {
			f := &r.Features[j]
			*f = rules.Feature{
				Step: f.Step, Origin: f.Origin, Group: f.Group,
				Categorical: f.Categorical, Codes: f.Codes, Missing: f.Missing,
			}
		}
		r.X[j] = q.anywhere(j)
	}
	return pairs.NewSpace(q.borders, r.Moves(), radii)
}

// anywhere returns a value of a feature that no row has one of: examples have values near it.
func (q *question) anywhere(j int) float64 {
	switch {
	case q.features != nil && q.features[j].Categorical:
		first, codes := 0.0, q.features[j].Codes
		if q.opts.Domain != nil {
			first = max(0, math.Ceil(q.opts.Domain[j].Lo))
		}
		if codes > 0 && first >= float64(codes) {
			return -1 // which is not in the domain, as no code is
		}
		return first // if it is no code the domain has none
	case q.features != nil && q.features[j].Step > 0:
		return q.features[j].Origin
	}
	return middleOf(q.opts.Domain, j)
}
