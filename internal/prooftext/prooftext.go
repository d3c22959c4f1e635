// Package prooftext writes the parts of proofs that all engines share, as
// docs/reference/proof-format.md describes them. How a model's space is divided is the engines'
// own.
package prooftext

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/seed-1a7dc1f9/facet/internal/search"
)

// Prover proves the results of searches of a classifier. It is no part of them: a proof is made of
// the classifier and of the events that a Recording, the Trace of the query, has kept.
type Prover interface {
	// Prove writes the body of a proof that no answer to a query lies nearer than a bound that a
	// search has proven, or a little less. It is called when no opener is at work any more, and
	// again with a smaller bound if its error wraps ErrBound: the caller then drops the text.
	Prove(
		ctx context.Context, w *bufio.Writer, q search.Query, bound float64, heard *Recording,
	) error
	// Confirms reports whether an input has the label that the classifier predicts in the
	// arithmetic of proofs, too.
	Confirms(z []float64) bool
}

// Recording is a search.Trace that keeps all events.
type Recording struct {
	mu             sync.Mutex
	Splits, Leaves []Event // in no particular order
}

// Event is a node that was divided or closed, with the words of the search about it.
type Event struct {
	search.Node
	Said any
}

// Split implements search.Trace.
func (r *Recording) Split(n search.Node, how any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.Splits = append(r.Splits, Event{n, how})
}

// Leaf implements search.Trace.
func (r *Recording) Leaf(n search.Node, why any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.Leaves = append(r.Leaves, Event{n, why})
}

// ErrBound is the error of Prove for a bound that exact arithmetic does not reach.
var ErrBound = errors.New("the bound cannot be proven in exact arithmetic")

// ErrLong is an ErrBound that a smaller bound does not help: the proof does not end.
var ErrLong = fmt.Errorf("the proof is too long: %w", ErrBound)
