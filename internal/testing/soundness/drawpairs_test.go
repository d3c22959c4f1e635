package soundness

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/attack/property"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

func init() {
	for _, question := range questions {
		kinds[question] = func(r *rand.Rand) Instance { return drawPairs(r, question) }
	}
}

// drawPairs draws models, features, a domain and rows for a question.
func drawPairs(r *rand.Rand, question string) *Pairs {
	in := &Pairs{
		Question: question, Dim: 2 + r.IntN(2),
		Classes:    pick(r, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 4, 4, 10),
		Comparison: classifier.Comparison(r.IntN(4)), Falling: r.IntN(2) == 1,
	}
	in.Order = r.Perm(in.Dim)
	labels := question == "flips" || question == "disagree"
	if in.Regressor = !labels && r.IntN(3) == 0; in.Regressor {
		in.Classes = 1
		in.Votes = classifier.EnsembleOptions{
			Vote: classifier.SumVote, Base: []float64{r.NormFloat64()}, Single: r.IntN(2) == 0,
		}
		if r.IntN(3) == 0 {
			in.Votes.Vote, in.Votes.Base = classifier.SoftVote, nil
		}
	} else {
		in.Votes = instance.DrawVote(r, in.Classes)
		in.Options.Class, in.Options.Probability = r.IntN(in.Classes), r.IntN(3) == 0
	}
	in.drawFeatures(r)
	if r.IntN(3) == 0 {
		count := 1 + r.IntN(3)
		if r.IntN(6) == 0 {
			count += 19 // so many that some searches know the answers of others
		}
		for range count {
			in.Rows = append(in.Rows, in.drawRow(r))
		}
		in.Options.Within, in.Options.Norm = float64(1+r.IntN(8))/4, polytope.Norm(r.IntN(3))
		if in.Options.Norm == polytope.LInf && r.IntN(2) == 0 {
			in.Options.Within, in.Options.Radii = 0, in.drawRadii(r)
		}
	}
	in.drawTrees(r)
	if in.Options.Workers = 1 + r.IntN(3); r.IntN(3) == 0 && !(labels && in.chances()) {
		in.Options.By = float64(r.IntN(5)) / 4
	}
	in.drawFree(r)
	if !in.Options.Ordered && r.IntN(2) == 0 {
		in.Options.Class = property.EveryClass
	}
	if r.IntN(8) == 0 {
		in.Options.MaxNodes = 1 + r.IntN(3)
	} else if r.IntN(8) == 0 {
		in.Options.MaxMemory = 1 // two boxes may wait
	}
	if r.IntN(4) == 0 {
		in.scale(4. / 3) // numbers that sums round
	}
	in.Votes.AnyOrder = !in.Regressor && in.Votes.Vote == classifier.SumVote && r.IntN(4) == 0
	return in
}

// scale makes the values of leaves, and the bases of sums so many times as large.
func (in *Pairs) scale(by float64) {
	for _, all := range in.Trees {
		for _, nodes := range all {
			for i := range nodes {
				nodes[i].Value = slices.Clone(nodes[i].Value)
				for c := range nodes[i].Value {
					nodes[i].Value[c] *= by
				}
			}
		}
	}
	in.Votes.Base = slices.Clone(in.Votes.Base)
	for c := range in.Votes.Base {
		in.Votes.Base[c] *= by
	}
}

// drawFree draws the features in question, and how far apart their values may be.
func (in *Pairs) drawFree(r *rand.Rand) {
	switch in.Question {
	case "monotone":
		var numbers []int
		for j := range in.Dim {
			if in.isNumber(j) {
				numbers = append(numbers, j)
			}
		}
		if len(numbers) == 0 {
			in.Options.Features = nil
			numbers = []int{0}
		}
		in.Free = []int{pick(r, numbers...)}
	case "depends", "flips":
		in.Free = []int{r.IntN(in.Dim)}
		if r.IntN(3) == 0 {
			in.Free = append(in.Free, r.IntN(in.Dim))
		}
		isOther := func(j int) bool { return !in.isNumber(j) }
		if r.IntN(3) == 0 && !slices.ContainsFunc(in.Free, isOther) {
			in.Options.Ordered = r.IntN(2) == 0
		}
		if r.IntN(3) == 0 {
			in.Options.Apart = in.drawRadii(r)
			for j := range in.Dim {
				if isOther(j) {
					in.Options.Apart[j] = math.Inf(1)
				}
			}
		}
	}
}

