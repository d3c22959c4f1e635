package nearest

import (
	"bufio"
	"context"

	"github.com/seed-1a7dc1f9/facet/internal/neighborproof"
	"github.com/seed-1a7dc1f9/facet/internal/prooftext"
)

var _ interface {
	prooftext.Prover
	prooftext.Confirmer
} = (*query)(nil)

// Prove implements prooftext.Prover. A proof needs nothing that the search did.
func (s *query) Prove(
	ctx context.Context, w *bufio.Writer, bound float64, _ *prooftext.Recording,
) error {
	return neighborproof.Write(ctx, w, s.table, 1, s.Query, bound)
}

// Confirms implements prooftext.Confirmer.
func (s *query) Confirms(example []float64) bool {
	return neighborproof.Confirms(s.table, 1, example)
}
