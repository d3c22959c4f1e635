//go:build lpsolve

package milp

import (
	"math"

	"github.com/draffensperger/golp"

	"github.com/seed-1a7dc1f9/facet/polytope"
)

// price of the penalty, so high that the relaxation pays it only where nothing
// else helps.
const price = 100

// lattice is the number of levels of distance in a unit. Smaller differences
// would be lost among lp_solve's tolerances, and confuse its scaling.
const lattice = 1 << 30

// level is the distance of an interval, rounded down to the lattice.
func (p *program) level(s interval) float64 {
	return math.Floor(s.away/p.unit*lattice) / lattice
}

// distances relates the cuts to the distance: each adds what lies between the
// intervals on its two sides.
func (p *program) distances() {
	p.away = make([]float64, p.cuts)
	for j, a := range p.space {
		for k := 1; k < len(a.intervals); k++ {
			p.away[p.cut(j, k)] = math.Abs(p.level(a.intervals[k]) - p.level(a.intervals[k-1]))
		}
	}
	p.cost = make([]float64, p.penalty+1)
	p.cost[p.penalty] = price
	if p.norm == polytope.L1 {
		p.sum()
	} else {
		p.largest()
	}
}

// sum is the ℓ1 distance. It is kept within the radius, plus a level for
// rounding; in ℓ∞ the intervals alone see to that.
func (p *program) sum() {
	copy(p.cost, p.away)
	entries := []golp.Entry{{Col: p.penalty, Val: -1}}
	for j, a := range p.space {
		p.start += p.level(a.intervals[a.home])
		entries = append(entries, p.steps(j)...)
	}
	p.add(golp.LE, 1+1./lattice-p.start, entries...)
}

// largest is the ℓ∞ distance.
func (p *program) largest() {
	p.cost[p.reach] = 1
	for j, a := range p.space {
		entries := append(p.steps(j), golp.Entry{Col: p.reach, Val: -1})
		p.add(golp.LE, -p.level(a.intervals[a.home]), entries...)
	}
}

// steps returns the cuts of feature j that add to the distance.
func (p *program) steps(j int) []golp.Entry {
	var entries []golp.Entry
	for k := 1; k < len(p.space[j].intervals); k++ {
		if c := p.cut(j, k); p.away[c] > 0 {
			entries = append(entries, golp.Entry{Col: c, Val: p.away[c]})
		}
	}
	return entries
}
