package attack

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/seed-1a7dc1f9/facet/attack/proof"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/access"
	"github.com/seed-1a7dc1f9/facet/internal/bestfirst"
	"github.com/seed-1a7dc1f9/facet/internal/guard"
	"github.com/seed-1a7dc1f9/facet/internal/prooftext"
	"github.com/seed-1a7dc1f9/facet/internal/rules"
	"github.com/seed-1a7dc1f9/facet/internal/search"
)

// Prove is Perturb, and writes a proof of the bound: docs/reference/proof-format.md says what is in
// it, from its line "proof" to its line "end", and attack/proof checks it. A limit that ends
// the search leaves a proof of the bound reached by then. Where floating point has carried a
// bound farther than exact arithmetic follows, the proof claims a little less, at most 1e-12 of
// the bound; if not even that can be proven, the error wraps ErrUnproven, and the result stands: so
// it is where softmax votes differ by no more than libraries' exponentials, and where a proof about
// k-NN would take more than a quarter of a million nodes.
//
// It works for k-NN, trees and votes of trees, and under those rules of moves that are limits of
// real numbers, or, for trees that test one feature at a time, their prices and categories that
// have so many codes (Feature.Codes, or as the model declares). For other classifiers
// and rules, and for a domain with open ends, which the format has not, the error wraps
// errors.ErrUnsupported, and nothing is searched. Nothing is written when there is an error, nor
// for a bound of 0, which claims nothing.
//
// The search remembers the nodes that it opens, which the proof is made of when it is
// over: some hundred bytes each. Of a large forest in ℓ∞, whose search uses Lagrangian potentials,
// it remembers none: the proof is found anew, by potentials for its bound, in a part of the time of
// the search. In ℓ1 and ℓ2 large forests are searched without: that takes longer than Perturb, may
// end at a limit that Perturb does not meet, and may find another example at the same distance.
// So it may of sums of three classes and more, where Perturb leaves out trees of other classes.
func (a *RegionBased) Prove(ctx context.Context, x []float64, w *proof.Writer) (Result, error) {
	r, err := a.prove(ctx, x, &recording{w: w})
	if err != nil {
		return r, fmt.Errorf("attack: %w", err)
	}
	return r, nil
}

func (a *RegionBased) prove(ctx context.Context, x []float64, p *recording) (r Result, err error) {
	defer guard.Recover(&err)
	r = nothing()
	q, err := a.ask(x)
	switch {
	case err != nil:
		return r, err
	case a.Mode != Exact:
		return r, errMode(a.Mode)
	}
	if q.Query, err = p.about(a.Classifier, q); err != nil {
		return r, err
	}
	if r, err = a.search(ctx, q, bestfirst.Limits{Gap: a.Gap}); err != nil {
		return r, err
	}
	return r, p.write(ctx, r, r.Bound)
}

// ProveRobustAt is RobustAt, and writes a proof if the answer is yes: that no input has another
// label, or the target, whose distance is at most r, or less by at most 1e-12 of r, as Prove. The
// bound that it claims is the float64 after r. There is nothing to prove about a radius of 0.
func (a *RegionBased) ProveRobustAt(
	ctx context.Context, x []float64, r float64, w *proof.Writer,
) (Verdict, error) {
	found, err := a.robustAt(ctx, x, []float64{r}, &recording{w: w})
	if err != nil {
		return Undecided, fmt.Errorf("attack: radius %v: %w", r, err)
	}
	return found.Verdict(r), nil
}

// recording is a proof to be written. A nil one is none.
type recording struct {
	w      *proof.Writer
	claim  prooftext.Question // in words of proofs, instead of rules of moves
	query  search.Query       // that is searched for
	heard  prooftext.Recording
	prover prooftext.Prover
}

// about says what is to be proven, and of which classifier. It returns the query to search for,
// which has rules of moves only if they have prices or categories.
func (p *recording) about(c classifier.Classifier, q question) (search.Query, error) {
	if p == nil {
		return q.Query, nil
	}
	q.Trace = &p.heard
	var err error
	p.claim, err = prooftext.Real(q.Query)
	switch p.query = q.Query; {
	case err != nil:
		return q.Query, err
	case p.claim.Prices == nil && p.claim.Codes == nil:
		p.query = p.claim.Query
	case q.follows&rules.Proofs == 0:
		return q.Query, fmt.Errorf("proofs know prices of moves, and categories, for trees that "+
			"test one feature only: %w", errors.ErrUnsupported)
	}
	p.prover, err = access.Prover(c)
	return p.query, err
}

// shares are what a claim keeps of its bound: all of it, or less where the exact proof
// needs that.
var shares = [...]float64{1, 1 - 0x1p-50, 1 - 0x1p-46, 1 - 0x1p-43, 1 - 1e-12}

// write writes the proof that no answer is nearer than a bound. A deadline that has passed ends
// the search, and not the proof of what it found.
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
	for _, share := range shares {
		claim := prooftext.Claim{Question: p.claim, Bound: bound * share, Label: r.Label}
		if r.Example != nil && p.prover.Confirms(r.Example) {
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
	if err := p.prover.Prove(ctx, w, p.query, claim.Bound, &p.heard); err != nil {
		return err
	}
	claim.End(w)
	return w.Flush()
}
