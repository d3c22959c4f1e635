package neighborproof

import (
	"math/big"

	"github.com/seed-1a7dc1f9/facet/internal/exact"
	"github.com/seed-1a7dc1f9/facet/internal/prooftext"
)

// contradiction closes the node if its half-spaces, strict ones, contradict each other, which
// exact arithmetic decides: by a combination whose left side vanishes.
func (t *tree) contradiction() bool {
	s := exact.New(t.table.Dim)
	for j, i := range t.Domain {
		if i.Lo == i.Hi {
			s.Fix(j, exact.Difference(i.Lo, t.X[j]))
		}
	}
	var used []pair
	for _, p := range t.terms {
		if t.flat(p) {
			continue
		}
		a, b := t.exactly(p)
		s.Add(a, b)
		used = append(used, p)
	}
	if s.Len()*s.Len()*t.table.Dim > mostDecided {
		return false
	}
	weights := s.Contradiction()
	if weights == nil {
		return false
	}
	return t.writeContradiction(used, weights)
}

// mostDecided bounds rows²·dim of the systems that are decided exactly: a second at most.
const mostDecided = 1 << 20

// writeContradiction closes the node with weights of half-spaces, once what is left of features
// with one value is taken up by their sides.
func (t *tree) writeContradiction(used []pair, weights []*big.Int) bool {
	sum := make([]*big.Rat, t.table.Dim)
	for j := range sum {
		sum[j] = new(big.Rat)
	}
	var half []prooftext.HalfSpace
	var rationals []*big.Rat
	take := func(p pair, w *big.Rat) {
		half, rationals = append(half, t.halfSpace(p, t.name(p))), append(rationals, w)
	}
	for i, p := range used {
		if weights[i].Sign() == 0 {
			continue
		}
		w := new(big.Rat).SetInt(weights[i])
		a, _ := t.exactly(p)
		for j, e := range a {
			sum[j].Add(sum[j], e.Mul(e, w))
		}
		take(p, w)
	}
	for j, e := range sum {
		switch e.Sign() {
		case 1:
			take(pair{lower, int32(j)}, e)
		case -1:
			take(pair{upper, int32(j)}, e.Neg(e))
		}
	}
	multipliers := prooftext.Proportional(rationals)
	if !t.combiner.Proves(half, multipliers) {
		return false
	}
	t.text = append(prooftext.Write(append(t.text, 'c'), half, multipliers), '\n')
	return true
}
