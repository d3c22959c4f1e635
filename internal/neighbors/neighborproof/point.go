package neighborproof

import (
	"math"
	"math/big"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/neighbors"
	"github.com/seed-1a7dc1f9/facet/internal/nnindex"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
)

// point is a point X+u that satisfies the half-spaces.
type point struct {
	u      []float64
	value  float64 // ‖u‖
	length float64 // ‖u‖₂
	pivot  float64 // squared distance of the pivot
	// exact is the point itself where u is rounded, nil where u is the point.
	exact []*big.Rat
}

// candidate is a row that is looked at often.
type candidate struct {
	id     int32
	square float64 // ‖x − X‖₂²
	length float64 // ‖x − X‖ in the dual norm
	// ‖x − z‖₂² − ‖X − z‖₂² lies between these for all z nearer than the bound.
	least, most float64
	depth       float64 // how far the point lies beyond the bisector with the pivot; 0 if not
}

func (w *writer) newCandidate(id int32) candidate {
	r := candidate{
		id:     id,
		square: w.squared[id],
		length: neighbors.DualDistance(w.Cost, w.X, w.table.Row(id)),
	}
	slack := 2 * w.bound * r.length * (1 + neighbors.Spread)
	r.least, r.most = r.square*(1-neighbors.Spread)-slack, r.square*(1+neighbors.Spread)+slack
	if math.IsInf(w.bound, 1) {
		r.least, r.most = math.Inf(-1), math.Inf(1)
	}
	return r
}

// moveTo makes the point of a program the current one.
func (t *tree) moveTo(u []float64) {
	for j, e := range u {
		t.at.u[j] = e / t.scale
	}
	t.at.exact = nil
	t.look()
}

// look finds which rows come before the pivot at the point.
func (t *tree) look() {
	at := &t.at
	at.value, at.length = geometry.Length(t.Norm, at.u), math.Sqrt(precise.Dot(at.u, at.u))
	x := t.table.Row(t.pivot)
	at.pivot = nnindex.Moved(t.X, at.u, x)
	limit := at.pivot*(1+neighbors.Spread) - at.length*at.length*(1-neighbors.Spread)
	slope := 2 * at.value * (1 + neighbors.Spread)
	for _, rows := range [][]candidate{t.others, t.joiners} {
		for i := range rows {
			r := &rows[i]
			if r.depth = 0; r.square*(1-neighbors.Spread)-slope*r.length > limit {
				continue // it is farther away, without a look at it
			}
			row := t.table.Row(r.id)
			margin := at.pivot - nnindex.Moved(t.X, at.u, row)
			if t.comesBefore(r.id, t.pivot, margin, at.pivot) {
				r.depth = math.Inf(1)
				if length := neighbors.DualDistance(t.Cost, row, x); length > 0 {
					r.depth = max(margin/length, math.SmallestNonzeroFloat64)
				}
			}
		}
	}
}

// comesBefore reports whether row p comes before row q at the point, by more than rounding unless
// that is exact. margin is the difference of their squared distances, squared the greater of them.
func (t *tree) comesBefore(p, q int32, margin, squared float64) bool {
	if tolerance := t.tolerance(squared); margin > tolerance || margin < -tolerance {
		return margin > 0
	}
	return t.violates(pair{q, p})
}

// tolerance is the difference of squared distances from the point, the greater of them squared,
// within which their half-space decides which of two rows comes first.
func (t *tree) tolerance(squared float64) float64 {
	return neighbors.Tolerance(len(t.X), squared, t.at.length)
}

// compare compares the distances of two rows from the point. Where it is exact so are they.
func (t *tree) compare(p, q nnindex.Neighbor) int {
	if t.at.exact == nil || p.ID == q.ID ||
		math.Abs(p.Squared-q.Squared) > t.tolerance(max(p.Squared, q.Squared)) {
		return p.Compare(q)
	}
	if t.violates(pair{q.ID, p.ID}) {
		return -1
	}
	return 1
}

// violates reports whether the point lies outside a half-space, by more than rounding unless it is
// exact.
func (t *tree) violates(p pair) bool {
	if t.at.exact != nil {
		a, b := t.exactly(p)
		for j, e := range a {
			b.Sub(b, e.Mul(e, t.at.exact[j]))
		}
		return b.Sign() < 0 || b.Sign() == 0 && p.open()
	}
	b, _ := t.fill(t.a, p)
	length := geometry.DualLength(t.Norm, t.a)
	if length == 0 {
		return p.open()
	}
	return precise.Dot(t.a, t.at.u)-b > neighbors.Rounded*max(t.at.value*length, math.Abs(b))
}

