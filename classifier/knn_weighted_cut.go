package classifier

import "math"

// addCut adds a half-space that holds wherever in the box of a part the sum Σ
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
func (o *weightedOpener) addCut(part *weightedPart, terms []term) {
	for _, t := range terms {
		if (t.net > 0 && o.near[t.group] == 0) || o.far[t.group] == 0 || math.IsInf(o.far[t.group], 1) {
			return
		}
	}
	if len(terms) == 0 {
		return
	}
	a := o.family.next()
	var constant, size, curve float64
	for _, t := range terms {
		beta, rest, ok := o.bend(part, t)
		if !ok {
			o.family.drop()
			return
		}
		p := o.point(t.group)
		squared, moved := 0.0, 0.0
		for j, lo := range part.lo {
			e := ((lo+part.hi[j])/2 - p[j]) * o.unit
			squared += float64(e * e)
			moved += math.Abs(e) * (math.Abs(lo) + math.Abs(part.hi[j])) * o.unit
			a[j] -= 2 * beta * e
		}
		pad := o.pads[t.group] * o.unit
		pad *= math.Sqrt(float64(len(a))*o.far[t.group])*o.unit + pad
		curve += beta
		constant += rest + beta*squared
		size += math.Abs(rest) + math.Abs(beta)*(squared+2*moved+pad/cutNoise)
	}
	diagonal := 0.0
	for j, lo := range part.lo {
		w := (part.hi[j] - lo) / 2 * o.unit
		diagonal += float64(w * w)
		constant += a[j] * ((lo + part.hi[j]) / 2 * o.unit)
	}
	if curve > 0 {
		constant += curve * diagonal
	}
	size += math.Abs(curve) * diagonal
	o.family.add((constant + cutNoise*float64(len(a)+8)*size) / o.unit)
}

// cutNoise bounds the relative rounding error of each of the terms of a cut, several
// times over.
const cutNoise = 0x1p-50

// duel returns the precedence that decides a sum of two terms that cancel where the
// distances are equal.
func duel(terms []term) (p precedence, ok bool) {
	if len(terms) != 2 || terms[0].net != -terms[1].net {
		return p, false
	}
	if terms[0].net > 0 {
		return precedence{terms[0].group, terms[1].group}, true
	}
	return precedence{terms[1].group, terms[0].group}, true
}

// bend returns β and K with net/√t ≤ K + β·t for the t of a term in the box, in
// units of the search; false when they are out of range.
func (o *weightedOpener) bend(part *weightedPart, t term) (beta, rest float64, ok bool) {
	net := float64(t.net)
	a, b := math.Sqrt(o.near[t.group])*o.unit, math.Sqrt(o.far[t.group])*o.unit
	if net > 0 {
		cube := a * b * (a + b)
		return -net / cube, net * (a*a + a*b + b*b) / cube, inRange(cube)
	}
	middle := 0.0
	for j, p := range o.point(t.group) {
		e := ((part.lo[j]+part.hi[j])/2 - p) * o.unit
		middle += float64(e * e)
	}
	middle = max(middle, a*a, b*b/16)
	cube := middle * math.Sqrt(middle)
	return -net / 2 / cube, 1.5 * net / math.Sqrt(middle), inRange(cube)
}

// inRange reports whether products of a few such numbers keep their precision.
func inRange(cube float64) bool { return cube > 0x1p-900 && cube < 0x1p900 }

// addTangent adds the half-space in which the tangent at u of the sum Σ net/‖·−P‖
// is not negative, in units of the search.
func (o *weightedOpener) addTangent(u []float64, terms []term) {
	if len(terms) == 0 {
		return
	}
	a := o.family.next()
	value := 0.0
	for _, t := range terms {
		p := o.point(t.group)
		squared := 0.0
		for j, e := range u {
			e = (e - p[j]) * o.unit
			squared += float64(e * e)
		}
		if squared == 0 {
			o.family.drop()
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
	o.family.add(value / o.unit)
}

// rowFamily is a list of half-spaces a·u ≤ b of displacements.
type rowFamily struct {
	dim int
	a   []float64 // flat
	b   []float64
}

func (f *rowFamily) reset(dim int) { f.dim, f.a, f.b = dim, f.a[:0], f.b[:0] }

// next returns the coefficients of a new row, all 0, which add completes and drop
// takes back.
func (f *rowFamily) next() []float64 {
	for range f.dim {
		f.a = append(f.a, 0)
	}
	return f.a[len(f.a)-f.dim:]
}

func (f *rowFamily) add(b float64) { f.b = append(f.b, b) }

func (f *rowFamily) drop() { f.a = f.a[:len(f.b)*f.dim] }

func (f *rowFamily) row(i int) []float64 { return f.a[i*f.dim : (i+1)*f.dim] }

// Separate implements polytope.Separator: the deepest row comes first.
func (f *rowFamily) Separate(_, u []float64, add func([]float64, float64) bool) {
	deepest, most := 0, math.Inf(-1)
	for i, b := range f.b {
		var excess, length float64
		for j, a := range f.row(i) {
			excess += a * u[j]
			length += math.Abs(a)
		}
		if length == 0 {
			length = 1
		}
		if excess = (excess - b) / length; excess > most {
			deepest, most = i, excess
		}
	}
	if add(f.row(deepest), f.b[deepest]) {
		return
	}
	for i, b := range f.b {
		if i != deepest && add(f.row(i), b) {
			return
		}
	}
}
