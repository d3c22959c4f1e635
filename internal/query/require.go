package query

import (
	"errors"
	"fmt"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/access"
	"github.com/seed-1a7dc1f9/facet/internal/guard"
	"github.com/seed-1a7dc1f9/facet/internal/rows"
	"github.com/seed-1a7dc1f9/facet/internal/rules"
	"github.com/seed-1a7dc1f9/facet/internal/search"
)

// require asks for what other classifiers are to say of an answer, too. One all of whose labels
// answer asks for nothing.
func (q *Query) require(also []search.Requirement) error {
	if len(also) > 0 && q.Follows&rules.Joint == 0 {
		return errJoint(q.Classifier)
	}
	for i, r := range also {
		if err := checkRequirement(r, len(q.X)); err != nil {
			return fmt.Errorf("requirement %d: %w", i, err)
		}
		if !acceptsAll(r) {
			q.Also = append(q.Also, r)
		}
	}
	return nil
}

// acceptsAll reports whether every label answers.
func acceptsAll(r search.Requirement) bool {
	for label := range r.Classifier.Classes() {
		if !slices.Contains(r.Labels, label) {
			return false
		}
	}
	return true
}

func checkRequirement(r search.Requirement, dim int) error {
	c := r.Classifier
	if err := guard.CheckClassifier(c); err != nil {
		return err
	}
	if access.Follows(c)&rules.Joint == 0 {
		return errJoint(c)
	}
	if c.Dim() != dim {
		return fmt.Errorf("%w: it has %d features, the classifier %d", rows.ErrOption, c.Dim(), dim)
	}
	if len(r.Labels) == 0 {
		return fmt.Errorf("%w: it names no label that answers", rows.ErrOption)
	}
	for _, label := range r.Labels {
		if label < 0 || label >= c.Classes() {
			return fmt.Errorf("%w: label %d of %d classes", rows.ErrOption, label, c.Classes())
		}
	}
	return nil
}

// errJoint is the error for a classifier that is not asked together with others.
func errJoint(c guard.Classifier) error {
	return fmt.Errorf("%T cannot be asked together with other classifiers, which is for trees "+
		"that test one feature at a time, and votes of them: %w", c, errors.ErrUnsupported)
}

// Accepted reports whether classifiers give an input labels that answer.
func Accepted(also []search.Requirement, z []float64) bool {
	return !slices.ContainsFunc(also, func(r search.Requirement) bool {
		return !slices.Contains(r.Labels, guard.Predict(r.Classifier, z))
	})
}
