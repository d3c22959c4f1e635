package closest

import (
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// improve pivots until every row is satisfied.
func (p *Program) improve(cutoff float64) (Status, error) {
	p.method.forget() // the proof by a contradiction, which held for a lower cutoff
	for limit := p.pivots + 50*(p.rows.len()+p.d) + 1000; ; {
		r := p.worst()
		if r < 0 {
			p.solved = true
			p.certify()
			return p.status(cutoff), nil
		}
		if p.pivots++; p.pivots > limit {
			return Optimal, polytope.ErrNumerical
		}
		ok, err := p.method.repair(r)
		if err != nil {
			return Optimal, err
		}
		if !ok {
			switch bound := p.combination(); {
			case bound >= cutoff:
				p.bound = bound
				return Cutoff, nil
			case p.rows.Prices == nil && bound >= far*p.largest(),
				p.rows.Prices != nil && p.combine(p.method.multipliers) >= far*p.largest():
				p.bound = max(p.bound, bound)
				p.solved, p.contradictory = true, true
				return Infeasible, nil
			case !p.waive():
				return Optimal, polytope.ErrNumerical
			}
		}
		p.place()
		if !precise.Finite(p.value) {
			return Optimal, polytope.ErrNumerical
		}
		// A bound that does not reach the cutoff is not kept: the final result of Solve must not
		// depend on the cutoffs on the way.
		if p.value >= cutoff {
			if bound := p.combination(); bound >= cutoff {
				p.bound = max(p.bound, bound)
				return Cutoff, nil
			}
		}
	}
}

// retry goes back to the origin after a failure: faces of a box are rows like others from then on
// or, if there are none, other pivots are taken with a looser tolerance. The bound proven so far
// stays.
func (p *Program) retry() bool {
	switch {
	case !p.rows.none():
		p.rows.plain = true
	case !p.second:
		p.certify()
		p.second, p.tolerance = true, waivable
	default:
		return false
	}
	p.method.reset(p.d)
	clear(p.u)
	clear(p.moved)
	p.value, p.size = 0, 0
	return true
}

// worst returns the row the current point violates most, -1 when it satisfies
// all. Its tolerance is half of Violated's, so that a row that one reports is,
// once added, repaired, and not reported for ever because its normalisation
// rounds.
func (p *Program) worst() int {
	worst, most := -1, 0.0
	for i := range p.rows.b {
		v := -p.rows.slack(i, p.u)
		if v > most && v > p.tolerance/2*max(p.size, leastSize, math.Abs(p.rows.b[i])) {
			worst, most = i, v
			if p.second {
				break // the first row will do: any other way is enough
			}
		}
	}
	return worst
}

// waive takes back the repair of a row and lets rows stay violated by a little,
// unless they may already.
func (p *Program) waive() bool {
	if p.tolerance == waivable {
		return false
	}
	p.tolerance = waivable
	p.method.forget()
	return true
}
