//go:build lpsolve

package milp

import "math"

// interval returns the interval of feature j that the cuts lead to: from home outwards
// as long as they are crossed.
func (p *program) interval(j int, values []float64) int {
	a := p.space[j]
	right := a.home
	for right+1 < len(a.intervals) && values[p.cut(j, right+1)] > 0.5 {
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

// point returns the point nearest to x in the intervals that the values of the
// columns lead to, and its distance from x, to the closed intervals.
func (p *program) point(values []float64) (z []float64, distance float64) {
	chosen := make(space, len(p.space))
	for j, a := range p.space {
		s := p.interval(j, values)
		chosen[j] = a.part(s, s+1)
		z = append(z, a.intervals[s].at)
	}
	return z, chosen.farthest(p.norm)
}

// fraction is how far from a whole number a cut counts as undecided.
const fraction = 1e-7

// undecided returns the cut to branch on, cut k of feature j: of those that are
// not whole one that is near the middle and decides on many leaves. j is −1
// when all are.
func (p *program) undecided(values []float64) (j, k int) {
	return p.best(func(c int) float64 {
		distance := math.Abs(values[c] - math.Round(values[c]))
		if distance <= fraction {
			return 0
		}
		return distance * float64(p.asked[c])
	})
}

// anywhere returns the cut that decides on most leaves.
func (p *program) anywhere() (j, k int) {
	return p.best(func(c int) float64 { return 1 + float64(p.asked[c]) })
}

// best returns the first cut with the highest score, j = −1 when all are 0.
func (p *program) best(score func(column int) float64) (j, k int) {
	j = -1
	var most float64
	for f, a := range p.space {
		for i := 1; i < len(a.intervals); i++ {
			if s := score(p.cut(f, i)); s > most {
				j, k, most = f, i, s
			}
		}
	}
	return j, k
}