// drawRadii draws a distance for each feature, one for the members of a group.
func (in *Pairs) drawRadii(r *rand.Rand) []float64 {
	list := make([]float64, in.Dim)
	for j := range list {
		if list[j] = float64(r.IntN(5)) / 4; r.IntN(4) == 0 {
			list[j] = math.Inf(1)
		}
		if j > 0 && in.feature(j).Group > 0 && in.feature(j-1).Group > 0 {
			list[j] = list[j-1]
		}
	}
	return list
}

func (in *Pairs) isNumber(j int) bool {
	return !in.feature(j).Categorical && in.feature(j).Group == 0
}

func (in *Pairs) drawFeatures(r *rand.Rand) {
	if r.IntN(2) == 0 {
		in.Options.Domain = make(polytope.Box, in.Dim)
		for j := range in.Options.Domain {
			lo, hi := -float64(r.IntN(3)), float64(1+r.IntN(3))
			in.Options.Domain[j] = polytope.Interval{Lo: lo, Hi: hi}
		}
	}
	if r.IntN(4) == 0 {
		return
	}
	in.Options.Features = make([]attack.Feature, in.Dim)
	for j := range in.Options.Features {
		f := &in.Options.Features[j]
		switch r.IntN(6) {
		case 0:
			f.Step = 1
		case 1:
			f.Step, f.Origin = 0.5, 0.25
		case 2:
			f.Categorical, f.Codes, f.Up = true, 2+r.IntN(2), float64(r.IntN(3))
			continue
		case 3:
			f.Missing = attack.MissingRule(r.IntN(3))
		}
		f.Up, f.Down = float64(r.IntN(3)), float64(r.IntN(3))
	}
	if r.IntN(3) == 0 {
		for j := range in.Options.Features[:2] {
			in.Options.Features[j] = attack.Feature{Group: 7, Up: float64(r.IntN(2))}
		}
	}
}

// drawRow draws a row, of which a group may be broken, and a value missing.
func (in *Pairs) drawRow(r *rand.Rand) []float64 {
	row := make([]float64, in.Dim)
	for j := range row {
		switch f := in.feature(j); {
		case f.Group > 0, f.Categorical:
			row[j] = float64(r.IntN(2))
		case f.Missing != attack.KeepMissing && r.IntN(3) == 0, r.IntN(9) == 0:
			row[j] = math.NaN()
		case f.Step > 0:
			row[j] = f.Origin + f.Step*float64(r.IntN(7)-3)
		default:
			row[j] = float64(r.IntN(17)-8) / 4
		}
	}
	return row
}

// drawTrees draws the trees of a model, and those of another one: the same with other numbers
// here and there, or trees of its own.
func (in *Pairs) drawTrees(r *rand.Rand) {
	coarse := r.IntN(2) == 0
	number := func() float64 {
		if coarse {
			return float64(r.IntN(5)-2) / 4
		}
		return r.NormFloat64()
	}
	for range 1 + r.IntN(4) {
		in.Trees[0] = append(in.Trees[0], in.grow(r, 1+r.IntN(3), number))
	}
	if r.IntN(4) == 0 {
		for range 1 + r.IntN(4) {
			in.Trees[1] = append(in.Trees[1], in.grow(r, 1+r.IntN(3), number))
		}
		return
	}
	for _, nodes := range in.Trees[0] {
		other := slices.Clone(nodes)
		for i := range other {
			other[i].Value = slices.Clone(other[i].Value)
			switch {
			case r.IntN(8) > 0:
			case other[i].Left >= 0:
				other[i].Threshold += 0.25
				other[i].Thresholds = slices.Clone(other[i].Thresholds)
				for k := range other[i].Thresholds {
					other[i].Thresholds[k] += 0.25
				}
			default:
				other[i].Value[0] += number()
			}
		}
		in.Trees[1] = append(in.Trees[1], other)
	}
}

