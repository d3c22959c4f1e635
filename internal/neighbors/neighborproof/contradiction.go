package neighborproof

import (
	"math"
	"math/big"

	"github.com/seed-1a7dc1f9/facet/internal/exact"
	"github.com/seed-1a7dc1f9/facet/internal/neighbors"
	"github.com/seed-1a7dc1f9/facet/internal/nnindex"
	"github.com/seed-1a7dc1f9/facet/internal/prooftext"
)

// contradiction closes the node if its half-spaces leave no input that counts, which exact
// arithmetic decides: by a combination whose left side vanishes. Either the bisectors alone leave
// no interior, or with the sides of the domain not even an end of it.
func (t *tree) contradiction() bool {
	sides, alone := t.system(), t.system()
	var used, bisectors []pair
	for _, p := range append(t.terms[:len(t.terms):len(t.terms)], t.ties()...) {
		if t.flat(p) {
			continue
		}
		a, b := t.exactly(p)
		if p.before >= 0 && p.before < p.after && sides.Ties(a, b) {
			continue // the order of the rows decides
		}
		used = append(used, p)
		if t.opens(p) {
			sides.Add(a, b)
		} else {
			sides.AddClosed(a, b)
		}
		if p.before >= 0 {
			bisectors = append(bisectors, p)
			alone.Add(a, b)
		}
	}
	if sides.Len()*sides.Len()*t.table.Dim > mostDecided || sides.HasInterior() {
		return false
	}
	weights := alone.Contradiction()
	if weights != nil && t.writeContradiction(bisectors, weights) {
		return true
	}
	weights = sides.Refutation()
	return weights != nil && t.writeContradiction(used, weights)
}

// ties returns the sides of the domain that the point lies on, and the half-spaces in which
// neighbours come before rows that are none and tie with them there.
func (t *tree) ties() (pairs []pair) {
	blur := neighbors.Spread * t.at.length
	for j, i := range t.Domain {
		if t.at.u[j] >= i.Hi-t.X[j]-blur {
			pairs = append(pairs, pair{upper, int32(j)})
		}
		if t.at.u[j] <= i.Lo-t.X[j]+blur {
			pairs = append(pairs, pair{lower, int32(j)})
		}
	}
	for _, m := range t.members() {
		squared := nnindex.Moved(t.X, t.at.u, t.table.Row(m))
		for q := range int32(t.table.Len()) {
			lead := nnindex.Moved(t.X, t.at.u, t.table.Row(q)) - squared
			if math.Abs(lead) <= t.blur(squared) && t.separates(m, q, t.k) {
				pairs = append(pairs, pair{m, q})
			}
		}
	}
	return pairs
}

// system returns the displacements within the affine hull of the domain.
func (t *tree) system() *exact.System {
	s := exact.New(t.table.Dim)
	for j, i := range t.Domain {
		if i.Lo == i.Hi {
			s.Fix(j, exact.Difference(i.Lo, t.X[j]))
		}
	}
	return s
}

// opens reports whether inputs where the rows of a half-space tie do not count: the one that comes
// first there is none of the neighbours, the other one is.
func (t *tree) opens(p pair) bool {
	return p.before > p.after && t.separates(p.before, p.after, t.k)
}

// term returns a half-space that what is decided on the path lets a proof use.
func (t *tree) term(p pair) prooftext.HalfSpace {
	h := t.halfSpace(p, t.name(p))
	h.Open = t.opens(p)
	return h
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
		half, rationals = append(half, t.term(p)), append(rationals, w)
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
