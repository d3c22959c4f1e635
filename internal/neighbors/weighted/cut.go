package weighted

import (
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/neighbors"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
)

// pairRows begins the family of a node with its bisectors.
func (o *opener) pairRows(p *node) *rowFamily {
	f := o.rows()
	for _, pair := range p.pairs {
		o.addPair(f, pair)
	}
	return f
}

// addPair adds the bisector of a pair.
func (o *opener) addPair(f *rowFamily, p precedence) {
	nearer, farther := o.groups.rows[p.nearer][0], o.groups.rows[p.farther][0]
	f.add(neighbors.Bisector(f.next(), o.q.X, o.table.Row(nearer), o.table.Row(farther)))
}

// duel returns the precedence that decides a sum of two terms that cancel where the
// distances are equal.
func duel(terms []term) (p precedence, ok bool) {
	if len(terms) != 2 || terms[0].net != -terms[1].net {
		return p, false
	}
	if terms[0].net > 0 {
		return precedence{nearer: terms[0].group, farther: terms[1].group}, true
	}
	return precedence{nearer: terms[1].group, farther: terms[0].group}, true
}

// addCut adds a half-space that holds wherever in the box of a node the sum Σ
// net/√t, t = ‖u−P‖², is not negative; none when a row in the box leaves it
// without a bound, or the box is infinite.
//
// 1/√t is convex: from above it is bounded by its chord over the interval of t,
// from below by its tangent at the middle of the box m, so that the sum is at most
// K + Σ β·t. There t = ‖u−m‖² + 2(m−P)·(u−m) + ‖m−P‖², and ‖u−m‖² lies between 0
// and the square of half the diagonal, which makes the bound linear in u.
//
// All of it is computed in units of the search: the third powers of distances in
// others may be out of the range of float64. The cut is none if they still are.
func (o *opener) addCut(f *rowFamily, p *node, terms []term, spans []span) {
	a := f.next()
	var constant, size, curve float64
	for _, t := range terms {
		squared, moved := 0.0, 0.0
		for j, e := range o.point(t.group) {
			i := p.box[j]
			e = ((i.Lo+i.Hi)/2 - e) * o.unit
			squared += float64(e * e)
			moved += math.Abs(e) * (math.Abs(i.Lo) + math.Abs(i.Hi)) * o.unit
		}
		s := spans[t.group]
		beta, rest, ok := bend(float64(t.net), math.Sqrt(s.near), math.Sqrt(s.far), squared)
		if !ok {
			f.drop()
			return
		}
		for j, e := range o.point(t.group) {
			a[j] -= 2 * beta * (((p.box[j].Lo+p.box[j].Hi)/2 - e) * o.unit)
		}
		pad := o.pads[t.group] * o.unit
		pad *= math.Sqrt(float64(len(a))*s.far) + pad
		curve += beta
		constant += rest + beta*squared
		size += math.Abs(rest) + math.Abs(beta)*(squared+2*moved+pad/cutNoise)
	}
	diagonal := 0.0
	for j, i := range p.box {
		w := (i.Hi - i.Lo) / 2 * o.unit
		diagonal += float64(w * w)
		constant += a[j] * ((i.Lo + i.Hi) / 2 * o.unit)
	}
	if curve > 0 {
		constant += curve * diagonal
	}
	size += math.Abs(curve) * diagonal
	f.add((constant + cutNoise*float64(len(a)+8)*size) / o.unit)
}

// cutNoise bounds the relative rounding error of each of the terms of a cut, several
// times over.
const cutNoise = 0x1p-50

// bend returns β and K with net/√t ≤ K + β·t for √t from near to far; middle is t at
// the middle of the box. It is false when third powers are out of range.
func bend(net, near, far, middle float64) (beta, rest float64, ok bool) {
	if net > 0 {
		cube := near * far * (near + far)
		return -net / cube, net * (near*near + near*far + far*far) / cube, precise.Usual(cube)
	}
	middle = max(middle, near*near, far*far/16)
	cube := middle * math.Sqrt(middle)
	return -net / 2 / cube, 1.5 * net / math.Sqrt(middle), precise.Usual(cube)
}

// addTangent adds the half-space in which the tangent at u of the sum Σ net/‖·−P‖
// is not negative, in units of the search.
func (o *opener) addTangent(f *rowFamily, u []float64, terms []term) {
	a := f.next()
	value := 0.0
	for _, t := range terms {
		p := o.point(t.group)
		squared := 0.0
		for j, e := range u {
			e = (e - p[j]) * o.unit
			squared += float64(e * e)
		}
		if squared == 0 {
			f.drop()
			return
		}
		weight := float64(t.net) / math.Sqrt(squared)
		value += weight
		for j, e := range u {
			a[j] += weight / squared * ((e - p[j]) * o.unit)
		}
	}
	for j, e := range u {
		value += a[j] * (e * o.unit)
	}
	f.add(value / o.unit)
}
