package soundness

import (
	"math"
	"math/big"

	"github.com/seed-1a7dc1f9/facet/internal/testing/oracle"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// halfSpace returns the weights and the threshold of the real inputs that go left. A test of one
// feature sends a float64 where the rounded product says: none goes right that the exact product
// sends left. Between two float64 the exact product counts.
func (in *Oblique) halfSpace(n trees.Node) (w []float64, t *big.Rat) {
	only := in.only(n)
	if only < 0 || in.Custom {
		return n.Weights, rat(n.Threshold)
	}
	size := math.Abs(n.Weights[only])
	unit := make([]float64, len(n.Weights))
	unit[only] = math.Copysign(1, n.Weights[only])
	end := new(big.Rat).Quo(rat(n.Threshold), rat(size))
	if last := lastBelow(size, n.Threshold); last*size <= n.Threshold && end.Cmp(rat(last)) < 0 {
		end = rat(last)
	}
	return unit, end
}

// only returns the feature that a test is about, −1 if there are several or none.
func (in *Oblique) only(n trees.Node) int {
	only := -1
	for j, w := range n.Weights {
		switch {
		case w == 0:
		case only >= 0:
			return -1
		default:
			only = j
		}
	}
	return only
}

// lastBelow returns the largest float64 whose product with w > 0, rounded, is at most
// t, by bisection over the float64 in their order; the least one if there is none.
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
	oracle.Ruled
	in   *Oblique
	from int
	best *big.Rat
}

// infimum returns the distance to the nearest cell whose label answers.
func (in *Oblique) infimum(from int) Infimum { return in.within(from, 0) }

func (in *Oblique) within(from int, margin float64) Infimum {
	o := &obliqueOracle{Ruled: in.Query.ruled(margin), in: in, from: from}
	o.descend(0, 0, nil, nil)
	return Infimum{None: o.best == nil, Norm: in.Query.Norm, Cost: o.best}
}

// descend goes on to the leaves below node at of a tree and then to the next tree.
func (o *obliqueOracle) descend(tree, at int, halves []oracle.Half, leaves [][]float64) {
	if tree == len(o.in.Trees) {
		if !o.in.Query.reaches(o.from, o.in.decide(leaves)) {
			return
		}
		if cost := o.Below(halves, o.best); cost != nil {
			o.best = cost
		}
		return
	}
	n := o.in.Trees[tree][at]
	if n.Left < 0 {
		whole := o.Ruled
		whole.Inset = 0
		if whole.Below(halves, o.best) != nil {
			o.descend(tree+1, 0, halves, append(leaves[:len(leaves):len(leaves)], n.Value))
		}
		return
	}
	if math.IsInf(n.Threshold, 0) {
		o.descend(tree, side(n, n.Threshold > 0), halves, leaves)
		return
	}
	w, t := o.in.halfSpace(n)
	left := oracle.HalfOf(w, 0, true)
	left.B = t
	right := oracle.Half{B: new(big.Rat).Neg(t)}
	for _, e := range left.A {
		right.A = append(right.A, new(big.Rat).Neg(e))
	}
	o.descend(tree, n.Left, append(halves[:len(halves):len(halves)], left), leaves)
	o.descend(tree, n.Right, append(halves[:len(halves):len(halves)], right), leaves)
}
