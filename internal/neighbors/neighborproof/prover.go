package neighborproof

import (
	"bufio"
	"context"

	"github.com/seed-1a7dc1f9/facet/internal/neighbors"
	"github.com/seed-1a7dc1f9/facet/internal/prooftext"
	"github.com/seed-1a7dc1f9/facet/internal/search"
)

// Prover proves what a search among k neighbours found.
type Prover struct {
	table *neighbors.Table
	k     int
	query *search.Query
}

var _ prooftext.Confirmer = Prover{}

// NewProver returns that of a query.
func NewProver(table *neighbors.Table, k int, q *search.Query) Prover { return Prover{table, k, q} }

// Prove is that of prooftext.Prover. A proof needs nothing that the search did.
func (p Prover) Prove(
	ctx context.Context, w *bufio.Writer, bound float64, _ *prooftext.Recording,
) error {
	return Write(ctx, w, p.table, p.k, *p.query, bound)
}

// Confirms implements prooftext.Confirmer.
func (p Prover) Confirms(example []float64) bool { return Confirms(p.table, p.k, example) }
