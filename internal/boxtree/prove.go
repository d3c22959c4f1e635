package boxtree

import (
	"bufio"
	"context"
	"fmt"
	"strconv"

	"github.com/seed-1a7dc1f9/facet/internal/prooftext"
)

var _ prooftext.Prover = (*boxSearch)(nil)

// Prove implements prooftext.Prover. A part that was opened below the bound becomes a split.
// Every other one is a leaf, whatever the search did with it:
//
//   - It was dropped because its box, or the first crossing of its leads, lies beyond a cutoff,
//     which is never less than the bound that the search proves in the end; or it waits, was
//     shed or brought an answer at a bound that is none less. Then its box is far, or lost. Gaps
//     and reaches are rounded so that no leaf is missed, and the slack of a lead exceeds
//     that of proofs.
//   - It lies in one leaf of each tree and does not answer. Then it is evaluated, but for sums
//     within the rounding of exponentials, which no proof decides.
func (s *boxSearch) Prove(ctx context.Context, w *bufio.Writer, bound float64) error {
	root, ok := s.view.within(bound)
	switch {
	case !ok:
		return ctx.Err()
	case s.record.doubts(bound):
		return fmt.Errorf("softmax: two classes are so near each other that libraries' exponentials may differ: %w", prooftext.ErrBound)
	}
	p := proof{ctx: ctx, w: w, parts: s.record.nearer(bound), box: root}
	for i, t := range s.targets {
		p.label(s.leads[t.first].Label)
		p.below(half{target: int32(i)})
		w.WriteByte('\n')
	}
	return ctx.Err()
}

// Confirms implements prooftext.Confirmer.
func (s *boxSearch) Confirms(z []float64) bool { return s.model.Sure(z) }

// proof is a proof that is being written.
type proof struct {
	ctx   context.Context
	w     *bufio.Writer
	parts map[half]*part
	box   box // what is left of the root box
	done  int // splits
}

// below writes the tree of a half of a part.
func (p *proof) below(h half) {
	part := p.parts[h]
	if part == nil || part.split.feature < 0 || p.over() {
		p.w.WriteByte('.')
		return
	}
	low, beyond := half{part, false, h.target}, half{part, true, h.target}
	p.divide(part.split, func() { p.below(low) }, func() { p.below(beyond) })
}

// divide writes a split and what is below it, or only the half that meets the box if the other
// does not.
func (p *proof) divide(at cut, low, beyond func()) {
	s := &p.box[at.feature]
	whole := *s
	switch {
	case at.slot < s.lo:
		beyond()
		return
	case at.slot >= s.hi:
		low()
		return
	}
	p.split(at.feature, at.slot-s.lo)
	s.hi = at.slot
	low()
	*s = span{at.slot + 1, whole.hi}
	beyond()
	*s = whole
}

// split writes the token of a split behind the slot of this rank in the box.
func (p *proof) split(feature, rank int32) {
	var letters [8]byte
	i := len(letters) - 1
	for letters[i] = 'a' + byte(feature%26); feature >= 26; letters[i] = 'a' + byte(feature%26) {
		feature /= 26
		i--
	}
	p.w.Write(letters[i:])
	p.w.Write(strconv.AppendInt(letters[:0], int64(rank), 10))
}

// label begins the tree of a label.
func (p *proof) label(label int) {
	p.w.WriteString("label " + strconv.Itoa(label) + "\n")
}

// over reports whether the context has ended, which it looks at every so often.
func (p *proof) over() bool {
	p.done++
	return p.done%1024 == 0 && p.ctx.Err() != nil
}
