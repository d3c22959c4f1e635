// Package regions answers compiled questions by a search of the classifier's regions, nearest
// first: that of the classifier itself, or of the cells that it lists or names.
package regions

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/access"
	"github.com/seed-1a7dc1f9/facet/internal/bestfirst"
	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/guard"
	"github.com/seed-1a7dc1f9/facet/internal/query"
	"github.com/seed-1a7dc1f9/facet/internal/search"
)

// Search returns the search that answers q.
func Search(ctx context.Context, q *query.Query) (search.Search, error) {
	if geometry.EmptyBox(q.Domain) { // by the rules of moves
		return &cellSearch{}, nil
	}
	if q.Searcher != nil && q.Searchable() {
		s, err := q.Searcher.Search(ctx, q.Query)
		if q.Moves != nil || !errors.Is(err, errors.ErrUnsupported) {
			return s, err
		}
	}
	cells, ok := access.CellsOf(q.Classifier)
	if !ok {
		return nil, fmt.Errorf("%w: %T neither searches for its answers nor lists its cells, so "+
			"there is no exact attack on it", guard.ErrClassifier, q.Classifier)
	}
	return list(ctx, q, cells)
}

// Answer is the outcome of a search.
type Answer struct {
	Example  []float64 // nil if none was found
	Label    int       // −1 without an example
	Distance float64   // +Inf without one
	// Bound is proven: no example is nearer. Complete says that Distance attains it, or that
	// there is no example; Finished that no limit ended the search.
	Bound              float64
	Complete, Finished bool
	Nodes, Solves      int
}

// None is the outcome of no search.
func None() Answer { return Answer{Label: -1, Distance: math.Inf(1)} }

// Join adds the outcome of another search for the same answers: the nearer example and the greater
// bound hold.
func (a *Answer) Join(b Answer) {
	if b.Distance < a.Distance {
		a.Example, a.Label, a.Distance = b.Example, b.Label, b.Distance
	}
	a.Bound = math.Min(max(a.Bound, b.Bound), a.Distance)
	a.Complete = math.IsInf(a.Bound, 1) || bestfirst.Attains(a.Distance, a.Bound)
	a.Nodes += b.Nodes
	a.Solves += b.Solves
}

// defaultMemory is the memory for waiting nodes, in bytes, where none is given.
const defaultMemory = 1 << 30

// nodeBytes is the size of a waiting node where its search does not say otherwise.
const nodeBytes = 384

// sized is a search whose nodes take another number of bytes.
type sized interface{ NodeBytes() int }

// nodeSize is the size of a waiting node of a search.
func nodeSize(s search.Search) int {
	if s, ok := s.(sized); ok {
		return s.NodeBytes()
	}
	return nodeBytes
}

// Find prepares the search that answers q, and runs it, in so much memory, 0 for that by default.
// It measures the distance of the example and asks for its label, instead of believing the search.
// That ctx ends is no error.
func Find(
	ctx context.Context, q *query.Query,
	prepare func(ctx context.Context, q *query.Query) (search.Search, error),
	memory int, limits bestfirst.Limits,
) (Answer, error) {
	none := None()
	q.Any = limits.Radius > 0
	s, err := prepare(ctx, q)
	switch {
	case query.Ended(ctx, err):
		return none, nil
	case err != nil:
		return none, guard.Blame(err)
	}
	limits.Memory, limits.NodeBytes = cmp.Or(memory, defaultMemory), nodeSize(s)
	found, err := bestfirst.Run(ctx, s, limits)
	switch {
	case errors.Is(err, bestfirst.ErrBound):
		return none, fmt.Errorf("%w: %w", guard.ErrClassifier, err)
	case err != nil:
		return none, guard.Blame(err)
	}
	a := none
	a.Nodes, a.Solves = found.Nodes, found.Solves
	a.Bound, a.Complete, a.Finished = found.Bound, found.Complete, found.Finished
	if found.Answer == nil {
		a.Complete = a.Complete && math.IsInf(a.Bound, 1) // not only none within the radius
		return a, nil
	}
	if err := a.take(q, found.Answer); err != nil {
		return none, err
	}
	return a, nil
}

// take takes up an example, after it is checked.
func (a *Answer) take(q *query.Query, found *search.Answer) error {
	z := found.Example
	if err := q.Reject(z); err != nil {
		return fmt.Errorf("%w: the search of %T returned an example that is none: %w",
			guard.ErrClassifier, q.Classifier, err)
	}
	a.Label = guard.Predict(q.Classifier, z)
	if a.Label < 0 || a.Label >= q.Classifier.Classes() || !q.Reaches(a.Label) {
		return fmt.Errorf("%w: the search of %T returned an example with label %d that does not "+
			"answer", guard.ErrClassifier, q.Classifier, a.Label)
	}
	if !query.Accepted(&q.Query, z) {
		return fmt.Errorf("%w: the search of %T returned an example that another classifier, of "+
			"those that are to accept it, does not", guard.ErrClassifier, q.Classifier)
	}
	a.Example, a.Distance = z, q.Distance(z)
	if found.Bound > a.Distance+bestfirst.Tolerance*max(1, a.Distance) {
		return fmt.Errorf("%w: the search of %T bounds an answer by %v, and returned it at "+
			"distance %v", guard.ErrClassifier, q.Classifier, found.Bound, a.Distance)
	}
	a.Bound = math.Min(a.Bound, a.Distance)
	a.Complete = a.Complete && bestfirst.Attains(a.Distance, a.Bound)
	return nil
}
