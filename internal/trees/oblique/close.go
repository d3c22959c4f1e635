package oblique

import (
	"fmt"
	"math/big"
	"strconv"

	"github.com/seed-1a7dc1f9/facet/internal/prooftext"
)

// close writes why the region holds no answer nearer than the bound: its votes are lost, or
// it is empty as far as the bound, or it is both once some leaves are left out. Where that does not
// do it is split, at tests of the leaves that are best for the label.
func (p *proof) close() error {
	best, done := p.closed()
	if done || p.empty(p.refuter.Refute) {
		return nil
	}
	var out []*reachedLeaf
	defer func() { p.restore(out) }()
	for _, refute := range [...]refutation{p.refuter.Refute, p.refuter.RefuteEmpty} {
		for tried, before := map[*reachedLeaf]bool{}, -1; len(out) > before; {
			before = len(out)
			for _, l := range best {
				if !tried[l] && p.far(l, refute) {
					out = append(out, l)
				}
				tried[l] = true
			}
			if best, done = p.closed(); done {
				return nil
			}
		}
	}
	if p.empty(p.refuter.RefuteEmpty) {
		return nil
	}
	return p.divide(best)
}

// refutation finds a combination of half-spaces that proves the bound.
type refutation func(terms []prooftext.HalfSpace) ([]prooftext.HalfSpace, []*big.Int, bool)

// empty writes a leaf if the region can be shown to hold no input nearer than the bound.
func (p *proof) empty(refute refutation) bool {
	used, multipliers, ok := refute(p.terms)
	if ok {
		p.line = append(p.line[:0], 'c')
		p.write(used, multipliers)
	}
	return ok
}

// closed writes a leaf if the votes show that the region holds no answer. If not it returns
// the leaves that are best for the label.
func (p *proof) closed() (best []*reachedLeaf, done bool) {
	if best, done = p.binding(); done || p.evaluated() {
		p.w.WriteString(".\n")
		return nil, true
	}
	return best, false
}

// divide splits the region by the first test that is not decided above one of the best leaves.
func (p *proof) divide(best []*reachedLeaf) error {
	for _, l := range best {
		for _, d := range l.path {
			if p.decided(d.test) == nil {
				return p.split(d.test, func(bool) error { return p.close() })
			}
		}
	}
	return fmt.Errorf("oblique trees: nothing shows that label %d does not answer where all %d "+
		"tests are decided: %w", p.margins[0].Label, len(p.decisions), prooftext.ErrBound)
}

// undecided returns the half-spaces above a leaf that are not decided.
func (p *proof) undecided(l *reachedLeaf) (terms []prooftext.HalfSpace) {
	for _, d := range l.path {
		if p.decided(d.test) == nil {
			h := p.plane(d).HalfSpace
			h.Name = "#" + strconv.Itoa(int(d.node))
			terms = append(terms, h)
		}
	}
	return terms
}

// decided returns the decision of a test, nil if there is none.
func (p *proof) decided(t test) *decision {
	for i := range p.decisions {
		if p.decisions[i].test == t {
			return &p.decisions[i]
		}
	}
	return nil
}

// write writes a line that ends with a combination.
func (p *proof) write(terms []prooftext.HalfSpace, multipliers []*big.Int) {
	p.line = append(prooftext.Write(p.line, terms, multipliers), '\n')
	p.w.Write(p.line)
}
