package orderk

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/classifier/search"
	"github.com/seed-1a7dc1f9/facet/internal/closest"
	"github.com/seed-1a7dc1f9/facet/internal/neighbors"
	"github.com/seed-1a7dc1f9/facet/internal/nnindex"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
)

// distance returns the distance of a row from X, rounded down.
func (r *row) distance() float64 {
	const down = 1 - 0x1p-40
	if b := (-r.b - r.err) * down; b > 0 && b <= math.MaxFloat64 {
		return b
	}
	return 0
}

// solve finds the point nearest to X that satisfies the decisions on the path.
// Rows that the path implies without having needed them so far are added when
// they are violated.
func (o *orderOpener) solve(ctx context.Context, p *orderPart, cutoff float64) (closest.Status, error) {
	o.rows, o.impossible = o.rows[:0], false
	o.program.start(o.path[1:])
	switch p.kind {
	case forcePart:
		o.add(o.bisector(p.pivot.id, p.list[p.at]))
	case joinPart:
		o.add(o.bisector(p.list[p.at], p.pivot.id))
	case enterPart:
		o.add(o.bisector(p.list[p.at], p.rival))
	}
	for {
		if o.impossible {
			return closest.Infeasible, nil
		}
		o.solves++
		status, err := o.program.solve(ctx, cutoff)
		if status == closest.Infeasible && err == nil && !o.contradictory() {
			err = neighbors.ErrContradiction
		}
		if err != nil || status != closest.Optimal {
			return status, err
		}
		o.move()
		if !o.addImplied() {
			return closest.Optimal, nil
		}
	}
}

// move goes to the point of the program.
func (o *orderOpener) move() {
	o.u = o.program.u()
	var length, drift float64
	for j, u := range o.u {
		z, low := precise.TwoSum(o.q.X[j], u)
		if o.q.Domain != nil {
			near := o.q.Domain[j].Closest(z)
			low += z - near
			z = near
		}
		o.z[j] = z
		length += u * u
		drift += low * low
	}
	o.length, o.drift = math.Sqrt(length), math.Sqrt(drift)*(1+neighbors.Spread)
}

// add appends a row to the program. One without coefficients holds everywhere or
// nowhere.
func (o *orderOpener) add(r row) {
	if r.a == nil {
		o.impossible = o.impossible || r.b < 0
		return
	}
	r.a = slices.Clone(r.a)
	o.rows = append(o.rows, r)
	o.program.add(r)
}

// bisector returns the row that p is at least as near as q. Between equal rows
// their order decides, and the row has no coefficients. The next call overwrites
// them.
func (o *orderOpener) bisector(p, q int32) row {
	xp := o.table.Row(p)
	xq := o.table.Row(q)
	b, err := neighbors.BisectorWithin(o.a, o.q.X, xp, xq)
	length := o.q.Norm.Dual().Length(o.a)
	r := row{before: p, after: q, length: length}
	if length == 0 {
		if q < p {
			r.b = -1
		}
		return r
	}
	for j := range o.a {
		o.a[j] /= length
	}
	r.a = o.a
	if r.b = b / length; length > math.MaxFloat64 {
		r.b = math.NaN() // the program gives up on it
	}
	r.err = err/length + 2*precise.Roundoff*float64(o.table.Dim)*math.Abs(r.b)
	return r
}

// violated reports whether the current point lies outside a row by more than
// rounding.
func (o *orderOpener) violated(r *row) bool {
	if r.a == nil {
		return r.b < 0
	}
	return precise.Dot(r.a, o.u)-r.b > roundedRow*max(o.program.value(), math.Abs(r.b))
}

// roundedRow is the violation, relative to the numbers that make up a row,
// that counts as rounding, as in package closest.
const roundedRow = 1e-12

// ahead returns a lower bound on the distance of the points of the part that
// satisfy one more row.
func (o *orderOpener) ahead(r row) float64 {
	if r.a == nil {
		if r.b < 0 {
			return math.Inf(1)
		}
		return 0
	}
	return max(r.distance(), o.program.ahead(r))
}

// addImplied adds rows that the current point violates: sides of the
// domain, and that neighbours come before others.
func (o *orderOpener) addImplied() bool {
	before := len(o.rows)
	o.addSides()
	o.addOrder()
	return len(o.rows) > before
}

func (o *orderOpener) addSides() {
	for j, i := range o.q.Domain {
		if b := i.Hi - o.q.X[j]; o.u[j] > b {
			o.addSide(j, 1, b)
		}
		if b := o.q.X[j] - i.Lo; -o.u[j] > b {
			o.addSide(j, -1, b)
		}
	}
}

func (o *orderOpener) addSide(j int, sign, b float64) {
	name := int32(2*j + 1)
	if sign < 0 {
		name++
	}
	r := row{a: make([]float64, o.table.Dim), b: b, err: 0x1p-53 * math.Abs(b), before: -1, after: -name}
	r.a[j] = sign
	o.addViolated(r)
}

// addViolated adds a row if the current point violates it, once for a part: the
// program lets a small violation stand when rounding hides whether any point
// satisfies all rows.
func (o *orderOpener) addViolated(r row) {
	added := func(s row) bool { return s.before == r.before && s.after == r.after }
	if o.violated(&r) && !slices.ContainsFunc(o.rows, added) {
		o.add(r)
	}
}

// addOrder adds the row between the farthest of the rows that are neighbours by
// decision and the nearest of those that are not.
func (o *orderOpener) addOrder() {
	if len(o.in) == 0 || len(o.out) == 0 {
		return
	}
	farthest := o.farthestOf(o.in)
	if q := o.nearestOf(o.out, o.squared(farthest)); q >= 0 {
		o.addViolated(o.bisector(farthest, q))
	}
}

// squared returns the squared distance of a training row from X+u.
func (o *orderOpener) squared(id int32) float64 {
	p := o.table.Row(id)
	return nnindex.Moved(o.q.X, o.u, p)
}

// nearestOf returns the first of the rows in (distance, row), −1 if it lies beyond a limit.
func (o *orderOpener) nearestOf(ids []int32, limit float64) int32 {
	nearest := nnindex.Neighbor{Squared: limit, ID: math.MaxInt32}
	for _, id := range ids {
		if n := (nnindex.Neighbor{Squared: o.squared(id), ID: id}); n.Compare(nearest) < 0 {
			nearest = n
		}
	}
	if nearest.ID == math.MaxInt32 {
		return -1
	}
	return nearest.ID
}

// farthestOf returns the last of the rows in (distance, row).
func (o *orderOpener) farthestOf(ids []int32) int32 {
	farthest := nnindex.Neighbor{Squared: -1, ID: -1}
	for _, id := range ids {
		if n := (nnindex.Neighbor{Squared: o.squared(id), ID: id}); n.Compare(farthest) > 0 {
			farthest = n
		}
	}
	return farthest.ID
}

// failed wraps an error that leaves a part undecided.
func failed(p *orderPart, bound float64, err error) error {
	return &search.Undecided{Bound: bound, Err: fmt.Errorf("classifier: k-NN, training row %d: %w", p.pivot.id, err)}
}
