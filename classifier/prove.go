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
func (t *Tree) prover() (prooftext.Prover, error) { return boxProver{t}, nil }

// prover implements engine.
func (e *Ensemble) prover() (prooftext.Prover, error) {
	if e.vote.Vote.Rule == trees.Share {
		return nil, errShare("proofs do not know")
	}
	return boxProver{e}, nil
}

// prover implements engine.
func (e *ObliqueEnsemble) prover() (prooftext.Prover, error) {
	return oblique.Prover{Model: e.model}, nil
}

// boxProver proves answers of one tree, or of a vote.
type boxProver struct{ boxes }

// Prove implements prooftext.Prover.
func (p boxProver) Prove(
	ctx context.Context, w *bufio.Writer, q search.Query, bound float64,
	heard *prooftext.Recording,
) error {
	if t, ok := p.boxes.(*Tree); ok && t.listed(&q) {
		return axistree.Prove(ctx, w, t.axis, q, bound)
	}
	vote, err := together(ctx, p.boxes, &q)
	if err != nil {
		return err
	}
	return boxtree.Prove(ctx, w, vote, q, bound, heard)
}

// Confirms implements prooftext.Prover: a tree compares numbers, and rounds none.
func (p boxProver) Confirms(z []float64) bool {
	e, ok := p.boxes.(*Ensemble)
	return !ok || e.vote.Sure(z)
}
