package soundness

import (
	"math"
	"math/big"

	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// halfSpace returns the weights and the threshold of the real inputs that go left,
// and the threshold above which they go right. A test of one feature ends at the very
// float64 where the rounded product does; what lies between that and the next is no
// input, and goes nowhere. Its sides are firm, since a single float64 is a cell.
func (in *Oblique) halfSpace(n trees.Node) (w []float64, left, right *big.Rat) {
	only := -1
	for j, w := range n.Weights {
		switch {
		case w == 0:
		case only >= 0:
			return n.Weights, rat(n.Threshold), rat(n.Threshold)
		default:
			only = j
		}
	}
	if only < 0 || in.Custom {
		return n.Weights, rat(n.Threshold), rat(n.Threshold)
	}
	unit := make([]float64, len(n.Weights))
	unit[only] = math.Copysign(1, n.Weights[only])
	end := lastBelow(math.Abs(n.Weights[only]), n.Threshold)
	return unit, rat(end), rat(math.Nextafter(end, math.Inf(1)))
}

// lastBelow returns the largest float64 whose product with w > 0, rounded, is at most
// t, by bisection over the float64 in their order.
func lastBelow(w, t float64) float64 {
	low, high := rank(-math.MaxFloat64), rank(math.Inf(1))
	for high-low > 1 {
		middle := low + (high-low)/2
		if ranked(middle)*w <= t {
			low = middle
		} else {
			high = middle
		}
	}
	return ranked(low)
}

// rank numbers the float64 in their order, and ranked is its inverse.
func rank(v float64) uint64 {
	b := math.Float64bits(v)
	if b>>63 == 1 {
		return ^b
	}
	return b | 1<<63
}

func ranked(b uint64) float64 {
	if b>>63 == 1 {
		return math.Float64frombits(b &^ (1 << 63))
	}
	return math.Float64frombits(^b)
}

// obliqueOracle goes through the intersections of leaves.
type obliqueOracle struct {
	*frame
	in   *Oblique
	from int
}

// infimum returns the distance to the nearest cell whose label answers.
func (in *Oblique) infimum(from int) Infimum { return in.within(from, 0) }

func (in *Oblique) within(from int, margin float64) Infimum {
	o := &obliqueOracle{in: in, from: from}
	o.frame = newFrame(&in.Query, commonUnit(in.Query.X, in.Query.ends()), margin)
	o.descend(0, 0, nil, nil)
	return o.frame.infimum()
}

// descend goes on to the leaves below node at of a tree and then to the next tree.
func (o *obliqueOracle) descend(tree, at int, rows []row, leaves [][]float64) {
	if tree == len(o.in.Trees) {
		if o.in.Query.reaches(o.from, o.in.decide(leaves)) {
			o.offer(rows)
		}
		return
	}
	n := o.in.Trees[tree][at]
	if n.Left < 0 {
		if _, ok := o.nearest(append(rows[:len(rows):len(rows)], o.sides...), o.best); ok {
			o.descend(tree+1, 0, rows, append(leaves[:len(leaves):len(leaves)], n.Value))
		}
		return
	}
	if math.IsInf(n.Threshold, 0) {
		o.descend(tree, side(n, n.Threshold > 0), rows, leaves)
		return
	}
	w, left, right := o.in.halfSpace(n)
	r, zero := o.row(w, left)
	if zero {
		o.descend(tree, side(n, r.b.Sign() >= 0), rows, leaves)
		return
	}
	s, _ := o.row(w, right)
	r.firm = left.Cmp(right) != 0
	s.firm = r.firm
	o.descend(tree, n.Left, append(rows[:len(rows):len(rows)], r), leaves)
	o.descend(tree, n.Right, append(rows[:len(rows):len(rows)], opposite(s)), leaves)
}

// row returns w·z ≤ t in free coordinates, and whether they do not matter.
func (o *obliqueOracle) row(w []float64, t *big.Rat) (row, bool) {
	weights := integers(w, commonUnit(w))
	slack := shifted(t, -commonUnit(w)-o.unit)
	var product big.Int
	for j, x := range integers(o.in.Query.X, o.unit) {
		if o.fixed[j] != nil {
			x.Add(x, o.fixed[j])
		}
		product.Mul(weights[j], x)
		slack.Sub(slack, new(big.Rat).SetInt(&product))
	}
	r, zero := row{b: new(big.Int).Set(slack.Num())}, true
	for _, j := range o.free {
		zero = zero && weights[j].Sign() == 0
		r.a = append(r.a, weights[j].Mul(weights[j], slack.Denom()))
	}
	return r, zero
}

func opposite(r row) row {
	s := row{b: new(big.Int).Neg(r.b), firm: r.firm}
	for _, e := range r.a {
		s.a = append(s.a, new(big.Int).Neg(e))
	}
	return s
}
