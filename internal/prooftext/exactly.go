package prooftext

import (
	"math/big"

	"github.com/seed-1a7dc1f9/facet/internal/exact"
)

// Contradict returns a combination, as Write takes it, of half-spaces that no input satisfies all
// of; false if some input does, or if there are too many to decide. Of the domain it knows which
// features have one value, whose sides may be part of the combination.
func (r *Refuter) Contradict(
	terms []HalfSpace,
) (used []HalfSpace, multipliers []*big.Int, ok bool) {
	s := r.system(terms)
	if !decidable(s, r.dim) {
		return nil, nil, false
	}
	var weights []*big.Rat
	left := zeros(r.dim) // of the sum
	for i, w := range s.Refutation() {
		if w.Sign() == 0 {
			continue
		}
		weight := new(big.Rat).SetInt(w)
		used, weights = append(used, terms[i]), append(weights, weight)
		a, _ := terms[i].Exact()
		for j, e := range a {
			left[j].Add(left[j], e.Mul(e, weight))
		}
	}
	if used == nil {
		return nil, nil, false
	}
	for j, e := range left {
		if e.Sign() != 0 {
			used = append(used, r.face(j, e.Sign() < 0))
			weights = append(weights, e.Abs(e))
		}
	}
	multipliers = Proportional(weights)
	return used, multipliers, writable(multipliers) && r.Proves(used, multipliers)
}

// Near returns a displacement that satisfies half-spaces, within a radius of u in each feature; nil
// if there is none, or if there are too many half-spaces to decide.
func (r *Refuter) Near(terms []HalfSpace, u []float64, radius float64) []*big.Rat {
	s := r.system(terms).Around(u, radius)
	if !decidable(s, r.dim) {
		return nil
	}
	return s.Solution()
}

// system returns half-spaces with the values of features that the domain leaves one.
func (r *Refuter) system(terms []HalfSpace) *exact.System {
	s := exact.New(r.dim)
	for j, i := range r.q.Domain {
		if i.Lo == i.Hi {
			s.Fix(j, exact.Difference(i.Lo, r.q.X[j]))
		}
	}
	for _, t := range terms {
		if a, b := t.Exact(); t.Open {
			s.Add(a, b)
		} else {
			s.AddClosed(a, b)
		}
	}
	return s
}

// decidable reports whether a system is decided in a second at most.
func decidable(s *exact.System, dim int) bool { return s.Len()*s.Len()*dim <= 1<<20 }
