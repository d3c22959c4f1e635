// Package prooftext writes proofs as docs/proof-format.md describes them: what all engines
// share. How a model's space is divided is the engines' own.
package prooftext

import (
	"bufio"
	"context"
	"errors"
	"fmt"

	"github.com/seed-1a7dc1f9/facet/classifier/search"
)

// Prover is a search that can prove what it found.
type Prover interface {
	search.Search
	// Record makes the openers that are made from now on remember what Prove needs.
	Record()
	// Prove writes the body of a proof that no answer lies nearer than a bound that the
	// search has proven, or a little less. It is called when no opener is at work any more, and
	// again with a smaller bound if its error wraps ErrBound. What it has written then
	// is thrown away.
	Prove(ctx context.Context, w *bufio.Writer, bound float64) error
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