func (in *Pairs) grow(
	r *rand.Rand, depth int, number func() float64,
) (nodes []classifier.TreeNode) {
	var below func(depth int) int
	below = func(depth int) int {
		at := len(nodes)
		n := classifier.TreeNode{Feature: -1, Left: -1, Right: -1}
		n.Value = make([]float64, in.Classes)
		for c := range n.Value {
			n.Value[c] = number()
			if in.Votes.Vote == classifier.SoftVote {
				n.Value[c] = math.Abs(n.Value[c])
			}
		}
		nodes = append(nodes, n)
		if depth > 0 && r.IntN(5) > 0 {
			nodes[at].Feature, nodes[at].MissingLeft = r.IntN(in.Dim), r.IntN(2) == 0
			nodes[at].Threshold = float64(r.IntN(9)-4) / 4
			if r.IntN(4) == 0 {
				nodes[at].Thresholds = drawSet(r)
			} else if r.IntN(6) == 0 {
				nodes[at].Threshold = math.Nextafter(nodes[at].Threshold, 9)
			}
			left := below(depth - 1)
			right := below(depth - 1)
			nodes[at].Left, nodes[at].Right = left, right
		}
		return at
	}
	below(depth)
	return nodes
}

// drawSet draws the thresholds of a test of a set: some of seven.
func drawSet(r *rand.Rand) (set []float64) {
	for len(set) < 2 {
		set = nil
		for k := range 7 {
			if r.IntN(2) == 0 {
				set = append(set, float64(k-3)/2)
			}
		}
	}
	return set
}

// drawRanges draws a regressor and a ball that ends at thresholds, or as near to them as rounding
// lets it.
func drawRanges(r *rand.Rand) *Ranges {
	in := &Ranges{}
	in.Dim = pick(r, 1, 1, 2, 2, 3)
	in.Comparison = classifier.Comparison(r.IntN(4))
	if in.Vote = pick(r, classifier.SoftVote, classifier.SumVote); in.Vote == classifier.SumVote {
		in.Rounded, in.Base = r.IntN(2) == 0, []float64{pick(r, 0, 0, 0.1, 1e8)}
	}
	thresholds := make([][]float64, in.Dim)
	for j := range thresholds {
		if thresholds[j] = drawThresholds(r, false); r.IntN(2) == 0 {
			thresholds[j] = []float64{0.6, 0.1 + float64(r.IntN(9))/10, -0.3, float64(r.IntN(3))}
		}
	}
	test := func() trees.Node {
		j := r.IntN(in.Dim)
		return trees.Node{Feature: j, Threshold: pick(r, thresholds[j]...)}
	}
	for range pick(r, 1, 2, 3, 3, 4) {
		in.Trees.Trees = append(in.Trees.Trees, growNodes(r, classifier.SumVote, 1, test))
	}
	in.Query = drawTreeQuery(r, thresholds, 2)
	in.Query.Target = -1
	q := &in.Query
	for j := range q.X {
		if r.IntN(2) == 0 {
			q.X[j] = float64(r.IntN(21)-10) / 10
		}
	}
	// In ℓ2 and ℓ1 several features go as far as thresholds.
	far := 0.0
	for j := range q.X {
		way := math.Abs(q.X[j] - within(pick(r, thresholds[j]...)))
		if far = max(far, way); q.Norm != 0 && r.IntN(3) == 0 {
			far = geometry.Length(q.Norm, []float64{far, way})
		}
	}
	in.Radius = pick(r, far, far, far, math.Nextafter(far, 0), math.Nextafter(far, math.Inf(1)),
		float64(r.IntN(11))/10, 0, r.ExpFloat64())
	return in
}
