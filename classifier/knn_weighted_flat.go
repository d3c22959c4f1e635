package classifier

import (
	"cmp"
	"math"
	"math/big"
)

// Sets of neighbours without interior (equally far rows of a grid) must not be split
// into small boxes along a line or a plane. That bisectors and sides of the domain
// leave no interior is proven exactly: some of them, with a·u ≤ b, have λ > 0 with
// Σ λ a = 0 and Σ λ b ≤ 0 (Farkas), at most one more than there are dimensions.

// mostFlat is the number of rows that are tried: those that pass the closest point
// of a set.
const mostFlat = 12

// flatShare is how near they pass, in units of the scale.
const flatShare = 1e-7

// flatRow is a half-space a·u ≤ b in rational numbers, without the coordinates that
// the domain fixes.
type flatRow struct {
	a []*big.Rat
	b *big.Rat
}

// flat reports whether the set of a part is proven to have no interior.
func (o *weightedOpener) flat(part *weightedPart) bool {
	rows := o.flatRows(part)
	lambda := make([]*big.Rat, 0, len(rows))
	var chosen []flatRow
	var choose func(from, room int) bool
	choose = func(from, room int) bool {
		if len(chosen) > 1 && contradict(chosen, lambda) {
			return true
		}
		for i := from; room > 0 && i < len(rows); i++ {
			chosen = append(chosen, rows[i])
			if choose(i+1, room-1) {
				return true
			}
			chosen = chosen[:len(chosen)-1]
		}
		return false
	}
	return choose(0, len(part.lo)+1)
}

// flatRows lists the bisectors and the sides of the domain next to the closest point.
func (o *weightedOpener) flatRows(part *weightedPart) (rows []flatRow) {
	for j, i := range o.q.Domain {
		if i.Lo == i.Hi {
			continue
		}
		if math.Abs(part.point[j]-o.domain[j].Lo) <= flatShare*o.scale {
			rows = append(rows, o.flatSide(j, -1, i.Lo))
		}
		if math.Abs(part.point[j]-o.domain[j].Hi) <= flatShare*o.scale {
			rows = append(rows, o.flatSide(j, 1, i.Hi))
		}
	}
	o.family.reset(len(part.point))
	for _, p := range part.pairs {
		o.addPair(p)
	}
	for i, p := range part.pairs {
		length, excess := 0.0, -o.family.b[i]
		for j, a := range o.family.row(i) {
			length += math.Abs(a)
			excess += a * part.point[j]
		}
		if len(rows) < mostFlat && math.Abs(excess) <= flatShare*o.scale*length {
			rows = append(rows, o.flatPair(p))
		}
	}
	return rows
}

func rational(v float64) *big.Rat { return new(big.Rat).SetFloat64(v) }

// free lists the coordinates that the domain does not fix.
func (s *weightedSearch) free() (free []int) {
	for j := range s.q.X {
		if s.q.Domain == nil || s.q.Domain[j].Lo < s.q.Domain[j].Hi {
			free = append(free, j)
		}
	}
	return free
}

// group takes over the groups of rows at one place. A domain that fixes coordinates may
// have more rows that are equally far from all its inputs, such as mirror images: there the
// order of the rows decides, as it does between equal rows.
func (s *weightedSearch) group() {
	s.groups, s.groupOf = s.c.groups, s.c.groupOf
	free := s.free()
	if len(free) == len(s.q.X) {
		return
	}
	away := make([]*big.Rat, s.c.Len()) // squared distance in the fixed coordinates
	for row := range away {
		away[row] = new(big.Rat)
		p, _ := s.c.Row(row)
		for j, i := range s.q.Domain {
			if i.Lo == i.Hi {
				d := rational(p[j])
				d.Sub(d, rational(i.Lo))
				away[row].Add(away[row], d.Mul(d, d))
			}
		}
	}
	s.groups, s.groupOf = groupRows(s.c.Len(), func(i, j int32) int {
		p, _ := s.c.Row(int(i))
		q, _ := s.c.Row(int(j))
		for _, f := range free {
			if order := cmp.Compare(p[f], q[f]); order != 0 {
				return order
			}
		}
		return away[i].Cmp(away[j])
	})
}

