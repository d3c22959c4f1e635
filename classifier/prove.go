package classifier

import (
	"bufio"
	"context"
	"errors"
	"fmt"

	"github.com/seed-1a7dc1f9/facet/internal/boxtree"
	"github.com/seed-1a7dc1f9/facet/internal/boxtree/axistree"
	"github.com/seed-1a7dc1f9/facet/internal/neighbors/neighborproof"
	"github.com/seed-1a7dc1f9/facet/internal/prooftext"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
	"github.com/seed-1a7dc1f9/facet/internal/trees/oblique"
)

// proverOf is access.Prover.
func proverOf(c any) (prooftext.Prover, error) {
	if e, ok := c.(engine); ok {
		return e.prover()
	}
	return nil, errNoProofs(c)
}

// errNoProofs is the error for a classifier without proofs.
func errNoProofs(c any) error {
	return fmt.Errorf("%T finds answers, and has no proofs that others could check: %w",
		c, errors.ErrUnsupported)
}

// prover implements engine.
func (c *KNN) prover() (prooftext.Prover, error) {
	if !c.table.Plain() {
		return nil, errQuota("proofs do not know")
	}
	return neighborproof.Prover{Table: c.table, K: c.k}, nil
}

// prover implements engine.
func (c *WeightedKNN) prover() (prooftext.Prover, error) { return nil, errNoProofs(c) }

// prover implements engine.
func (t *Tree) prover() (prooftext.Prover, error) { return treeProver{t}, nil }

// prover implements engine.
func (e *Ensemble) prover() (prooftext.Prover, error) {
	if e.vote.Vote.Rule == trees.Share {
		return nil, errShare("proofs do not know")
	}
	return ensembleProver{e}, nil
}

// prover implements engine.
func (e *ObliqueEnsemble) prover() (prooftext.Prover, error) {
	return oblique.Prover{Model: e.model}, nil
}

type treeProver struct{ *Tree }

// Prove implements prooftext.Prover.
func (p treeProver) Prove(
	ctx context.Context, w *bufio.Writer, q search.Query, bound float64,
	heard *prooftext.Recording,
) error {
	if p.listed(&q) {
		return axistree.Prove(ctx, w, p.axis, q, bound)
	}
	vote, err := together(ctx, p.Tree, &q)
	if err != nil {
		return err
	}
	return boxtree.Prove(ctx, w, vote, q, bound, heard)
}

// Confirms implements prooftext.Prover: a tree compares numbers, and rounds none.
func (p treeProver) Confirms([]float64) bool { return true }

type ensembleProver struct{ *Ensemble }

// Prove implements prooftext.Prover.
func (p ensembleProver) Prove(
	ctx context.Context, w *bufio.Writer, q search.Query, bound float64,
	heard *prooftext.Recording,
) error {
	vote, err := together(ctx, p.Ensemble, &q)
	if err != nil {
		return err
	}
	return boxtree.Prove(ctx, w, vote, q, bound, heard)
}

// Confirms implements prooftext.Prover.
func (p ensembleProver) Confirms(z []float64) bool { return p.vote.Sure(z) }
