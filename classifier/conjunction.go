package classifier

import (
	"context"
	"errors"
	"fmt"

	"github.com/seed-1a7dc1f9/facet/internal/boxtree"
	"github.com/seed-1a7dc1f9/facet/internal/search"
)

// boxes is an engine that searches boxes of intervals: trees that test one feature at a time, and
// votes of them. Several of them can be asked together.
type boxes interface {
	engine
	boxes(ctx context.Context) (*boxtree.Model, error)
}

// boxes implements boxes.
func (t *Tree) boxes(context.Context) (*boxtree.Model, error) { return t.alone() }

// boxes implements boxes.
func (e *Ensemble) boxes(ctx context.Context) (*boxtree.Model, error) { return e.model.await(ctx) }

// together returns the model of a query: that of a classifier, joined with those that the query
// requires besides.
func together(ctx context.Context, c boxes, q *search.Query) (*boxtree.Model, error) {
	m, err := c.boxes(ctx)
	if err != nil || len(q.Also) == 0 {
		return m, err
	}
	others := make([]*boxtree.Model, len(q.Also))
	for i, also := range q.Also {
		other, ok := also.Classifier.(boxes)
		if !ok {
			return nil, fmt.Errorf("classifier: %T is no vote of trees that test one feature at "+
				"a time, as what is asked together has to be: %w",
				also.Classifier, errors.ErrUnsupported)
		}
		if others[i], err = other.boxes(ctx); err != nil {
			return nil, err
		}
	}
	return m.Join(others)
}
