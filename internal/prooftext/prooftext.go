// Package prooftext writes proofs as docs/proof-format.md describes them: what all engines
// share. How a model's space is divided is the engines' own.
package prooftext

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/seed-1a7dc1f9/facet/internal/search"
)

// Prover is a search that can prove what it found.
type Prover interface {
	search.Search
	// Prove writes the body of a proof that no answer lies nearer than a bound that the
	// search has proven, or a little less, from what the trace that it was made with has heard. It
	// is called when no opener is at work any more, and again with a smaller bound if its
	// error wraps ErrBound. What it has written then is thrown away.
	Prove(ctx context.Context, w *bufio.Writer, bound float64, heard *Recording) error
}

// Recording is a search.Trace that keeps what it hears.
type Recording struct {
	mu             sync.Mutex
	Splits, Leaves []Event // in no particular order
}

// Event is a node that was divided or closed, and what the search said of it.
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

// Confirmer is a Prover whose proofs do not take each example for one that answers: they
// predict in an arithmetic of their own.
type Confirmer interface {
	Confirms(example []float64) bool
}

// ErrBound is the error of Prove for a bound that exact arithmetic does not reach.
var ErrBound = errors.New("the bound cannot be proven in exact arithmetic")

// ErrLong is an ErrBound that a smaller bound does not help: the proof does not end.
var ErrLong = fmt.Errorf("the proof is too long: %w", ErrBound)
