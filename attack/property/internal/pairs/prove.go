package pairs

import (
	"bufio"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/boxtree/boxproof"
	"github.com/seed-1a7dc1f9/facet/internal/boxtree/grid"
	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/prooftext"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// mostParts is how many parts a tree of a proof has at most.
const mostParts = 1 << 20

// Prove writes a proof of a claim. Lines written before an error are no proof. The error wraps
// ErrEmpty if there are no inputs.
func (m *Models) Prove(ctx context.Context, w *bufio.Writer, c *Claim) error {
	c.head(w, m.Offsets)
	p, err := m.newProving(w, c)
	if err != nil {
		return err
	}
	if c.Outputs != [2]*Output{} {
		err = p.sums(ctx)
	} else {
		err = p.allLabels(ctx)
	}
	if err != nil {
		return err
	}
	w.WriteString("end\n")
	return w.Flush()
}

// proving is a proof that is being written.
type proving struct {
	*Models
	*Claim
	w      *bufio.Writer
	second int      // the model of the second input
	root   grid.Box // of codes, within the domain
}

func (m *Models) newProving(w *bufio.Writer, c *Claim) (*proving, error) {
	p := &proving{Models: m, Claim: c, w: w, root: m.box(c.Copied)}
	if m.trees[1] != nil && m.of[1] != m.of[0] {
		p.second = 1
	}
	for f := range p.root {
		if p.root[f] = p.within(p.feature(f)); !p.holds(p.feature(f), p.root[f]) {
			return nil, ErrEmpty
		}
	}
	return p, nil
}

// feature returns the feature of a variable.
func (p *proving) feature(f int) int {
	if f >= p.Dim() {
		return p.Copied[f-p.Dim()]
	}
	return f
}

// within returns the codes of a feature that meet the domain, from the first to the last.
func (p *proving) within(j int) grid.Span {
	s := grid.Span{Hi: int32(p.Numbers(j)) - 1}
	meets := func(c int32) bool { return p.holds(j, grid.Span{Lo: c, Hi: c}) }
	for s.Lo < s.Hi && !meets(s.Lo) {
		s.Lo++
	}
	for s.Hi > s.Lo && !meets(s.Hi) {
		s.Hi--
	}
	return s
}

// holds reports whether codes of a feature, which are intervals of its numbers, have a value in the
// domain, of a category one of its own codes.
func (p *proving) holds(j int, codes grid.Span) bool {
	side := p.side(j, codes)
	if p.Codes == nil || p.Codes[j] == 0 {
		return !geometry.Empty(side)
	}
	least := max(0, math.Ceil(side.Lo))
	if least == side.Lo && side.LoOpen {
		least++
	}
	return least < float64(p.Codes[j]) && side.Contains(least)
}

// side returns the numbers of codes in the domain.
func (p *proving) side(j int, codes grid.Span) polytope.Interval {
	side := p.borders[j].Values(codes.Lo, codes.Hi)
	if p.Domain != nil {
		side = geometry.Intersect(side, p.Domain[j])
	}
	return side
}

func (p *proving) of0() *trees.Ensemble[*trees.Axis] { return p.Models.of[0] }
func (p *proving) of1() *trees.Ensemble[*trees.Axis] { return p.Models.of[p.second] }

// answer writes the tree of a question.
func (j *joint) answer(ctx context.Context, q *boxproof.Refutation) error {
	q.Forest, q.Rests, q.Most = j.forest, true, mostParts
	// Sets of a model, which trees of pairs divide further, have no potentials.
	both := slices.Concat(j.of0().Trees, j.of1().Trees)
	q.Plain = slices.ContainsFunc(both, (*trees.Axis).HasSets)
	q.Root = make(grid.Box, len(j.root))
	for f, s := range j.root {
		q.Root[f] = grid.Span{Lo: j.interval(f, s.Lo), Hi: j.interval(f, s.Hi)}
	}
	q.Near, q.Vacant, q.Split = j.near, j.vacant, j.cut
	q.Rank = func(feature int32, s grid.Span, after int32) int32 {
		f := int(feature)
		return j.codes(f, grid.Span{Lo: after, Hi: after}).Hi - j.codes(f, s).Lo
	}
	writer := boxproof.NewWriter(ctx, j.w, slices.Clone(q.Root))
	ok := writer.Answer(q, func(swept bool) {
		if swept {
			writer.Begin("swept")
		} else {
			writer.Begin("tree")
		}
	})
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case !ok:
		return fmt.Errorf("%w, or takes more than %d parts", prooftext.ErrBound, mostParts)
	}
	return nil
}
