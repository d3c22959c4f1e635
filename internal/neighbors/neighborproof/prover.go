package neighborproof

import (
	"bufio"
	"context"

	"github.com/seed-1a7dc1f9/facet/internal/neighbors"
	"github.com/seed-1a7dc1f9/facet/internal/prooftext"
	"github.com/seed-1a7dc1f9/facet/internal/search"
)

// Prover proves the results of searches among the K nearest rows of a table.
type Prover struct {
	Table *neighbors.Table
	K     int
}

var _ prooftext.Prover = Prover{}

// Prove implements prooftext.Prover. A proof needs no record of the search.
func (p Prover) Prove(
	ctx context.Context, w *bufio.Writer, q search.Query, bound float64, _ *prooftext.Recording,
) error {
	return Write(ctx, w, p.Table, p.K, q, bound)
}

// Confirms implements prooftext.Prover.
func (p Prover) Confirms(z []float64) bool { return Confirms(p.Table, p.K, z) }
