//go:build lpsolve

package milp

// slot returns the slot of feature j that the cuts lead to: from home outwards
// as long as they are crossed.
func (p *program) slot(j int, values []float64) int {
	a := p.space[j]
	right := a.home
	for right+1 < len(a.slots) && values[p.cut(j, right+1)] > 0.5 {
		right++
	}
	if right > a.home {
		return right
	}
	left := a.home
	for left > 0 && values[p.cut(j, left)] > 0.5 {
		left--
	}
	return left
}

// point returns the point nearest to x in the slots that the values of the
// columns lead to, and its distance from x, to the closed slots.
func (p *program) point(values []float64) (z []float64, distance float64) {
	chosen := make(space, len(p.space))
	for j, a := range p.space {
		s := p.slot(j, values)
		chosen[j] = a.part(s, s+1)
		z = append(z, a.slots[s].at)
	}
	return z, chosen.farthest(p.norm)
}
