// Package prooftext writes proofs as docs/proof-format.md describes them: what all engines
// share. How a model's space is divided is the engines' own.
package prooftext

import (
	"bufio"
	"context"

	"github.com/seed-1a7dc1f9/facet/classifier/search"
)

// Prover is a search that can prove what it found.
type Prover interface {
	search.Search
	// Record makes the openers that are made from now on remember what Prove needs.
	Record()
	// Prove writes the body of a proof that no answer lies nearer than a bound that the
	// search has proven. It is called once, when no opener is at work any more.
	Prove(ctx context.Context, w *bufio.Writer, bound float64) error
}
