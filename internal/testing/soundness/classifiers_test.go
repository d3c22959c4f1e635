package soundness

import (
	"cmp"
	"context"
	"iter"
	"math"
	"math/big"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/oracle"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// Trees is an attack on axis-parallel trees.
type Trees struct {
	Voters
	Comparison classifier.Comparison
}

// Check implements Instance.
func (in *Trees) Check(seed uint64) []Failure {
	c, err := in.classifier()
	truth := Truth{
		Infimum: in.infimum,
		Label:   func(z []float64) (int, bool) { return in.labelAt(z), true },
	}
	if !in.Listed {
		truth.Apart = in.apart
	}
	return in.check(c, err, truth, seed)
}

func (in *Trees) classifier() (classifier.Decomposable, error) {
	var all []*classifier.Tree
	for _, nodes := range in.Trees {
		public := make([]classifier.TreeNode, len(nodes))
		for i, n := range nodes {
			public[i] = classifier.TreeNode{
				Feature:     n.Feature,
				Threshold:   n.Threshold,
				Left:        n.Left,
				Right:       n.Right,
				MissingLeft: n.MissingLeft,
				Value:       n.Value,
			}
		}
		t, err := classifier.NewTree(in.Dim, in.Comparison, public)
		if err != nil {
			return nil, err
		}
		all = append(all, t)
	}
	if in.Alone {
		return all[0], nil
	}
	return classifier.NewEnsemble(all, in.options())
}

// goesLeft is the comparison of a node.
func goesLeft(c classifier.Comparison, v, threshold float64) bool {
	switch c {
	case classifier.AtMostFloat32:
		return float64(float32(v)) <= threshold
	case classifier.BelowFloat32:
		return float64(float32(v)) < threshold
	case classifier.AtMostFloat64:
		return v <= threshold
	}
	return v < threshold
}

// labelAt is the label of a float64 input.
func (in *Trees) labelAt(z []float64) int {
	return in.vote(func(n trees.Node) bool {
		if math.IsNaN(z[n.Feature]) {
			return n.MissingLeft
		}
		return goesLeft(in.Comparison, z[n.Feature], n.Threshold)
	})
}

// Smaller implements Instance.
func (in *Trees) Smaller() iter.Seq[Instance] {
	return func(yield func(Instance) bool) {
		for v := range in.smaller() {
			if !yield(&Trees{v, in.Comparison}) {
				return
			}
		}
	}
}

// Oblique is an attack on linear decision trees, or on a user's classifier that
// lists the cells of one.
type Oblique struct {
	Voters
	// Custom attacks a classifier of this package that lists the leaves of the first
	// tree, which is alone, as half-spaces.
	Custom bool
}

// Check implements Instance.
func (in *Oblique) Check(seed uint64) []Failure {
	c, err := in.classifier()
	return in.check(c, err, Truth{Infimum: in.infimum, Within: in.within, Label: in.label}, seed)
}

func (in *Oblique) classifier() (classifier.Decomposable, error) {
	if in.Custom {
		return &partition{in}, nil
	}
	var all [][]classifier.ObliqueNode
	for _, nodes := range in.Trees {
		public := make([]classifier.ObliqueNode, len(nodes))
		for i, n := range nodes {
			public[i] = classifier.ObliqueNode{
				Weights:   n.Weights,
				Threshold: n.Threshold,
				Left:      n.Left,
				Right:     n.Right,
				Value:     n.Value,
			}
		}
		all = append(all, public)
	}
	if in.Alone {
		return classifier.NewObliqueEnsemble(in.Dim, all[:1],
			classifier.EnsembleOptions{Vote: classifier.HardVote})
	}
	return classifier.NewObliqueEnsemble(in.Dim, all, in.options())
}

// label is the exact label at z, sure unless a test of several features holds with
// equality.
func (in *Oblique) label(z []float64) (label int, sure bool) {
	sure = true
	label = in.vote(func(n trees.Node) bool {
		left, clear := in.test(n, z)
		sure = sure && clear
		return left
	})
	return label, sure
}

// test tells whether z goes left, and whether that is so around z.
func (in *Oblique) test(n trees.Node, z []float64) (left, clear bool) {
	if math.IsInf(n.Threshold, 0) {
		return n.Threshold > 0, true
	}
	w, t := in.halfSpace(n)
	sum := new(big.Rat).Neg(t)
	for j, e := range w {
		sum.Add(sum, new(big.Rat).Mul(rat(e), rat(z[j])))
	}
	free := false
	if in.only(n) >= 0 && !in.Custom {
		return sum.Sign() <= 0, true
	}
	for j, e := range w {
		free = free || (e != 0 && !in.Query.fixed(j))
	}
	return sum.Sign() <= 0, sum.Sign() != 0 || !free
}

// Smaller implements Instance.
func (in *Oblique) Smaller() iter.Seq[Instance] {
	return func(yield func(Instance) bool) {
		for v := range in.smaller() {
			if !yield(&Oblique{v, in.Custom}) {
				return
			}
		}
	}
}

// KNN is an attack on k nearest neighbours.
type KNN struct {
	Rows   [][]float64
	Labels []int
	K      int
	// Listed hides the classifier's own search: its cells are listed.
	Listed bool
	Query  Query
}

// listed is a classifier that only lists its cells.
type listed struct{ classifier.Decomposable }

// Check implements Instance.
func (in *KNN) Check(seed uint64) []Failure {
	c, err := classifier.TrainKNN(context.Background(), matrix(in.Rows), in.Labels,
		classifier.KNNOptions{K: in.K})
	if err != nil {
		return []Failure{{'E', err.Error()}}
	}
	truth := Truth{Infimum: in.infimum, Within: in.within, Label: in.label}
	if in.Listed {
		return checkAttack(listed{c}, &in.Query, truth, seed)
	}
	return checkAttack(c, &in.Query, truth, seed)
}

func matrix(rows [][]float64) *mat.Dense {
	m := mat.NewDense(len(rows), len(rows[0]), nil)
	for i, r := range rows {
		m.SetRow(i, r)
	}
	return m
}

// label is the exact vote at z, with ties in the order of the rows.
func (in *KNN) label(z []float64) (int, bool) {
	order, _ := byDistance(in.Rows, z)
	return oracle.Plurality(in.Labels)(order[:in.K]), true
}

// byDistance returns the rows from the nearest to the farthest, equally near ones in
// their order, and the squares of their distances in some unit.
func byDistance(rows [][]float64, z []float64) ([]int, []*big.Int) {
	unit := oracle.CommonUnit(append([][]float64{z}, rows...)...)
	order, square := make([]int, len(rows)), make([]*big.Int, len(rows))
	at := oracle.Integers(z, unit)
	for i, p := range rows {
		u := oracle.Integers(p, unit)
		for j := range u {
			u[j].Sub(u[j], at[j])
		}
		order[i], square[i] = i, oracle.Dot(new(big.Int), u, u)
	}
	slices.SortStableFunc(order, func(i, j int) int {
		return cmp.Or(square[i].Cmp(square[j]), cmp.Compare(i, j))
	})
	return order, square
}

// Smaller implements Instance.
func (in *KNN) Smaller() iter.Seq[Instance] {
	return func(yield func(Instance) bool) {
		for rows, labels := range fewerRows(in.Rows, in.Labels) {
			c := *in
			c.Rows, c.Labels, c.K = rows, labels, min(in.K, len(rows))
			if !yield(&c) {
				return
			}
		}
		if in.K > 1 {
			c := *in
			if c.K--; !yield(&c) {
				return
			}
		}
		for rows, q := range simplerPoints(in.Rows, in.Query) {
			c := *in
			if c.Rows, c.Query = rows, q; !yield(&c) {
				return
			}
		}
	}
}

// Weighted is an attack on distance-weighted k nearest neighbours. There is no
// oracle for the infimum: inputs nearer than the bound are tried.
type Weighted struct {
	Rows   [][]float64
	Labels []int
	K      int
	Query  Query
}

// weightedNodes limits a search, weightedGap is, with room, the gap in the documentation of its
// Search, and weightedLead the least lead, relative to the weights, of an answer that is not near a
// tie: a thousand times the documented one.
const weightedNodes, weightedGap, weightedLead = 3000, 1.01e-8, 1e-9

// Check implements Instance.
func (in *Weighted) Check(seed uint64) []Failure {
	c, err := classifier.TrainWeightedKNN(context.Background(), matrix(in.Rows), in.Labels,
		classifier.KNNOptions{K: in.K})
	if err != nil {
		return []Failure{{'E', err.Error()}}
	}
	return checkAttack(c, &in.Query,
		Truth{Label: in.label, Toward: in.Rows, Gap: weightedGap, Limit: weightedNodes}, seed)
}

// label is the vote at z, sure where the neighbours are certain and the winner leads
// by far.
func (in *Weighted) label(z []float64) (int, bool) {
	order, square := byDistance(in.Rows, z)
	distance := make([]float64, len(order))
	for i, s := range square {
		v, _ := s.Float64()
		distance[i] = math.Sqrt(v)
	}
	if in.K < len(order) && distance[order[in.K]] <= distance[order[in.K-1]]*(1+weightedLead) {
		return 0, false
	}
	if distance[order[0]] <= weightedLead*distance[order[len(order)-1]] {
		return 0, false // so near a row that only rounding matters
	}
	sums, total := make([]float64, slices.Max(in.Labels)+1), 0.0
	for _, i := range order[:in.K] {
		sums[in.Labels[i]] += 1 / distance[i]
		total += 1 / distance[i]
	}
	best := largest(sums)
	for label, sum := range sums {
		if label != best && sums[best]-sum <= weightedLead*total {
			return best, false
		}
	}
	return best, true
}

// Smaller implements Instance.
func (in *Weighted) Smaller() iter.Seq[Instance] {
	return func(yield func(Instance) bool) {
		for rows, labels := range fewerRows(in.Rows, in.Labels) {
			c := *in
			c.Rows, c.Labels, c.K = rows, labels, min(in.K, len(rows))
			if !yield(&c) {
				return
			}
		}
		for rows, q := range simplerPoints(in.Rows, in.Query) {
			c := *in
			if c.Rows, c.Query = rows, q; !yield(&c) {
				return
			}
		}
	}
}