// flatSide is sign·u_j ≤ sign·(end − X_j).
func (o *weightedOpener) flatSide(j int, sign int64, end float64) flatRow {
	r := flatRow{b: rational(end)}
	r.b.Sub(r.b, rational(o.q.X[j])).Mul(r.b, big.NewRat(sign, 1))
	for _, i := range o.free() {
		if i == j {
			r.a = append(r.a, big.NewRat(sign, 1))
		} else {
			r.a = append(r.a, new(big.Rat))
		}
	}
	return r
}

// flatPair is 2(Q−P)·u ≤ ‖Q‖² − ‖P‖², P the nearer and Q the farther group.
func (o *weightedOpener) flatPair(pair precedence) flatRow {
	nearer, _ := o.c.Row(int(o.groups[pair.nearer][0]))
	farther, _ := o.c.Row(int(o.groups[pair.farther][0]))
	r := flatRow{b: new(big.Rat)}
	for j, x := range o.q.X {
		p := rational(nearer[j])
		q := rational(farther[j])
		p.Sub(p, rational(x))
		q.Sub(q, rational(x))
		d := new(big.Rat).Sub(q, p)
		r.b.Add(r.b, new(big.Rat).Mul(d, new(big.Rat).Add(q, p)))
		d.Add(d, d)
		if o.q.Domain == nil || o.q.Domain[j].Lo < o.q.Domain[j].Hi {
			r.a = append(r.a, d)
			continue
		}
		fixed := rational(o.q.Domain[j].Lo)
		r.b.Sub(r.b, fixed.Sub(fixed, rational(x)).Mul(fixed, d))
	}
	return r
}

// contradict reports whether positive multiples of all the rows add up to 0·u ≤ b
// with b ≤ 0, the multiple of the first being 1 and the others determined by that.
func contradict(rows []flatRow, lambda []*big.Rat) bool {
	n := len(rows) - 1
	var system [][]*big.Rat // of Σ λ_i a_i = −a_0
	for j := range rows[0].a {
		line := make([]*big.Rat, n+1)
		for i := range n {
			line[i] = new(big.Rat).Set(rows[i+1].a[j])
		}
		line[n] = new(big.Rat).Neg(rows[0].a[j])
		system = append(system, line)
	}
	if lambda = solveExactly(system, n, lambda[:0]); len(lambda) < n {
		return false
	}
	sum := new(big.Rat).Set(rows[0].b)
	for i, l := range lambda {
		if l.Sign() <= 0 {
			return false
		}
		sum.Add(sum, new(big.Rat).Mul(l, rows[i+1].b))
	}
	return sum.Sign() <= 0
}

// solveExactly returns the only solution of a system of linear equations with n
// unknowns, appended to into; fewer numbers when there is none or more than one.
func solveExactly(system [][]*big.Rat, n int, into []*big.Rat) []*big.Rat {
	for c := range n {
		pivot := c
		for pivot < len(system) && system[pivot][c].Sign() == 0 {
			pivot++
		}
		if pivot == len(system) {
			return into
		}
		system[c], system[pivot] = system[pivot], system[c]
		for i := range system {
			if i == c || system[i][c].Sign() == 0 {
				continue
			}
			factor := new(big.Rat).Quo(system[i][c], system[c][c])
			for j := c; j <= n; j++ {
				system[i][j].Sub(system[i][j], new(big.Rat).Mul(factor, system[c][j]))
			}
		}
	}
	for _, line := range system[min(n, len(system)):] {
		if line[n].Sign() != 0 {
			return into
		}
	}
	for c := range n {
		into = append(into, new(big.Rat).Quo(system[c][n], system[c][c]))
	}
	return into
}
