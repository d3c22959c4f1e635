package property

import (
	"context"
	"fmt"
	"slices"

	"github.com/seed-1a7dc1f9/facet/attack/property/internal/pairs"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/boxtree/grid"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Depends finds two inputs that differ in some features alone and whose outputs differ most. A
// member of a one-hot group stands for the group.
func Depends(
	ctx context.Context, m Model, features []int, opts Options,
) (Result, error) {
	q, err := newQuestion(ctx, m, m, features, opts)
	if err == nil && len(features) == 0 {
		err = fmt.Errorf("%w: none is named", errFeature)
	}
	if err == nil {
		err = q.numbers(q.limited())
	}
	if err != nil {
		return noClaim(), fmt.Errorf("property: dependence: %w", err)
	}
	one := task{copied: q.varying()}
	r, err := q.search(ctx, func(*pairs.Space) []task { return []task{one} })
	if err != nil {
		return noClaim(), fmt.Errorf("property: dependence: %w", err)
	}
	if err := q.prove(ctx, fmt.Sprint("dependence on ", features), &r, one); err != nil {
		return r, fmt.Errorf("property: dependence: %w", err)
	}
	return r, nil
}

// Differ finds an input on which the outputs of two models differ most. Features are matched by
// name if the files of both models have names, and else by their order; the input, the options and
// the result have those of a in its order. A margin of two classes and a mean have no difference:
// the error wraps errors.ErrUnsupported, but for Options.Labels without By.
func Differ(ctx context.Context, a, b Model, opts Options) (Result, error) {
	q, err := newQuestion(ctx, a, b, nil, opts)
	if err == nil {
		err = opts.paired()
	}
	if err != nil {
		return noClaim(), fmt.Errorf("property: comparison: %w", err)
	}
	both := []task{{first: 0, second: 1}, {first: 1, second: 0}}
	r, err := q.search(ctx, func(*pairs.Space) []task { return both })
	if err != nil {
		return noClaim(), fmt.Errorf("property: comparison: %w", err)
	}
	proven := []task{{second: 1}, {second: 1, less: true}}
	if opts.Labels {
		proven = proven[:1]
	}
	if err := q.prove(ctx, "comparison", &r, proven...); err != nil {
		return r, fmt.Errorf("property: comparison: %w", err)
	}
	return r, nil
}

// Monotone finds the largest step the wrong way, by which the output falls as a feature rises, or
// rises if it is to be Falling: two inputs between which one feature alone passes
// a threshold, or several at once where no allowed value lies between them. If there is none the
// output is monotone in the feature, over all numbers that it may hold. Categories and one-hot
// groups have no order, and a missing value has no place in one.
func Monotone(ctx context.Context, m Model, feature int, opts Options) (Result, error) {
	way, falling := "up", opts.Falling
	if opts.Falling = false; falling {
		way = "down"
	}
	q, err := newQuestion(ctx, m, m, []int{feature}, opts)
	if err == nil {
		err = opts.paired()
	}
	if err == nil {
		err = q.numbers([]int{feature})
	}
	if err == nil && opts.Labels {
		err = fmt.Errorf("%w: labels have no order", classifier.ErrOption)
	}
	if err != nil {
		return noClaim(), fmt.Errorf("property: monotony: %w", err)
	}
	r, err := q.search(ctx, func(s *pairs.Space) []task { return steps(s, feature, falling) })
	if err != nil {
		return noClaim(), fmt.Errorf("property: monotony: %w", err)
	}
	all := task{copied: q.free, next: true, less: falling}
	if err := q.prove(ctx, fmt.Sprintf("monotony of %d, %s", feature, way), &r, all); err != nil {
		return r, fmt.Errorf("property: monotony: %w", err)
	}
	return r, nil
}

// varying returns the free features of which the inputs of a pair may have two values: those with a
// tolerance of 0 they share, wherever these lie. If that is all of them, it returns all.
func (q *question) varying() []int {
	varying := slices.DeleteFunc(slices.Clone(q.free),
		func(j int) bool { return q.opts.Apart != nil && q.opts.Apart[j] == 0 })
	if len(varying) == 0 {
		return q.free
	}
	return varying
}

// limited returns the features in question whose values in a pair are limited.
func (q *question) limited() (list []int) {
	for j, a := range q.opts.apart(q.of[0].Dim()) {
		if a.Limits() && q.isFree(j) {
			list = append(list, j)
		}
	}
	return list
}

// numbers returns an error for features that have no order.
func (q *question) numbers(features []int) error {
	if q.features == nil {
		return nil
	}
	for _, j := range features {
		switch f := q.features[j]; {
		case f.Categorical:
			return fmt.Errorf("%w: %w", errFeature, &polytope.FeatureError{
				Feature: j, What: "is a category, which has no order",
			})
		case f.Group > 0:
			return fmt.Errorf("%w: %w", errFeature, &polytope.FeatureError{Feature: j,
				What: fmt.Sprintf("is a member of one-hot group %d, which has no order", f.Group),
			})
		}
	}
	return nil
}

// steps returns the tasks of the steps of a feature from one code to the next.
func steps(s *pairs.Space, feature int, falling bool) (list []task) {
	copied := []int{feature}
	for code := range int32(s.Numbers(feature) - 1) {
		from, to := code, code+1
		if falling {
			from, to = to, from
		}
		list = append(list, task{copied: copied, within: func(b grid.Box) {
			b[feature] = grid.Span{Lo: from, Hi: from}
			b[len(b)-1] = grid.Span{Lo: to, Hi: to}
		}})
	}
	return list
}
