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

// Quorum is other classifiers of which so many are to accept an answer.
type Quorum struct {
	Least int
	Of    []search.Requirement
}

// errOther says which of the other classifiers an error is about, counted from 1 through all
// quorums, as models are in files of proofs.
func errOther(model int, err error) error {
	return fmt.Errorf("other classifier %d: %w", model, err)
}

// require asks for the labels that other classifiers are to give an answer, too. One all of whose
// labels answer is left out.
func (q *Query) require(quorums []Quorum) error {
	model := 0
	for i, c := range quorums {
		if c.Least < 1 || c.Least > len(c.Of) {
			return fmt.Errorf("%w: requirement %d: at least %d of %d classifiers",
				rows.ErrOption, i, c.Least, len(c.Of))
		}
		if q.Follows&rules.Joint == 0 {
			return errJoint(q.Classifier)
		}
		own := search.Quorum{First: len(q.Also), Least: c.Least}
		for _, r := range c.Of {
			model++
			if err := checkRequirement(r, len(q.X)); err != nil {
				return errOther(model, err)
			}
			if acceptsAll(r) {
				own.Least--
			} else {
				r.Model = model
				q.Also = append(q.Also, r)
			}
		}
		if own.Last = len(q.Also); own.Least <= 0 {
			q.Also = q.Also[:own.First]
		} else {
			q.Quorums = append(q.Quorums, own)
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

// Accepted reports whether enough other classifiers give an input labels that answer.
func Accepted(q *search.Query, z []float64) bool {
	return search.Enough(q.Quorums, func(i int) bool {
		r := q.Also[i]
		return slices.Contains(r.Labels, guard.Predict(r.Classifier, z))
	})
}
