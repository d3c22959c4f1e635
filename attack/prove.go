package attack

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/seed-1a7dc1f9/facet/attack/proof"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/access"
	"github.com/seed-1a7dc1f9/facet/internal/prooftext"
	"github.com/seed-1a7dc1f9/facet/internal/query"
	"github.com/seed-1a7dc1f9/facet/internal/rules"
	"github.com/seed-1a7dc1f9/facet/internal/search"
)

// pose compiles the question about x, and the claim of its proof if there is to be one.
func (a *RegionBased) pose(
	ctx context.Context, x []float64,
) (q query.Query, p *recording, err error) {
	if q, err = a.ask(ctx, x); err != nil || a.Proof == nil {
		return q, nil, err
	}
	if a.Mode != Exact {
		return q, nil, errMode
	}
	p = &recording{w: a.Proof}
	q.Query, err = p.about(q)
	return q, p, err
}

// recording is a proof to be written. A nil one is none.
type recording struct {
	w      *proof.Writer
	claim  prooftext.RealQuery  // in words of proofs, instead of rules of moves
	query  search.Query         // that is searched for
	heard  *prooftext.Recording // of the search that proved the bound
	prover prooftext.Prover
	others []prooftext.Prover // of Also
}

// about states the claim to be proven. It returns the query to search for, which has rules of moves
// only if they have prices or categories.
func (p *recording) about(q query.Query) (search.Query, error) {
	p.heard = &prooftext.Recording{}
	q.Trace = p.heard
	var err error
	p.claim, err = prooftext.Real(q.Query)
	switch p.query = q.Query; {
	case err != nil:
		return q.Query, err
	case p.claim.Prices == nil && p.claim.Codes == nil:
		p.query = p.claim.Query
	case q.Follows&rules.Proofs == 0:
		return q.Query, fmt.Errorf("proofs know prices of moves, and categories, for trees that "+
			"test one feature only: %w", errors.ErrUnsupported)
	}
	if p.prover, err = access.Prover(q.Classifier); err != nil {
		return p.query, err
	}
	p.others = make([]prooftext.Prover, len(q.Also))
	for i, r := range q.Also {
		if n := p.w.Models(); n > 0 && r.Model >= n {
			return p.query, fmt.Errorf("%w: the proof names other model %d, and the Writer has "+
				"%d: NewWriter takes the SHA-256 of all of them, behind that of the model",
				classifier.ErrOption, r.Model, n-1)
		}
		if p.others[i], err = access.Prover(r.Classifier); err != nil {
			return p.query, err
		}
	}
	return p.query, nil
}

// confirms reports whether an input answers in the arithmetic of proofs, too.
func (p *recording) confirms(z []float64) bool {
	return p.prover.Confirms(z) && search.Enough(p.query.Quorums, func(i int) bool {
		r := p.query.Also[i]
		return slices.Contains(r.Labels, r.Classifier.Predict(z)) && p.others[i].Confirms(z)
	})
}

// retained are the parts of its bound that a claim keeps: all of it, or less where the exact proof
// needs that.
var retained = [...]float64{1, 1 - 0x1p-50, 1 - 0x1p-46, 1 - 0x1p-43, 1 - 1e-12}

// write writes the proof that no answer is nearer than a bound. A deadline that has passed ends
// the search, and not the proof of its answer.
func (p *recording) write(ctx context.Context, r Result, bound float64) error {
	if p == nil || bound == 0 {
		return nil
	}
	writing, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	defer context.AfterFunc(ctx, func() {
		if errors.Is(ctx.Err(), context.Canceled) {
			cancel()
		}
	})()
	var err error
	for _, share := range retained {
		claim := prooftext.Claim{RealQuery: p.claim, Bound: bound * share, Label: r.Label}
		if r.Example != nil && p.confirms(r.Example) {
			claim.Example = r.Example
		}
		var text bytes.Buffer
		if err = p.text(writing, &text, &claim); err == nil {
			_, err = text.WriteTo(p.w)
			return err
		}
		if !errors.Is(err, prooftext.ErrBound) || errors.Is(err, prooftext.ErrLong) {
			break
		}
	}
	return err
}

// text writes the proof of a claim, if that can be proven.
func (p *recording) text(ctx context.Context, to io.Writer, claim *prooftext.Claim) error {
	w := bufio.NewWriter(to)
	claim.Begin(w)
	if err := p.prover.Prove(ctx, w, p.query, claim.Bound, p.heard); err != nil {
		return err
	}
	claim.End(w)
	return w.Flush()
}