// addImplied adds half-spaces that the decisions imply and the point violates. Only a thorough
// look sees those of rows that are far from the pivot.
func (t *tree) addImplied(thorough bool) (added, closed bool) {
	n := len(t.terms)
	for j, i := range t.Domain {
		if t.at.u[j] > i.Hi-t.X[j] {
			t.addViolated(pair{upper, int32(j)})
		}
		if -t.at.u[j] > t.X[j]-i.Lo {
			t.addViolated(pair{lower, int32(j)})
		}
	}
	if t.preceding == t.Allowed && t.addDeepest(t.others, true) {
		return true, true
	}
	if t.addDeepest(t.joiners, t.joined == t.Required-1) {
		return true, true
	}
	if t.addOrder(thorough) {
		return true, true
	}
	return len(t.terms) > n, false
}

// addViolated adds a half-space once, if the point violates it.
func (t *tree) addViolated(p pair) (closed bool) {
	return !slices.Contains(t.terms, p) && t.violates(p) && t.add(p)
}

// addDeepest adds that the pivot comes before the row that comes before it by most, of those that
// may not: those that come after it by decision and, if all, those that do not come before it
// by decision.
func (t *tree) addDeepest(rows []candidate, all bool) (closed bool) {
	var deepest *candidate
	for i := range rows {
		r := &rows[i]
		m := t.marks[r.id]
		if r.depth > 0 && m&before == 0 && (all || m&after != 0) &&
			(deepest == nil || r.depth > deepest.depth) {
			deepest = r
		}
	}
	return deepest != nil && t.addViolated(pair{t.pivot, deepest.id})
}

// addOrder adds that the farthest of the neighbours comes before the nearest row that is none.
func (t *tree) addOrder(thorough bool) (closed bool) {
	full := thorough && t.inside == t.k
	if t.outside == 0 && !full {
		return false
	}
	farthest, nearest := nnindex.Neighbor{ID: -1}, nnindex.Neighbor{ID: -1}
	visit := func(id int32) {
		n := nnindex.Neighbor{Squared: nnindex.Moved(t.X, t.at.u, t.table.Row(id)), ID: id}
		if t.marks[id]&in != 0 {
			if farthest.ID < 0 || t.compare(n, farthest) > 0 {
				farthest = n
			}
		} else if nearest.ID < 0 || t.compare(n, nearest) < 0 {
			nearest = n
		}
	}
	if full {
		for id := range int32(t.table.Len()) {
			visit(id)
		}
	} else {
		for _, m := range t.decided {
			if m.bits&(in|out) != 0 {
				visit(m.row)
			}
		}
	}
	return nearest.ID >= 0 && t.addViolated(pair{farthest.ID, nearest.ID})
}

// crossing returns the branching that the rows before the pivot at the point call for: too many
// rivals, or too few supporting rows. nil if neither.
func (t *tree) crossing() *branching {
	if system := t.Allowed - t.preceding; t.deepest(t.others, system+1) {
		b := &branching{kind: 'r'}
		for _, r := range t.top.Rows {
			b.list = append(b.list, r.ID)
		}
		return b
	}
	need := t.Required - 1 - t.joined
	there := 0
	for _, q := range t.joiners {
		if q.depth > 0 && t.marks[q.id]&(before|after) == 0 {
			there++
		}
	}
	if there >= need {
		return nil
	}
	b := &branching{kind: 'q', list: []int32{}}
	for _, q := range t.joiners {
		if t.marks[q.id]&(before|after) == 0 && q.depth == 0 {
			b.list = append(b.list, q.id)
		}
	}
	// As many rows as may be left out beside those that are there.
	b.list = b.list[:max(0, len(b.list)-(need-1-there))]
	return b
}

// deepest finds which rows, of those that are undecided, come before the pivot at the point by
// most, and reports whether there are so many.
func (t *tree) deepest(rows []candidate, n int) bool {
	t.top.Reset(n)
	for _, r := range rows {
		if r.depth > 0 && t.marks[r.id]&(before|after) == 0 {
			t.top.Offer(r.depth, r.id)
		}
	}
	return t.top.Full()
}
