//go:build lpsolve

package milp

import "github.com/draffensperger/golp"

// win demands a lead.
func (p *program) win(l lead) {
	entries := []golp.Entry{{Col: p.penalty, Val: 1}}
	for t, columns := range p.leaves {
		for i, c := range columns {
			if c < 0 {
				continue
			}
			if g := l.Gain(p.forest.Value(t, i)); g != 0 {
				entries = append(entries, golp.Entry{Col: c, Val: g / l.size})
			}
		}
	}
	p.add(golp.GE, l.need/l.size, entries...)
}

// exclude forbids to reach all of these leaves, one a tree, at once.
func (p *program) exclude(leaves []int) {
	entries := []golp.Entry{{Col: p.penalty, Val: -1}}
	for t, leaf := range leaves {
		c := p.leaves[t][leaf]
		if c < 0 {
			return // the box holds no such point
		}
		entries = append(entries, golp.Entry{Col: c, Val: 1})
	}
	p.add(golp.LE, float64(len(leaves)-1), entries...)
}
