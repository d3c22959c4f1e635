package soundness

import (
	"math"
	"math/big"

	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/testing/oracle"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// frame is a query in integers: displacements from x in multiples of 2^unit, of
// the free coordinates only. Coordinates that the domain fixes add to the distance
// what they must.
type frame struct {
	norm   polytope.Norm
	unit   int
	free   []int
	fixed  []*big.Int     // the displacement of each coordinate that is fixed, else nil
	sides  []oracle.Row   // of the domain
	apart  *big.Rat       // the cost of the fixed coordinates
	inset  *big.Int       // how far from the sides of cells to stay
	best   *big.Rat       // the least cost of a cell, nil without one
	prices []oracle.Price // of the free coordinates, nil if all are 1
	empty  bool           // the rules and the domain leave nothing
	solver oracle.Solver
}

// newFrame takes a unit of which x and the domain are multiples, and how far from the
// sides of cells to stay.
func newFrame(q *Query, unit int, margin float64) *frame {
	unit = min(unit, oracle.UnitOf(margin))
	f := &frame{
		norm:  q.Norm,
		unit:  unit,
		fixed: make([]*big.Int, len(q.X)),
		apart: new(big.Rat),
		inset: oracle.Integer(margin, unit),
	}
	box := q.box()
	f.empty = geometry.EmptyBox(box)
	for j := range q.X {
		if box == nil || box[j].Lo != box[j].Hi {
			f.free = append(f.free, j)
			continue
		}
		f.fixed[j] = f.displacement(q, j, box[j].Lo)
		cost := new(big.Rat).SetInt(f.fixed[j])
		f.apart = joined(f.norm, f.apart,
			costOf(f.norm, []*big.Rat{cost.Mul(cost, priceOf(q.rule(j), f.fixed[j].Sign()))}))
	}
	for at, j := range f.free {
		if box != nil {
			f.side(q, at, j, 1, box[j].Hi, !box[j].HiOpen)
			f.side(q, at, j, -1, box[j].Lo, !box[j].LoOpen)
		}
	}
	for _, h := range q.Linear {
		r, zero := f.row(q.X, h.A, rat(h.B))
		r.Firm = !h.Open
		if f.sides = append(f.sides, r); zero {
			f.empty = f.empty || r.B.Sign() < 0 || r.B.Sign() == 0 && h.Open
		}
	}
	f.price(q)
	return f
}

// displacement returns v − x_j.
func (f *frame) displacement(q *Query, j int, v float64) *big.Int {
	d := oracle.Integer(v, f.unit)
	return d.Sub(d, oracle.Integer(q.X[j], f.unit))
}

// side adds sign·u_j ≤ sign·(v − x_j), unless v is infinite. A closed side is firm: with
// that of a test it may leave a single value, which is a cell.
func (f *frame) side(q *Query, at, j int, sign int64, v float64, closed bool) {
	if math.IsInf(v, 0) {
		return
	}
	r := oracle.Row{
		A: make([]*big.Int, len(f.free)), B: f.displacement(q, j, v), Firm: closed,
	}
	for i := range r.A {
		r.A[i] = new(big.Int)
	}
	r.A[at].SetInt64(sign)
	r.B.Mul(r.B, big.NewInt(sign))
	f.sides = append(f.sides, r)
}

// row returns w·z ≤ t in free coordinates, and whether they do not matter.
func (f *frame) row(at, w []float64, t *big.Rat) (oracle.Row, bool) {
	weights := oracle.Integers(w, oracle.CommonUnit(w))
	slack := shifted(t, -oracle.CommonUnit(w)-f.unit)
	var product big.Int
	for j, x := range oracle.Integers(at, f.unit) {
		if f.fixed[j] != nil {
			x.Add(x, f.fixed[j])
		}
		product.Mul(weights[j], x)
		slack.Sub(slack, new(big.Rat).SetInt(&product))
	}
	r, zero := oracle.Row{B: new(big.Int).Set(slack.Num())}, true
	for _, j := range f.free {
		zero = zero && weights[j].Sign() == 0
		r.A = append(r.A, weights[j].Mul(weights[j], slack.Denom()))
	}
	return r, zero
}

// offer takes up a cell: the rows and the sides of the domain, in free coordinates.
func (f *frame) offer(rows []oracle.Row) {
	if f.inset.Sign() > 0 {
		rows = f.moved(rows)
	}
	if cost := f.nearest(append(rows[:len(rows):len(rows)], f.sides...), f.best); cost != nil {
		f.best = cost
	}
}

// moved returns the rows moved inwards by the inset.
func (f *frame) moved(rows []oracle.Row) []oracle.Row {
	out := make([]oracle.Row, len(rows))
	for i, r := range rows {
		out[i] = r
		var size, term big.Int
		for _, e := range r.A {
			size.Add(&size, term.Abs(e))
		}
		out[i].B = new(big.Int).Sub(r.B, size.Mul(&size, f.inset))
	}
	return out
}

// nearest returns the cost of a cell in the free coordinates, nil if it is not below cutoff.
func (f *frame) nearest(rows []oracle.Row, cutoff *big.Rat) *big.Rat {
	if len(f.free) == 0 {
		return new(big.Rat)
	}
	return f.solver.Nearest(oracle.Norm(f.norm), rows, len(f.free), f.prices, cutoff)
}

// hopeless tells whether no cell can be nearer than the best.
func (f *frame) hopeless() bool { return f.best != nil && f.best.Sign() == 0 }

// infimum returns the distance of the nearest cell.
func (f *frame) infimum() Infimum {
	if f.best == nil || f.empty {
		return Infimum{None: true, Norm: f.norm}
	}
	exponent := f.unit
	if f.norm == polytope.L2 {
		exponent *= 2
	}
	return Infimum{Norm: f.norm, Cost: shifted(joined(f.norm, f.apart, f.best), exponent)}
}
