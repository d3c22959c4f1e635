package soundness

import (
	"iter"
	"math"
	"math/big"
	"slices"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Oblique is an attack on linear decision trees, or on a user's classifier that
// lists the cells of one.
type Oblique struct {
	Dim     int
	Trees   [][]classifier.ObliqueNode
	Vote    classifier.Vote
	Rounded bool // sums are float32
	// Alone attacks the first tree without a vote.
	Alone bool
	// Listed hides the classifier's own search: its cells are listed.
	Listed bool
	// Custom attacks a classifier of this package that lists the leaves of the first
	// tree as half-spaces.
	Custom bool
	Query  Query
}

// Check implements Instance.
func (in *Oblique) Check(seed uint64) []Failure {
	truth := Truth{Infimum: in.infimum, Within: in.within, Label: in.label}
	if in.Custom {
		return checkAttack(&partition{in}, &in.Query, truth, seed)
	}
	c, err := in.classifier()
	if err != nil {
		return []Failure{{'E', err.Error()}}
	}
	if in.Listed {
		return checkAttack(listed{c}, &in.Query, truth, seed)
	}
	return checkAttack(c, &in.Query, truth, seed)
}

func (in *Oblique) classifier() (classifier.Decomposable, error) {
	var trees []*classifier.ObliqueTree
	for _, nodes := range in.Trees {
		t, err := classifier.NewObliqueTree(in.Dim, nodes)
		if err != nil {
			return nil, err
		}
		trees = append(trees, t)
	}
	if in.Alone {
		return trees[0], nil
	}
	return classifier.NewObliqueEnsemble(trees, classifier.EnsembleOptions{Vote: in.Vote, Single: in.Rounded})
}

// decide turns leaves into a label.
func (in *Oblique) decide(leaves [][]float64) int {
	if in.Alone || in.Custom {
		return largest(leaves[0])
	}
	return ballot(in.Vote, nil, in.Rounded, leaves)
}

// label is the exact label at z, sure unless a test of several features holds with
// equality.
func (in *Oblique) label(z []float64) (int, bool) {
	var leaves [][]float64
	sure := true
	for _, nodes := range in.Trees {
		at := 0
		for nodes[at].Left >= 0 {
			left, clear := in.test(nodes[at], z)
			sure = sure && clear
			if left {
				at = nodes[at].Left
			} else {
				at = nodes[at].Right
			}
		}
		leaves = append(leaves, nodes[at].Value)
	}
	return in.decide(leaves), sure
}

// test tells whether z goes left, and whether that is so around z.
func (in *Oblique) test(n classifier.ObliqueNode, z []float64) (left, clear bool) {
	if math.IsInf(n.Threshold, 0) {
		return n.Threshold > 0, true
	}
	w, t, _ := in.halfSpace(n)
	sum := new(big.Rat).Neg(t)
	for j, e := range w {
		sum.Add(sum, new(big.Rat).Mul(rat(e), rat(z[j])))
	}
	free := false
	for j, e := range w {
		flat := in.Query.Domain != nil && in.Query.Domain[j].Lo == in.Query.Domain[j].Hi
		free = free || (e != 0 && !flat)
	}
	return sum.Sign() <= 0, sum.Sign() != 0 || !free
}

// halfSpace returns the weights and the threshold of the real inputs that go left,
// and the threshold above which they go right. A test of one feature ends at the very
// float64 where the rounded product does; what lies between that and the next is no
// input, and goes nowhere. Its sides are firm, since a single float64 is a cell.
func (in *Oblique) halfSpace(n classifier.ObliqueNode) (w []float64, left, right *big.Rat) {
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

func side(n classifier.ObliqueNode, left bool) int {
	if left {
		return n.Left
	}
	return n.Right
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

// partition is a user's classifier: the leaves of a linear decision tree, listed.
type partition struct{ in *Oblique }

func (p *partition) Dim() int { return p.in.Dim }

func (p *partition) Classes() int { return len(p.in.Trees[0][0].Value) }

func (p *partition) Predict(x []float64) int {
	nodes, at := p.in.Trees[0], 0
	for nodes[at].Left >= 0 {
		sum := 0.0
		for j, w := range nodes[at].Weights {
			sum += float64(w * x[j])
		}
		at = side(nodes[at], sum <= nodes[at].Threshold)
	}
	return largest(nodes[at].Value)
}

func (p *partition) Cells() iter.Seq[classifier.Cell] {
	return func(yield func(classifier.Cell) bool) {
		p.leaves(0, nil, yield)
	}
}

func (p *partition) leaves(at int, sides []polytope.HalfSpace, yield func(classifier.Cell) bool) bool {
	n := p.in.Trees[0][at]
	if n.Left < 0 {
		return yield(classifier.Cell{Label: largest(n.Value), Region: polytope.Polyhedron{HalfSpaces: sides}})
	}
	against := make([]float64, len(n.Weights))
	for j, w := range n.Weights {
		against[j] = -w
	}
	sides = sides[:len(sides):len(sides)]
	return p.leaves(n.Left, append(sides, polytope.HalfSpace{A: n.Weights, B: n.Threshold}), yield) &&
		p.leaves(n.Right, append(sides, polytope.HalfSpace{A: against, B: -n.Threshold, Open: true}), yield)
}

// Smaller implements Instance.
func (in *Oblique) Smaller() iter.Seq[Instance] {
	return func(yield func(Instance) bool) {
		for i := range in.Trees {
			c := *in
			if c.Trees = slices.Delete(slices.Clone(in.Trees), i, i+1); len(c.Trees) > 0 && !yield(&c) {
				return
			}
		}
		for i, nodes := range in.Trees {
			for smaller := range smallerObliqueTrees(nodes) {
				c := *in
				c.Trees = slices.Clone(in.Trees)
				if c.Trees[i] = smaller; !yield(&c) {
					return
				}
			}
		}
		for q := range simplerQueries(in.Query) {
			c := *in
			if c.Query = q; !yield(&c) {
				return
			}
		}
		for j, v := range in.Query.X {
			for _, simple := range append(rounder(v), 0) {
				c := *in
				c.Query.X = slices.Clone(in.Query.X)
				if c.Query.X[j] = simple; simple != v && !yield(&c) {
					return
				}
			}
		}
	}
}

// smallerObliqueTrees lists trees in which a node is one of its sides, or a number is
// rounder.
func smallerObliqueTrees(nodes []classifier.ObliqueNode) iter.Seq[[]classifier.ObliqueNode] {
	return func(yield func([]classifier.ObliqueNode) bool) {
		for i, n := range nodes {
			if simple := simplerValues(n.Value, n.Left < 0); simple != nil {
				c := slices.Clone(nodes)
				if c[i].Value = simple; !yield(c) {
					return
				}
			}
			if n.Left < 0 {
				continue
			}
			for _, s := range []int{n.Left, n.Right} {
				if !yield(graftedOblique(nodes, i, s)) {
					return
				}
			}
			for _, simple := range rounder(n.Threshold) {
				c := slices.Clone(nodes)
				if c[i].Threshold = simple; !yield(c) {
					return
				}
			}
			for j, w := range n.Weights {
				for _, simple := range rounder(w) {
					c := slices.Clone(nodes)
					c[i].Weights = slices.Clone(n.Weights)
					if c[i].Weights[j] = simple; !yield(c) {
						return
					}
				}
			}
		}
	}
}

// graftedOblique returns the tree with node below in the place of node at.
func graftedOblique(nodes []classifier.ObliqueNode, at, below int) []classifier.ObliqueNode {
	var out []classifier.ObliqueNode
	var add func(i int) int
	add = func(i int) int {
		if i == at {
			i = below
		}
		place := len(out)
		out = append(out, nodes[i])
		if nodes[i].Left >= 0 {
			left := add(nodes[i].Left)
			right := add(nodes[i].Right)
			out[place].Left, out[place].Right = left, right
		}
		return place
	}
	add(0)
	return out
}
