package soundness

import (
	"cmp"
	"iter"
	"math"
	"math/big"
	"slices"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Trees is an attack on axis-parallel trees.
type Trees struct {
	Dim        int
	Comparison classifier.Comparison
	Trees      [][]classifier.TreeNode
	Vote       classifier.Vote
	Base       []float64
	Rounded    bool // sums are float32
	// Alone attacks the first tree without a vote.
	Alone bool
	// Listed hides the classifier's own search: its cells are listed.
	Listed bool
	Query  Query
}

// Check implements Instance.
func (in *Trees) Check(seed uint64) []Failure {
	c, err := in.classifier()
	if err != nil {
		return []Failure{{'E', err.Error()}}
	}
	truth := Truth{Infimum: in.infimum, Label: func(z []float64) (int, bool) { return in.labelAt(z), true }}
	if in.Listed {
		return checkAttack(listed{c}, &in.Query, truth, seed)
	}
	return checkAttack(c, &in.Query, truth, seed)
}

func (in *Trees) classifier() (classifier.Decomposable, error) {
	var trees []*classifier.Tree
	for _, nodes := range in.Trees {
		t, err := classifier.NewTree(in.Dim, in.Comparison, nodes)
		if err != nil {
			return nil, err
		}
		trees = append(trees, t)
	}
	if in.Alone {
		return trees[0], nil
	}
	return classifier.NewEnsemble(trees, classifier.EnsembleOptions{Vote: in.Vote, Base: in.Base, Single: in.Rounded})
}

// goesLeft is the comparison of a node.
func goesLeft(c classifier.Comparison, v, threshold float64) bool {
	switch c {
	case classifier.Float32:
		return float64(float32(v)) <= threshold
	case classifier.Float32Less:
		return float64(float32(v)) < threshold
	case classifier.Float64:
		return v <= threshold
	}
	return v < threshold
}

// labelAt is the label of a float64 input.
func (in *Trees) labelAt(z []float64) int {
	return in.vote(func(n classifier.TreeNode) bool {
		return goesLeft(in.Comparison, z[n.Feature], n.Threshold)
	})
}

// vote adds up the leaves that left leads to.
func (in *Trees) vote(left func(classifier.TreeNode) bool) int {
	reached := make([][]float64, len(in.Trees))
	for i, nodes := range in.Trees {
		at := 0
		for nodes[at].Left >= 0 {
			if left(nodes[at]) {
				at = nodes[at].Left
			} else {
				at = nodes[at].Right
			}
		}
		reached[i] = nodes[at].Value
	}
	if in.Alone {
		return largest(reached[0])
	}
	return ballot(in.Vote, in.Base, in.Rounded, reached)
}

func largest(v []float64) int {
	best := 0
	for i, e := range v {
		if e > v[best] {
			best = i
		}
	}
	return best
}

// ballot is the vote of an ensemble over the values of leaves, in its arithmetic.
func ballot(vote classifier.Vote, base []float64, single bool, leaves [][]float64) int {
	round := func(v float64) float64 {
		if single {
			return float64(float32(v))
		}
		return v
	}
	sums := make([]float64, len(leaves[0]))
	for c := range sums {
		if base != nil {
			sums[c] = round(base[c])
		}
		for _, leaf := range leaves {
			v := round(leaf[c])
			if vote == classifier.HardVote {
				v = 0
				if largest(leaf) == c {
					v = 1
				}
			}
			sums[c] = round(sums[c] + v)
		}
		if vote == classifier.SoftVote {
			sums[c] /= float64(len(leaves))
		}
	}
	switch vote {
	case classifier.Logistic:
		if round(1/round(1+round(math.Exp(sums[0]-sums[1])))) > 0.5 {
			return 1
		}
		return 0
	case classifier.Softmax:
		exponentials(sums, round)
	}
	return largest(sums)
}

// exponentials turns sums into probabilities, rounded after every step.
func exponentials(sums []float64, round func(float64) float64) {
	most, total := slices.Max(sums), 0.0
	for c := range sums {
		sums[c] = round(math.Exp(sums[c] - most))
		total = round(total + sums[c])
	}
	for c := range sums {
		sums[c] = round(sums[c] / total)
	}
}

// slot is an interval between two borders of a feature.
type slot struct {
	number int
	apart  *big.Rat // what x must move to get there
	rough  float64
}

// border is the end of the inputs that go left, on the real line.
type border struct {
	end    float64
	closed bool
}

// borderOf returns where goesLeft changes. Between the last float32 that goes left
// and the next one rounding changes in the middle.
func borderOf(c classifier.Comparison, threshold float64) border {
	switch c {
	case classifier.Float64:
		return border{threshold, true}
	case classifier.Float64Less:
		return border{threshold, false}
	}
	if !goesLeft(c, math.Inf(-1), threshold) {
		return border{math.Inf(-1), false}
	}
	last := float32(threshold)
	for !goesLeft(c, float64(last), threshold) {
		last = math.Nextafter32(last, float32(math.Inf(-1)))
	}
	if math.IsInf(float64(last), 1) {
		return border{math.Inf(1), false}
	}
	next := math.Nextafter32(last, float32(math.Inf(1)))
	end := beyond32(last)/2 + beyond32(next)/2
	return border{end, goesLeft(c, end, threshold)}
}

// beyond32 returns v, and for infinities the power of two that takes their place in
// rounding.
func beyond32(v float32) float64 {
	return max(-0x1p128, min(0x1p128, float64(v)))
}

// infimum returns the distance of the nearest box of slots whose label answers.
func (in *Trees) infimum(from int) Infimum {
	borders, slots := make([][]border, in.Dim), make([][]slot, in.Dim)
	for f := range in.Dim {
		borders[f] = in.borders(f)
		if slots[f] = in.slots(f, borders[f]); len(slots[f]) == 0 {
			return Infimum{None: true, Norm: in.Query.Norm}
		}
	}
	s := &slotSearch{in: in, borders: borders, slots: slots, from: from, at: make([]slot, in.Dim), rough: math.Inf(1)}
	s.visit(0)
	if s.best == nil {
		return Infimum{None: true, Norm: in.Query.Norm}
	}
	return Infimum{Norm: in.Query.Norm, Cost: s.best}
}

// borders returns the different borders of a feature, ascending.
func (in *Trees) borders(f int) []border {
	var all []border
	for _, nodes := range in.Trees {
		for _, n := range nodes {
			if n.Left >= 0 && n.Feature == f {
				all = append(all, borderOf(in.Comparison, n.Threshold))
			}
		}
	}
	slices.SortFunc(all, func(a, b border) int { return cmp.Compare(a.end, b.end) })
	return slices.Compact(all)
}

// slots returns the slots of a feature that meet the domain, as sets of real numbers.
func (in *Trees) slots(f int, borders []border) []slot {
	domain := polytope.Line()
	if in.Query.Domain != nil {
		domain = in.Query.Domain[f]
	}
	var out []slot
	for i := range len(borders) + 1 {
		s := domain
		if i > 0 {
			s = s.Intersect(polytope.Interval{Lo: borders[i-1].end, LoOpen: borders[i-1].closed, Hi: math.Inf(1)})
		}
		if i < len(borders) {
			s = s.Intersect(polytope.Interval{Lo: math.Inf(-1), Hi: borders[i].end, HiOpen: !borders[i].closed})
		}
		empty := s.Lo > s.Hi || (s.Lo == s.Hi && (s.LoOpen || s.HiOpen)) || math.IsInf(s.Lo, 1) || math.IsInf(s.Hi, -1)
		if empty {
			continue
		}
		apart, x := new(big.Rat), in.Query.X[f]
		if x < s.Lo {
			apart.Sub(rat(s.Lo), rat(x))
		} else if x > s.Hi {
			apart.Sub(rat(x), rat(s.Hi))
		}
		rough, _ := apart.Float64()
		out = append(out, slot{i, apart, rough})
	}
	slices.SortStableFunc(out, func(a, b slot) int { return cmp.Compare(a.rough, b.rough) })
	return out
}

// slotSearch goes through all boxes of slots.
type slotSearch struct {
	in      *Trees
	borders [][]border
	slots   [][]slot
	from    int
	at      []slot
	rough   float64
	best    *big.Rat
}

// visit goes through the slots of the features from f on.
func (s *slotSearch) visit(f int) {
	if f < len(s.slots) {
		for _, slot := range s.slots[f] {
			// Leaves room for roughness: 1e-9 is far above rounding.
			if slot.rough > s.rough*(1+1e-9) {
				break
			}
			s.at[f] = slot
			s.visit(f + 1)
		}
		return
	}
	if !s.in.Query.reaches(s.from, s.label()) {
		return
	}
	apart := make([]*big.Rat, len(s.at))
	rough := make([]float64, len(s.at))
	for f, slot := range s.at {
		apart[f], rough[f] = slot.apart, slot.rough
	}
	if cost := costOf(s.in.Query.Norm, apart); s.best == nil || cost.Cmp(s.best) < 0 {
		s.best, s.rough = cost, s.in.Query.Norm.Length(rough)
	}
}

// label is that of the box of slots.
func (s *slotSearch) label() int {
	return s.in.vote(func(n classifier.TreeNode) bool {
		b := borderOf(s.in.Comparison, n.Threshold)
		number, _ := slices.BinarySearchFunc(s.borders[n.Feature], b, func(a, b border) int { return cmp.Compare(a.end, b.end) })
		return s.at[n.Feature].number <= number
	})
}

// Smaller implements Instance.
func (in *Trees) Smaller() iter.Seq[Instance] {
	return func(yield func(Instance) bool) {
		for i := range in.Trees {
			c := *in
			if c.Trees = slices.Delete(slices.Clone(in.Trees), i, i+1); len(c.Trees) > 0 && !yield(&c) {
				return
			}
		}
		for i, nodes := range in.Trees {
			for smaller := range smallerTrees(nodes) {
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

// smallerTrees lists trees in which a node is the leaf of one of its sides, or a
// threshold is rounder.
func smallerTrees(nodes []classifier.TreeNode) iter.Seq[[]classifier.TreeNode] {
	return func(yield func([]classifier.TreeNode) bool) {
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
			for _, side := range []int{n.Left, n.Right} {
				if !yield(grafted(nodes, i, side)) {
					return
				}
			}
			for _, simple := range rounder(n.Threshold) {
				c := slices.Clone(nodes)
				if c[i].Threshold = simple; !yield(c) {
					return
				}
			}
		}
	}
}

// simplerValues returns 1 for the winner of a leaf and 0 for others, and zeros for an
// inner node; nil if the values are that already.
func simplerValues(values []float64, leaf bool) []float64 {
	simple := make([]float64, len(values))
	if leaf {
		simple[largest(values)] = 1
	}
	if slices.Equal(simple, values) {
		return nil
	}
	return simple
}

// grafted returns the tree with node side in the place of node at.
func grafted(nodes []classifier.TreeNode, at, side int) []classifier.TreeNode {
	var out []classifier.TreeNode
	var add func(i int) int
	add = func(i int) int {
		if i == at {
			i = side
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
